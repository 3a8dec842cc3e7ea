/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_epochs: option sets and epochs in a fsbstat/1 document, for json.c and whoever else
 * writes one.  Every function returns a new reference, or NULL when memory ran out.
 */
#ifndef FSB_OUT_JSON_EPOCHS_H
#define FSB_OUT_JSON_EPOCHS_H

#include "model/epochs.h"
#include "out/json_figures.h"

/* Every set with its settings, its rates and how they compare with those of @baseline. */
json_t *json_option_sets(const struct epochs *epochs, unsigned int baseline);

/* Every epoch with what was counted in it; times are since @origin_ns. */
json_t *json_epochs(const struct report_disk *disk, uint64_t origin_ns);

/* What changed too late for an epoch to begin; null when nothing did. */
json_t *json_unsettled(const struct epochs *epochs, uint64_t origin_ns);

#endif /* FSB_OUT_JSON_EPOCHS_H */
