// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_stats: what is said of a cell's scores, against numbers that data/stats/make
 * computed another way, and against rules by simulation with a fixed seed.
 */
#include "unit.h"

#include <math.h>

#include "bench/stats.h"

#define SAMPLES	    "tests/unit/data/stats/samples.txt"
#define NUMBERS_MAX 256
#define PRECISION   0.000000001

static void expect_near(double is, double wanted)
{
	/* Of 0 itself there is no fraction to be off by. */
	double scale = fabs(wanted) > 0 ? fabs(wanted) : 1;

	if (isinf(wanted)) {
		assert_true(isinf(is));
		return;
	}
	if (!(fabs(is - wanted) <= PRECISION * scale))
		print_error("%.17g, expected %.17g\n", is, wanted);
	assert_true(fabs(is - wanted) <= PRECISION * scale);
}

/* Numbers up to '/', '|' or the end of the line; *text is moved behind the mark. */
static size_t read_numbers(char **text, double *number)
{
	size_t nr = 0;

	for (;;) {
		char *end;
		double value = strtod(*text, &end);

		if (end == *text)
			break;
		assert_true(nr < NUMBERS_MAX);
		number[nr++] = value;
		*text = end;
	}
	*text += strcspn(*text, "/|\n");
	*text += **text != '\0';
	return nr;
}

static void check_of(char *text)
{
	double sample[NUMBERS_MAX], wanted[NUMBERS_MAX];
	size_t n = read_numbers(&text, sample);
	struct stats stats;

	assert_int_equal(read_numbers(&text, wanted), 7);
	stats_of(&stats, sample, n);
	assert_int_equal(stats.n, n);
	expect_near(stats.mean, wanted[0]);
	expect_near(stats.sd, wanted[1]);
	expect_near(stats.se, wanted[2]);
	expect_near(stats.half, wanted[3]);
	expect_near(stats.q1, wanted[4]);
	expect_near(stats.median, wanted[5]);
	expect_near(stats.q3, wanted[6]);
	if (wanted[0] != 0)
		expect_near(stats.cv, wanted[1] / fabs(wanted[0]));
}

static void check_change(char *text)
{
	double sample[2][NUMBERS_MAX], wanted[NUMBERS_MAX];
	struct stats stats[2];
	struct change change;

	for (int i = 0; i < 2; i++) {
		size_t n = read_numbers(&text, sample[i]);

		stats_of(&stats[i], sample[i], n);
	}
	assert_int_equal(read_numbers(&text, wanted), 3);
	stats_change(&change, &stats[0], &stats[1]);
	assert_true(change.known);
	expect_near(change.change, wanted[0]);
	expect_near(change.low, wanted[1]);
	expect_near(change.high, wanted[2]);
}

static void independent(void **state)
{
	FILE *file = fopen(SAMPLES, "re");
	size_t size = 0, nr_of = 0, nr_change = 0;
	char *line = NULL;

	(void)state;
	assert_non_null(file);
	while (getline(&line, &size, file) > 0) {
		if (!strncmp(line, "of ", 3)) {
			check_of(line + 3);
			nr_of++;
		} else {
			assert_int_equal(strncmp(line, "change ", 7), 0);
			check_change(line + 7);
			nr_change++;
		}
	}
	assert_true(nr_of >= 10);
	assert_true(nr_change >= 6);
	free(line);
	fclose(file);
}

static void few_samples(void **state)
{
	double one[] = {42};
	struct stats stats, other;
	struct change change;

	(void)state;
	stats_of(&stats, NULL, 0);
	assert_int_equal(stats.n, 0);
	assert_true(isnan(stats.mean) && isnan(stats.sd) && isnan(stats.half));
	assert_true(isnan(stats.low) && isnan(stats.high));
	assert_true(isnan(stats.min) && isnan(stats.median) && isnan(stats.q3));
	stats_of(&other, one, 1);
	assert_true(other.mean == 42 && other.min == 42 && other.max == 42);
	assert_true(other.median == 42 && other.q1 == 42 && other.q3 == 42);
	assert_true(isnan(other.sd) && isnan(other.se) && isnan(other.half) && isnan(other.cv));
	stats_change(&change, &stats, &other);
	assert_false(change.known);
	stats_change(&change, &other, &other);
	assert_false(change.known);
	assert_true(isnan(change.change));
}

/* A rate is never negative, nor is its mean. */
static void never_below_zero(void **state)
{
	double rates[] = {1, 9}, around[] = {-1, 9};
	struct stats stats;

	(void)state;
	stats_of(&stats, rates, 2);
	assert_true(stats.half > stats.mean && fabs(stats.low) < 1 / 1e300);
	expect_near(stats.high, stats.mean + stats.half);
	stats_of(&stats, around, 2);
	expect_near(stats.low, stats.mean - stats.half);
}

