// SPDX-License-Identifier: GPL-2.0-only
#include <linux/ktime.h>
#include <linux/overflow.h>
#include <linux/vmalloc.h>

#include "shard.h"

static __always_inline enum fsbstat_class fsb_class(const struct request *rq)
{
	if (req_op(rq) == REQ_OP_READ)	/* first: gcc makes a tree of a switch */
		return FSBSTAT_CLASS_READ;
	switch (req_op(rq)) {
	case REQ_OP_WRITE:
		return rq->cmd_flags & REQ_FUA ? FSBSTAT_CLASS_FUA_WRITE : FSBSTAT_CLASS_WRITE;
	case REQ_OP_ZONE_APPEND:
		return FSBSTAT_CLASS_WRITE;
	case REQ_OP_FLUSH:
		return FSBSTAT_CLASS_FLUSH;
	case REQ_OP_DISCARD:
		return FSBSTAT_CLASS_DISCARD;
	case REQ_OP_WRITE_ZEROES:
		return FSBSTAT_CLASS_WRITE_ZEROES;
	default:
		return FSBSTAT_CLASS_OTHER;
	}
}

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
			return 2 * FSBSTAT_CLASSES;
		if (class == FSBSTAT_CLASS_FUA_WRITE)
			return 2 * FSBSTAT_CLASSES + 1;
		return -1;
	default:
		return -1;
	}
}

static struct fsb_hist *fsb_hist_of(struct fsb_shard *shard, u8 class,
				    enum fsbstat_hist_kind kind)
{
	return &shard->hist[fsb_hist_slot(class, kind)];
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
 * @node: memory node its disk is near to
 *
 * Context: process context, may sleep.
 * Return: the shard, its clock not yet started, or NULL.
 */
struct fsb_shard *fsb_shard_alloc(u32 nr_slots, struct fsb_flush_marks *marks, int node)
{
	struct fsb_shard *shard;
	unsigned int i;

