// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bitops.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "ata_state.h"

/* A reference below this has no depth to come back to. */
#define FSB_ATA_REFERENCE_MIN (2U << 8)

/**
 * fsb_ata_state_init() - prepare zeroed memory
 * @state: the state
 */
void fsb_ata_state_init(struct fsb_ata_state *state)
{
	unsigned int i;

	raw_spin_lock_init(&state->lock);
	for (i = 0; i < FSBSTAT_ATA_HISTS; i++)
		fsb_hist_init(&state->hist[i]);
}

static u64 fsb_ata_slice_end(u64 now)
{
	return (div_u64(now, FSB_ATA_SLICE_NS) + 1) * FSB_ATA_SLICE_NS;
}

/**
 * fsb_ata_state_start() - begin the clock
 * @state: a state no probe can reach yet
 * @now: ktime_get_ns()
 */
void fsb_ata_state_start(struct fsb_ata_state *state, u64 now)
{
	state->counts.start = now;
	state->counts.time = now;
	state->empty_since = now;
	state->slice_end = fsb_ata_slice_end(now);
}

/* The last event is the one to reckon from for any end of a slice between it and now. */
static __always_inline void fsb_ata_mark(struct fsb_ata_state *state, u64 now)
{
	struct fsb_ata_mark *mark = &state->mark[state->nr_marks++ % FSB_ATA_MARKS];

	mark->time = state->counts.time;
	mark->tag_time = state->tag_time;
	mark->tags = hweight32(state->tag_mask);
	state->slice_end = fsb_ata_slice_end(now);
}

/*
 * Tags x time until the end of one of the last slices, or until the clock began.  A mark
 * not yet made is zero, and so was all that until the first.
 */
static u64 fsb_ata_tag_time_at(const struct fsb_ata_state *state, u64 time)
{
	const struct fsb_ata_mark *mark;
	u32 i;

	for (i = 1; i <= FSB_ATA_MARKS; i++) {
		mark = &state->mark[(state->nr_marks - i) % FSB_ATA_MARKS];
		if (mark->time <= time)
			return mark->tag_time + mark->tags * (time - mark->time);
	}
	return 0;
}

/* Mean tags in use over the last ten to eleven milliseconds, in 1/256; now: of the last event. */
static u32 fsb_ata_recent_tags(const struct fsb_ata_state *state, u64 now)
{
	u64 span = FSB_ATA_SLICES * FSB_ATA_SLICE_NS;
	u64 from = max(state->slice_end, state->counts.start + span) - span;

	if (now == from)
		return 0;
	return div64_u64((state->tag_time - fsb_ata_tag_time_at(state, from)) << 8, now - from);
}

static void fsb_ata_censor_refill(struct fsb_ata_state *state)
{
	if (state->refilling)
		state->counts.refills_censored++;
	state->refilling = false;
	state->reference = 0;
}

static void fsb_ata_lost(struct fsb_ata_state *state, u64 ns)
{
	u32 tags = hweight32(state->tag_mask) << 8;

	if (state->reference > tags)
		state->counts.tag_time_lost_ns += ((state->reference - tags) * ns) >> 8;
}

/* The loss ends with the refill, which ends by itself after a while. */
static void fsb_ata_advance_refill(struct fsb_ata_state *state, u64 now)
{
	u64 end = state->refill_since + FSB_ATA_REFILL_MAX_NS;

	fsb_ata_lost(state, min(now, end) - state->counts.time);
	if (now >= end)
		fsb_ata_censor_refill(state);
}

/*
 * Where the time since the last event goes; each nanosecond goes to one place.  What is
 * neither alone nor drain is queued or idle, see fsb_ata_copy_counts().
 */
static void fsb_ata_partition(struct fsb_ata_state *state, u32 tags, u64 ns)
{
	struct fsb_ata_counts *counts = &state->counts;

	if (state->error) {
		counts->error_ns += ns;
		return;
	}
	counts->time_ns[tags] += ns;
	if (state->alone)
		counts->alone_ns += ns;
	else if (state->nr_draining)
		counts->drain_ns += ns;
	else
		return;
	if (!tags)
		state->empty_ns += ns;
}

/* Every event but the plain ones begins with this, and ends with fsb_ata_set_plain(). */
static u64 fsb_ata_advance(struct fsb_ata_state *state)
{
	struct fsb_ata_counts *counts = &state->counts;
	u64 now = ktime_get_ns(), ns = now - counts->time;
	u32 tags = hweight32(state->tag_mask);

	state->plain_until = 0;
	if (unlikely(now <= counts->time))
		return counts->time;
	fsb_ata_partition(state, tags, ns);
	if (state->refilling)
		fsb_ata_advance_refill(state, now);
	else
		fsb_ata_lost(state, ns);
	if (now >= state->slice_end)
		fsb_ata_mark(state, now);
	state->tag_time += tags * ns;
	counts->time = now;
	return now;
}

