/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * remount: changes one option of a mounted filesystem, by libmount, and leaves the others
 * as they are: for settings_mount.c alone, which saves what was.  And how a barrier reads
 * among a mount's options: pure, for anybody.
 */
#ifndef FSB_DISK_REMOUNT_H
#define FSB_DISK_REMOUNT_H

#include <stddef.h>

/* "barrier", "nobarrier", or "" where the filesystem has no such option. */
const char *mount_barrier(const char *fstype, const char *options);

/* 0, or -1 with the reason in @why. */
int remount_with(const char *target, const char *option, char *why, size_t size);

#endif /* FSB_DISK_REMOUNT_H */
