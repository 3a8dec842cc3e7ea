/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload_scan: what the lines of a workload's output say: its score, a failure, the ends of the
 * window.  Pure; for workload_run.c.
 */
#ifndef FSB_BENCH_WORKLOAD_SCAN_H
#define FSB_BENCH_WORKLOAD_SCAN_H

#include <regex.h>
#include <stdbool.h>

#include "bench/workload.h"

enum scan_pattern { SCAN_RESULT, SCAN_FAILURE, SCAN_FROM, SCAN_TO, SCAN_PATTERNS };

struct scan {
	const struct workload *workload;
	regex_t regex[SCAN_PATTERNS];
	bool has[SCAN_PATTERNS];
	bool seen[SCAN_PATTERNS];
	double score; /* of the last line like result */
	char wrong[128]; /* what that line has instead of a number, "" */
	char failure[400]; /* the first line like failure */
	char last[400]; /* the last line that is not blank */
};

/* 0, or -1 with *trouble; scan_close() in either case. */
int scan_open(struct scan *scan, const struct workload *workload, struct trouble *trouble);
void scan_close(struct scan *scan);
void scan_line(struct scan *scan, const char *line);
/* The score in the workload's unit.  0, or -1 with why not in @reason. */
int scan_score(const struct scan *scan, double *score, char *reason, size_t size);

#endif /* FSB_BENCH_WORKLOAD_SCAN_H */
