/* SPDX-License-Identifier: GPL-2.0-or-later */
/* device: what the disk did in the counted trials of a cell.  For results/figures.c. */
#ifndef FSB_RESULTS_DEVICE_H
#define FSB_RESULTS_DEVICE_H

#include "results/results.h"

/* 0 or -ENOMEM. */
int device_figures_of(struct device_figures *figures, const struct cell_result *cell);

#endif /* FSB_RESULTS_DEVICE_H */
