// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_ata_state: the module's ATA state machine, told what libata would tell it at
 * times that the test sets; every number it keeps is known beforehand.
 */
#include "ata_link.h"

/* Four reads are always at the disk; a flush comes, the reads end, come back one by one. */
static void test_reads_and_a_flush(void **unused)
{
	const struct fsb_ata_counts *c;

	(void)unused;
	begin();
	reads_issue(0, 4);
	wait_begin(20, 0);
	assert_int_equal(state.reference, 4 << 8);
	for (u32 i = 0; i < 4; i++)
		read_done(21 + i, i);
	flush(24.5, 30.5, 0);
	for (u32 i = 0; i < 4; i++)
		read_issue(31 + i, i);
	at(40);
	c = counts();
	expect_ms(c->idle_ns, 0.5);
	expect_ms(c->queued_ns, 29);
	expect_ms(c->drain_ns, 4.5);
	expect_ms(c->alone_ns, 6);
	expect_ms(c->error_ns, 0);
	expect_ms(c->time_ns[0], 7);
	expect_ms(c->time_ns[1], 2);
	expect_ms(c->time_ns[2], 2);
	expect_ms(c->time_ns[3], 2);
	expect_ms(c->time_ns[4], 27);
	assert_int_equal(c->drains, 1);
	expect_ms(c->wait_ns, 4);
	expect_ms(c->turnaround_ns, 0.5);
	/* Wait 0+1+2+3, turnaround 4 x 0.5, alone 4 x 6, refill 4 x 0.5 + 3+2+1. */
	expect_ms(c->tag_time_lost_ns, 6 + 2 + 24 + 2 + 6);
	expect_hist(FSBSTAT_ATA_HIST_DRAIN, 1, 4.5);
	expect_hist(FSBSTAT_ATA_HIST_ALONE, 1, 6);
	expect_hist(FSBSTAT_ATA_HIST_REFILL, 1, 3.5);
	assert_int_equal(c->refills_censored, 0);
	assert_int_equal(c->tags_max, 4);
	assert_int_equal(c->kind[FSBSTAT_ATA_NCQ_READ].ios, 8);
	assert_int_equal(c->kind[FSBSTAT_ATA_FLUSH].ios, 1);
	expect_ms(c->kind[FSBSTAT_ATA_FLUSH].busy_ns, 6);
	assert_int_equal(c->kind[FSBSTAT_ATA_NCQ_READ].busy_ns, 0);
	expect_described(FSBSTAT_ATA_FLUSH, 4, 0.5, 6, false);
	assert_int_equal(described.last.before, 4 << 8);
}

/* The command that drained fails, or error handling ends it: described once, as far as it came. */
static void test_drain_that_fails(void **unused)
{
	(void)unused;
	begin();
	reads_issue(0, 2);
	wait_begin(20, 0);
	reads_done(21, 2);
	alone_issue(21.5, FSBSTAT_ATA_OTHER, 0);
	at(22);
	alone_ends(true);
	error_begins();
	assert_int_equal(counts()->drains, 1);
	expect_described(FSBSTAT_ATA_OTHER, 1, 0.5, 0.5, true);
	reads_issue(30, 2);
	wait_begin(50, 1);
	reads_done(52, 2);
	alone_issue(52, FSBSTAT_ATA_FLUSH, 1);
	at(60);
	error_begins();
	assert_int_equal(counts()->drains, 2);
	expect_described(FSBSTAT_ATA_FLUSH, 2, 0, 8, true);
	alone_done(61);
	assert_int_equal(described.nr, 2);
}

/* The last read ends just as the flush comes, or long before: nothing is drained. */
static void test_nothing_to_drain(void **unused)
{
	const struct fsb_ata_counts *c;

	(void)unused;
	begin();
	reads_issue(0, 1);
	reads_done(4, 1);
	wait_begin(4, 0);
	flush(4.1, 9.1, 0);
	wait_begin(200, 0);
	flush(200.2, 203.2, 0);
	at(210);
	c = counts();
	assert_int_equal(c->drains, 0);
	expect_ms(c->drain_ns, 0);
	expect_ms(c->wait_ns + c->turnaround_ns, 0);
	expect_ms(c->alone_ns, 8);
	expect_ms(c->queued_ns, 4);
	expect_ms(c->idle_ns, 198);
	expect_hist(FSBSTAT_ATA_HIST_ALONE, 2, 8);
	/* One tag is no depth to come back to. */
	assert_int_equal(c->refills + c->refills_censored, 0);
	/* One tag was usual before the first flush, until its end. */
	expect_ms(c->tag_time_lost_ns, 5.1);
}