	shard = vzalloc_node(fsb_shard_size(nr_slots), node);
	if (!shard)
		return NULL;
	raw_spin_lock_init(&shard->lock);
	shard->nr_slots = nr_slots;
	shard->written.marks = marks;
	seqcount_init(&shard->written.seq);
	shard->depth_ns = (u64 *)(shard + 1);
	shard->slot = (struct fsb_slot *)(shard->depth_ns + nr_slots + 1);
	shard->sample = (struct fsb_flush_sample *)(shard->slot + nr_slots);
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

/* Accounts the time since the last event at the present depth; returns the time. */
static u64 fsb_advance(struct fsb_shard *shard)
{
	struct fsb_shard_counts *counts = &shard->counts;
	u64 now = ktime_get_ns();

	if (unlikely(now < counts->time)) {
		counts->clock_anomalies++;
		return counts->time;
	}
	shard->depth_ns[counts->depth] += now - counts->time;
	counts->time = now;
	return now;
}

static __always_inline void fsb_latency_since(struct fsb_shard *shard, struct fsb_hist *hist,
					      u64 since, u64 now)
{
	if (likely(now >= since))
		fsb_hist_add(hist, now - since);
	else
		shard->counts.clock_anomalies++;
}

/* Takes the request out of a slot; the depth clock has been advanced. */
static u64 fsb_slot_close(struct fsb_shard *shard, struct fsb_slot *slot, u64 now)
{
	slot->rq = NULL;
	shard->counts.issue_sum -= slot->issued;
	shard->counts.depth--;
	return now - slot->issued;
}

static bool fsb_slot_holds(const struct fsb_slot *slot, const struct request *rq)
{
	return slot->rq == rq && slot->start == rq->start_time_ns;
}

static struct fsb_sched_tag *fsb_sched_tag(struct fsb_shard *shard, const struct request *rq)
{
	if (rq->internal_tag < 0 || rq->internal_tag >= FSB_SCHED_TAGS)
		return NULL;
	return &shard->sched_tag[rq->internal_tag];
}

/*
 * Whether the driver has or had the request.  nvme_host_path_error() marks requests
 * complete that were never issued: only an issue sets the deadline.
 */
static bool fsb_was_started(struct request *rq)
{
	return blk_mq_request_started(rq) && READ_ONCE(rq->deadline);
}

/* Whether this issue repeats an earlier one that was taken back by a requeue. */
static bool fsb_was_requeued(const struct fsb_slot *slot, const struct fsb_sched_tag *sched,
			     const struct request *rq)
{
	if (sched)
		return sched->flags & FSB_REQUEST_REQUEUED &&
		       sched->start == (u32)rq->start_time_ns;
	return slot->flags & FSB_REQUEST_REQUEUED && slot->start == rq->start_time_ns;
}

/*
 * Whether a request that holds no slot waits to be issued again.  Its deadline is that of the
 * earlier issue and does not tell.
 */
static bool fsb_is_requeued(const struct fsb_shard *shard, const struct fsb_sched_tag *sched,
			    const struct request *rq)
{
	u32 tag = rq->tag;

	if (!sched && tag >= shard->nr_slots)
		return false;
	return fsb_was_requeued(sched ? NULL : &shard->slot[tag], sched, rq);
}

/* What a request brings along from before its requeue: by its slot, or by its scheduler tag. */
static void fsb_issued_again(struct fsb_slot *slot, const struct fsb_sched_tag *sched)
{
	if (sched) {
		slot->first = sched->first;
		slot->done = sched->done;
		slot->flags = sched->flags;
	}
	slot->flags &= FSB_REQUEST_ERROR | FSB_REQUEST_PARTIAL;
	slot->flags |= FSB_REQUEST_AGAIN;
}

static void fsb_issued_first(struct fsb_shard *shard, struct fsb_slot *slot,
			     struct fsb_sched_tag *sched, u64 now)
{
	slot->flags = 0;
	if (slot->start)
		fsb_latency_since(shard, fsb_hist_of(shard, slot->class, FSBSTAT_HIST_QUEUE),
				  slot->start, now);
	if (sched)
		sched->first = now;
}

/**
 * fsb_shard_issue() - a request was handed to the driver
 * @shard: the shard of its hardware queue
 * @rq: the request
 *
 * A slot still held by another request means that one was requeued and its report
 * is on its way: the tag is freed before block_rq_requeue fires.  (Or that it ended
 * without a trace: dm-multipath frees a clone its path refused after starting it.)
 *
 * Context: any, also with interrupts off.
 */
void fsb_shard_issue(struct fsb_shard *shard, struct request *rq)
{
	struct fsb_shard_counts *counts = &shard->counts;
	struct fsb_sched_tag *sched;
	struct fsb_slot *slot;
	unsigned long flags;
	bool again;
	u64 now;

	if (unlikely((u32)rq->tag >= shard->nr_slots)) {
		WRITE_ONCE(shard->misfit, true);
		return;
	}
	slot = &shard->slot[rq->tag];
	raw_spin_lock_irqsave(&shard->lock, flags);
	now = fsb_advance(shard);
	sched = fsb_sched_tag(shard, rq);
	again = fsb_was_requeued(slot, sched, rq);
	if (unlikely(slot->rq)) {
		counts->displaced++;
		counts->requeued_ns += fsb_slot_close(shard, slot, now);
	}
	slot->rq = rq;
	slot->start = rq->start_time_ns;
	slot->issued = now;
	slot->class = fsb_class(rq);
	if (unlikely(again))
		fsb_issued_again(slot, sched);
	else
		fsb_issued_first(shard, slot, sched, now);
	if (sched) {
		sched->start = (u32)slot->start;
		sched->tag = rq->tag;
		sched->flags = 0;
	}
	counts->issue_sum += now;
	if (++counts->depth > counts->depth_max)
		counts->depth_max = counts->depth;
	raw_spin_unlock_irqrestore(&shard->lock, flags);
}

static noinline void fsb_complete_partial(struct fsb_shard *shard, struct fsb_slot *slot,
					  unsigned int nr_bytes)
{
	shard->counts.partial++;
	slot->done = nr_bytes + (slot->flags & FSB_REQUEST_PARTIAL ? slot->done : 0);
	slot->flags |= FSB_REQUEST_PARTIAL;
}

/* The request's position and bytes are those of what ends now. */
static void fsb_ended_fill(struct fsb_ended *ended, const struct fsb_shard *shard,
			   const struct fsb_slot *slot, const struct request *rq, u64 latency)
{
	u64 first = slot->flags & FSB_REQUEST_AGAIN ? slot->first : slot->issued;
	u32 done = slot->flags & FSB_REQUEST_PARTIAL ? slot->done : 0;

	ended->sector = blk_rq_pos(rq) == (sector_t)-1 ? 0 : blk_rq_pos(rq) - (done >> 9);
	ended->queue_ns = slot->start && first > slot->start ? first - slot->start : 0;
	ended->device_ns = latency;
	ended->bytes = done + blk_rq_bytes(rq);
	ended->depth = shard->counts.depth;
	ended->hw_queue = rq->mq_hctx->queue_num;
	ended->tag = rq->tag;
	ended->class = slot->class;
	ended->error = slot->flags & FSB_REQUEST_ERROR;
}

/* Classes whose data a drive that caches may lose. */
#define FSB_CLASSES_UNSAFE (BIT(FSBSTAT_CLASS_WRITE) | BIT(FSBSTAT_CLASS_WRITE_ZEROES))

/* What few classes need; apart, so that the others do not pay for its registers. */
static noinline void fsb_complete_special(struct fsb_shard *shard, const struct fsb_slot *slot,
					  struct request *rq, bool error, unsigned int bytes)
{
	if (slot->class != FSBSTAT_CLASS_OTHER) {
		if (!error)
			fsb_written_add(&shard->written, bytes, shard->counts.time);
	} else if (bytes == blk_rq_bytes(rq) && !blk_rq_is_passthrough(rq) &&
		   op_is_write(req_op(rq))) {
		shard->counts.other_writes++;
	}
}

static bool fsb_is_special(const struct fsb_slot *slot)
{
	return BIT(slot->class) & (FSB_CLASSES_UNSAFE | BIT(FSBSTAT_CLASS_OTHER));
}

static __always_inline bool fsb_complete_matched(struct fsb_shard *shard, struct fsb_slot *slot,
						 struct request *rq, bool error,
						 unsigned int nr_bytes, struct fsb_ended *ended)
{
	struct fsb_class_counts *class = &shard->counts.class[slot->class];
	unsigned int rq_bytes = blk_rq_bytes(rq);
	u64 now, latency;

	class->bytes += min(nr_bytes, rq_bytes);
	slot->flags |= error;
	if (unlikely(nr_bytes < rq_bytes)) {
		fsb_complete_partial(shard, slot, nr_bytes);
		fsb_advance(shard);
		if (fsb_is_special(slot))
			fsb_complete_special(shard, slot, rq, error, nr_bytes);
		return false;
	}
	now = fsb_advance(shard);
	latency = fsb_slot_close(shard, slot, now);
	shard->counts.device_ns += latency;
	fsb_hist_add(fsb_hist_of(shard, slot->class, FSBSTAT_HIST_DEVICE), latency);
	class->ios++;
	class->errors += slot->flags & FSB_REQUEST_ERROR;
	if (fsb_is_special(slot))
		fsb_complete_special(shard, slot, rq, error, blk_rq_bytes(rq));
	if (ended)
		fsb_ended_fill(ended, shard, slot, rq, latency);
	return true;
}

/*
 * The end of a flush sequence.  A write with REQ_PREFLUSH or emulated REQ_FUA has
 * completed before with its bytes and ends here; an empty flush only ends here.  The
 * segments a request was built with tell the two apart: the bio is consumed by now.
 * It is still there, though (blk_flush_restore_request()).  Without one it is no
 * sequence: dm-multipath ends a request whose bytes have all been completed before.
 */
static void fsb_sequence_end(struct fsb_shard *shard, struct request *rq, bool error)
{
	struct fsb_shard_counts *counts = &shard->counts;

	if (!rq->bio)
		return;
	counts->sequence_end_errors += error;
	if (!rq->nr_phys_segments) {
		counts->sequence_end_empty++;
		return;
	}
	counts->sequence_end++;
	if (rq->start_time_ns)
		fsb_latency_since(shard, fsb_hist_of(shard, fsb_class(rq), FSBSTAT_HIST_DURABLE),
				  rq->start_time_ns, fsb_advance(shard));
}

static void fsb_complete_unmatched(struct fsb_shard *shard, struct request *rq, bool error,
				   unsigned int nr_bytes, bool settling)
{
	struct fsb_class_counts *class = &shard->counts.class[fsb_class(rq)];
	struct fsb_sched_tag *sched = fsb_sched_tag(shard, rq);

	if (!nr_bytes && (req_op(rq) == REQ_OP_WRITE || req_op(rq) == REQ_OP_ZONE_APPEND)) {
		fsb_sequence_end(shard, rq, error);
	} else if (!nr_bytes && req_op(rq) != REQ_OP_FLUSH) {
		return;
	} else if (!fsb_was_started(rq) || fsb_is_requeued(shard, sched, rq)) {
		class->not_sent++;
		class->not_sent_bytes += nr_bytes;
		if (sched)
			sched->flags = 0;
	} else if (settling || READ_ONCE(shard->misfit)) {
		shard->counts.untracked++;
	} else {
		shard->counts.unmatched++;
	}
}

static __always_inline bool fsb_shard_complete_either(struct fsb_shard *shard, struct request *rq,
						      bool error, unsigned int nr_bytes,
						      bool settling, struct fsb_ended *ended)
{
	bool whole = nr_bytes >= blk_rq_bytes(rq), counted = false;
	unsigned long flags;

	if (!nr_bytes && !whole)
		return false;
	raw_spin_lock_irqsave(&shard->lock, flags);
	if (likely((u32)rq->tag < shard->nr_slots && fsb_slot_holds(&shard->slot[rq->tag], rq)))
		counted = fsb_complete_matched(shard, &shard->slot[rq->tag], rq, error, nr_bytes,
					       ended);
	else if (whole)
		fsb_complete_unmatched(shard, rq, error, nr_bytes, settling);
	raw_spin_unlock_irqrestore(&shard->lock, flags);
	return counted;
}

/**
 * fsb_shard_complete() - block_rq_complete fired
 * @shard: the shard of the request's hardware queue
 * @rq: the request, its bytes not yet taken off
 * @error: it failed
 * @nr_bytes: bytes of this completion
 * @settling: requests from before the disk was added may still be in flight
 *
 * The tracepoint fires for parts, for the second end of a flush sequence, and with
 * an error and no bytes just before SCSI requeues (scsi_io_completion()); a request
 * ends only when all its bytes are covered.
 *
 * Context: any, also with interrupts off.
 */
void fsb_shard_complete(struct fsb_shard *shard, struct request *rq, bool error,
			unsigned int nr_bytes, bool settling)
{
	fsb_shard_complete_either(shard, rq, error, nr_bytes, settling, NULL);
}

/**
 * fsb_shard_complete_traced() - block_rq_complete fired, and somebody listens
 * @shard: the shard of the request's hardware queue
 * @rq: the request, its bytes not yet taken off
 * @error: it failed
 * @nr_bytes: bytes of this completion
 * @settling: requests from before the disk was added may still be in flight
 * @ended: where to describe a request that has ended and is counted
 *
 * As fsb_shard_complete(), compiled apart: without listeners nothing is copied.
 *
 * Context: any, also with interrupts off.
 * Return: whether @ended was set.
 */
bool fsb_shard_complete_traced(struct fsb_shard *shard, struct request *rq, bool error,
			       unsigned int nr_bytes, bool settling, struct fsb_ended *ended)
{
	return fsb_shard_complete_either(shard, rq, error, nr_bytes, settling, ended);
}

/* The slot a requeued request was issued on, NULL when it is not there any more. */
static struct fsb_slot *fsb_requeued_slot(struct fsb_shard *shard, const struct request *rq,
					  const struct fsb_sched_tag *sched)
{
	struct fsb_slot *slot;
	u32 tag = rq->tag;

	if (sched && sched->start == (u32)rq->start_time_ns)
		tag = sched->tag;
	if (tag >= shard->nr_slots)
		return NULL;
	slot = &shard->slot[tag];
	return fsb_slot_holds(slot, rq) ? slot : NULL;
}

/**
 * fsb_shard_requeue() - a request went back to the block layer
 * @shard: the shard of its hardware queue
 * @rq: the request; its driver tag may be gone already
 *
 * The tracepoint also fires for a request the driver would not take: that one has
 * not been issued and is counted as busy.
 *
 * Context: any, also with interrupts off.
 */
void fsb_shard_requeue(struct fsb_shard *shard, struct request *rq)
{
	struct fsb_class_counts *class = &shard->counts.class[fsb_class(rq)];
	struct fsb_sched_tag *sched;
	struct fsb_slot *slot;
	unsigned long flags;

	raw_spin_lock_irqsave(&shard->lock, flags);
	if (!fsb_was_started(rq)) {
		class->busy++;
		goto unlock;
	}
	class->requeues++;
	sched = fsb_sched_tag(shard, rq);
	slot = fsb_requeued_slot(shard, rq, sched);
	if (slot) {
		shard->counts.requeued_ns += fsb_slot_close(shard, slot, fsb_advance(shard));
		if (!(slot->flags & FSB_REQUEST_AGAIN))
			slot->first = slot->issued;
		if (!sched)
			slot->flags |= FSB_REQUEST_REQUEUED;
	}
	if (sched) {
		sched->start = (u32)rq->start_time_ns;
		sched->done = slot ? slot->done : 0;
		sched->flags = FSB_REQUEST_REQUEUED | (slot ? slot->flags : 0);
	}
unlock:
	raw_spin_unlock_irqrestore(&shard->lock, flags);
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
	fsb_advance(shard);
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
