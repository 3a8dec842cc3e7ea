// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/init.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "disk_stats.h"
#include "target.h"

struct hlist_head fsb_disks[FSB_DISKS];

static u32 fsb_nr_shards(const struct fsb_geometry *geometry)
{
	return geometry->shared_tags ? 1 : geometry->queues;
}

/**
 * fsb_disk_stats_size() - memory a disk of this shape takes, apart from layers that come and go
 * @geometry: the shape
 *
 * Return: bytes, SIZE_MAX when they cannot be counted in a size_t.
 */
size_t fsb_disk_stats_size(const struct fsb_geometry *geometry)
{
	u32 nr = fsb_nr_shards(geometry);
	size_t size;

	size = size_mul(nr, size_add(fsb_shard_size(geometry->depth), sizeof(struct fsb_shard *)));
	return size_add(size, sizeof(struct fsb_disk_stats) + sizeof(struct fsb_unflushed) +
				      num_possible_cpus() * sizeof(u64));
}

/**
 * fsb_disk_stats_alloc() - make the counters of a disk
 * @queue: its request queue
 * @dev: number of the whole disk
 * @geometry: the shape of its queues
 * @layers: what is to be counted
 *
 * Context: process context, may sleep.
 * Return: the counters, or NULL.
 */
struct fsb_disk_stats *fsb_disk_stats_alloc(struct request_queue *queue, dev_t dev,
					    const struct fsb_geometry *geometry, u32 layers)
{
	u32 nr = fsb_nr_shards(geometry);
	struct fsb_disk_stats *stats;
	struct fsb_shard *shard;

	stats = kvzalloc(struct_size(stats, shard, nr), GFP_KERNEL);
	if (!stats)
		return NULL;
	stats->queue = queue;
	stats->dev = dev;
	stats->geometry = *geometry;
	stats->queue_mask = geometry->shared_tags ? 0 : ~0U;
	stats->memory = fsb_disk_stats_size(geometry);
	stats->settling = true;
	stats->unflushed = fsb_unflushed_alloc();
	if (!stats->unflushed || fsb_parts_alloc(&stats->parts, layers))
		goto free;
	while (stats->nr_shards < nr) {
		shard = fsb_shard_alloc(geometry->depth, &stats->unflushed->marks, &stats->settling,
					queue->node);
		if (!shard)
			goto free;
		stats->shard[stats->nr_shards++] = shard;
	}
	return stats;
free:
	fsb_disk_stats_free(stats);
	return NULL;
}

/**
 * fsb_disk_stats_free() - release the counters of a disk
 * @stats: counters no probe can reach any more, or NULL
 */
void fsb_disk_stats_free(struct fsb_disk_stats *stats)
{
	u32 i;

	if (!stats)
		return;
	for (i = 0; i < stats->nr_shards; i++)
		fsb_shard_free(stats->shard[i]);
	fsb_parts_free(&stats->parts);
	fsb_unflushed_free(stats->unflushed);
	kvfree(stats);
}

/**
 * fsb_disk_stats_publish() - let probes find the counters; counting begins here
 * @stats: the counters
 * @old: those of the same queue which they replace, or NULL
 *
 * Context: process context, target.c's lock held.
 */
void fsb_disk_stats_publish(struct fsb_disk_stats *stats, struct fsb_disk_stats *old)
{
	u32 i;

	stats->start = ktime_get_ns();
	for (i = 0; i < stats->nr_shards; i++)
		fsb_shard_start(stats->shard[i], stats->start);
	fsb_parts_start(&stats->parts, stats->start);
	if (old)
		hlist_replace_rcu(&old->node, &stats->node);
	else
		hlist_add_head_rcu(&stats->node, fsb_disks_head(stats->queue));
	synchronize_rcu();
	stats->visible = ktime_get_ns();
}

/**
 * fsb_disk_stats_renew() - begin again with counters of another shape
 * @old: published counters; freed on success
 * @geometry: the queues' shape now
 *
 * Context: process context, target.c's lock held.
 * Return: the new counters, published; or NULL for want of memory, or when they would
 * take more than %FSB_DISK_MEMORY_MAX: then the old ones stay.
 */
struct fsb_disk_stats *fsb_disk_stats_renew(struct fsb_disk_stats *old,
					    const struct fsb_geometry *geometry)
{
	struct fsb_disk_stats *stats;

	if (size_add(fsb_disk_stats_size(geometry), fsb_parts_size(old->parts.layers)) >
	    FSB_DISK_MEMORY_MAX) {
		pr_warn_once("the new queues of a disk would take more than %lu KiB, not counted\n",
			     FSB_DISK_MEMORY_MAX >> 10);
		return NULL;
	}
	stats = fsb_disk_stats_alloc(old->queue, old->dev, geometry, old->parts.layers);
	if (!stats)
		return NULL;
	fsb_disk_stats_publish(stats, old);
	fsb_settings_inherit(&stats->settings, &old->settings);
	fsb_disk_stats_free(old);
	return stats;
}

