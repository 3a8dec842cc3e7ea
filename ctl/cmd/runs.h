/* SPDX-License-Identifier: GPL-2.0-or-later */
/* runs: what the files of `fsbctl runs` share. */
#ifndef FSB_CMD_RUNS_H
#define FSB_CMD_RUNS_H

#include <stdbool.h>

#include "bench/store.h"

/*
 * Deletes the runs of these names (the list ends with NULL), all or none; asks before unless @yes.
 * Returns the exit status; errors have been printed.
 */
int runs_delete(struct store *store, char **names, size_t nr_names, bool yes);

#endif /* FSB_CMD_RUNS_H */
