/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * data_dir: where the files lie that a person may add to: workloads, presets, the table of
 * filesystems.  A user's own come first: $XDG_CONFIG_HOME/fsbctl (or ~/.config/fsbctl); then
 * $FSBCTL_DATA when that is set, else the source tree when the program runs where it was built
 * there, else what was installed (FSB_DATADIR).
 */
#ifndef FSB_BENCH_DATA_DIR_H
#define FSB_BENCH_DATA_DIR_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Path of @name ("filesystems.yaml", "presets/barrier.yaml") in the first of those
 * directories that has it; malloc'd.  NULL with errno ENOENT or ENOMEM.
 */
char *data_file(const char *name);

/*
 * Paths of all files @folder/NAME.yaml, by name, of two with one NAME the first; malloc'd.
 * 0, or -1 with errno: ENOENT when there is no such folder at all.
 */
int data_files(const char *folder, char ***paths, size_t *nr);
/* Whether a path is of what was added to what fsbctl came with: a user's own or $FSBCTL_DATA. */
bool data_is_added(const char *path);
void data_files_free(char **paths, size_t nr);

#endif /* FSB_BENCH_DATA_DIR_H */