/**
 * fsb_disk_stats_withdraw() - hide the counters from probes
 * @stats: published counters
 *
 * Probes that found them before may run on until the next grace period.
 *
 * Context: process context, target.c's lock held.
 */
void fsb_disk_stats_withdraw(struct fsb_disk_stats *stats)
{
	hlist_del_rcu(&stats->node);
}

/**
 * fsb_disk_stats_untracked() - a request ended on a queue that no shard is made for
 * @stats: its disk
 *
 * Counted on the first shard.
 *
 * Context: any, inside rcu_read_lock_sched_notrace().
 */
void fsb_disk_stats_untracked(struct fsb_disk_stats *stats)
{
	struct fsb_shard *shard = stats->shard[0];
	unsigned long flags;

	raw_spin_lock_irqsave(&shard->lock, flags);
	shard->counts.untracked++;
	shard->misfit = true;
	raw_spin_unlock_irqrestore(&shard->lock, flags);
}

/*
 * Requests of a disk that its driver has, as the kernel knows it.  @older: only those from before
 * counting that no slot holds.
 */
struct fsb_busy {
	struct fsb_disk_stats *stats;
	bool older;
	unsigned int nr;
};

static bool fsb_busy_count(FSB_BUSY_ITER_ARGS)
{
	struct fsb_busy *busy = data;
	struct fsb_disk_stats *stats = busy->stats;
	struct fsb_shard *shard;

	if (rq->q != stats->queue)
		return true;
	if (busy->older) {
		if (rq->start_time_ns >= stats->visible)
			return true;
		shard = fsb_disk_stats_shard(stats, rq);
		if (shard && fsb_shard_holds(shard, rq))
			return true;
	}
	busy->nr++;
	return true;
}

/*
 * Whether there are none.  The usage reference keeps the tag set from being freed or resized
 * meanwhile; while the queue is frozen or dying it says whether anything uses it.
 */
static bool fsb_idle(struct fsb_disk_stats *stats, bool older)
{
	struct fsb_busy busy = { .stats = stats, .older = older };
	struct percpu_ref *usage = &stats->queue->q_usage_counter;

	if (!percpu_ref_tryget_live(usage))
		return !older && percpu_ref_is_zero(usage);
	blk_mq_tagset_busy_iter(stats->queue->tag_set, fsb_busy_count, &busy);
	percpu_ref_put(usage);
	return !busy.nr;
}

/**
 * fsb_disk_stats_settle() - look whether requests older than the counting are gone
 * @stats: published counters of a queue the caller holds a reference on
 *
 * While the queue is frozen or dying nothing is decided.
 *
 * Context: process context, after a grace period since publishing.
 */
void fsb_disk_stats_settle(struct fsb_disk_stats *stats)
{
	if (READ_ONCE(stats->settling) && fsb_idle(stats, true))
		WRITE_ONCE(stats->settling, false);
}

/**
 * fsb_disk_stats_misfit() - whether requests came on queues or tags that did not exist
 * @stats: published counters
 *
 * The queues may have changed and changed back since: their shape alone does not tell.
 *
 * Context: any.
 * Return: true when some could not be counted.
 */
bool fsb_disk_stats_misfit(const struct fsb_disk_stats *stats)
{
	u32 i;

	for (i = 0; i < stats->nr_shards; i++)
		if (READ_ONCE(stats->shard[i]->misfit))
			return true;
	return false;
}

/**
 * fsb_disk_stats_drained() - whether no request of a disk that vanishes is under way
 * @stats: published counters of a queue the caller holds a reference on
 *
 * A disk is unregistered before its last requests end: its queue is frozen and waited
 * for.  A queue that outlives its disk is thawed after that, and SCSI sends it the
 * commands that flush and stop the drive.
 *
 * The kernel is asked, not the slots: a request that ended without a trace (see
 * fsb_slot_displace()) keeps its slot, and the disk would never be gone.
 *
 * Context: process context.
 * Return: true when the last request has ended.
 */
bool fsb_disk_stats_drained(struct fsb_disk_stats *stats)
{
	return fsb_idle(stats, false);
}

/**
 * fsb_queue_geometry() - the shape of a queue now
 * @queue: the queue, referenced by the caller
 * @geometry: where to
 *
 * Context: any.
 * Return: false while the queue is frozen or dying.
 */
bool fsb_queue_geometry(struct request_queue *queue, struct fsb_geometry *geometry)
{
	if (!percpu_ref_tryget_live(&queue->q_usage_counter))
		return false;
	geometry->queues = queue->nr_hw_queues;
	geometry->depth = queue->tag_set->queue_depth;
	geometry->shared_tags = queue->tag_set->flags & BLK_MQ_F_TAG_HCTX_SHARED;
	percpu_ref_put(&queue->q_usage_counter);
	return true;
}
