// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_change: the interval of a change, against hand-picked cases and by simulation: how often it
 * holds the true change, for normal and for skewed samples.  The numbers themselves are
 * compared with another computation in test_stats.c (data/stats/make).
 */
#include "unit.h"

#include <float.h>
#include <math.h>

#include "model/change.h"

static uint64_t seed;

static double uniform(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

/* One sample with mean 1 and the coefficient of variation @cv. */
static double draw(double cv, bool skewed)
{
	double square = log(1 + cv * cv);

	return skewed ? exp(normal() * sqrt(square) - square / 2) : 1 + cv * normal();
}

static struct mean mean_of(double scale, double cv, size_t n, bool skewed)
{
	double sample[16], sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		sample[i] = scale * draw(cv, skewed);
		sum += sample[i];
	}
	sum /= (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (sample[i] - sum) * (sample[i] - sum);
	return (struct mean){n, sum, sqrt(squares / (double)(n - 1) / (double)n)};
}

/* How often the interval holds the true change of +50 %, and how often it says "less". */
struct share {
	double holds, wrong_sign;
};

static struct share simulate(size_t n, double cv_a, double cv_b, bool skewed)
{
	unsigned int holds = 0, wrong = 0, cells = 20000;

	for (unsigned int cell = 0; cell < cells; cell++) {
		struct mean a = mean_of(100, cv_a, n, skewed), b = mean_of(150, cv_b, n, skewed);
		struct change change;

		change_of(&change, &a, &b);
		assert_true(change.known);
		assert_true(change.low >= -1 && change.low <= change.change);
		assert_true(change.change <= change.high);
		holds += change.low <= 0.5 && change.high >= 0.5;
		wrong += change_sign(&change) < 0;
	}
	return (struct share){(double)holds / cells, (double)wrong / cells};
}

static void holds_the_truth(void **state)
{
	static const struct {
		size_t n;
		double least, most;
	} wanted[] = {{3, 0.94, 0.97}, {5, 0.94, 0.961}, {10, 0.94, 0.96}};
	static const double spread[][2] = {{0.02, 0.02}, {0.1, 0.1}, {0.1, 0.05}, {0.25, 0.25}};

	(void)state;
	seed = 20121026;
	for (size_t w = 0; w < sizeof(wanted) / sizeof(wanted[0]); w++)
		for (size_t s = 0; s < sizeof(spread) / sizeof(spread[0]); s++)
			for (int skewed = 0; skewed < 2; skewed++) {
				struct share share = simulate(wanted[w].n, spread[s][0],
							      spread[s][1], skewed);

				/* 20000 cells measure it to 0.0015 (one standard error). */
				if (share.holds < wanted[w].least || share.holds > wanted[w].most)
					print_error("n %zu, spread %g %g, skewed %d: %.4f\n",
						    wanted[w].n, spread[s][0], spread[s][1],
						    skewed, share.holds);
				assert_true(share.holds >= wanted[w].least);
				assert_true(share.holds <= wanted[w].most);
				assert_true(share.wrong_sign <= 0.025);
			}
}

static struct change of(size_t n_a, double a, double se_a, size_t n_b, double b, double se_b)
{
	struct mean baseline = {n_a, a, se_a}, mean = {n_b, b, se_b};
	struct change change;

	change_of(&change, &baseline, &mean);
	return change;
}

/* Two runs each that differ a lot: nothing follows, and no bound is impossible. */
static void two_noisy_runs(void **state)
{
	struct change change = of(2, 100, 60, 2, 184, 120);

	(void)state;
	assert_true(change.known);
	assert_true(fabs(change.change - 0.84) < 1 / 1e9);
	assert_true(fabs(change.low - -1) < 1 / 1e9);
	assert_true(isinf(change.high));
	assert_int_equal(change_sign(&change), 0);
	/* Bounded above by a baseline that is known well. */
	change = of(2, 100, 0, 2, 32.5, 20);
	assert_true(fabs(change.low - -1) < 1 / 1e9);
	assert_true(fabs(change.high - (0.325 + 12.7062047 * 0.2 - 1)) < 1 / 1e6);
	assert_int_equal(change_sign(&change), 0);
}

static void no_spread(void **state)
{
	struct change change = of(3, 10, 0, 3, 15, 0);

	(void)state;
	assert_true(change.known);
	assert_true(fabs(change.low - 0.5) < 1 / 1e12 && fabs(change.high - 0.5) < 1 / 1e12);
	assert_int_equal(change_sign(&change), 1);
	change = of(3, 10, 0, 3, 0, 0);
	assert_true(fabs(change.change - -1) < 1 / 1e12 && fabs(change.high - -1) < 1 / 1e12);
	assert_int_equal(change_sign(&change), -1);
	change = of(3, 10, 0, 3, 10, 0);
	assert_int_equal(change_sign(&change), 0);
}

static void not_known(void **state)
{
	static const struct {
		size_t n_a;
		double a;
		size_t n_b;
		double b;
	} none[] = {{1, 10, 3, 10},   {3, 10, 1, 10},	{0, NAN, 3, 10},      {3, 0, 3, 10},
		    {3, -10, 3, -10}, {3, 10, 3, -0.1}, {3, DBL_TRUE_MIN, 3, 1e300}};

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		struct change change =
			of(none[i].n_a, none[i].a, 1, none[i].n_b, none[i].b, 1);

		assert_false(change.known);
		assert_true(isnan(change.change) && isnan(change.low) && isnan(change.high));
		assert_int_equal(change_sign(&change), 0);
	}
}

/* Also where squares would overflow or vanish. */
static void any_scale(void **state)
{
	struct change one = of(3, 1, 0.05, 4, 1.2, 0.02);

	(void)state;
	for (double scale = 1 / 1e290; scale < 1e300; scale *= 1e10) {
		struct change other =
			of(3, scale, 0.05 * scale, 4, 1.2 * scale, 0.02 * scale);

		assert_true(fabs(one.low - other.low) < 1 / 1e9);
		assert_true(fabs(one.high - other.high) < 1 / 1e9);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holds_the_truth), cmocka_unit_test(two_noisy_runs),
		cmocka_unit_test(no_spread),	   cmocka_unit_test(not_known),
		cmocka_unit_test(any_scale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