/* A kernel that requeues: the flush is issued again and again, others go first. */
static void test_requeued(void **unused)
{
	const struct fsb_ata_counts *c;

	(void)unused;
	begin();
	reads_issue(0, 2);
	wait_begin(20, 0);
	wait_begin(21, 0);
	read_issue(21.5, 2);
	read_done(22, 0);
	wait_begin(22, 0);
	read_done(23, 1);
	read_done(25, 2);
	flush(25.2, 27.2, 0);
	c = counts();
	assert_int_equal(c->drains, 1);
	expect_ms(c->wait_ns, 5);
	expect_ms(c->turnaround_ns, 0.2);
	expect_ms(c->drain_ns, 5.2);
	expect_ms(c->queued_ns, 20);
	assert_int_equal(state.nr_waiters, 0);

	/* It found the queue empty, and still others went first. */
	begin();
	reads_issue(0, 1);
	reads_done(1, 1);
	wait_begin(20, 0);
	read_issue(20.5, 0);
	read_done(22, 0);
	flush(22.5, 23, 0);
	c = counts();
	assert_int_equal(c->drains, 1);
	expect_ms(c->wait_ns, 2);
	expect_ms(c->turnaround_ns, 0.5);
	/* The disk drained from the moment there was something to drain. */
	expect_ms(c->drain_ns, 2);
	expect_ms(c->idle_ns, 19.5);
}

/* Two that wait: the second has the first's time alone in its turnaround. */
static void test_two_waiters(void **unused)
{
	const struct fsb_ata_counts *c;

	(void)unused;
	begin();
	reads_issue(0, 8);
	wait_begin(20, 0);
	wait_begin(21, 1);
	reads_done(24, 8);
	flush(24, 30, 0);
	expect_ms(counts()->drain_ns, 4);
	alone_issue(30.5, FSBSTAT_ATA_TRIM, 1);
	alone_done(32.5);
	wait_end(32.5, 1);
	reads_issue(33, 8);
	at(50);
	c = counts();
	assert_int_equal(c->drains, 2);
	expect_ms(c->wait_ns, 4 + 3);
	expect_ms(c->turnaround_ns, 0 + 6.5);
	expect_ms(c->drain_ns, 4.5);
	expect_ms(c->alone_ns, 8);
	expect_ms(c->kind[FSBSTAT_ATA_TRIM].busy_ns, 2);
	expect_hist(FSBSTAT_ATA_HIST_ALONE, 1, 6);
	/* One refill, after the last of them. */
	expect_hist(FSBSTAT_ATA_HIST_REFILL, 1, 0.5);
	expect_ms(c->tag_time_lost_ns, 8 * (33 - 24));
}

static void test_refill_cut_short(void **unused)
{
	const struct fsb_ata_counts *c;

	(void)unused;
	/* The depth does not come back. */
	begin();
	reads_issue(0, 4);
	wait_begin(20, 0);
	reads_done(20, 4);
	flush(20, 21, 0);
	reads_issue(22, 3);
	at(300);
	c = counts();
	assert_int_equal(c->refills, 0);
	assert_int_equal(c->refills_censored, 1);
	/* 4 x 2 until the reads, then 1 until 100 ms after the flush. */
	expect_ms(c->tag_time_lost_ns, 4 * 2 + 99);
	/* The next flush comes first; its reference is what was usual of late. */
	begin();
	reads_issue(0, 4);
	wait_begin(20, 0);
	reads_done(20, 4);
	flush(20, 21, 0);
	reads_issue(22, 2);
	wait_begin(30, 1);
	assert_int_equal(counts()->refills_censored, 1);
	/* From 20 to 30 ms: 2 tags for 8 ms. */
	assert_int_equal(state.reference, 16 * 256 / 10);
	reads_done(30, 2);
	flush(30, 31, 1);
	/* That was less than two tags: no second refill. */
	at(40);
	c = counts();
	assert_int_equal(c->refills_censored, 1);
	assert_int_equal(c->refills, 0);
	/* A command that comes without having waited cuts it short as well. */
	begin();
	reads_issue(0, 4);
	wait_begin(20, 0);
	reads_done(20, 4);
	flush(20, 21, 0);
	alone_issue(22, FSBSTAT_ATA_OTHER, 5);
	alone_done(23);
	assert_int_equal(counts()->refills_censored, 1);
	assert_false(state.refilling);
}

