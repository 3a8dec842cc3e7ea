/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part: the parts of the text report, each of one workload; for results/text.c. */
#ifndef FSB_RESULTS_PART_H
#define FSB_RESULTS_PART_H

#include "results/show.h"

/* @first is the workload's first cell. */
void part_bars(FILE *to, const struct results *results, size_t first);
void part_notes(FILE *to, const struct results *results, size_t first);
void part_device(FILE *to, const struct results *results, size_t first);
void part_changes(FILE *to, const struct results *results, size_t first);

/* Of the whole run: what it ran on, and how everything was mounted. */
void part_head(FILE *to, const struct results *results);
void part_mounts(FILE *to, const struct results *results);

#endif /* FSB_RESULTS_PART_H */
