/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mount_parts: what mounts.c and mount_place.c share; for these two only. */
#ifndef FSB_DISK_MOUNT_PARTS_H
#define FSB_DISK_MOUNT_PARTS_H

#include "disk/mounts.h"

struct libmnt_fs;
struct libmnt_table;

/* Of a process: "self", or "1" for the initial mount namespace.  NULL with errno. */
struct libmnt_table *mountinfo_read(const char *process);

/* The block devices of a mount of the table.  0, or -1 with errno; mount_place_free(). */
int mount_place_of_fs(struct libmnt_table *table, struct libmnt_fs *fs, struct mount_place *place);

#endif /* FSB_DISK_MOUNT_PARTS_H */