static void equal_and_zero(void **state)
{
	double same[] = {3, 3, 3, 3, 3}, zero[] = {0, 0, 0}, around[] = {-1, 1, -2, 2};
	struct stats stats, base;
	struct change change;

	(void)state;
	stats_of(&stats, same, 5);
	assert_true(stats.sd == 0 && stats.half == 0 && stats.cv == 0 && !stats.bimodal);
	stats_of(&base, zero, 3);
	assert_true(base.mean == 0 && base.sd == 0 && isnan(base.cv));
	/* Nothing is a multiple of 0, nor of what may be 0. */
	stats_change(&change, &base, &stats);
	assert_false(change.known);
	stats_of(&base, around, 4);
	stats_change(&change, &base, &stats);
	assert_false(change.known);
	stats_change(&change, &stats, &base);
	assert_true(change.known);
	expect_near(change.change, -1);
}

static void many_samples(void **state)
{
	double *sample = calloc(100000, sizeof(*sample));
	struct stats stats;

	(void)state;
	assert_non_null(sample);
	for (int i = 0; i < 100000; i++)
		sample[i] = (i * 7919LL) % 100000;
	stats_of(&stats, sample, 100000);
	expect_near(stats.mean, 49999.5);
	expect_near(stats.median, 49999.5);
	expect_near(stats.sd * stats.sd, 100000.0 * 100001.0 / 12);
	assert_true(stats.min == 0 && stats.max == 99999);
	free(sample);
}

/* --- samples of a normal distribution, the same ones each time --- */

static uint64_t seed;

