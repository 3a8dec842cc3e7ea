/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shard: the requests of one hardware queue (or of all, where they share one set of
 * tags): request slots, depth clock, counters and latency histograms under one raw
 * spinlock.
 *
 * The lock is a leaf: nothing is called under it that locks, allocates, prints or
 * wakes.  It is raw and taken with interrupts off because a request may be issued in
 * process context and completed in hard interrupt context of the same CPU, on
 * PREEMPT_RT too.  The clock is read under the lock, so that time never runs
 * backwards between two events of a shard.
 */
#ifndef FSB_SHARD_H
#define FSB_SHARD_H

#include <linux/ktime.h>
#include <linux/spinlock.h>

#include "compat/compat.h"
#include "hist.h"
#include "unflushed.h"

/* Queue and device latency of each class, durable latency of the two that write. */
#define FSB_HIST_DURABLE (2 * FSBSTAT_CLASSES)
#define FSB_HISTS	 (FSB_HIST_DURABLE + 2)

/**
 * struct fsb_class_counts - requests of one class, see &enum fsbstat_class_attr
 * @ios: issued and ended
 * @bytes: of their completions
 * @errors: ended with an error
 * @requeues: given back after issue
 * @busy: given back before issue
 * @not_sent: ended without being at the device
 * @not_sent_bytes: their bytes
 *
 * A power of two in size: it is looked up by class with every request.
 */
struct fsb_class_counts {
	u64 ios;
	u64 bytes;
	u64 errors;
	u64 requeues;
	u64 busy;
	u64 not_sent;
	u64 not_sent_bytes;
} __aligned(64);

/**
 * struct fsb_shard_counts - all scalars of a shard, see &enum fsbstat_queue_attr
 * @start: when the depth clock began, ns
 * @time: up to when depth has been accounted, ns
 * @issue_sum: sum of the issue times of the requests in flight, ns; wraps
 * @device_ns: sum of all device latencies
 * @requeued_ns: time from issue to requeue
 * @unmatched: completions without a slot
 * @untracked: completions of requests older than the counting
 * @displaced: slots taken over before the requeue was reported
 * @partial: partial completions
 * @sequence_end: ends of flush sequences with data
 * @sequence_end_empty: ends of empty flushes
 * @sequence_end_errors: failed ones of both
 * @clock_anomalies: negative durations
 * @other_writes: writes of class OTHER that are no passthrough
 * @depth: requests in flight
 * @depth_max: the most so far
 * @class: counts by class
 */
struct fsb_shard_counts {
	u64 start;
	u64 time;
	u64 issue_sum;
	u64 device_ns;
	u64 requeued_ns;
	u64 unmatched;
	u64 untracked;
	u64 displaced;
	u64 partial;
	u64 sequence_end;
	u64 sequence_end_empty;
	u64 sequence_end_errors;
	u64 clock_anomalies;
	u64 other_writes;
	u32 depth;
	u32 depth_max;
	struct fsb_class_counts class[FSBSTAT_CLASSES];
};

/**
 * enum fsb_request_flag - what became of a request so far
 * @FSB_REQUEST_ERROR: a part of it failed; the lowest bit, so that a bool sets it
 * @FSB_REQUEST_PARTIAL: a part of it has ended
 * @FSB_REQUEST_AGAIN: this is not its first issue
 * @FSB_REQUEST_REQUEUED: it was given back and is to be issued again
 */
enum fsb_request_flag {
	FSB_REQUEST_ERROR = 1,
	FSB_REQUEST_PARTIAL = 2,
	FSB_REQUEST_AGAIN = 4,
	FSB_REQUEST_REQUEUED = 8,
};

/**
 * struct fsb_ended - a request that has ended, for the trace event
 * @sector: its first
 * @queue_ns: allocation to first issue; 0 when the kernel did not note the allocation
 * @device_ns: last issue to completion
 * @bytes: of all its completions
 * @depth: requests still in flight in its shard
 * @hw_queue: number of its hardware queue
 * @tag: driver tag
 * @class: &enum fsbstat_class
 * @error: it or a part of it failed
 */
struct fsb_ended {
	u64 sector;
	u64 queue_ns;
	u64 device_ns;
	u32 bytes;
	u32 depth;
	u32 hw_queue;
	u32 tag;
	u8 class;
	bool error;
};

/**
 * struct fsb_slot - the request that holds a driver tag
 * @rq: it, or NULL; never dereferenced through the slot
 * @start: its start_time_ns.  Requests are static per tag, so the pointer alone
 *	does not tell one use of it from the next
 * @issued: when it was issued, ns
 * @first: when it was issued first, ns; set when that was another time
 * @done: bytes that have ended before; set when some have
 * @class: &enum fsbstat_class, fixed at issue
 * @flags: &enum fsb_request_flag
 */
struct fsb_slot {
	struct request *rq;
	u64 start;
	u64 issued;
	u64 first;
	u32 done;
	u8 class;
	u8 flags;
};

