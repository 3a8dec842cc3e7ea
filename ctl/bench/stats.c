// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stats: see stats.h.
 *
 * Two groups: the largest gap between neighbours of the sorted samples, with two samples or
 * more on either side, is compared with the whole range.  For samples of one normal
 * distribution its share passes the limits below in 1 of 100 cells, by simulation
 * (test_stats.c repeats it).  A gap under 1 % of the median is of no interest: it is what
 * rounding makes of equal results.  With fewer than four samples nothing can be said.
 */
#include "bench/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "model/student.h"

/* Most samples that are looked at sorted without asking for memory. */
#define SAMPLES_ON_STACK 64

#define BIMODAL_MIN 4
#define BIMODAL_MAX 10
#define BIMODAL_GAP 0.01

#define PTS_CV	    0.035
#define PTS_SECONDS (21 * 60) /* "over 20 minutes", of whole minutes */

static const double bimodal_share[BIMODAL_MAX - BIMODAL_MIN + 1] = {
	0.862, 0.778, 0.694, 0.631, 0.568, 0.531, 0.495,
};

/* A sorted copy, in @stack when it fits; NULL: no memory. */
static double *sorted(const double *sample, size_t n, double *stack)
{
	double *copy = n > SAMPLES_ON_STACK ? malloc(n * sizeof(*copy)) : stack;

	if (!copy)
		return NULL;
	memcpy(copy, sample, n * sizeof(*copy));
	gsl_sort(copy, 1, n);
	return copy;
}

static bool is_bimodal(const double *order, size_t n, double median)
{
	double gap = 0, range = order[n - 1] - order[0];
	size_t i, which = n < BIMODAL_MAX ? n : BIMODAL_MAX;

	if (n < BIMODAL_MIN)
		return false;
	for (i = 1; i + 2 < n; i++)
		if (order[i + 1] - order[i] > gap)
			gap = order[i + 1] - order[i];
	return gap > 0 && gap >= BIMODAL_GAP * fabs(median) &&
	       gap > bimodal_share[which - BIMODAL_MIN] * range;
}

/* Mean and spread of samples brought near 1 by a power of two, so that no square overflows. */
static void moments(struct stats *stats, const double *sample, size_t n)
{
	double largest = 0, stack[SAMPLES_ON_STACK], *scaled = stack;
	int exponent;
	size_t i;

	for (i = 0; i < n; i++)
		largest = fmax(largest, fabs(sample[i]));
	frexp(largest, &exponent);
	if (n > SAMPLES_ON_STACK)
		scaled = malloc(n * sizeof(*scaled));
	if (!scaled)
		return;
	for (i = 0; i < n; i++)
		scaled[i] = ldexp(sample[i], -exponent);
	stats->mean = ldexp(gsl_stats_mean(scaled, 1, n), exponent);
	if (n > 1) {
		stats->sd = ldexp(gsl_stats_sd(scaled, 1, n), exponent);
		stats->se = stats->sd / sqrt((double)n);
		stats->half = stats->se * student_95((double)(n - 1));
		if (stats->mean != 0)
			stats->cv = stats->sd / fabs(stats->mean);
	}
	if (scaled != stack)
		free(scaled);
}

void stats_of(struct stats *stats, const double *sample, size_t n)
{
	double stack[SAMPLES_ON_STACK], *order;

	*stats = (struct stats){.n = n,
				.mean = NAN,
				.sd = NAN,
				.se = NAN,
				.half = NAN,
				.low = NAN,
				.high = NAN,
				.cv = NAN,
				.min = NAN,
				.q1 = NAN,
				.median = NAN,
				.q3 = NAN,
				.max = NAN};
	if (!n)
		return;
	moments(stats, sample, n);
	order = sorted(sample, n, stack);
	if (!order)
		return;
	stats->min = order[0];
	stats->max = order[n - 1];
	stats->q1 = gsl_stats_quantile_from_sorted_data(order, 1, n, 0.25);
	stats->median = gsl_stats_quantile_from_sorted_data(order, 1, n, 0.5);
	stats->q3 = gsl_stats_quantile_from_sorted_data(order, 1, n, 0.75);
	/* What is never below 0 has no mean below it. */
	stats->low = stats->mean - stats->half;
	if (stats->min >= 0 && stats->low < 0)
		stats->low = 0;
	stats->high = stats->mean + stats->half;
	stats->bimodal = is_bimodal(order, n, stats->median);
	if (order != stack)
		free(order);
}