/* Plain are the queued commands that have nothing to do with any other, in this slice. */
static void fsb_ata_set_plain(struct fsb_ata_state *state)
{
	if (state->counts.seen && !state->error && !state->nr_waiters && !state->alone &&
	    !state->refilling && !state->reference)
		state->plain_until = state->slice_end;
}

/**
 * fsb_ata_slice_over() - what fsb_ata_plain() does once a slice
 * @state: the disk, locked
 * @now: ktime_get_ns(), not before &fsb_ata_state.plain_until
 *
 * Context: any.
 * Return: @now, which the caller then need not keep; 0 if no command is plain.
 */
u64 fsb_ata_slice_over(struct fsb_ata_state *state, u64 now)
{
	if (!state->plain_until)
		return 0;
	fsb_ata_mark(state, now);
	state->plain_until = state->slice_end;
	return now;
}

static void fsb_ata_set_tags(struct fsb_ata_state *state, u32 mask, u64 now)
{
	if (state->tag_mask && !mask)
		state->empty_since = now;
	state->tag_mask = mask;
}

static struct fsb_ata_waiter *fsb_ata_waiter(struct fsb_ata_state *state, const void *rq,
					     u64 rq_start)
{
	unsigned int i;

	if (!rq || !state->nr_waiters)
		return NULL;
	for (i = 0; i < FSB_ATA_WAITERS; i++)
		if (state->waiter[i].rq == rq && state->waiter[i].rq_start == rq_start)
			return &state->waiter[i];
	return NULL;
}

static void fsb_ata_waiter_free(struct fsb_ata_state *state, struct fsb_ata_waiter *waiter)
{
	state->nr_draining -= waiter->drains;
	state->nr_waiters--;
	waiter->rq = NULL;
}

/* It will not have the disk alone: there is nothing to come back from. */
static void fsb_ata_waiter_leaves(struct fsb_ata_state *state, struct fsb_ata_waiter *waiter)
{
	fsb_ata_waiter_free(state, waiter);
	if (!state->nr_waiters && !state->alone)
		state->reference = 0;
}

static struct fsb_ata_waiter *fsb_ata_waiter_new(struct fsb_ata_state *state)
{
	unsigned int i;

	for (i = 0; i < FSB_ATA_WAITERS; i++)
		if (!state->waiter[i].rq)
			return &state->waiter[i];
	return NULL;
}

/**
 * fsb_ata_wait_begin() - a request that cannot be queued was issued by the block layer
 * @state: its disk
 * @rq: the request; only the pointer's value is used
 * @rq_start: its start_time_ns
 *
 * A request that waits already was requeued: its first issue counts.  Callers ask
 * fsb_ata_seen() first.
 *
 * Context: any.
 */
void fsb_ata_wait_begin(struct fsb_ata_state *state, const void *rq, u64 rq_start)
{
	struct fsb_ata_waiter *waiter;
	unsigned long flags;
	u64 now;

	raw_spin_lock_irqsave(&state->lock, flags);
	if (state->error || fsb_ata_waiter(state, rq, rq_start))
		goto unlock;
	waiter = fsb_ata_waiter_new(state);
	if (!waiter)
		goto unlock;
	now = fsb_ata_advance(state);
	if (!state->nr_waiters && !state->alone) {
		fsb_ata_censor_refill(state);
		state->reference = fsb_ata_recent_tags(state, now);
	}
	waiter->rq = rq;
	waiter->rq_start = rq_start;
	waiter->since = now;
	waiter->drains = state->tag_mask;
	state->nr_draining += waiter->drains;
	state->nr_waiters++;
	fsb_ata_set_plain(state);
unlock:
	raw_spin_unlock_irqrestore(&state->lock, flags);
}

/**
 * fsb_ata_wait_end() - a request ended; it waits no more if it never became a command
 * @state: its disk
 * @rq: the request
 * @rq_start: its start_time_ns
 *
 * Context: any.
 */
void fsb_ata_wait_end(struct fsb_ata_state *state, const void *rq, u64 rq_start)
{
	struct fsb_ata_waiter *waiter;
	unsigned long flags;

	if (!READ_ONCE(state->nr_waiters))
		return;
	raw_spin_lock_irqsave(&state->lock, flags);
	waiter = fsb_ata_waiter(state, rq, rq_start);
	if (waiter) {
		fsb_ata_advance(state);
		fsb_ata_waiter_leaves(state, waiter);
		fsb_ata_set_plain(state);
	}
	raw_spin_unlock_irqrestore(&state->lock, flags);
}

