/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload_file: the form of workloads/NAME.yaml (docs/workloads.md), read and checked.  For
 * workload.c and tests of it.
 */
#ifndef FSB_BENCH_WORKLOAD_FILE_H
#define FSB_BENCH_WORKLOAD_FILE_H

#include "bench/workload.h"

/*
 * 0, or -1 with *trouble, whose object is FILE:LINE where a line can be told.
 * workload_file_free() in either case.
 */
int workload_file_load(struct workload *workload, const char *path, struct trouble *trouble);
void workload_file_free(struct workload *workload);

#endif /* FSB_BENCH_WORKLOAD_FILE_H */
