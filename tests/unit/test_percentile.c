// SPDX-License-Identifier: GPL-2.0-or-later
/* test_percentile: percentiles against sorted samples, and when none is given. */
#include "sample.h"

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Shapes: even, skewed over many octaves, two clusters, all the same. */
static uint64_t draw(int shape, uint64_t *seed)
{
	uint64_t r = sample_random(seed);

	switch (shape) {
	case 0:
		return r % 50000000;
	case 1:
		return (r >> 8) >> (sample_random(seed) % 48 + 8);
	case 2:
		return r % 10 ? 200000 + r % 1000 : 40000000 + r % 100000;
	default:
		return 3333333;
	}
}

/* The sample that ranks there lies in the same bucket, so it is within 1/32. */
static void check_against(const struct hist *hist, const uint64_t *sorted, uint64_t n)
{
	for (size_t i = 0; i < HIST_PERCENTILES; i++) {
		uint32_t per = hist_percentiles[i].per_10000;
		uint64_t rank = (n * per + 9999) / 10000, ns = 0, truth = sorted[rank - 1];
		bool enough = n * (10000 - per) / 10000 >= HIST_BEYOND;

		assert_int_equal(hist_percentile(hist, per, &ns), enough);
		if (!enough)
			continue;
		assert_int_equal(fsbstat_hist_index(ns), fsbstat_hist_index(truth));
		assert_true(ns >= sorted[0] && ns <= sorted[n - 1]);
	}
}

static void test_against_sorted_samples(void **state)
{
	static uint64_t samples[150000];
	const uint64_t counts[] = { 1, 9, 19, 20, 99, 100, 999, 1000, 10000, 150000 };
	static struct hist hist;
	uint64_t seed = 11;

	(void)state;
	for (int shape = 0; shape < 4; shape++) {
		for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
			memset(&hist, 0, sizeof(hist));
			for (uint64_t i = 0; i < counts[c]; i++) {
				samples[i] = draw(shape, &seed);
				sample_hist(&hist, samples[i]);
			}
			qsort(samples, counts[c], sizeof(samples[0]), by_value);
			check_against(&hist, samples, counts[c]);
		}
	}
}

static void test_needs_ten_beyond(void **state)
{
	const struct {
		uint32_t per;
		uint64_t needs;
	} cases[] = { { 5000, 20 }, { 9000, 100 }, { 9900, 1000 }, { 9990, 10000 },
		      { 9999, 100000 } };
	struct hist hist = { .min_ns = 5000, .max_ns = 5000 };
	uint64_t ns;

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		hist.count = cases[i].needs - 1;
		hist.bucket[fsbstat_hist_index(5000)] = hist.count;
		assert_false(hist_percentile(&hist, cases[i].per, &ns));
		hist.count++;
		hist.bucket[fsbstat_hist_index(5000)]++;
		assert_true(hist_percentile(&hist, cases[i].per, &ns));
		assert_int_equal(ns, 5000);
	}
	hist.count = 0;
	assert_false(hist_percentile(&hist, 5000, &ns));
}

static void test_huge_counts_do_not_overflow(void **state)
{
	struct hist hist = { .min_ns = 4000, .max_ns = 9000000 };
	uint64_t ns;

	(void)state;
	hist.bucket[fsbstat_hist_index(4000)] = 1ULL << 61;
	hist.bucket[fsbstat_hist_index(9000000)] = 1ULL << 60;
	hist.count = (1ULL << 61) + (1ULL << 60);
	assert_true(hist_percentile(&hist, 5000, &ns));
	assert_int_equal(fsbstat_hist_index(ns), fsbstat_hist_index(4000));
	assert_true(hist_percentile(&hist, 9900, &ns));
	assert_int_equal(fsbstat_hist_index(ns), fsbstat_hist_index(9000000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_sorted_samples),
		cmocka_unit_test(test_needs_ten_beyond),
		cmocka_unit_test(test_huge_counts_do_not_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