static double uniform(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(double mean, double sd)
{
	return mean + sd * sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

static double share_bimodal(size_t n, double distance, unsigned int cells)
{
	unsigned int found = 0;
	double sample[16];
	struct stats stats;

	for (unsigned int cell = 0; cell < cells; cell++) {
		for (size_t i = 0; i < n; i++)
			sample[i] = normal(100 + (i % 2 ? distance : 0), 5);
		stats_of(&stats, sample, n);
		found += stats.bimodal;
	}
	return (double)found / cells;
}

static void two_groups(void **state)
{
	double two[] = {50.1, 77.2, 50.3, 77.0}, lone[] = {50, 50.1, 50.2, 50.3, 90};
	double rounded[] = {50.80, 50.81, 50.80, 50.81}, three[] = {50, 50.1, 77};
	struct stats stats;

	(void)state;
	stats_of(&stats, two, 4);
	assert_true(stats.bimodal);
	stats_of(&stats, lone, 5); /* an outlier, not a group */
	assert_false(stats.bimodal);
	stats_of(&stats, rounded, 4);
	assert_false(stats.bimodal);
	stats_of(&stats, three, 3);
	assert_false(stats.bimodal);
	seed = 20121026;
	for (size_t n = 4; n <= 10; n++) {
		double false_alarms = share_bimodal(n, 0, 20000);

		/* 1 %, as stats.c says; 20000 cells tell that to 0.07 %. */
		if (false_alarms < 0.007 || false_alarms > 0.013)
			print_error("n = %zu: %.4f\n", n, false_alarms);
		assert_true(false_alarms >= 0.007 && false_alarms <= 0.013);
	}
	for (size_t n = 11; n <= 16; n++)
		assert_true(share_bimodal(n, 0, 20000) <= 0.01);
	/* Groups that lie far apart, in units of their own spread, are found nearly always. */
	assert_true(share_bimodal(4, 40 * 5, 2000) >= 0.9);
	for (size_t n = 5; n <= 10; n++)
		assert_true(share_bimodal(n, 20 * 5, 2000) >= 0.9);
}

static void interval_covers(void **state)
{
	unsigned int mean_in = 0, change_in = 0, cells = 20000;
	double a[4], b[6];
	struct stats of_a, of_b;
	struct change change;

	(void)state;
	seed = 5;
	for (unsigned int cell = 0; cell < cells; cell++) {
		for (size_t i = 0; i < 4; i++)
			a[i] = normal(100, 4);
		for (size_t i = 0; i < 6; i++)
			b[i] = normal(130, 9);
		stats_of(&of_a, a, 4);
		stats_of(&of_b, b, 6);
		stats_change(&change, &of_a, &of_b);
		mean_in += fabs(of_a.mean - 100) <= of_a.half;
		change_in += change.low <= 0.3 && change.high >= 0.3;
	}
	assert_true(fabs((double)mean_in / cells - 0.95) < 0.006);
	assert_true(fabs((double)change_in / cells - 0.95) < 0.012);
}

static void outliers(void **state)
{
	double sample[] = {10, 11, 12, 13, 14, 30, -20};
	/* Quartiles 10.5 and 13.5, so the fences are 6 and 18. */
	double wanted[] = {0, 0, 0, 0, 0, 12, -26};
	struct stats stats;

	(void)state;
	stats_of(&stats, sample, 7);
	for (size_t i = 0; i < 7; i++)
		assert_true(stats_outlier(&stats, sample[i]) == wanted[i]);
	stats_of(&stats, sample + 3, 3);
	for (size_t i = 3; i < 6; i++)
		assert_true(stats_outlier(&stats, sample[i]) == 0);
	stats_of(&stats, sample, 1);
	assert_true(stats_outlier(&stats, sample[0]) == 0);
}

/* --- when a cell has enough --- */

static void rule_interval(void **state)
{
	struct matrix_repeat repeat = {.min = 3, .max = 5, .rule = RULE_INTERVAL, .within = 0.05};
	double near[] = {100, 100.5, 101}, far[] = {100, 120, 80, 110, 90}, zero[] = {0, 0, 0};

	(void)state;
	assert_int_equal(stats_rule(&repeat, near, 2, 1), STOP_NOT);
	assert_int_equal(stats_rule(&repeat, near, 3, 1), STOP_PRECISE);
	assert_int_equal(stats_rule(&repeat, far, 0, 0), STOP_NOT);
	assert_int_equal(stats_rule(&repeat, far, 3, 1), STOP_NOT);
	assert_int_equal(stats_rule(&repeat, far, 4, 1), STOP_NOT);
	assert_int_equal(stats_rule(&repeat, far, 5, 1), STOP_MAX);
	assert_int_equal(stats_rule(&repeat, zero, 3, 1), STOP_PRECISE);
	repeat.min = 1;
	repeat.max = 1;
	assert_int_equal(stats_rule(&repeat, far, 1, 1), STOP_MAX);
}

static void rule_pts(void **state)
{
	struct matrix_repeat repeat = {.min = 3, .max = 20, .rule = RULE_PTS};
	/* Coefficients of variation of the first 3 and 6: see the comments. */
	double calm[] = {100, 101, 102};
	double edge[] = {100, 103.5, 96.5}; /* 3.5 % exactly: not under it */
	double wild[] = {100, 160, 40, 100, 160, 40, 100, 160, 40}; /* 60, 54 % */
	double better[] = {100, 140, 100, 113, 113, 113, 113, 113, 113}; /* 20.4, then 12.9 % */
	double halved[] = {60, 100, 140, 100, 100, 100, 100, 100, 100}; /* 40, then 25 % */
	double settled[] = {80, 100, 120, 100, 98, 102, 100, 100, 100}; /* 20, then 12.7 % */

	(void)state;
	assert_int_equal(stats_rule(&repeat, calm, 2, 1), STOP_NOT);
	assert_int_equal(stats_rule(&repeat, calm, 3, 1), STOP_PRECISE);
	assert_int_equal(stats_rule(&repeat, edge, 3, 1), STOP_NOT);
	for (size_t n = 3; n < 6; n++)
		assert_int_equal(stats_rule(&repeat, wild, n, 1), STOP_NOT);
	assert_int_equal(stats_rule(&repeat, wild, 6, 1), STOP_NO_BETTER);
	assert_int_equal(stats_rule(&repeat, better, 6, 1), STOP_NO_BETTER);
	assert_int_equal(stats_rule(&repeat, halved, 6, 1), STOP_NO_BETTER);
	assert_int_equal(stats_rule(&repeat, settled, 6, 1), STOP_NO_BETTER);
	/* Over 20 whole minutes: 20 min 59 s is not. */
	assert_int_equal(stats_rule(&repeat, wild, 3, 20 * 60 + 59), STOP_NOT);
	assert_int_equal(stats_rule(&repeat, wild, 3, 21 * 60), STOP_LONG);
	repeat.max = 4;
	assert_int_equal(stats_rule(&repeat, wild, 4, 1), STOP_MAX);
}

/* Between twice and three times the scheduled runs it goes on while the spread has halved. */
static void rule_pts_goes_on(void **state)
{
	struct matrix_repeat repeat = {.min = 2, .max = 20, .rule = RULE_PTS};
	double sample[] = {1, 150, 130, 130, 130, 130}; /* with 2: 139.5 %, 4: 66.7, 6: 49.1 */

	(void)state;
	assert_int_equal(stats_rule(&repeat, sample, 2, 1), STOP_NOT);
	assert_int_equal(stats_rule(&repeat, sample, 4, 1), STOP_NOT);
	assert_int_equal(stats_rule(&repeat, sample, 5, 1), STOP_NOT);
	/* Three times is the end of it. */
	assert_int_equal(stats_rule(&repeat, sample, 6, 1), STOP_NO_BETTER);
	sample[0] = 20; /* 108.1 %, 55.0: down by not quite a half */
	assert_int_equal(stats_rule(&repeat, sample, 4, 1), STOP_NO_BETTER);
}

static void names(void **state)
{
	enum stats_stop stop;

	(void)state;
	for (int i = STOP_NOT; i <= STOP_LONG; i++) {
		assert_true(stats_stop_parse(stats_stop_name((enum stats_stop)i), &stop));
		assert_int_equal(stop, i);
		assert_true(*stats_stop_text(stop));
	}
	assert_false(stats_stop_parse("precisely", &stop));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(independent),	  cmocka_unit_test(few_samples),
		cmocka_unit_test(equal_and_zero), cmocka_unit_test(never_below_zero),
		cmocka_unit_test(many_samples),
		cmocka_unit_test(two_groups),	  cmocka_unit_test(interval_covers),
		cmocka_unit_test(outliers),	  cmocka_unit_test(rule_interval),
		cmocka_unit_test(rule_pts),	  cmocka_unit_test(rule_pts_goes_on),
		cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
