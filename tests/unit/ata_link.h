/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ata_link: the module's ATA state machine, compiled as it is against the stand-ins of
 * tests/unit/kernel/, and what libata and the block layer would tell it, at times that
 * the test sets.  For test_ata_state and test_ata_plain.
 */
#ifndef FSB_TESTS_ATA_LINK_H
#define FSB_TESTS_ATA_LINK_H

#include "../../kmod/ata_state.c"

#include "sample.h"

#define US 1000ULL
#define MS 1000000ULL
#define ORIGIN (1000 * MS) /* where the clock begins: on the edge of a slice */

#define expect_ms(ns, ms) assert_int_equal(ns, (u64)((ms) * 1000 + 0.5) * US)

static struct fsb_ata_state state;
static const char requests[8]; /* only addresses */

/* The drains that were described to the trace event, and the last of them. */
static struct {
	u64 nr, wait_ns, turnaround_ns;
	struct fsb_ata_drain last;
} described;

static inline void at(double ms)
{
	fake_now = ORIGIN + (u64)(ms * 1000 + 0.5) * US;
}

static inline void begin(void)
{
	memset(&state, 0, sizeof(state));
	memset(&described, 0, sizeof(described));
	fsb_ata_state_init(&state);
	fsb_ata_state_start(&state, ORIGIN);
	at(0);
}

static inline void described_add(const struct fsb_ata_drain *drain)
{
	described.nr++;
	described.wait_ns += drain->wait_ns;
	described.turnaround_ns += drain->turnaround_ns;
	described.last = *drain;
}

/* Each drain is described once: when its command has ended. */
static inline void check_described(const struct fsb_ata_counts *copy)
{
	const struct fsb_ata_drain *drain = &state.drain;

	assert_int_equal(described.nr + state.drained, copy->drains);
	assert_int_equal(described.wait_ns + (state.drained ? drain->wait_ns : 0), copy->wait_ns);
	assert_int_equal(described.turnaround_ns + (state.drained ? drain->turnaround_ns : 0),
			 copy->turnaround_ns);
}

/* What must hold whatever was told; returns the counts of now. */
static inline const struct fsb_ata_counts *counts(void)
{
	static struct fsb_ata_counts copy;
	u64 at_tags = 0, elapsed;
	u32 waiters = 0, draining = 0;
	unsigned int i;

	fsb_ata_copy_counts(&state, &copy);
	elapsed = fake_now - ORIGIN;
	assert_int_equal(copy.time - copy.start, elapsed);
	for (i = 0; i <= FSB_ATA_TAGS; i++)
		at_tags += copy.time_ns[i];
	assert_int_equal(at_tags + copy.error_ns, elapsed);
	assert_int_equal(copy.idle_ns + copy.queued_ns + copy.drain_ns + copy.alone_ns +
			 copy.error_ns, elapsed);
	assert_int_equal(copy.tags, hweight32(state.tag_mask));
	for (i = 0; i < FSB_ATA_WAITERS; i++) {
		waiters += !!state.waiter[i].rq;
		draining += state.waiter[i].rq && state.waiter[i].drains;
	}
	assert_int_equal(state.nr_waiters, waiters);
	assert_int_equal(state.nr_draining, draining);
	assert_int_equal(fsb_hist_count(&state.hist[FSBSTAT_ATA_HIST_DRAIN]), copy.drains);
	assert_int_equal(state.hist[FSBSTAT_ATA_HIST_DRAIN].sum, copy.wait_ns + copy.turnaround_ns);
	assert_int_equal(fsb_hist_count(&state.hist[FSBSTAT_ATA_HIST_REFILL]), copy.refills);
	check_described(&copy);
	assert_false(state.lock.held);
	return &copy;
}

/* A queued command is issued and ends as in ata.c: first it is taken for a plain one. */
static inline bool issue_queued(struct fsb_ata_state *link, enum fsbstat_ata_kind kind, u32 tag,
				const void *rq, u64 rq_start)
{
	unsigned long flags;
	bool plain;

	raw_spin_lock_irqsave(&link->lock, flags);
	plain = fsb_ata_plain(link, ktime_get_ns());
	if (plain)
		fsb_ata_plain_issue(link, kind, tag);
	raw_spin_unlock_irqrestore(&link->lock, flags);
	if (!plain)
		fsb_ata_issue_queued(link, kind, tag, rq, rq_start);
	return plain;
}

static inline bool complete_queued(struct fsb_ata_state *link, u32 tag)
{
	unsigned long flags;
	bool plain;

	raw_spin_lock_irqsave(&link->lock, flags);
	plain = fsb_ata_plain(link, ktime_get_ns());
	if (plain)
		fsb_ata_plain_complete(link, tag);
	raw_spin_unlock_irqrestore(&link->lock, flags);
	if (!plain)
		fsb_ata_complete_queued(link, tag, false);
	return plain;
}

static inline void read_issue(double ms, u32 tag)
{
	at(ms);
	issue_queued(&state, FSBSTAT_ATA_NCQ_READ, tag, &requests[7], tag);
}

static inline void read_done(double ms, u32 tag)
{
	at(ms);
	complete_queued(&state, tag);
}

static inline void reads_issue(double ms, u32 nr)
{
	while (nr--)
		read_issue(ms, nr);
}

static inline void reads_done(double ms, u32 nr)
{
	while (nr--)
		read_done(ms, nr);
}

static inline void wait_begin(double ms, unsigned int rq)
{
	at(ms);
	if (fsb_ata_seen(&state))
		fsb_ata_wait_begin(&state, &requests[rq], 100 + rq);
}

static inline void wait_end(double ms, unsigned int rq)
{
	at(ms);
	fsb_ata_wait_end(&state, &requests[rq], 100 + rq);
}

static inline void alone_issue(double ms, enum fsbstat_ata_kind kind, unsigned int rq)
{
	at(ms);
	fsb_ata_issue_alone(&state, kind, &requests[rq], 100 + rq);
}

static inline void alone_ends(bool failed)
{
	struct fsb_ata_drain drain;

	if (fsb_ata_complete_alone(&state, failed, &drain))
		described_add(&drain);
}

static inline void alone_done(double ms)
{
	at(ms);
	alone_ends(false);
}

static inline void error_begins(void)
{
	struct fsb_ata_drain drain;

	if (fsb_ata_error(&state, &drain))
		described_add(&drain);
}

static inline void expect_described(enum fsbstat_ata_kind kind, double wait_ms,
				    double turnaround_ms, double alone_ms, bool error)
{
	expect_ms(described.last.wait_ns, wait_ms);
	expect_ms(described.last.turnaround_ns, turnaround_ms);
	expect_ms(described.last.alone_ns, alone_ms);
	assert_int_equal(described.last.kind, kind);
	assert_int_equal(described.last.error, error);
}

static inline void flush(double issue_ms, double done_ms, unsigned int rq)
{
	alone_issue(issue_ms, FSBSTAT_ATA_FLUSH, rq);
	alone_done(done_ms);
	wait_end(done_ms, rq);
}

static inline void expect_hist(enum fsbstat_ata_hist_kind kind, u64 count, double sum_ms)
{
	struct fsb_hist hist;

	fsb_ata_copy_hist(&state, kind, &hist);
	assert_int_equal(fsb_hist_count(&hist), count);
	expect_ms(hist.sum, sum_ms);
}

#endif /* FSB_TESTS_ATA_LINK_H */
