/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * disk_stats: what is counted of one disk (its shards and its bio counters), and the
 * map that leads from a request queue to it.
 *
 * Probes find a disk by fsb_disk_stats_find() inside an RCU section of their own
 * (probes may be preemptible) and never keep the pointer.  The section is one of
 * RCU-sched: its inline lock is a fraction of what rcu_read_lock() costs in a
 * preemptible kernel, and synchronize_rcu() waits for it just the same.
 *
 * target.c makes, publishes, withdraws and frees; between withdrawing and freeing
 * lies a grace period.
 */
#ifndef FSB_DISK_STATS_H
#define FSB_DISK_STATS_H

#include <linux/rcupdate.h>

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
 * @nr_shards: shards; 1 with shared tags
 * @shard: one per hardware queue
 *
 * Shared tags have one shard: a tag may move between hardware queues there, and one
 * table per queue would take queues x depth.
 */
struct fsb_disk_stats {
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
	u32 nr_shards;
	struct fsb_shard *shard[];
};

/**
 * struct fsb_map - disks by the number of their request queue
 * @nr: entries
 * @stats: by &request_queue.id
 */
struct fsb_map {
	int nr;
	struct fsb_disk_stats __rcu *stats[];
};

/* Never NULL: a map without entries while no disk has been watched yet. */
extern struct fsb_map __rcu *fsb_map;

/**
 * fsb_disk_stats_find() - the counters of a queue's disk
 * @queue: the queue
 *
 * Context: inside rcu_read_lock_sched_notrace(); the result is valid until its end.
 * Return: the counters, or NULL when the disk is not watched.
 */
static inline struct fsb_disk_stats *fsb_disk_stats_find(const struct request_queue *queue)
{
	struct fsb_map *map = rcu_dereference_sched(fsb_map);
	struct fsb_disk_stats *stats;

	if (queue->id >= map->nr)
		return NULL;
	stats = rcu_dereference_sched(map->stats[queue->id]);
	return stats && stats->queue == queue ? stats : NULL;
}

/**
 * fsb_disk_stats_next() - one watched disk after another
 * @id: number of a request queue to look from; set to that of the disk's
 *
 * Context: inside rcu_read_lock_sched_notrace().
 * Return: the first disk from there on, or NULL.
 */
static inline struct fsb_disk_stats *fsb_disk_stats_next(int *id)
{
	struct fsb_map *map = rcu_dereference_sched(fsb_map);
	struct fsb_disk_stats *stats;

	for (; *id < map->nr; ++*id) {
		stats = rcu_dereference_sched(map->stats[*id]);
		if (stats)
			return stats;
	}
	return NULL;
}

/**
 * fsb_disk_stats_shard() - the shard a request is counted in
 * @stats: the request's disk
 * @rq: the request, which holds its hardware queue
 *
 * Return: the shard, or NULL for a queue that did not exist when counting began.
 */
static inline struct fsb_shard *fsb_disk_stats_shard(struct fsb_disk_stats *stats,
						     const struct request *rq)
{
	u32 index = stats->geometry.shared_tags ? 0 : rq->mq_hctx->queue_num;

	return likely(index < stats->nr_shards) ? stats->shard[index] : NULL;
}

size_t fsb_disk_stats_size(const struct fsb_geometry *geometry);
struct fsb_disk_stats *fsb_disk_stats_alloc(struct request_queue *queue, dev_t dev,
					    const struct fsb_geometry *geometry, u32 layers);
void fsb_disk_stats_free(struct fsb_disk_stats *stats);

int fsb_disk_stats_publish(struct fsb_disk_stats *stats);
struct fsb_disk_stats *fsb_disk_stats_renew(struct fsb_disk_stats *old,
					    const struct fsb_geometry *geometry);
void fsb_disk_stats_withdraw(struct fsb_disk_stats *stats);
void fsb_map_free(void);

void fsb_disk_stats_untracked(struct fsb_disk_stats *stats);
void fsb_disk_stats_settle(struct fsb_disk_stats *stats);
bool fsb_disk_stats_drained(struct fsb_disk_stats *stats);
bool fsb_disk_stats_misfit(const struct fsb_disk_stats *stats);
bool fsb_queue_geometry(struct request_queue *queue, struct fsb_geometry *geometry);

#endif /* FSB_DISK_STATS_H */