/* 90 % of the depth before is enough; 89 % is not. */
static void test_refill_threshold(void **unused)
{
	(void)unused;
	begin();
	reads_issue(0, 20);
	wait_begin(20, 0);
	reads_done(20, 20);
	flush(20, 25, 0);
	reads_issue(26, 17);
	assert_int_equal(counts()->refills, 0);
	read_issue(27, 17);
	assert_int_equal(counts()->refills, 1);
	expect_hist(FSBSTAT_ATA_HIST_REFILL, 1, 2);
}

/* Passthrough that libata answers by itself never becomes a command. */
static void test_waiter_that_never_comes(void **unused)
{
	const struct fsb_ata_counts *c;

	(void)unused;
	begin();
	reads_issue(0, 8);
	wait_begin(20, 0);
	at(20.5);
	wait_end(20.5, 0);
	reads_done(30, 8);
	at(500);
	c = counts();
	assert_int_equal(c->drains, 0);
	expect_ms(c->drain_ns, 0.5);
	expect_ms(c->queued_ns, 29.5);
	/* Nothing is lost to what never came. */
	expect_ms(c->tag_time_lost_ns, 0);
}

/* A discard that goes out as a queued command drains nothing. */
static void test_queued_trim(void **unused)
{
	const struct fsb_ata_counts *c;

	(void)unused;
	begin();
	reads_issue(0, 4);
	wait_begin(20, 0);
	at(20.1);
	fsb_ata_issue_queued(&state, FSBSTAT_ATA_NCQ_OTHER, 9, &requests[0], 100);
	assert_int_equal(state.nr_waiters, 0);
	read_done(50, 9);
	wait_end(50, 0);
	reads_done(60, 4);
	at(100);
	c = counts();
	assert_int_equal(c->drains, 0);
	expect_ms(c->drain_ns, 0.1);
	expect_ms(c->queued_ns, 59.9);
	expect_ms(c->tag_time_lost_ns, 0);
	assert_int_equal(c->kind[FSBSTAT_ATA_NCQ_OTHER].ios, 1);
}

/* A command of libata's own is no request that waits, nor one that ever did. */
static void test_queued_without_request(void **unused)
{
	(void)unused;
	begin();
	reads_issue(0, 4);
	wait_begin(20, 0);
	at(21);
	fsb_ata_issue_queued(&state, FSBSTAT_ATA_NCQ_OTHER, 9, NULL, 0);
	assert_int_equal(state.nr_waiters, 1);
	read_done(22, 9);
	reads_done(24, 4);
	flush(24.5, 30, 0);
	assert_int_equal(counts()->drains, 1);
	expect_ms(counts()->drain_ns, 4.5);
}

