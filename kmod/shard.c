// SPDX-License-Identifier: GPL-2.0-only
#include <linux/overflow.h>
#include <linux/vmalloc.h>

#include "shard.h"

/**
 * fsb_hist_slot() - index into &fsb_shard.hist
 * @class: request class
 * @kind: what is measured
 *
 * Return: the index, or -1 for a durable latency of a class that has none.
 */
int fsb_hist_slot(enum fsbstat_class class, enum fsbstat_hist_kind kind)
{
	switch (kind) {
	case FSBSTAT_HIST_QUEUE:
		return class;
	case FSBSTAT_HIST_DEVICE:
		return FSBSTAT_CLASSES + class;
	case FSBSTAT_HIST_DURABLE:
		if (class == FSBSTAT_CLASS_WRITE)
			return FSB_HIST_DURABLE;
		if (class == FSBSTAT_CLASS_FUA_WRITE)
			return FSB_HIST_DURABLE + 1;
		return -1;
	default:
		return -1;
	}
}

/**
 * fsb_shard_size() - memory one shard takes
 * @nr_slots: driver tags
 *
 * Return: bytes, SIZE_MAX when that many cannot be counted in a size_t.
 */
size_t fsb_shard_size(u32 nr_slots)
{
	size_t per_slot = sizeof(struct fsb_slot) + sizeof(struct fsb_flush_sample) + sizeof(u64);

	return size_add(sizeof(struct fsb_shard) + sizeof(u64) +
				FSB_SCHED_TAGS * sizeof(struct fsb_sched_tag),
			size_mul(nr_slots, per_slot));
}

/**
 * fsb_shard_alloc() - make a shard
 * @nr_slots: driver tags
 * @marks: the disk's flushes
 * @settling: of the disk
 * @node: memory node its disk is near to
 *
 * Context: process context, may sleep.
 * Return: the shard, its clock not yet started, or NULL.
 */
struct fsb_shard *fsb_shard_alloc(u32 nr_slots, struct fsb_flush_marks *marks,
				  const bool *settling, int node)
{
	struct fsb_shard *shard;
	unsigned int i;

	shard = vzalloc_node(fsb_shard_size(nr_slots), node);
	if (!shard)
		return NULL;
	raw_spin_lock_init(&shard->lock);
	shard->nr_slots = nr_slots;
	shard->settling = settling;
	shard->written.marks = marks;
	seqcount_init(&shard->written.seq);
	shard->depth_ns = (u64 *)(shard->slot + nr_slots);
	shard->sample = (struct fsb_flush_sample *)(shard->depth_ns + nr_slots + 1);
	shard->sched_tag = (struct fsb_sched_tag *)(shard->sample + nr_slots);
	for (i = 0; i < FSB_HISTS; i++)
		fsb_hist_init(&shard->hist[i]);
	return shard;
}

/**
 * fsb_shard_free() - release a shard no probe can reach any more
 * @shard: it, or NULL
 */
void fsb_shard_free(struct fsb_shard *shard)
{
	vfree(shard);
}

/**
 * fsb_shard_start() - begin the depth clock
 * @shard: a shard no probe can reach yet
 * @now: ktime_get_ns()
 */
void fsb_shard_start(struct fsb_shard *shard, u64 now)
{
	shard->counts.start = now;
	shard->counts.time = now;
}

/**
 * fsb_shard_holds() - whether a request was seen issued and not yet ended
 * @shard: the shard of its hardware queue
 * @rq: a request the caller holds a reference on
 *
 * Context: any.
 * Return: true when its slot holds it.
 */
bool fsb_shard_holds(struct fsb_shard *shard, struct request *rq)
{
	unsigned long flags;
	bool holds;

	raw_spin_lock_irqsave(&shard->lock, flags);
	holds = (u32)rq->tag < shard->nr_slots && fsb_slot_holds(&shard->slot[rq->tag], rq);
	raw_spin_unlock_irqrestore(&shard->lock, flags);
	return holds;
}

/**
 * fsb_shard_copy_counts() - scalars and depth of one instant
 * @shard: the shard
 * @counts: where to
 * @depth_ns: where to, @nr_slots + 1 values, zeroed by the caller
 *
 * Depths never reached are not copied: interrupts stay off for what happened, not
 * for what could.
 *
 * Context: any.
 */
void fsb_shard_copy_counts(struct fsb_shard *shard, struct fsb_shard_counts *counts,
			   u64 *depth_ns)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&shard->lock, flags);
	fsb_shard_advance(shard);
	*counts = shard->counts;
	memcpy(depth_ns, shard->depth_ns, (counts->depth_max + 1) * sizeof(*depth_ns));
	raw_spin_unlock_irqrestore(&shard->lock, flags);
}

/**
 * fsb_shard_copy_hist() - one histogram, consistent in itself
 * @shard: the shard
 * @index: 0 to %FSB_HISTS - 1
 * @hist: where to
 *
 * Context: any.
 */
void fsb_shard_copy_hist(struct fsb_shard *shard, unsigned int index, struct fsb_hist *hist)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&shard->lock, flags);
	*hist = shard->hist[index];
	raw_spin_unlock_irqrestore(&shard->lock, flags);
}
