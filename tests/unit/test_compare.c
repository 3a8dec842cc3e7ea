// SPDX-License-Identifier: GPL-2.0-or-later
/* test_compare: rates with their intervals, and when two sets may be compared. */
#include <math.h>

#include "model/compare.h"
#include "model/student.h"
#include "option_sample.h"

static void assert_near(double value, double expected)
{
	if (fabs(value - expected) > 0.0001 * fmax(fabs(expected), 0.0001))
		fail_msg("%.8g instead of %.8g", value, expected);
}

/* Against the printed tables. */
static void test_student(void **state)
{
	static const struct {
		unsigned int freedom;
		double t;
	} table[] = { { 1, 12.7062 }, { 2, 4.30265 }, { 3, 3.18245 }, { 4, 2.77645 },
		      { 5, 2.57058 }, { 10, 2.22814 }, { 29, 2.04523 }, { 30, 2.04227 },
		      { 120, 1.97993 } };

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		assert_near(student_95(table[i].freedom), table[i].t);
	assert_near(student_95(4000000000U), 1.96020); /* 10 000 stand for all */
	assert_near(student_within(1, 1), 0.5);
	assert_near(student_within(2.353363, 3), 0.9);
	assert_near(student_within(2.920782, 2), 0.9);
	assert_near(student_within(0, 7), 0);
}

/* An epoch of @seconds with @writes a second; the settling time before it. */
static void one_epoch(struct sample_feed *feed, const struct option_set *set, unsigned int seconds,
		      unsigned int writes)
{
	sample_look(feed, set, EPOCH_NOTIFIED, 0, 0);
	if (!epochs_open(&feed->epochs))
		sample_seconds(feed, set, 2, 0);
	sample_seconds(feed, set, seconds, writes);
}

static void begin(struct sample_feed *feed, struct option_set *a, struct option_set *b)
{
	sample_options(a, EXT4);
	sample_options(b, EXT4_NOBARRIER);
	sample_feed_begin(feed);
}

static void end(struct sample_feed *feed, struct option_set *a, struct option_set *b)
{
	option_set_free(a);
	option_set_free(b);
	sample_feed_end(feed);
}

static void test_estimate(void **state)
{
	struct estimate estimate;
	struct option_set a, b;
	struct sample_feed feed;

	(void)state;
	begin(&feed, &a, &b);
	estimate_of(&estimate, &feed.epochs, 1, &rates[RATE_WRITE]);
	assert_int_equal(estimate.n, 0);
	assert_true(estimate.half < 0);
	one_epoch(&feed, &a, 4, 100);
	estimate_of(&estimate, &feed.epochs, 1, &rates[RATE_WRITE]);
	assert_int_equal(estimate.n, 1);
	assert_near(estimate.value, 100);
	assert_true(estimate.half < 0);
	one_epoch(&feed, &b, 3, 5);
	one_epoch(&feed, &a, 4, 110);
	one_epoch(&feed, &b, 3, 5);
	one_epoch(&feed, &a, 4, 120);
	/* Epochs of one length: the mean and its standard error, 10 / sqrt(3). */
	estimate_of(&estimate, &feed.epochs, 1, &rates[RATE_WRITE]);
	assert_int_equal(estimate.n, 3);
	assert_near(estimate.value, 110);
	assert_near(estimate.se, 10 / sqrt(3));
	assert_near(estimate.half, 4.30265 * 10 / sqrt(3));
	estimate_of(&estimate, &feed.epochs, 1, &rates[RATE_WRITE_BYTES]);
	assert_near(estimate.value, 440000);
	estimate_of(&estimate, &feed.epochs, 2, &rates[RATE_WRITE]);
	assert_near(estimate.value, 5);
	assert_near(estimate.half, 0);
	/* A second of an epoch that lasts weighs as one second. */
	one_epoch(&feed, &b, 1, 12);
	estimate_of(&estimate, &feed.epochs, 2, &rates[RATE_WRITE]);
	assert_int_equal(estimate.n, 3);
	assert_near(estimate.value, 6);
	end(&feed, &a, &b);
}

static void test_change(void **state)
{
	struct comparison comparison;
	struct option_set a, b;
	struct sample_feed feed;
	double reach;

	(void)state;
	begin(&feed, &a, &b);
	for (unsigned int i = 0; i < 3; i++) {
		one_epoch(&feed, &a, 4, 100);
		one_epoch(&feed, &b, 4, 150 + 10 * i);
	}
	/* The baseline does not vary: the interval is that of the other, scaled. */
	compare_sets(&comparison, &feed.epochs, 1, 2, &rates[RATE_WRITE]);
	assert_int_equal(comparison.how, COMPARED);
	assert_string_equal(comparable_text(comparison.how), "");
	reach = 4.30265 * 10 / sqrt(3) / 100;
	assert_near(comparison.change.change, 0.6);
	assert_near(comparison.change.low, 0.6 - reach);
	assert_near(comparison.change.high, 0.6 + reach);
	/* The other way round it is the reciprocal, and so is the interval. */
	compare_sets(&comparison, &feed.epochs, 2, 1, &rates[RATE_WRITE]);
	assert_near(comparison.change.change, 1 / 1.6 - 1);
	assert_near(comparison.change.low, 1 / (1.6 + reach) - 1);
	assert_near(comparison.change.high, 1 / (1.6 - reach) - 1);
	compare_sets(&comparison, &feed.epochs, 2, 2, &rates[RATE_WRITE]);
	assert_int_equal(comparison.how, COMPARE_BASELINE);
	compare_sets(&comparison, &feed.epochs, 1, 3, &rates[RATE_WRITE]);
	assert_int_equal(comparison.how, COMPARE_NOTHING);
	/* 0 in the baseline: nothing is a multiple of it. */
	compare_sets(&comparison, &feed.epochs, 1, 2, &rates[RATE_FLUSH]);
	assert_int_equal(comparison.how, COMPARE_NOTHING);
	end(&feed, &a, &b);
}

