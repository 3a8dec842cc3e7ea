// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/overflow.h>

#include "copy.h"
#include "snapshot.h"

/**
 * fsb_snapshot_alloc() - make room for the copy of a disk
 * @nr_shards: its shards
 * @nr_slots: driver tags of each
 * @uid: the reader, see fsb_copy_alloc()
 *
 * Context: as fsb_copy_alloc().
 * Return: the room, to be given to fsb_copy_free(), or -EBUSY or -ENOMEM.
 */
struct fsb_snapshot *fsb_snapshot_alloc(u32 nr_shards, u32 nr_slots, kuid_t uid)
{
	size_t depths = size_mul(nr_slots + 1, sizeof(u64));
	struct fsb_snapshot *snapshot;
	size_t size = struct_size(snapshot, shard, nr_shards);
	u64 *depth_ns;
	u32 i;

	snapshot = fsb_copy_alloc(size_add(size, size_mul(nr_shards, depths)), uid);
	if (IS_ERR(snapshot))
		return snapshot;
	snapshot->nr_slots = nr_slots;
	snapshot->nr_shards = nr_shards;
	depth_ns = (void *)snapshot + size;
	for (i = 0; i < nr_shards; i++, depth_ns += nr_slots + 1)
		snapshot->shard[i].depth_ns = depth_ns;
	return snapshot;
}

static void fsb_merges_sum(struct fsb_merge_counts __percpu *percpu, struct fsb_merge_counts *sum)
{
	const struct fsb_merge_counts *counts;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		counts = per_cpu_ptr(percpu, cpu);
		sum->reads += READ_ONCE(counts->reads);
		sum->writes += READ_ONCE(counts->writes);
	}
}

static void fsb_parts_take(struct fsb_snapshot *snapshot, const struct fsb_parts *parts)
{
	unsigned int i;

	if (parts->bios) {
		fsb_owners_sum(parts->bios->owners, (u64 *)&snapshot->bio);
		fsb_merges_sum(parts->bios->merges, &snapshot->merges);
	}
	if (!parts->ata)
		return;
	fsb_ata_copy_counts(parts->ata, &snapshot->ata);
	for (i = 0; i < FSBSTAT_ATA_HISTS; i++)
		fsb_ata_copy_hist(parts->ata, i, &snapshot->ata_hist[i]);
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
	fsb_parts_take(snapshot, &stats->parts);
	fsb_unflushed_copy(stats, &snapshot->unflushed);
	for (i = 0; i < FSBSTAT_UNFLUSHED_HISTS; i++)
		fsb_unflushed_copy_hist(stats->unflushed, i, &snapshot->unflushed_hist[i]);
	for (nr = 0; nr < stats->nr_shards; nr++) {
		copy = &snapshot->shard[nr];
		fsb_shard_copy_counts(stats->shard[nr], &copy->counts, copy->depth_ns);
		for (i = 0; i < FSB_HISTS; i++)
			fsb_shard_copy_hist(stats->shard[nr], i, &copy->hist[i]);
	}
	return true;
}
