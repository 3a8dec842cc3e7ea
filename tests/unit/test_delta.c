// SPDX-License-Identifier: GPL-2.0-or-later
/* test_delta: what happened between two snapshots, against what was put in. */
#include "model/figures.h"
#include "sample.h"

#define NEAR 0.000000001

/* Random traffic on every queue; what it amounts to is added up beside it. */
struct truth {
	uint64_t ios[FSBSTAT_CLASSES], bytes[FSBSTAT_CLASSES];
	uint64_t samples[FSBSTAT_CLASSES], sum_ns[FSBSTAT_CLASSES];
	double weighted[8], time[8];
};

static void traffic(struct snapshot *snap, struct truth *truth, uint64_t *seed)
{
	for (int i = 0; i < 3000; i++) {
		uint32_t q = (uint32_t)(sample_random(seed) % snap->nr_queues);
		unsigned int class = sample_random(seed) % FSBSTAT_CLASSES;
		uint64_t bytes = sample_random(seed) % 100000;
		uint64_t ns = sample_random(seed) % 30000000;
		uint32_t depth = sample_random(seed) % (snap->watch.depth_limit + 1);

		sample_request(&snap->queue[q], class, bytes, ns / 7, ns);
		sample_time(&snap->queue[q], depth, ns);
		truth->ios[class]++;
		truth->bytes[class] += bytes;
		truth->sum_ns[class] += ns;
		truth->weighted[q] += (double)depth * (double)ns;
		truth->time[q] += (double)ns;
	}
	snap->bio.read_ios += 10;
	snap->bio.empty_flush += 4;
}

static void check_window(uint32_t queues)
{
	struct truth before = { 0 }, truth = { 0 };
	struct snapshot a, b;
	struct delta delta;
	uint64_t seed = 5 + queues, in_buckets;
	double mean = 0;

	sample_begin(&a, queues, 32);
	traffic(&a, &before, &seed);
	sample_copy(&b, &a);
	traffic(&b, &truth, &seed);
	assert_int_equal(delta_make(&delta, &a, &b), 0);
	for (unsigned int class = 0; class < FSBSTAT_CLASSES; class++) {
		const struct hist *hist = delta.class[class].hist[FSBSTAT_HIST_DEVICE];

		assert_int_equal(delta.class[class].counts.ios, truth.ios[class]);
		assert_int_equal(delta.class[class].counts.bytes, truth.bytes[class]);
		assert_int_equal(hist->count, truth.ios[class]);
		assert_int_equal(hist->sum_ns, truth.sum_ns[class]);
		in_buckets = 0;
		for (uint32_t i = 0; i < FSBSTAT_HIST_BUCKETS; i++)
			in_buckets += hist->bucket[i];
		assert_int_equal(in_buckets, truth.ios[class]);
		assert_null(delta.class[class].hist[FSBSTAT_HIST_DURABLE]);
	}
	for (uint32_t q = 0; q < queues; q++) {
		uint64_t at_depth = 0;

		for (uint32_t d = 0; d < delta.queue[q].nr_depth; d++)
			at_depth += delta.queue[q].depth_ns[d];
		assert_int_equal(at_depth, delta.queue[q].elapsed_ns);
		assert_float_equal(queue_depth_mean(&delta.queue[q]),
				   truth.weighted[q] / truth.time[q], NEAR);
		mean += truth.weighted[q] / truth.time[q];
	}
	assert_float_equal(delta_depth_mean(&delta), mean, NEAR);
	assert_int_equal(delta.bio.read_ios, 10);
	assert_int_equal(delta.bio.empty_flush, 4);
	assert_int_equal(delta.elapsed_ns, b.queue[0].edge.time_ns - a.queue[0].edge.time_ns);
	assert_false(delta.restarted || delta.gone || delta.settling);
	delta_free(&delta);
	snapshot_free(&a);
	snapshot_free(&b);
}

static void test_one_queue(void **state)
{
	(void)state;
	check_window(1);
}

static void test_many_queues(void **state)
{
	(void)state;
	check_window(8);
}

static void test_depth_of_the_window_only(void **state)
{
	struct snapshot a, b;
	struct delta delta;

	(void)state;
	sample_begin(&a, 1, 32);
	sample_time(&a.queue[0], 31, 900);
	sample_copy(&b, &a);
	sample_time(&b.queue[0], 0, 300);
	sample_time(&b.queue[0], 4, 100);
	assert_int_equal(delta_make(&delta, &a, &b), 0);
	assert_int_equal(queue_depth_max(&delta.queue[0]), 4);
	assert_float_equal(queue_depth_mean(&delta.queue[0]), 1.0, NEAR);
	delta_free(&delta);
	delta_free(&delta);
	/* No time at all is no mean. */
	assert_int_equal(delta_make(&delta, &b, &b), 0);
	assert_float_equal(queue_depth_mean(&delta.queue[0]), 0, 0);
	assert_int_equal(queue_depth_max(&delta.queue[0]), 0);
	delta_free(&delta);
	snapshot_free(&a);
	snapshot_free(&b);
}

static void expect_went_back(struct snapshot *a, struct snapshot *b)
{
	struct delta delta;

	assert_int_equal(delta_make(&delta, a, b), -34);
	assert_int_equal(delta.nr_queues, 0);
}

