/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan_parts: what the files plan*.c have of one another; for them and their tests only. */
#ifndef FSB_BENCH_PLAN_PARTS_H
#define FSB_BENCH_PLAN_PARTS_H

#include "bench/plan.h"

/* FILE:LINE for messages about something in the matrix. */
void plan_place(const struct plan *plan, unsigned int line, char *buf, size_t size);
/*
 * What a kernel of this release and the programs installed here make of the cells: their mount
 * options, settings and why they cannot be had; packages that are missing.  0, or -1 with
 * *trouble.
 */
int plan_support_configurations(struct plan *plan, const char *release, struct trouble *trouble);
/* The same of their workloads, after that. */
int plan_support_workloads(struct plan *plan, bool look_only, struct trouble *trouble);
/* That a cell cannot be had, unless that is known already.  0, or -1 with *trouble: no memory. */
int plan_cell_refuse(struct cell *cell, struct trouble *trouble, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/*
 * Fills plan->warning: mount options that are not known or contradict each other, exclusions that
 * take nothing away.  0, or -1 with *trouble: no memory.
 */
int plan_warn(struct plan *plan, struct trouble *trouble);
void plan_warnings_free(struct plan *plan);
/* Fills plan->size.  0, or -1 with *trouble: no memory. */
int plan_scale(struct plan *plan, const char *scale, struct trouble *trouble);
/* What is around the workloads, by what has to be written; and all of it. */
void plan_guess_time(struct plan *plan, const struct target *target);
/* Seconds of the cells that can be had. */
void plan_estimate(struct plan *plan);

#endif /* FSB_BENCH_PLAN_PARTS_H */