/* A depth of 90 % of the reference ends the refill. */
static void fsb_ata_refill(struct fsb_ata_state *state, u64 now)
{
	if (!state->refilling || (hweight32(state->tag_mask) << 8) * 10 < state->reference * 9)
		return;
	state->counts.refills++;
	fsb_hist_add(&state->hist[FSBSTAT_ATA_HIST_REFILL], now - state->refill_since);
	state->refilling = false;
	state->reference = 0;
}

/*
 * A queued command goes out while others wait.  It may be one of them, a discard that
 * the disk can queue.  A kernel that requeues those that wait lets others go first: it
 * drains for them too.
 */
static noinline void fsb_ata_goes_first(struct fsb_ata_state *state, const void *rq, u64 rq_start)
{
	struct fsb_ata_waiter *waiter = fsb_ata_waiter(state, rq, rq_start);
	unsigned int i;

	if (waiter)
		fsb_ata_waiter_leaves(state, waiter);
	for (i = 0; i < FSB_ATA_WAITERS; i++) {
		if (!state->waiter[i].rq || state->waiter[i].drains)
			continue;
		state->waiter[i].drains = true;
		state->nr_draining++;
	}
}

/**
 * fsb_ata_issue_queued() - libata gives the disk an NCQ command
 * @state: the disk
 * @kind: its kind
 * @tag: its hardware tag, below %FSB_ATA_TAGS
 * @rq: the request it is made of, or NULL for a command of error handling
 * @rq_start: the request's start_time_ns
 *
 * Context: any; libata holds its port lock.
 */
void fsb_ata_issue_queued(struct fsb_ata_state *state, enum fsbstat_ata_kind kind, u32 tag,
			  const void *rq, u64 rq_start)
{
	unsigned long flags;
	u64 now;

	raw_spin_lock_irqsave(&state->lock, flags);
	now = fsb_ata_advance(state);
	state->counts.seen = true;
	state->counts.kind[kind].ios++;
	if (rq)
		state->error = false;
	if (unlikely(state->nr_waiters))
		fsb_ata_goes_first(state, rq, rq_start);
	fsb_ata_set_tags(state, state->tag_mask | BIT(tag), now);
	fsb_ata_refill(state, now);
	fsb_ata_set_plain(state);
	raw_spin_unlock_irqrestore(&state->lock, flags);
}

static void fsb_ata_drained(struct fsb_ata_state *state, struct fsb_ata_waiter *waiter, u64 now)
{
	struct fsb_ata_counts *counts = &state->counts;
	u64 empty = max(state->empty_since, waiter->since);

	if (waiter->drains) {
		state->drained = true;
		state->drain.wait_ns = empty - waiter->since;
		state->drain.turnaround_ns = now - empty;
		state->drain.before = state->reference;
		counts->drains++;
		counts->wait_ns += state->drain.wait_ns;
		counts->turnaround_ns += state->drain.turnaround_ns;
		fsb_hist_add(&state->hist[FSBSTAT_ATA_HIST_DRAIN], now - waiter->since);
	}
	fsb_ata_waiter_free(state, waiter);
}

/**
 * fsb_ata_issue_alone() - libata gives the disk a command that is not queued
 * @state: the disk
 * @kind: its kind
 * @rq: the request it is made of, or NULL for a command of libata's own
 * @rq_start: the request's start_time_ns
 *
 * Context: any; libata holds its port lock.
 */
void fsb_ata_issue_alone(struct fsb_ata_state *state, enum fsbstat_ata_kind kind, const void *rq,
			 u64 rq_start)
{
	struct fsb_ata_waiter *waiter;
	unsigned long flags;
	u64 now;

	raw_spin_lock_irqsave(&state->lock, flags);
	now = fsb_ata_advance(state);
	state->counts.seen = true;
	state->counts.kind[kind].ios++;
	if (rq)
		state->error = false;
	waiter = fsb_ata_waiter(state, rq, rq_start);
	state->drained = false;
	if (waiter)
		fsb_ata_drained(state, waiter, now);
	else
		fsb_ata_censor_refill(state);
	state->alone = true;
	state->alone_kind = kind;
	state->alone_since = now;
	fsb_ata_set_plain(state);
	raw_spin_unlock_irqrestore(&state->lock, flags);
}

/**
 * fsb_ata_complete_queued() - an NCQ command has ended
 * @state: the disk
 * @tag: its hardware tag
 * @failed: it failed
 *
 * A command older than the counting has no tag here; it changes nothing.
 *
 * Context: any; libata holds its port lock.
 */
