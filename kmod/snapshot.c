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

/**
 * fsb_snapshots_charge() - ask for memory that a reader keeps until it has read
 * @memory: bytes
 *
 * A reader that does not read keeps its copy; what all of them keep is bounded.
 *
 * Return: whether it may have it; then fsb_snapshots_uncharge() is to follow.
 */
bool fsb_snapshots_charge(size_t memory)
{
	if (atomic_long_add_return(memory, &fsb_snapshots_memory) <= FSB_SNAPSHOTS_MEMORY_MAX)
		return true;
	fsb_snapshots_uncharge(memory);
	return false;
}

/**
 * fsb_snapshots_uncharge() - the memory has been given back
 * @memory: bytes
 */
void fsb_snapshots_uncharge(size_t memory)
{
	atomic_long_sub(memory, &fsb_snapshots_memory);
}

/**
 * fsb_snapshot_alloc() - make room for the copy of a disk
 * @nr_shards: its shards
 * @nr_slots: driver tags of each
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
	if (!fsb_snapshots_charge(snapshot->memory)) {
		kvfree(snapshot);
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
	fsb_owners_sum(stats->owners, (u64 *)&snapshot->bio);
	fsb_merges_sum(stats->merges, &snapshot->merges);
	fsb_ata_copy_counts(stats->ata, &snapshot->ata);
	for (i = 0; i < FSBSTAT_ATA_HISTS; i++)
		fsb_ata_copy_hist(stats->ata, i, &snapshot->ata_hist[i]);
	fsb_unflushed_copy(stats, &snapshot->unflushed);
	for (i = 0; i < FSBSTAT_UNFLUSHED_HISTS; i++)
		fsb_unflushed_copy_hist(stats->unflushed, i, &snapshot->unflushed_hist[i]);
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
	fsb_snapshots_uncharge(snapshot->memory);
	kvfree(snapshot);
}
