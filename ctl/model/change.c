// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * change: see change.h.  The interval is Fieller's: all ratios r for which mean - r * baseline is
 * within t standard errors of 0, restricted to r >= 0.  It is exact for the ratio of two
 * normal means also where the baseline's own interval includes 0; then it has no upper
 * bound.  Degrees of freedom are Welch and Satterthwaite's, at the estimated ratio.
 * docs/results.md says why this one, and test_change.c how often it holds the true ratio.
 */
#include "model/change.h"

#include <math.h>

#include "model/student.h"

/* @of_a and @of_b are the variances of the two terms. */
static double freedom(double of_a, size_t n_a, double of_b, size_t n_b)
{
	double sum = of_a + of_b;

	if (!(sum > 0))
		return (double)(n_a + n_b - 2);
	return 1 / (of_a / sum * (of_a / sum) / (double)(n_a - 1) +
		    of_b / sum * (of_b / sum) / (double)(n_b - 1));
}

void change_of(struct change *change, const struct mean *baseline, const struct mean *mean)
{
	double ratio = mean->value / baseline->value, of_a, of_b, t, g, square, reach;

	*change = (struct change){.change = NAN, .low = NAN, .high = NAN};
	if (baseline->n < 2 || mean->n < 2 || !(baseline->value > 0) || !(mean->value >= 0) ||
	    !isfinite(ratio))
		return;
	/* In units of the baseline, so that no square overflows. */
	of_a = baseline->se / baseline->value;
	of_b = mean->se / baseline->value;
	t = student_95(freedom(ratio * of_a * ratio * of_a, baseline->n, of_b * of_b, mean->n));
	of_a *= t;
	of_b *= t;
	g = of_a * of_a;
	square = ratio * ratio * g + (1 - g) * of_b * of_b;
	reach = sqrt(fmax(square, 0));
	*change = (struct change){.known = true, .change = ratio - 1, .low = -1, .high = INFINITY};
	/* The lower root of the quadratic; without roots every ratio is within the interval. */
	if (square >= 0 && ratio > of_b)
		change->low = (ratio - of_b) * (ratio + of_b) / (ratio + reach) - 1;
	if (g < 1)
		change->high = (ratio + reach) / (1 - g) - 1;
}

int change_sign(const struct change *change)
{
	if (!change->known)
		return 0;
	return (change->low > 0) - (change->high < 0);
}
