/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats: what can be said of a cell's scores.  Every sample counts; none is ever dropped.  Pure;
 * stats.c and model/student.c are the only files that know GSL.
 */
#ifndef FSB_BENCH_STATS_H
#define FSB_BENCH_STATS_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/matrix.h"
#include "model/change.h"

struct stats {
	size_t n;
	double mean, sd, se; /* of n - 1; NAN with n < 2 (mean: n < 1) */
	double half; /* of the 95 % interval around the mean (Student); NAN with n < 2 */
	double low, high; /* that interval, from 0 on where no sample is below; NAN with n < 2 */
	double cv; /* sd / |mean|; NAN where the mean is 0 */
	double min, q1, median, q3, max; /* quartiles by linear interpolation; NAN with n < 1 */
	bool bimodal; /* two groups, see stats.c for the rule */
};

void stats_of(struct stats *stats, const double *sample, size_t n);

/*
 * How far one of the samples lies outside (quartiles and 1.5 times their distance): above is more
 * than 0, below less; 0: it does not.
 */
double stats_outlier(const struct stats *stats, double sample);

/* Change of b against a. */
void stats_change(struct change *change, const struct stats *a, const struct stats *b);

enum stats_stop {
	STOP_NOT, /* another run is wanted */
	STOP_PRECISE, /* the interval is near enough */
	STOP_MAX, /* as many runs as are allowed */
	STOP_NO_BETTER, /* rule pts: further runs do not narrow the spread */
	STOP_TIME, /* the time for the whole is over */
	STOP_USER, /* interrupted */
	STOP_FAILED, /* its trials fail, or do not count */
	STOP_LONG, /* rule pts: a run takes more than 20 minutes */
};

/* "precise", "max", ...; as stored; of STOP_NOT "". */
const char *stats_stop_name(enum stats_stop stop);
/* Back from a name; false when there is none like that. */
bool stats_stop_parse(const char *name, enum stats_stop *stop);
/* "the 95 % interval is within 5 % of the mean" and so on, for a person. */
const char *stats_stop_text(enum stats_stop stop);

/* Whether a cell with these samples wants another run by the matrix's own rule. */
enum stats_stop stats_rule(const struct matrix_repeat *repeat, const double *sample, size_t n,
			   double last_run_seconds);

#endif /* FSB_BENCH_STATS_H */
