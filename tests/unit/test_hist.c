// SPDX-License-Identifier: GPL-2.0-or-later
/* test_hist: the buckets' edges and error bound, and arithmetic on histograms. */
#include "sample.h"

static void test_edges(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < FSBSTAT_HIST_BUCKETS; i++) {
		uint64_t low = fsbstat_hist_low(i), high = fsbstat_hist_high(i);

		assert_true(low < high);
		assert_int_equal(fsbstat_hist_index(low), i);
		assert_int_equal(fsbstat_hist_index(high - 1), i);
		if (i + 1 < FSBSTAT_HIST_BUCKETS) {
			assert_int_equal(high, fsbstat_hist_low(i + 1));
			assert_int_equal(fsbstat_hist_index(high), i + 1);
		}
	}
	assert_int_equal(FSBSTAT_HIST_BUCKETS, 834);
	assert_int_equal(fsbstat_hist_index(0), 0);
	assert_int_equal(fsbstat_hist_index(1023), 0);
	assert_int_equal(fsbstat_hist_index(1024), 1);
	assert_int_equal(fsbstat_hist_index((1ULL << 36) - 1), FSBSTAT_HIST_OVERFLOW - 1);
	assert_int_equal(fsbstat_hist_index(1ULL << 36), FSBSTAT_HIST_OVERFLOW);
	assert_int_equal(fsbstat_hist_index(UINT64_MAX), FSBSTAT_HIST_OVERFLOW);
}

static void test_error_bound(void **state)
{
	(void)state;
	for (uint32_t i = 1; i < FSBSTAT_HIST_OVERFLOW; i++) {
		uint64_t low = fsbstat_hist_low(i), width = fsbstat_hist_high(i) - low;

		assert_true(width * 32 <= low);
	}
	/* The bound is reached at the beginning of an octave: nothing is wasted. */
	assert_int_equal((fsbstat_hist_high(1) - fsbstat_hist_low(1)) * 32, fsbstat_hist_low(1));
}

static void test_monotonic(void **state)
{
	uint64_t seed = 42;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		uint64_t a = sample_random(&seed) >> (sample_random(&seed) % 64);
		uint64_t b = sample_random(&seed) >> (sample_random(&seed) % 64);
		uint32_t of_a = fsbstat_hist_index(a), of_b = fsbstat_hist_index(b);

		assert_true(of_a < FSBSTAT_HIST_BUCKETS);
		assert_true(a <= b ? of_a <= of_b : of_a >= of_b);
		assert_true(fsbstat_hist_low(of_a) <= a);
		assert_true(a < fsbstat_hist_high(of_a) || of_a == FSBSTAT_HIST_OVERFLOW);
	}
}

static void test_set_run(void **state)
{
	char unaligned[3 * 8 + 1];
	uint64_t values[] = { 5, 6, 7 };
	struct hist hist = { .count = 18 };

	(void)state;
	memcpy(unaligned + 1, values, sizeof(values));
	assert_int_equal(hist_set_run(&hist, 10, unaligned + 1, sizeof(values)), 0);
	assert_int_equal(hist.bucket[11], 6);
	assert_true(hist_consistent(&hist));
	hist.count = 19;
	assert_false(hist_consistent(&hist));
	assert_int_equal(hist_set_run(&hist, FSBSTAT_HIST_BUCKETS - 3, values, 24), 0);
	assert_int_equal(hist_set_run(&hist, FSBSTAT_HIST_BUCKETS - 2, values, 24), -74);
	assert_int_equal(hist_set_run(&hist, FSBSTAT_HIST_BUCKETS, values, 8), -74);
	assert_int_equal(hist_set_run(&hist, UINT32_MAX, values, 24), -74);
	assert_int_equal(hist_set_run(&hist, 0, values, 23), -74);
}

