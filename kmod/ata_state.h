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
 *
 * Nearly all commands are queued ones that come and go while nothing of that is going
 * on: they are plain, and counted by the inline functions at the end of this file.
 */
#ifndef FSB_ATA_STATE_H
#define FSB_ATA_STATE_H

#include <linux/bitops.h>
#include <linux/overflow.h>
#include <linux/spinlock.h>

#include "hist.h"

#define FSB_ATA_TAGS 32U

/* Requests that wait at once: the flush of the queue, a few passthrough ones. */
#define FSB_ATA_WAITERS 8U

/* The depth before a wait is the mean over this many slices of a millisecond. */
#define FSB_ATA_SLICES	 11U
#define FSB_ATA_SLICE_NS 1000000ULL

/* At least a mark a slice, and a power of two. */
#define FSB_ATA_MARKS 16U

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
 * @tags_max: the most that any time was spent with
 * @seen: an ATA command of the disk has been seen
 * @kind: by kind
 *
 * @idle_ns, @queued_ns, @tags and @tags_max follow from the others: only copies have them.
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
 * struct fsb_ata_mark - the last event before the end of a slice
 * @time: its time, ns
 * @tag_time: tags x ns until then
 * @tags: in use from then on
 */
struct fsb_ata_mark {
	u64 time;
	u64 tag_time;
	u32 tags;
};

/**
 * struct fsb_ata_state - a disk's ATA link
 * @lock: protects everything below
 * @tag_mask: NCQ tags in use
 * @plain_until: until then queued commands are plain, ns: @slice_end, or 0 while they are not
 * @tag_time: tags x ns until the last event
 * @counts: scalars
 * @empty_ns: of &fsb_ata_counts.alone_ns and &fsb_ata_counts.drain_ns, with no tag in use
 * @nr_waiters: entries of @waiter in use
 * @nr_draining: those that drain
 * @waiter: requests on their way to becoming non-queued commands
 * @alone: a non-queued command is at the disk
 * @alone_kind: its kind
 * @alone_since: its issue, ns
 * @drained: it drained the queue
 * @drain: and so much is known of that
 * @empty_since: when the last tag was given back, if that was since a request began to wait, ns
 * @error: error handling runs
 * @reference: depth before the present drain, in 1/256 tags; 0: nothing to refill to
 * @refilling: the non-queued command has ended, the depth is not yet back
 * @refill_since: when it ended, ns
 * @mark: the last marks, by number
 * @nr_marks: number of the next one
 * @slice_end: when the slice of the last event ends, ns
 * @device: address of the device that commands came with, to be compared only; not under @lock
 * @hist: histograms
 */
struct fsb_ata_state {
	raw_spinlock_t lock;
	u32 tag_mask;
	u64 plain_until;
	u64 tag_time;
	struct fsb_ata_counts counts;
	u64 empty_ns;
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
	struct fsb_ata_mark mark[FSB_ATA_MARKS];
	u32 nr_marks;
	u64 slice_end;
	const void *device;
	struct fsb_hist hist[FSBSTAT_ATA_HISTS];
};

/**
 * fsb_ata_is_of() - whether a state is that of a device
 * @state: a disk's
 * @device: address of a struct ata_device, or NULL
 *
 * Context: any.
 * Return: true when the disk's commands came with that device.
 */
static inline bool fsb_ata_is_of(const struct fsb_ata_state *state, const void *device)
{
	return device && READ_ONCE(state->device) == device;
}

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

u64 fsb_ata_slice_over(struct fsb_ata_state *state, u64 now);

/**
 * fsb_ata_plain() - account for the time until now, if a queued command is plain now
 * @state: the disk, locked
 * @now: ktime_get_ns(), read with the lock held
 *
 * It is not while anything else goes on, nor when the clock is behind.
 *
 * Context: any.
 * Return: false, with nothing done, if it is not: then fsb_ata_issue_queued() and
 * fsb_ata_complete_queued() are to be called, without the lock.
 */
static __always_inline bool fsb_ata_plain(struct fsb_ata_state *state, u64 now)
{
	u64 ns;
	u32 tags;

	if (unlikely(now >= state->plain_until)) {
		now = fsb_ata_slice_over(state, now);
		if (!now)
			return false;
	}
	if (unlikely(check_sub_overflow(now, state->counts.time, &ns)))
		return false;
	tags = hweight32(state->tag_mask);
	state->tag_time += tags * ns;
	state->counts.time_ns[tags] += ns;
	state->counts.time = now;
	return true;
}

/**
 * fsb_ata_plain_issue() - libata gives the disk a plain command
 * @state: the disk, locked; fsb_ata_plain() has just been true
 * @kind: its kind
 * @tag: its hardware tag, below %FSB_ATA_TAGS
 *
 * Context: any.
 */
static __always_inline void fsb_ata_plain_issue(struct fsb_ata_state *state,
						enum fsbstat_ata_kind kind, u32 tag)
{
	state->counts.kind[kind].ios++;
	state->tag_mask |= BIT(tag);
}

/**
 * fsb_ata_plain_complete() - a plain command has ended, and did not fail
 * @state: the disk, locked; fsb_ata_plain() has just been true
 * @tag: its hardware tag, below %FSB_ATA_TAGS
 *
 * Context: any.
 */
static __always_inline void fsb_ata_plain_complete(struct fsb_ata_state *state, u32 tag)
{
	state->tag_mask &= ~BIT(tag);
}

#endif /* FSB_ATA_STATE_H */