static void test_not_comparable(void **state)
{
	struct comparison comparison;
	struct option_set a, b;
	struct sample_feed feed;

	(void)state;
	begin(&feed, &a, &b);
	one_epoch(&feed, &a, 4, 10);
	one_epoch(&feed, &b, 4, 20);
	compare_sets(&comparison, &feed.epochs, 1, 2, &rates[RATE_WRITE]);
	assert_int_equal(comparison.how, COMPARE_ONE_EPOCH);
	assert_non_null(strstr(comparable_text(comparison.how), "one epoch"));
	/* A baseline that may be anything from nothing on: the change has no upper bound. */
	one_epoch(&feed, &a, 4, 100);
	one_epoch(&feed, &b, 4, 20);
	compare_sets(&comparison, &feed.epochs, 1, 2, &rates[RATE_WRITE]);
	assert_int_equal(comparison.how, COMPARED);
	assert_true(isinf(comparison.change.high));
	assert_int_equal(change_sign(&comparison.change), 0);
	end(&feed, &a, &b);
}

/* Set 2 does the same number of writes, of @bytes each instead of 4000. */
static enum comparable with_writes_of(uint64_t bytes)
{
	struct comparison comparison;
	struct option_set a, b;
	struct sample_feed feed;

	begin(&feed, &a, &b);
	for (unsigned int i = 0; i < 2; i++) {
		one_epoch(&feed, &a, 4, 10);
		one_epoch(&feed, &b, 4, 10);
	}
	feed.epochs.set[1].delta.bio.write_bytes = feed.epochs.set[1].delta.bio.write_ios * bytes;
	for (size_t i = 0; i < feed.epochs.nr_epochs; i++) {
		struct bio_counts *bio = &feed.epochs.epoch[i].figures.bio;

		if (feed.epochs.epoch[i].set == 2)
			bio->write_bytes = bio->write_ios * bytes;
	}
	compare_sets(&comparison, &feed.epochs, 1, 2, &rates[RATE_WRITE]);
	end(&feed, &a, &b);
	return comparison.how;
}

static void test_load_changed(void **state)
{
	(void)state;
	assert_int_equal(with_writes_of(4000), COMPARED);
	assert_int_equal(with_writes_of(4390), COMPARED);
	assert_int_equal(with_writes_of(4410), COMPARE_LOAD_CHANGED);
	assert_int_equal(with_writes_of(3650), COMPARED);
	assert_int_equal(with_writes_of(3600), COMPARE_LOAD_CHANGED);
	assert_string_equal(comparable_text(COMPARE_LOAD_CHANGED), "load changed");
}

/* So many calls of fsync in each epoch of a set; in all its epochs. */
static void call_fsync(struct epochs *epochs, unsigned int set, uint64_t calls)
{
	struct delta *delta = &epochs->set[set - 1].delta;

	fs_delta_free(delta->fs);
	delta->fs = calloc(1, sizeof(*delta->fs));
	assert_non_null(delta->fs);
	for (size_t i = 0; i < epochs->nr_epochs; i++) {
		struct epoch *epoch = &epochs->epoch[i];

		if (epoch->set != set)
			continue;
		epoch->figures.fs.calls = true;
		epoch->figures.fs.sums.fsyncs = calls;
		delta->fs->sums.fsyncs += calls;
	}
}

/* Two sets of two epochs of 4 s with 10 writes a second; so many calls in each epoch. */
static enum comparable with_fsyncs(uint64_t a_calls, uint64_t b_calls, double *change)
{
	struct comparison comparison;
	struct option_set a, b;
	struct sample_feed feed;

	begin(&feed, &a, &b);
	for (unsigned int i = 0; i < 2; i++) {
		one_epoch(&feed, &a, 4, 10);
		one_epoch(&feed, &b, 4, 10);
	}
	call_fsync(&feed.epochs, 1, a_calls);
	call_fsync(&feed.epochs, 2, b_calls);
	compare_sets(&comparison, &feed.epochs, 1, 2, &rates[RATE_FSYNC]);
	*change = comparison.change.change;
	end(&feed, &a, &b);
	return comparison.how;
}

