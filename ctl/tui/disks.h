/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * disks: the rows of the list, from /proc/diskstats and sysfs alone: nothing is measured
 * and no disk sees anything of it.  For cmd/top.c.
 */
#ifndef FSB_TUI_DISKS_H
#define FSB_TUI_DISKS_H

#include "tui/top.h"

struct disks;

/* @only: those, NULL: every disk there is.  NULL when memory ran out. */
struct disks *disks_open(const struct disk_set *only);
void disks_close(struct disks *disks);

/* Counts anew; what changes rarely (settings, mounts) is looked at every now and then. */
int disks_step(struct disks *disks);
const struct list_row *disks_rows(const struct disks *disks, size_t *nr);

/* The one whole disk that carries a mounted filesystem; NULL when there are more or none. */
const struct disk *disks_candidate(const struct disks *disks);

#endif /* FSB_TUI_DISKS_H */
