// SPDX-License-Identifier: GPL-2.0-only
#include <linux/atomic.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "snapshot.h"

static atomic_long_t fsb_snapshots_memory;

static size_t fsb_shard_copy_size(u32 nr_slots)
{
	return sizeof(struct fsb_shard_copy) + (nr_slots + 1) * sizeof(u64);
}

/* Charged to the reader's memory cgroup. */
static struct fsb_shard_copy *fsb_shard_copy_alloc(u32 nr_slots)
{
	struct fsb_shard_copy *copy;

	copy = __vmalloc(fsb_shard_copy_size(nr_slots), GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!copy)
		return NULL;
	copy->nr_depth = nr_slots + 1;
	copy->depth_ns = (u64 *)(copy + 1);
	return copy;
}

/* Every counter is a u64: the structure is summed as an array of them. */
static void fsb_bio_counts_sum(struct fsb_bio_counts __percpu *percpu, struct fsb_bio_counts *sum)
{
	const unsigned int nr = sizeof(*sum) / sizeof(u64);
	unsigned int cpu, i;

	BUILD_BUG_ON(sizeof(*sum) % sizeof(u64));
	for_each_possible_cpu(cpu) {
		const u64 *counts = (const u64 *)per_cpu_ptr(percpu, cpu);

		for (i = 0; i < nr; i++)
			((u64 *)sum)[i] += READ_ONCE(counts[i]);
	}
}

/**
 * fsb_snapshot_alloc() - make room for the copy of a disk
 * @nr_shards: its shards
 * @nr_slots: driver tags of each
 *
 * A reader that does not read keeps its copy; what all of them keep is bounded.
 *
 * Context: process context, may sleep; no lock held, for the reader may be throttled.
 * Return: the room, to be given to fsb_snapshot_free(), or -EBUSY or -ENOMEM.
 */
struct fsb_snapshot *fsb_snapshot_alloc(u32 nr_shards, u32 nr_slots)
{
	struct fsb_snapshot *snapshot;
	struct fsb_shard_copy *copy;

	snapshot = kvzalloc(struct_size(snapshot, shard, nr_shards), GFP_KERNEL_ACCOUNT);
	if (!snapshot)
		return ERR_PTR(-ENOMEM);
	snapshot->nr_slots = nr_slots;
	snapshot->memory = sizeof(*snapshot) + nr_shards * fsb_shard_copy_size(nr_slots);
	if (atomic_long_add_return(snapshot->memory, &fsb_snapshots_memory) >
	    FSB_SNAPSHOTS_MEMORY_MAX) {
		fsb_snapshot_free(snapshot);
		return ERR_PTR(-EBUSY);
	}
	while (snapshot->nr_shards < nr_shards) {
		copy = fsb_shard_copy_alloc(nr_slots);
		if (!copy) {
			fsb_snapshot_free(snapshot);
			return ERR_PTR(-ENOMEM);
		}
		snapshot->shard[snapshot->nr_shards++] = copy;
	}
	return snapshot;
}

/**
 * fsb_snapshot_take() - copy the counters of a disk
 * @snapshot: room for them
 * @stats: counters that will not be freed meanwhile
 *
 * Context: process context.
 * Return: false when the disk has another shape than the room was made for.
 */
bool fsb_snapshot_take(struct fsb_snapshot *snapshot, struct fsb_disk_stats *stats)
{
	struct fsb_shard_copy *copy;
	unsigned int i;
	u32 nr;

	if (stats->nr_shards != snapshot->nr_shards ||
	    stats->geometry.depth != snapshot->nr_slots)
		return false;
	fsb_bio_counts_sum(stats->bio, &snapshot->bio);
	fsb_ata_copy_counts(stats->ata, &snapshot->ata);
	for (i = 0; i < FSBSTAT_ATA_HISTS; i++)
		fsb_ata_copy_hist(stats->ata, i, &snapshot->ata_hist[i]);
	for (nr = 0; nr < stats->nr_shards; nr++) {
		copy = snapshot->shard[nr];
		fsb_shard_copy_counts(stats->shard[nr], &copy->counts, copy->depth_ns);
		for (i = 0; i < FSB_HISTS; i++)
			fsb_shard_copy_hist(stats->shard[nr], i, &copy->hist[i]);
	}
	return true;
}

/**
 * fsb_snapshot_free() - release a copy
 * @snapshot: it
 */
void fsb_snapshot_free(struct fsb_snapshot *snapshot)
{
	u32 i;

	for (i = 0; i < snapshot->nr_shards; i++)
		vfree(snapshot->shard[i]);
	atomic_long_sub(snapshot->memory, &fsb_snapshots_memory);
	kvfree(snapshot);
}