static void test_counters_never_go_back(void **state)
{
	struct snapshot a, b;

	(void)state;
	sample_begin(&a, 2, 4);
	sample_request(&a.queue[1], FSBSTAT_CLASS_WRITE, 4096, 10, 20);
	a.bio.fua = 3;
	sample_time(&a.queue[1], 1, 50);
	sample_copy(&b, &a);
	b.queue[1].class[FSBSTAT_CLASS_WRITE].bytes--;
	expect_went_back(&a, &b);
	b.queue[1].class[FSBSTAT_CLASS_WRITE].bytes++;
	b.bio.fua--;
	expect_went_back(&a, &b);
	b.bio.fua++;
	b.queue[1].depth_ns[1]--;
	expect_went_back(&a, &b);
	b.queue[1].depth_ns[1]++;
	b.queue[1].edge.time_ns--;
	expect_went_back(&a, &b);
	b.queue[1].edge.time_ns++;
	free(b.queue[1].hist[FSBSTAT_CLASS_WRITE][FSBSTAT_HIST_DEVICE]);
	b.queue[1].hist[FSBSTAT_CLASS_WRITE][FSBSTAT_HIST_DEVICE] = NULL;
	expect_went_back(&a, &b);
	snapshot_free(&a);
	snapshot_free(&b);
}

/* After a restart, or under another watch, only what came since then can be said. */
static void check_restarted(void (*change)(struct watch *))
{
	struct snapshot a, b;
	struct delta delta;

	sample_begin(&a, 1, 32);
	for (int i = 0; i < 100; i++)
		sample_request(&a.queue[0], FSBSTAT_CLASS_READ, 512, 1, 5000);
	sample_begin(&b, 2, 16);
	b.queue[0].edge.start_ns = 5000000000;
	b.queue[0].edge.time_ns = 5000000000;
	sample_request(&b.queue[0], FSBSTAT_CLASS_READ, 512, 1, 5000);
	sample_time(&b.queue[0], 1, 5000);
	b.unflushed.time_ns = b.queue[0].edge.time_ns;
	change(&b.watch);
	assert_int_equal(delta_make(&delta, &a, &b), 0);
	assert_true(delta.restarted);
	assert_int_equal(delta.class[FSBSTAT_CLASS_READ].counts.ios, 1);
	assert_int_equal(delta.elapsed_ns, 5000);
	assert_int_equal(delta.queue[0].begin.time_ns, 5000000000);
	delta_free(&delta);
	snapshot_free(&a);
	snapshot_free(&b);
}

static void restart(struct watch *watch)
{
	watch->restarts++;
}

static void replace(struct watch *watch)
{
	watch->id++;
}

static void reload(struct watch *watch)
{
	watch->added_ns++;
}

static void test_restarted(void **state)
{
	(void)state;
	check_restarted(restart);
	check_restarted(replace);
	check_restarted(reload);
}

static void test_gone_and_settling(void **state)
{
	struct snapshot a, b;
	struct delta delta;

	(void)state;
	sample_begin(&a, 1, 32);
	a.watch.settling = true;
	sample_copy(&b, &a);
	b.watch.settling = false;
	b.watch.state = FSBSTAT_DISK_GONE;
	assert_int_equal(delta_make(&delta, &a, &b), 0);
	assert_true(delta.gone && delta.settling && !delta.restarted);
	delta_free(&delta);
	snapshot_free(&a);
	snapshot_free(&b);
}

/* Windows in a row add up to the window from first to last. */
static void test_windows_add_up(void **state)
{
	struct snapshot at[4];
	struct delta part, sum = { 0 }, whole;
	struct truth truth = { 0 };
	uint64_t seed = 99;

	(void)state;
	sample_begin(&at[0], 3, 8);
	for (int i = 1; i < 4; i++) {
		sample_copy(&at[i], &at[i - 1]);
		traffic(&at[i], &truth, &seed);
		assert_int_equal(delta_make(&part, &at[i - 1], &at[i]), 0);
		assert_int_equal(delta_add(&sum, &part), 0);
		delta_free(&part);
	}
	assert_int_equal(delta_make(&whole, &at[0], &at[3]), 0);
	assert_int_equal(sum.windows, 3);
	assert_int_equal(sum.elapsed_ns, whole.elapsed_ns);
	assert_memory_equal(&sum.bio, &whole.bio, sizeof(sum.bio));
	for (unsigned int class = 0; class < FSBSTAT_CLASSES; class++) {
		assert_memory_equal(&sum.class[class].counts, &whole.class[class].counts,
				    sizeof(struct class_counts));
		assert_memory_equal(sum.class[class].hist[FSBSTAT_HIST_DEVICE]->bucket,
				    whole.class[class].hist[FSBSTAT_HIST_DEVICE]->bucket,
				    sizeof(whole.class[class].hist[0]->bucket));
	}
	for (uint32_t q = 0; q < 3; q++)
		assert_memory_equal(sum.queue[q].depth_ns, whole.queue[q].depth_ns,
				    9 * sizeof(uint64_t));
	delta_free(&sum);
	delta_free(&whole);
	for (int i = 0; i < 4; i++)
		snapshot_free(&at[i]);
}

static void test_spread(void **state)
{
	const double values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct spread spread;

	(void)state;
	spread_of(&spread, values, 8);
	assert_float_equal(spread.mean, 5, NEAR);
	/* Sample deviation sqrt(32/7), over sqrt(8). */
	assert_float_equal(spread.se, 0.7559289460184544, NEAR);
	assert_true(spread.min == 2 && spread.max == 9 && spread.n == 8);
	spread_of(&spread, values, 1);
	assert_true(spread.mean == 2 && spread.se < 0);
	spread_of(&spread, values, 0);
	assert_int_equal(spread.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_queue),
		cmocka_unit_test(test_many_queues),
		cmocka_unit_test(test_depth_of_the_window_only),
		cmocka_unit_test(test_counters_never_go_back),
		cmocka_unit_test(test_restarted),
		cmocka_unit_test(test_gone_and_settling),
		cmocka_unit_test(test_windows_add_up),
		cmocka_unit_test(test_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