double stats_outlier(const struct stats *stats, double sample)
{
	double fence = 1.5 * (stats->q3 - stats->q1);

	if (sample > stats->q3 + fence)
		return sample - (stats->q3 + fence);
	if (sample < stats->q1 - fence)
		return sample - (stats->q1 - fence);
	return 0;
}

static struct mean mean_of(const struct stats *stats)
{
	return (struct mean){.n = stats->n, .value = stats->mean, .se = stats->se};
}

void stats_change(struct change *change, const struct stats *a, const struct stats *b)
{
	struct mean of_a = mean_of(a), of_b = mean_of(b);

	change_of(change, &of_a, &of_b);
}

static const struct {
	const char *name, *text;
} stops[] = {
	[STOP_NOT] = {"", "another run is wanted"},
	[STOP_PRECISE] = {"precise", "the spread is as small as asked for"},
	[STOP_MAX] = {"max", "as many runs as are allowed"},
	[STOP_NO_BETTER] = {"no-better", "further runs do not narrow the spread"},
	[STOP_TIME] = {"time", "the time for the whole is over"},
	[STOP_USER] = {"user", "interrupted"},
	[STOP_FAILED] = {"failed", "its trials fail, or do not count"},
	[STOP_LONG] = {"long", "a run takes more than 20 minutes"},
};

#define STOPS (sizeof(stops) / sizeof(stops[0]))

const char *stats_stop_name(enum stats_stop stop)
{
	return stops[stop].name;
}

const char *stats_stop_text(enum stats_stop stop)
{
	return stops[stop].text;
}

bool stats_stop_parse(const char *name, enum stats_stop *stop)
{
	for (size_t i = 0; i < STOPS; i++) {
		if (strcmp(name, stops[i].name))
			continue;
		*stop = (enum stats_stop)i;
		return true;
	}
	return false;
}

static bool spread_is_small(const struct stats *stats)
{
	return stats->sd == 0 || stats->cv < PTS_CV;
}

/*
 * Up to twice the scheduled runs while the coefficient of variation is 3.5 % or more; up to
 * three times as long as it has come down by half since the scheduled ones.
 */
static enum stats_stop rule_pts(const struct matrix_repeat *repeat, const double *sample, size_t n,
				double last_run_seconds)
{
	struct stats first, now;

	stats_of(&now, sample, n);
	if (spread_is_small(&now))
		return STOP_PRECISE;
	if (last_run_seconds >= PTS_SECONDS)
		return STOP_LONG;
	if (n < (size_t)repeat->min * 2)
		return STOP_NOT;
	stats_of(&first, sample, repeat->min);
	if (n < (size_t)repeat->min * 3 && first.cv - now.cv > first.cv / 2)
		return STOP_NOT;
	return STOP_NO_BETTER;
}

static enum stats_stop rule_interval(const struct matrix_repeat *repeat, const double *sample,
				     size_t n)
{
	struct stats stats;

	stats_of(&stats, sample, n);
	return stats.half <= repeat->within * fabs(stats.mean) ? STOP_PRECISE : STOP_NOT;
}

enum stats_stop stats_rule(const struct matrix_repeat *repeat, const double *sample, size_t n,
			   double last_run_seconds)
{
	enum stats_stop stop = STOP_NOT;

	if (n >= repeat->min)
		stop = repeat->rule == RULE_PTS ? rule_pts(repeat, sample, n, last_run_seconds)
						: rule_interval(repeat, sample, n);
	return stop == STOP_NOT && n >= repeat->max ? STOP_MAX : stop;
}
