// SPDX-License-Identifier: GPL-2.0-only
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "disk_stats.h"
#include "fs.h"
#include "parts.h"

/**
 * fsb_parts_size() - memory that layers of one disk take
 * @layers: which
 *
 * Return: bytes.
 */
size_t fsb_parts_size(u32 layers)
{
	size_t size = 0;

	if (layers & FSBSTAT_LAYER_BIO)
		size += sizeof(struct fsb_bios) + fsb_owners_size(FSB_BIO_WORDS) +
			num_possible_cpus() * sizeof(struct fsb_merge_counts);
	if (layers & FSBSTAT_LAYER_DRIVE)
		size += sizeof(struct fsb_ata_state);
	return size;
}

static void fsb_bios_free(struct fsb_bios *bios)
{
	if (!bios)
		return;
	fsb_owners_free(bios->owners);
	free_percpu(bios->merges);
	kfree(bios);
}

static struct fsb_bios *fsb_bios_alloc(void)
{
	struct fsb_bios *bios = kzalloc(sizeof(*bios), GFP_KERNEL);

	if (!bios)
		return NULL;
	bios->owners = fsb_owners_alloc(FSB_BIO_WORDS);
	bios->merges = alloc_percpu(struct fsb_merge_counts);
	if (bios->owners && bios->merges)
		return bios;
	fsb_bios_free(bios);
	return NULL;
}

/**
 * fsb_parts_alloc() - make layers
 * @parts: zeroed; set
 * @layers: which
 *
 * Context: process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fsb_parts_alloc(struct fsb_parts *parts, u32 layers)
{
	if (layers & FSBSTAT_LAYER_FS && fsb_fs_get())
		return -ENOMEM;
	parts->layers = layers;
	if (layers & FSBSTAT_LAYER_BIO) {
		parts->bios = fsb_bios_alloc();
		if (!parts->bios)
			goto free;
	}
	if (layers & FSBSTAT_LAYER_DRIVE) {
		parts->ata = vzalloc(sizeof(*parts->ata));
		if (!parts->ata)
			goto free;
		fsb_ata_state_init(parts->ata);
	}
	return 0;
free:
	fsb_parts_free(parts);
	return -ENOMEM;
}

/**
 * fsb_parts_free() - release layers
 * @parts: such as no probe can reach any more; the hooks of those that were the last are detached
 */
void fsb_parts_free(struct fsb_parts *parts)
{
	fsb_bios_free(parts->bios);
	vfree(parts->ata);
	if (parts->layers & FSBSTAT_LAYER_FS)
		fsb_fs_put();
	memset(parts, 0, sizeof(*parts));
}

/**
 * fsb_parts_start() - begin the clocks of layers
 * @parts: such as no probe can reach yet
 * @now: ktime_get_ns()
 */
void fsb_parts_start(struct fsb_parts *parts, u64 now)
{
	if (parts->bios)
		parts->bios->since = now;
	if (parts->ata)
		fsb_ata_state_start(parts->ata, now);
}

/**
 * fsb_parts_move() - give layers away
 * @to: has none of them
 * @from: has all of them
 * @layers: which
 *
 * Probes may look at either.
 */
void fsb_parts_move(struct fsb_parts *to, struct fsb_parts *from, u32 layers)
{
	from->layers &= ~layers;
	to->layers |= layers;
	if (layers & FSBSTAT_LAYER_BIO) {
		smp_store_release(&to->bios, from->bios);	/* its clock has begun */
		WRITE_ONCE(from->bios, NULL);
	}
	if (layers & FSBSTAT_LAYER_DRIVE) {
		smp_store_release(&to->ata, from->ata);		/* likewise */
		WRITE_ONCE(from->ata, NULL);
	}
}