/**
 * struct fsb_sched_tag - where the holder of a scheduler tag was last issued
 * @first: when it was issued first, ns
 * @start: low bits of its start_time_ns
 * @done: bytes that had ended when it was requeued; set when some had
 * @tag: the driver tag it was issued on
 * @flags: &enum fsb_request_flag, from its requeue on
 *
 * With an elevator a requeue frees the driver tag before it is reported; the
 * scheduler tag stays and leads back to the slot.
 */
struct fsb_sched_tag {
	u64 first;
	u32 start;
	u32 done;
	u16 tag;
	u8 flags;
};

/* The elevators' limit on nr_requests (MAX_SCHED_RQ of block/blk-mq-sched.h). */
#define FSB_SCHED_TAGS 2048U

/**
 * struct fsb_shard - one hardware queue's requests
 * @lock: protects everything below; raw, irqs off, leaf
 * @nr_slots: driver tags
 * @misfit: a request came on a tag beyond them; such requests are untracked until the
 *	periodic work has found the disk's new shape
 * @settling: of the disk: requests from before the counting may still be in flight
 * @counts: scalars
 * @written: writes that ended well
 * @sample: of the flush that has the driver tag, see unflushed.c; not under @lock
 * @sched_tag: by scheduler tag, %FSB_SCHED_TAGS of them
 * @depth_ns: time at each depth 0 to @nr_slots, ns
 * @hist: by fsb_hist_slot()
 * @slot: by driver tag
 */
struct fsb_shard {
	raw_spinlock_t lock;
	u32 nr_slots;
	bool misfit;
	const bool *settling;
	struct fsb_shard_counts counts;
	struct fsb_written written;
	struct fsb_flush_sample *sample;
	struct fsb_sched_tag *sched_tag;
	u64 *depth_ns;
	struct fsb_hist hist[FSB_HISTS];
	struct fsb_slot slot[];
};

size_t fsb_shard_size(u32 nr_slots);
struct fsb_shard *fsb_shard_alloc(u32 nr_slots, struct fsb_flush_marks *marks,
				  const bool *settling, int node);
void fsb_shard_free(struct fsb_shard *shard);
void fsb_shard_start(struct fsb_shard *shard, u64 now);

int fsb_hist_slot(enum fsbstat_class class, enum fsbstat_hist_kind kind);

/**
 * fsb_shard_advance() - account for the time since the last event at the present depth
 * @shard: the shard, its lock held
 *
 * Return: now, ns; the time of the last event where the clock is behind it.
 */
static __always_inline u64 fsb_shard_advance(struct fsb_shard *shard)
{
	struct fsb_shard_counts *counts = &shard->counts;
	u64 now = ktime_get_ns(), ns;

	if (unlikely(now < counts->time)) {
		counts->clock_anomalies++;
		return counts->time;
	}
	ns = now - counts->time;
	OPTIMIZER_HIDE_VAR(ns);	/* else gcc adds the one and then subtracts the other */
	shard->depth_ns[counts->depth] += ns;
	counts->time = now;
	return now;
}

/**
 * fsb_class() - the class of a request
 * @rq: the request
 *
 * Return: &enum fsbstat_class.
 */
static __always_inline enum fsbstat_class fsb_class(const struct request *rq)
{
	switch (req_op(rq)) {
	case REQ_OP_READ:
		return FSBSTAT_CLASS_READ;
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
 * fsb_shard_lock() - take the lock of a shard
 * @shard: the shard
 *
 * In line where nothing checks locks: a call costs as much as the lock.
 *
 * Context: interrupts are off.
 */
static __always_inline void fsb_shard_lock(struct fsb_shard *shard)
	__acquires(&shard->lock)
{
#ifdef CONFIG_DEBUG_SPINLOCK
	raw_spin_lock(&shard->lock);
#else
	do_raw_spin_lock(&shard->lock);
#endif
}

/**
 * fsb_shard_unlock() - counterpart of fsb_shard_lock()
 * @shard: the shard
 */
static __always_inline void fsb_shard_unlock(struct fsb_shard *shard)
	__releases(&shard->lock)
{
#ifdef CONFIG_DEBUG_SPINLOCK
	raw_spin_unlock(&shard->lock);
#else
	do_raw_spin_unlock(&shard->lock);
#endif
}

/**
 * fsb_slot_holds() - whether a slot is a request's
 * @slot: the slot of its tag, the shard's lock held
 * @rq: the request
 *
 * Return: true when it was seen issued and has not ended.
 */
static __always_inline bool fsb_slot_holds(const struct fsb_slot *slot, const struct request *rq)
{
	return slot->rq == rq && slot->start == rq->start_time_ns;
}

bool fsb_shard_holds(struct fsb_shard *shard, struct request *rq);

void fsb_shard_copy_counts(struct fsb_shard *shard, struct fsb_shard_counts *counts,
			   u64 *depth_ns);
void fsb_shard_copy_hist(struct fsb_shard *shard, unsigned int index, struct fsb_hist *hist);

#endif /* FSB_SHARD_H */
