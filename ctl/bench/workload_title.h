/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload_title: parameters of a workload: found by name, held against their form, and put into
 * its title and a label.  Pure; for the other files of workload.
 */
#ifndef FSB_BENCH_WORKLOAD_TITLE_H
#define FSB_BENCH_WORKLOAD_TITLE_H

#include "bench/workload.h"

/* Of the one called as these @len bytes; nr_parameters: it has none. */
size_t workload_parameter_index(const struct workload *workload, const char *name, size_t len);
/* NULL: it has none of that name. */
const struct workload_parameter *workload_parameter_find(const struct workload *workload,
							 const char *name);
/* Units are turned into plain numbers before ("64k"). */
bool workload_value_fits(const struct workload_parameter *parameter, const char *value);

/* Where the title names a parameter that there is none of; NULL: nowhere. */
const char *workload_title_unknown(const struct workload *workload);
/* Whether the title names parameter @i. */
bool workload_title_names(const struct workload *workload, size_t i);
/* The title with values in it, one a parameter; malloc'd or NULL. */
char *workload_title_make(const struct workload *workload, char *const *value);

#endif /* FSB_BENCH_WORKLOAD_TITLE_H */