/* Error handling takes the link while reads are at the disk and a flush waits. */
static void test_error(void **unused)
{
	const struct fsb_ata_counts *c;

	(void)unused;
	begin();
	reads_issue(0, 2);
	wait_begin(20, 0);
	at(24);
	fsb_ata_complete_queued(&state, 0, true);
	at(25);
	error_begins();
	at(26);
	error_begins();
	/* libata's own commands; requests that come meanwhile do not wait yet. */
	at(30);
	fsb_ata_issue_alone(&state, FSBSTAT_ATA_OTHER, NULL, 0);
	wait_begin(31, 1);
	assert_int_equal(state.nr_waiters, 0);
	alone_done(35);
	at(36);
	fsb_ata_issue_queued(&state, FSBSTAT_ATA_NCQ_OTHER, 0, NULL, 0);
	read_done(37, 0);
	wait_end(38, 0);
	/* The link works again with the first command of a request. */
	read_issue(40, 1);
	/* A completion of a command that is long gone. */
	read_done(41, 5);
	read_done(45, 1);
	at(50);
	c = counts();
	expect_ms(c->queued_ns, 20 + 5);
	expect_ms(c->drain_ns, 5);
	expect_ms(c->error_ns, 15);
	expect_ms(c->alone_ns, 0);
	expect_ms(c->idle_ns, 5);
	assert_int_equal(c->errors, 1);
	assert_int_equal(c->drains, 0);
	expect_ms(c->time_ns[2], 24);
	expect_ms(c->time_ns[1], 1 + 5);
	expect_ms(c->time_ns[0], 5);
	expect_ms(c->kind[FSBSTAT_ATA_OTHER].busy_ns, 5);
	assert_int_equal(c->tags, 0);
	/* A refill ends in errors. */
	begin();
	reads_issue(0, 4);
	wait_begin(20, 0);
	reads_done(20, 4);
	flush(20, 21, 0);
	at(22);
	error_begins();
	assert_int_equal(counts()->refills_censored, 1);
	alone_issue(30, FSBSTAT_ATA_FLUSH, 3);
	alone_done(33);
	expect_ms(counts()->error_ns, 8);
	expect_ms(counts()->tag_time_lost_ns, 4 * 2);
}

/* NCQ off: every command has the disk alone, and none waits for a queue. */
static void test_ncq_off(void **unused)
{
	const struct fsb_ata_counts *c;

	(void)unused;
	begin();
	for (int i = 0; i < 10; i++) {
		alone_issue(2 * i, FSBSTAT_ATA_OTHER, 1);
		alone_done(2 * i + 1.5);
	}
	wait_begin(20, 0);
	flush(20, 23, 0);
	c = counts();
	expect_ms(c->alone_ns, 18);
	expect_ms(c->idle_ns, 5);
	expect_ms(c->kind[FSBSTAT_ATA_OTHER].busy_ns, 15);
	assert_int_equal(c->kind[FSBSTAT_ATA_OTHER].ios, 10);
	expect_ms(c->time_ns[0], 23);
	assert_int_equal(c->drains + c->refills + c->refills_censored, 0);
	expect_ms(c->tag_time_lost_ns, 0);
}

static u32 reference_at(double ms)
{
	wait_begin(ms, 0);
	wait_end(ms, 0);
	return fsb_ata_recent_tags(&state, fake_now);
}

/* The mean over the last ten whole milliseconds and the one that has begun. */
static void test_reference(void **unused)
{
	(void)unused;
	begin();
	reads_issue(1, 6);
	/* 6 tags for 1 of 2 ms since the start. */
	assert_int_equal(reference_at(2), 3 << 8);
	reads_done(5, 6);
	/* Long idle: nothing of it is left. */
	assert_int_equal(reference_at(1005), 0);
	/* Ten tags for 5.5 of the last 10 ms, on the edge of a slice and between two. */
	reads_issue(1094.5, 10);
	assert_int_equal(reference_at(1100), 55 * 256 / 10);
	assert_int_equal(reference_at(1100.3), 58 * 256 * 10 / 103);
	/* No event for a second: the depth that held. */
	assert_int_equal(reference_at(2100.7), 10 << 8);
	reads_done(2101, 10);
	/* A slice goes out of sight at the millisecond. */
	assert_int_equal(reference_at(2110.9), 10 * 256 * 10 / 109);
	assert_int_equal(reference_at(2111), 0);
}

/* Before the first command a disk may not be libata's at all. */
static void test_unseen(void **unused)
{
	(void)unused;
	begin();
	wait_begin(5, 0);
	assert_int_equal(state.nr_waiters, 0);
	wait_end(6, 0);
	assert_false(counts()->seen);
	expect_ms(counts()->idle_ns, 6);
	read_issue(7, 0);
	assert_true(counts()->seen);
}

