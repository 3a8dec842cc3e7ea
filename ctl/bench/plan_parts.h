/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan_parts: what the files plan*.c have of one another; for them and their tests only. */
#ifndef FSB_BENCH_PLAN_PARTS_H
#define FSB_BENCH_PLAN_PARTS_H

#include "bench/plan.h"

/*
 * What a kernel of this release and the programs installed here make of cell i: its mount
 * options, settings and why it cannot be had; packages that are missing.  0, or -1 with *trouble.
 */
int plan_cell_support(struct plan *plan, size_t i, const char *release, struct trouble *trouble);
/* That a cell cannot be had, unless that is known already.  0, or -1 with *trouble: no memory. */
int plan_cell_refuse(struct cell *cell, struct trouble *trouble, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Seconds of the cells that can be had. */
void plan_estimate(struct plan *plan);

#endif /* FSB_BENCH_PLAN_PARTS_H */