void fsb_ata_complete_queued(struct fsb_ata_state *state, u32 tag, bool failed)
{
	unsigned long flags;
	u64 now;

	raw_spin_lock_irqsave(&state->lock, flags);
	now = fsb_ata_advance(state);
	state->counts.errors += failed;
	fsb_ata_set_tags(state, state->tag_mask & ~BIT(tag), now);
	fsb_ata_set_plain(state);
	raw_spin_unlock_irqrestore(&state->lock, flags);
}

/* The command that was alone is so no more; says whether it had drained the queue. */
static bool fsb_ata_alone_ends(struct fsb_ata_state *state, bool failed, u64 now,
			       struct fsb_ata_drain *drain)
{
	state->alone = false;
	if (!state->drained)
		return false;
	*drain = state->drain;
	drain->alone_ns = now - state->alone_since;
	drain->kind = state->alone_kind;
	drain->error = failed;
	state->drained = false;
	return true;
}

/**
 * fsb_ata_complete_alone() - a command that was not queued has ended
 * @state: the disk
 * @failed: it failed
 * @drain: where to describe it if it had drained the queue
 *
 * Context: any; libata holds its port lock.
 * Return: whether @drain was set.
 */
bool fsb_ata_complete_alone(struct fsb_ata_state *state, bool failed,
			    struct fsb_ata_drain *drain)
{
	unsigned long flags;
	bool drained = false;
	u64 now;

	raw_spin_lock_irqsave(&state->lock, flags);
	now = fsb_ata_advance(state);
	state->counts.errors += failed;
	if (!state->alone)
		goto unlock;
	drained = fsb_ata_alone_ends(state, failed, now, drain);
	state->counts.kind[state->alone_kind].busy_ns += now - state->alone_since;
	if (state->alone_kind == FSBSTAT_ATA_FLUSH)
		fsb_hist_add(&state->hist[FSBSTAT_ATA_HIST_ALONE], now - state->alone_since);
	if (state->reference >= FSB_ATA_REFERENCE_MIN && !state->nr_waiters) {
		state->refilling = true;
		state->refill_since = now;
	} else if (!state->nr_waiters) {
		state->reference = 0;
	}
unlock:
	fsb_ata_set_plain(state);
	raw_spin_unlock_irqrestore(&state->lock, flags);
	return drained;
}

/**
 * fsb_ata_error() - error handling takes the link over
 * @state: the disk
 * @drain: where to describe the command that was alone if it had drained the queue
 *
 * What was in flight ends without a trace or is issued again; time goes to errors
 * until the next command of a request.
 *
 * Context: any.
 * Return: whether @drain was set.
 */
bool fsb_ata_error(struct fsb_ata_state *state, struct fsb_ata_drain *drain)
{
	unsigned long flags;
	bool drained;
	u64 now;

	raw_spin_lock_irqsave(&state->lock, flags);
	now = fsb_ata_advance(state);
	state->error = true;
	drained = fsb_ata_alone_ends(state, true, now, drain);
	fsb_ata_set_tags(state, 0, now);
	fsb_ata_censor_refill(state);
	memset(state->waiter, 0, sizeof(state->waiter));
	state->nr_waiters = 0;
	state->nr_draining = 0;
	fsb_ata_set_plain(state);
	raw_spin_unlock_irqrestore(&state->lock, flags);
	return drained;
}

/* What the plain path leaves to be reckoned from the rest. */
static void fsb_ata_derive(const struct fsb_ata_state *state, struct fsb_ata_counts *counts)
{
	u32 tags;

	counts->tags = hweight32(state->tag_mask);
	counts->idle_ns = counts->time_ns[0] - state->empty_ns;
	counts->queued_ns = state->empty_ns - counts->alone_ns - counts->drain_ns;
	counts->tags_max = 0;
	for (tags = 1; tags <= FSB_ATA_TAGS; tags++) {
		counts->queued_ns += counts->time_ns[tags];
		if (counts->time_ns[tags])
			counts->tags_max = tags;
	}
}

/**
 * fsb_ata_copy_counts() - scalars of one instant
 * @state: the disk
 * @counts: where to
 *
 * Context: any.
 */
void fsb_ata_copy_counts(struct fsb_ata_state *state, struct fsb_ata_counts *counts)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&state->lock, flags);
	fsb_ata_advance(state);
	*counts = state->counts;
	fsb_ata_derive(state, counts);
	fsb_ata_set_plain(state);
	raw_spin_unlock_irqrestore(&state->lock, flags);
}

/**
 * fsb_ata_copy_hist() - one histogram, consistent in itself
 * @state: the disk
 * @index: &enum fsbstat_ata_hist_kind
 * @hist: where to
 *
 * Context: any.
 */
void fsb_ata_copy_hist(struct fsb_ata_state *state, unsigned int index, struct fsb_hist *hist)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&state->lock, flags);
	*hist = state->hist[index];
	raw_spin_unlock_irqrestore(&state->lock, flags);
}
