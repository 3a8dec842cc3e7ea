/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ata_state: what a disk is given at its ATA link: NCQ tags in use, commands by kind,
 * and where the disk's time goes around commands that cannot be queued.
 *
 * One state a disk, under a raw spinlock of its own: libata's ap->lock sleeps on
 * PREEMPT_RT and is never relied on.  The lock is a leaf, taken with interrupts off;
 * the clock is read under it.  A disk has one link (a port multiplier gives each of
 * its disks one), so the state needs no link.
 *
 * A command that cannot be queued (non-NCQ) passes through consecutive parts:
 *
 *	wait		first block_rq_issue of its request until the last queued
 *			command ends
 *	turnaround	from then until libata issues it
 *	alone		its issue to its completion
 *	refill		from then until the depth of before is back
 *
 * Wait and turnaround together are the drain.  A command that found the queue empty
 * drains nothing.  Where libata requeues the request instead of holding it back, the
 * first issue counts.
 */
#ifndef FSB_ATA_STATE_H
#define FSB_ATA_STATE_H

#include <linux/spinlock.h>

#include "hist.h"

#define FSB_ATA_TAGS 32U

/* Requests that wait at once: the flush of the queue, a few passthrough ones. */
#define FSB_ATA_WAITERS 8U

/* The depth before a wait is the mean over this many slices of a millisecond. */
#define FSB_ATA_SLICES	 11U
#define FSB_ATA_SLICE_NS 1000000ULL

/* A refill that takes longer is cut off. */
#define FSB_ATA_REFILL_MAX_NS 100000000ULL

/**
 * struct fsb_ata_kind_counts - commands of one kind
 * @ios: issued
 * @busy_ns: issue to completion, non-queued kinds only
 */
struct fsb_ata_kind_counts {
	u64 ios;
	u64 busy_ns;
};

/**
 * struct fsb_ata_counts - all scalars, see &enum fsbstat_ata_attr
 * @start: when the clock began, ns
 * @time: up to when time has been accounted, ns
 * @time_ns: time with so many tags in use
 * @idle_ns: nothing to do
 * @queued_ns: working on queued commands
 * @drain_ns: draining for a non-queued command
 * @alone_ns: a non-queued command at the disk
 * @error_ns: error handling
 * @errors: failed commands
 * @drains: non-queued commands that waited
 * @wait_ns: their waits
 * @turnaround_ns: their turnarounds
 * @refills: refills measured
 * @refills_censored: refills cut short
 * @tag_time_lost_ns: tags x time below the depth of before
 * @tags: in use
 * @tags_max: the most so far
 * @seen: an ATA command of the disk has been seen
 * @kind: by kind
 */
struct fsb_ata_counts {
	u64 start;
	u64 time;
	u64 time_ns[FSB_ATA_TAGS + 1];
	u64 idle_ns;
	u64 queued_ns;
	u64 drain_ns;
	u64 alone_ns;
	u64 error_ns;
	u64 errors;
	u64 drains;
	u64 wait_ns;
	u64 turnaround_ns;
	u64 refills;
	u64 refills_censored;
	u64 tag_time_lost_ns;
	u32 tags;
	u32 tags_max;
	bool seen;
	struct fsb_ata_kind_counts kind[FSBSTAT_ATA_KINDS];
};

/**
 * struct fsb_ata_waiter - a request that will become a non-queued command
 * @rq: it; NULL: free
 * @rq_start: its start_time_ns
 * @since: its first issue, ns
 * @drains: queued commands were or came in flight meanwhile
 */
struct fsb_ata_waiter {
	const void *rq;
	u64 rq_start;
	u64 since;
	bool drains;
};

/**
 * struct fsb_ata_drain - a command that drained the queue and has ended, for the trace event
 * @wait_ns: its wait
 * @turnaround_ns: its turnaround
 * @alone_ns: its time at the disk, until error handling began if that ended it
 * @before: depth before the wait, in 1/256 tags
 * @kind: &enum fsbstat_ata_kind
 * @error: it failed
 */
struct fsb_ata_drain {
	u64 wait_ns;
	u64 turnaround_ns;
	u64 alone_ns;
	u32 before;
	u8 kind;
	bool error;
};

/**
 * struct fsb_ata_state - a disk's ATA link
 * @lock: protects everything below
 * @counts: scalars
 * @tag_mask: NCQ tags in use
 * @nr_waiters: entries of @waiter in use
 * @nr_draining: those that drain
 * @waiter: requests on their way to becoming non-queued commands
 * @alone: a non-queued command is at the disk
 * @alone_kind: its kind
 * @alone_since: its issue, ns
 * @drained: it drained the queue
 * @drain: and so much is known of that
 * @empty_since: when the last tag was given back, ns
 * @error: error handling runs
 * @reference: depth before the present drain, in 1/256 tags; 0: nothing to refill to
 * @refilling: the non-queued command has ended, the depth is not yet back
 * @refill_since: when it ended, ns
 * @slice: tags x ns in each of the last milliseconds
 * @slice_now: number of the newest one
 * @hist: histograms
 */
struct fsb_ata_state {
	raw_spinlock_t lock;
	struct fsb_ata_counts counts;
	u32 tag_mask;
	u32 nr_waiters;
	u32 nr_draining;
	struct fsb_ata_waiter waiter[FSB_ATA_WAITERS];
	bool alone;
	u8 alone_kind;
	u64 alone_since;
	bool drained;
	struct fsb_ata_drain drain;
	u64 empty_since;
	bool error;
	u32 reference;
	bool refilling;
	u64 refill_since;
	u64 slice[FSB_ATA_SLICES];
	u64 slice_now;
	struct fsb_hist hist[FSBSTAT_ATA_HISTS];
};

/**
 * fsb_ata_seen() - whether the disk is behind libata, as far as one can tell
 * @state: the disk's
 *
 * Where it is not, no request waits for its queue to drain.
 *
 * Context: any.
 * Return: true once a command of it has been seen.
 */
static inline bool fsb_ata_seen(const struct fsb_ata_state *state)
{
	return READ_ONCE(state->counts.seen);
}

void fsb_ata_state_init(struct fsb_ata_state *state);
void fsb_ata_state_start(struct fsb_ata_state *state, u64 now);

void fsb_ata_wait_begin(struct fsb_ata_state *state, const void *rq, u64 rq_start);
void fsb_ata_wait_end(struct fsb_ata_state *state, const void *rq, u64 rq_start);
void fsb_ata_issue_queued(struct fsb_ata_state *state, enum fsbstat_ata_kind kind, u32 tag,
			  const void *rq, u64 rq_start);
void fsb_ata_issue_alone(struct fsb_ata_state *state, enum fsbstat_ata_kind kind, const void *rq,
			 u64 rq_start);
void fsb_ata_complete_queued(struct fsb_ata_state *state, u32 tag, bool failed);
bool fsb_ata_complete_alone(struct fsb_ata_state *state, bool failed,
			    struct fsb_ata_drain *drain);
bool fsb_ata_error(struct fsb_ata_state *state, struct fsb_ata_drain *drain);

void fsb_ata_copy_counts(struct fsb_ata_state *state, struct fsb_ata_counts *counts);
void fsb_ata_copy_hist(struct fsb_ata_state *state, unsigned int index, struct fsb_hist *hist);

#endif /* FSB_ATA_STATE_H */