static void test_fsyncs(void **state)
{
	double change;

	(void)state;
	assert_int_equal(with_fsyncs(1000, 1090, &change), COMPARED);
	assert_near(change, 0.09);
	/* The same writes for more calls: less was written for each. */
	assert_int_equal(with_fsyncs(1000, 1110, &change), COMPARE_LOAD_CHANGED);
	assert_int_equal(with_fsyncs(1000, 0, &change), COMPARE_LOAD_CHANGED);
	/* A few calls tell nothing of the load; the writes are the same. */
	assert_int_equal(with_fsyncs(49, 10, &change), COMPARED);
	assert_int_equal(with_fsyncs(1000, 10, &change), COMPARED);
	assert_near(change, -0.99);
	assert_int_equal(with_fsyncs(50, 10, &change), COMPARED);
	assert_int_equal(with_fsyncs(0, 10, &change), COMPARE_NOTHING);
}

/* Calls in three epochs of each of two sets, with as many writes in all of them. */
static enum comparable with_spread(const uint64_t a_calls[3], const uint64_t b_calls[3])
{
	const uint64_t *calls[] = { a_calls, b_calls };
	size_t nr[2] = { 0, 0 };
	struct comparison comparison;
	struct option_set a, b;
	struct sample_feed feed;

	begin(&feed, &a, &b);
	for (unsigned int i = 0; i < 3; i++) {
		one_epoch(&feed, &a, 4, 10);
		one_epoch(&feed, &b, 4, 10);
	}
	call_fsync(&feed.epochs, 1, 0);
	call_fsync(&feed.epochs, 2, 0);
	for (size_t i = 0; i < feed.epochs.nr_epochs; i++) {
		struct epoch *epoch = &feed.epochs.epoch[i];
		size_t set = epoch->set - 1;

		epoch->figures.fs.sums.fsyncs = calls[set][nr[set]];
		feed.epochs.set[set].delta.fs->sums.fsyncs += calls[set][nr[set]++];
	}
	compare_sets(&comparison, &feed.epochs, 1, 2, &rates[RATE_FSYNC]);
	end(&feed, &a, &b);
	return comparison.how;
}

/* What epochs of one set differ by is no change of the load; 12 % between two sets of the same. */
static void test_spread_of_load(void **state)
{
	static const uint64_t varies[] = { 900, 1000, 1100 }, as_well[] = { 1020, 1120, 1220 };
	static const uint64_t steady[] = { 1000, 1000, 1000 }, more[] = { 1120, 1120, 1120 };
	static const uint64_t twice[] = { 1800, 2000, 2200 };

	(void)state;
	assert_int_equal(with_spread(varies, as_well), COMPARED);
	assert_int_equal(with_spread(steady, more), COMPARE_LOAD_CHANGED);
	assert_int_equal(with_spread(varies, twice), COMPARE_LOAD_CHANGED);
}

/* Not known is not 0. */
static void test_fsyncs_unknown(void **state)
{
	struct estimate estimate;
	struct option_set a, b;
	struct sample_feed feed;
	struct work work;

	(void)state;
	begin(&feed, &a, &b);
	one_epoch(&feed, &a, 4, 10);
	estimate_of(&estimate, &feed.epochs, 1, &rates[RATE_FSYNC]);
	assert_int_equal(estimate.n, 0);
	assert_ptr_equal(rate_telling_most(&feed.epochs), &rates[RATE_WRITE]);
	assert_false(work_by_fsync(&feed.epochs));
	call_fsync(&feed.epochs, 1, 100);
	estimate_of(&estimate, &feed.epochs, 1, &rates[RATE_FSYNC]);
	assert_int_equal(estimate.n, 1);
	assert_near(estimate.value, 25);
	assert_ptr_equal(rate_telling_most(&feed.epochs), &rates[RATE_FSYNC]);
	assert_true(work_by_fsync(&feed.epochs));
	work_of(&work, &feed.epochs, 1);
	assert_int_equal(work.per, WORK_FSYNC);
	assert_near(work.bytes, 4 * 10 * 4000 / 100.0);
	end(&feed, &a, &b);
}

/* Where bios are not seen, requests are what the load is judged by. */
static void test_work(void **state)
{
	struct option_set a, b;
	struct sample_feed feed;
	struct work work;

	(void)state;
	begin(&feed, &a, &b);
	work_of(&work, &feed.epochs, 1);
	assert_int_equal(work.per, WORK_UNKNOWN);
	one_epoch(&feed, &a, 4, 10);
	work_of(&work, &feed.epochs, 1);
	assert_int_equal(work.per, WORK_BIO);
	assert_near(work.bytes, 4000);
	memset(&feed.epochs.set[0].delta.bio, 0, sizeof(struct bio_counts));
	work_of(&work, &feed.epochs, 1);
	assert_int_equal(work.per, WORK_REQUEST);
	assert_near(work.bytes, 4000);
	end(&feed, &a, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_student),
		cmocka_unit_test(test_estimate),
		cmocka_unit_test(test_change),
		cmocka_unit_test(test_not_comparable),
		cmocka_unit_test(test_load_changed),
		cmocka_unit_test(test_work), cmocka_unit_test(test_fsyncs),
		cmocka_unit_test(test_spread_of_load),
		cmocka_unit_test(test_fsyncs_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
