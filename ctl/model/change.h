/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * change: how a rate or a score differs from that of a baseline, with its 95 % interval.  The
 * only such statistic of the tool: report, epochs and top show it.  Pure.
 */
#ifndef FSB_MODEL_CHANGE_H
#define FSB_MODEL_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

/* Of independent samples; neither rates nor scores are below 0. */
struct mean {
	size_t n;
	double value;
	double se; /* standard error, with n - 1 degrees of freedom; not used with n < 2 */
};

struct change {
	bool known; /* false: n < 2 in either, or the baseline is 0; the numbers are NAN then */
	double change; /* 0.5: half as much again */
	/* 95 % interval of it.  low is -1 at least; high is INFINITY where it is unbounded. */
	double low, high;
};

void change_of(struct change *change, const struct mean *baseline, const struct mean *mean);

/* 1: more, -1: less, 0: the interval includes no change (or nothing is known). */
int change_sign(const struct change *change);

#endif /* FSB_MODEL_CHANGE_H */
