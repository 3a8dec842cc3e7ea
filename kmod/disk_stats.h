/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * disk_stats: what is counted of one disk (its shards and its bio counters), and the
 * table that leads from a request queue to it.
 *
 * Probes find a disk by fsb_disk_stats_find() and never keep the pointer.  They may be
 * preemptible, so they do that in a section of RCU-sched of their own: with interrupts off, as
 * counting needs them anyway, or by rcu_read_lock_sched_notrace(), where more than one shard is
 * looked at.  synchronize_rcu() waits for both.  What happens on other disks is nearly always told
 * before, by fsb_disk_stats_watched(), which follows no pointer.
 *
 * target.c makes, publishes, withdraws and frees; between withdrawing and freeing
 * lies a grace period.
 */
#ifndef FSB_DISK_STATS_H
#define FSB_DISK_STATS_H

#include <linux/hashtable.h>
#include <linux/rculist.h>

#include "parts.h"
#include "settings.h"
#include "shard.h"

/* No disk takes more memory than this; adding a larger one is refused. */
#define FSB_DISK_MEMORY_MAX (32UL << 20)

/**
 * struct fsb_bio_counts - bio layer counters of a disk or an owner, see &enum fsbstat_bio_attr
 * @read_ios: read bios
 * @read_bytes: their bytes
 * @write_ios: write bios with data
 * @write_bytes: their bytes
 * @discard_ios: discards
 * @discard_bytes: their bytes
 * @other_ios: other operations
 * @other_bytes: their bytes
 * @preflush: writes with data and REQ_PREFLUSH
 * @fua: writes with data and REQ_FUA
 * @empty_flush: REQ_PREFLUSH without data
 *
 * A row of &struct fsb_owners: all u64.
 */
struct fsb_bio_counts {
	u64 read_ios;
	u64 read_bytes;
	u64 write_ios;
	u64 write_bytes;
	u64 discard_ios;
	u64 discard_bytes;
	u64 other_ios;
	u64 other_bytes;
	u64 preflush;
	u64 fua;
	u64 empty_flush;
};

#define FSB_BIO_WORDS (sizeof(struct fsb_bio_counts) / sizeof(u64))

/**
 * struct fsb_geometry - the shape of a disk's queues
 * @queues: hardware queues
 * @depth: driver tags of each
 * @shared_tags: all hardware queues share one set of tags
 */
struct fsb_geometry {
	u32 queues;
	u32 depth;
	bool shared_tags;
};

/**
 * struct fsb_disk_stats - counters of one disk
 * @node: in fsb_disks
 * @queue: its request queue; only the pointer's value is used by probes
 * @dev: number of the whole disk, for trace events
 * @geometry: the shape it was made for
 * @start: when counting began, ns
 * @visible: from when on every issue has been seen, ns
 * @memory: bytes it takes, without @parts
 * @settling: requests issued before @start may still be in flight
 * @parts: layers that come and go
 * @unflushed: its flushes, and what they cover
 * @settings: commands that change settings, and what readers told of them
 * @queue_mask: what of the number of a hardware queue leads to its shard; 0 with shared tags
 * @nr_shards: shards; 1 with shared tags
 * @shard: one per hardware queue
 *
 * Shared tags have one shard: a tag may move between hardware queues there, and one
 * table per queue would take queues x depth.
 */
struct fsb_disk_stats {
	struct hlist_node node;
	struct request_queue *queue;
	dev_t dev;
	struct fsb_geometry geometry;
	u64 start;
	u64 visible;
	size_t memory;
	bool settling;
	struct fsb_parts parts;
	struct fsb_unflushed *unflushed;
	struct fsb_settings settings;
	u32 queue_mask;
	u32 nr_shards;
	struct fsb_shard *shard[];
};

/* Watched disks by the number of their request queue, modulo this: no two of few collide. */
#define FSB_DISKS 256U

extern struct hlist_head fsb_disks[FSB_DISKS];

/**
 * fsb_disks_head() - the place of a queue's disk in fsb_disks
 * @queue: the queue
 *
 * Return: the list it is in if it is watched.
 */
static inline struct hlist_head *fsb_disks_head(const struct request_queue *queue)
{
	return &fsb_disks[queue->id % FSB_DISKS];
}

/**
 * fsb_disk_stats_watched() - whether a queue's disk may be watched
 * @queue: the queue
 *
 * Context: any.
 * Return: false when it is not.
 */
static __always_inline bool fsb_disk_stats_watched(const struct request_queue *queue)
{
	return !hlist_empty(fsb_disks_head(queue));
}

/**
 * fsb_disk_stats_find() - the counters of a queue's disk
 * @queue: the queue
 *
 * Context: a section of RCU-sched; the result is valid until its end.
 * Return: the counters, or NULL when the disk is not watched.
 */
static __always_inline struct fsb_disk_stats *
fsb_disk_stats_find(const struct request_queue *queue)
{
	struct fsb_disk_stats *stats;

	hlist_for_each_entry_rcu(stats, fsb_disks_head(queue), node, rcu_read_lock_sched_held())
		if (likely(stats->queue == queue))
			return stats;
	return NULL;
}

/**
 * fsb_disk_stats_index() - the shard a request is counted in
 * @stats: the request's disk
 * @rq: the request, which holds its hardware queue
 *
 * Return: its number; @nr_shards or more for a queue that did not exist when counting began.
 */
static __always_inline u32 fsb_disk_stats_index(const struct fsb_disk_stats *stats,
						const struct request *rq)
{
	return rq->mq_hctx->queue_num & stats->queue_mask;
}

/**
 * fsb_disk_stats_shard() - the same as a pointer
 * @stats: the request's disk
 * @rq: the request, which holds its hardware queue
 *
 * Return: the shard, or NULL for a queue that did not exist when counting began.
 */
static inline struct fsb_shard *fsb_disk_stats_shard(struct fsb_disk_stats *stats,
						     const struct request *rq)
{
	u32 index = fsb_disk_stats_index(stats, rq);

	return index < stats->nr_shards ? stats->shard[index] : NULL;
}

size_t fsb_disk_stats_size(const struct fsb_geometry *geometry);
struct fsb_disk_stats *fsb_disk_stats_alloc(struct request_queue *queue, dev_t dev,
					    const struct fsb_geometry *geometry, u32 layers);
void fsb_disk_stats_free(struct fsb_disk_stats *stats);

void fsb_disk_stats_publish(struct fsb_disk_stats *stats, struct fsb_disk_stats *old);
struct fsb_disk_stats *fsb_disk_stats_renew(struct fsb_disk_stats *old,
					    const struct fsb_geometry *geometry);
void fsb_disk_stats_withdraw(struct fsb_disk_stats *stats);

void fsb_disk_stats_untracked(struct fsb_disk_stats *stats);
void fsb_disk_stats_settle(struct fsb_disk_stats *stats);
bool fsb_disk_stats_drained(struct fsb_disk_stats *stats);
bool fsb_disk_stats_misfit(const struct fsb_disk_stats *stats);
bool fsb_queue_geometry(struct request_queue *queue, struct fsb_geometry *geometry);

#endif /* FSB_DISK_STATS_H */