static void test_subtract_from_nothing_is_exact(void **state)
{
	struct hist a = { 0 }, b = { 0 }, d;

	(void)state;
	sample_hist(&b, 1500000);
	sample_hist(&b, 777);
	assert_int_equal(hist_subtract(&d, &b, NULL), 0);
	assert_true(d.exact && d.min_ns == 777 && d.max_ns == 1500000 && d.count == 2);
	assert_int_equal(hist_subtract(&d, &b, &a), 0);
	assert_true(d.exact && d.min_ns == 777 && d.max_ns == 1500000);
}

static void test_subtract_reads_extremes_off_buckets(void **state)
{
	struct hist a = { 0 }, b, d;

	(void)state;
	sample_hist(&a, 100);
	sample_hist(&a, 90000000);
	b = a;
	sample_hist(&b, 5000000);
	sample_hist(&b, 7000000);
	assert_int_equal(hist_subtract(&d, &b, &a), 0);
	assert_false(d.exact);
	assert_int_equal(d.count, 2);
	assert_int_equal(d.sum_ns, 12000000);
	assert_int_equal(d.min_ns, fsbstat_hist_low(fsbstat_hist_index(5000000)));
	assert_int_equal(d.max_ns, fsbstat_hist_high(fsbstat_hist_index(7000000)) - 1);
	/* Extremes that moved in the window are the window's own. */
	sample_hist(&b, 95000000);
	assert_int_equal(hist_subtract(&d, &b, &a), 0);
	assert_int_equal(d.max_ns, 95000000);
	assert_false(d.exact);
	sample_hist(&b, 99);
	assert_int_equal(hist_subtract(&d, &b, &a), 0);
	assert_int_equal(d.min_ns, 99);
	assert_true(d.exact);
}

static void test_subtract_clips_to_known_extremes(void **state)
{
	struct hist a = { 0 }, b, d;

	(void)state;
	sample_hist(&a, 5000000);
	b = a;
	sample_hist(&b, 5000000);
	assert_int_equal(hist_subtract(&d, &b, &a), 0);
	assert_true(d.min_ns == 5000000 && d.max_ns == 5000000);
	/* Unbounded buckets too. */
	sample_hist(&b, 3);
	sample_hist(&b, 100ULL << 32);
	a = b;
	sample_hist(&b, 4);
	sample_hist(&b, 90ULL << 32);
	assert_int_equal(hist_subtract(&d, &b, &a), 0);
	assert_true(d.min_ns == 3 && d.max_ns == 100ULL << 32);
}

static void test_subtract_refuses_what_went_back(void **state)
{
	struct hist a = { 0 }, b, d;

	(void)state;
	sample_hist(&a, 5000);
	b = a;
	b.bucket[fsbstat_hist_index(5000)] = 0;
	b.bucket[3] = 1;
	assert_int_equal(hist_subtract(&d, &b, &a), -34);
	b = (struct hist){ 0 };
	assert_int_equal(hist_subtract(&d, &b, &a), -34);
	assert_int_equal(hist_subtract(&d, &a, &a), 0);
	assert_int_equal(d.count, 0);
}

static void test_merge(void **state)
{
	struct hist a = { 0 }, b = { 0 }, all = { 0 }, sum = { 0 };
	uint64_t seed = 3;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		uint64_t ns = sample_random(&seed) % 1000000000;

		sample_hist(i % 3 ? &a : &b, ns);
		sample_hist(&all, ns);
	}
	a.exact = true;
	b.exact = true;
	all.exact = true;
	hist_merge(&sum, &a);
	hist_merge(&sum, &b);
	assert_memory_equal(&sum, &all, sizeof(sum));
	b.exact = false;
	hist_merge(&sum, &b);
	assert_false(sum.exact);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_error_bound),
		cmocka_unit_test(test_monotonic),
		cmocka_unit_test(test_set_run),
		cmocka_unit_test(test_subtract_from_nothing_is_exact),
		cmocka_unit_test(test_subtract_reads_extremes_off_buckets),
		cmocka_unit_test(test_subtract_clips_to_known_extremes),
		cmocka_unit_test(test_subtract_refuses_what_went_back),
		cmocka_unit_test(test_merge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
