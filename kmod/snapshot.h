/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * snapshot: a private copy of all counters of one disk, made when a dump starts, so
 * that a slow reader holds nothing up.
 */
#ifndef FSB_SNAPSHOT_H
#define FSB_SNAPSHOT_H

#include "target.h"

/**
 * struct fsb_shard_copy - one shard
 * @counts: scalars, at one instant with @depth_ns
 * @depth_ns: time at each depth, ns
 * @hist: histograms, each consistent in itself
 */
struct fsb_shard_copy {
	struct fsb_shard_counts counts;
	u64 *depth_ns;
	struct fsb_hist hist[FSB_HISTS];
};

/**
 * struct fsb_snapshot - one disk
 * @info: its description, filled by the caller of fsb_snapshot_take()
 * @nr_slots: driver tags it has room for in each shard
 * @bio: bio layer counters, summed over CPUs
 * @merges: merges, summed over CPUs
 * @ata: scalars of the ATA layer
 * @ata_hist: its histograms
 * @unflushed: scalars of what is written and not flushed
 * @unflushed_hist: its histograms
 * @nr_shards: shards
 * @shard: their copies
 */
struct fsb_snapshot {
	struct fsb_target_info info;
	u32 nr_slots;
	struct fsb_bio_counts bio;
	struct fsb_merge_counts merges;
	struct fsb_ata_counts ata;
	struct fsb_hist ata_hist[FSBSTAT_ATA_HISTS];
	struct fsb_unflushed_counts unflushed;
	struct fsb_hist unflushed_hist[FSBSTAT_UNFLUSHED_HISTS];
	u32 nr_shards;
	struct fsb_shard_copy shard[];
};

struct fsb_snapshot *fsb_snapshot_alloc(u32 nr_shards, u32 nr_slots, kuid_t uid);
bool fsb_snapshot_take(struct fsb_snapshot *snapshot, struct fsb_disk_stats *stats);

#endif /* FSB_SNAPSHOT_H */