/* More that wait than there is room for: the rest is not measured, and nothing breaks. */
static void test_too_many_waiters(void **unused)
{
	unsigned int i;

	(void)unused;
	begin();
	read_issue(0, 0);
	for (i = 0; i < FSB_ATA_WAITERS + 3; i++)
		fsb_ata_wait_begin(&state, &requests[1], i);
	counts();
	assert_int_equal(state.nr_waiters, FSB_ATA_WAITERS);
	read_done(1, 0);
	for (i = 0; i < FSB_ATA_WAITERS + 3; i++) {
		at(2 + i);
		fsb_ata_issue_alone(&state, FSBSTAT_ATA_FLUSH, &requests[1], i);
		at(2.5 + i);
		alone_ends(false);
	}
	assert_int_equal(counts()->drains, FSB_ATA_WAITERS);
	assert_int_equal(counts()->kind[FSBSTAT_ATA_FLUSH].ios, FSB_ATA_WAITERS + 3);
}

/* Whatever comes in whatever order: the sums hold, see counts(). */
static void test_any_order(void **unused)
{
	uint64_t seed = 11, before[3];
	const struct fsb_ata_counts *c;

	(void)unused;
	begin();
	memset(before, 0, sizeof(before));
	for (int i = 0; i < 200000; i++) {
		unsigned int rq = sample_random(&seed) % 4;
		u32 tag = sample_random(&seed) % 32;

		fake_now += sample_random(&seed) % 100 ? sample_random(&seed) % (2 * MS) : 0;
		if (!(sample_random(&seed) % 5000))
			fake_now += sample_random(&seed) % (1000 * MS);
		switch (sample_random(&seed) % 9) {
		case 0:
			fsb_ata_wait_begin(&state, &requests[rq], 100 + rq);
			break;
		case 1:
			fsb_ata_wait_end(&state, &requests[rq], 100 + rq);
			break;
		case 2:
			/* As when its end was not seen: what it drained is then not described. */
			if (state.drained)
				described_add(&state.drain);
			fsb_ata_issue_alone(&state, tag % 4 + FSBSTAT_ATA_FLUSH,
					    tag % 8 ? &requests[rq] : NULL, 100 + rq);
			break;
		case 3:
			alone_ends(tag == 0);
			break;
		case 4:
		case 5:
			fsb_ata_issue_queued(&state, tag % 4, tag,
					     tag ? &requests[rq] : NULL, 90 + tag);
			break;
		case 6:
		case 7:
			fsb_ata_complete_queued(&state, tag, tag == 3);
			break;
		default:
			if (tag == 1)
				error_begins();
		}
		c = counts();
		assert_true(c->drains >= before[0] && c->tag_time_lost_ns >= before[1] &&
			    c->refills + c->refills_censored >= before[2]);
		assert_true(c->tag_time_lost_ns <= 32 * (fake_now - ORIGIN));
		assert_true(c->wait_ns <= FSB_ATA_WAITERS * (fake_now - ORIGIN));
		before[0] = c->drains;
		before[1] = c->tag_time_lost_ns;
		before[2] = c->refills + c->refills_censored;
		/* Without anything that waits, is alone or comes back, nothing is lost. */
		assert_true(!state.reference || state.nr_waiters || state.alone ||
			    state.refilling);
	}
	assert_true(c->drains > 1000 && c->refills > 20 && c->refills_censored > 20 &&
		    c->error_ns && c->drain_ns && c->alone_ns && c->queued_ns && c->idle_ns);
}

/* The clock of another CPU may be behind; time never goes back here. */
static void test_clock_stands(void **unused)
{
	(void)unused;
	begin();
	read_issue(5, 0);
	fake_now -= MS;
	complete_queued(&state, 0);
	assert_int_equal(state.counts.time, ORIGIN + 5 * MS);
	at(7);
	expect_ms(counts()->idle_ns, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads_and_a_flush),
		cmocka_unit_test(test_drain_that_fails),
		cmocka_unit_test(test_nothing_to_drain),
		cmocka_unit_test(test_requeued),
		cmocka_unit_test(test_two_waiters),
		cmocka_unit_test(test_refill_cut_short),
		cmocka_unit_test(test_refill_threshold),
		cmocka_unit_test(test_waiter_that_never_comes),
		cmocka_unit_test(test_queued_trim),
		cmocka_unit_test(test_queued_without_request),
		cmocka_unit_test(test_error),
		cmocka_unit_test(test_ncq_off),
		cmocka_unit_test(test_reference),
		cmocka_unit_test(test_unseen),
		cmocka_unit_test(test_too_many_waiters),
		cmocka_unit_test(test_any_order),
		cmocka_unit_test(test_clock_stands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
