/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mount_watch: says at once when something was mounted, unmounted or remounted, by
 * libmount's monitor.  For commands that look at the mounts of disks again and again.
 *
 * It hears of its own mount namespace, so it is silent where that is not the one whose
 * mounts count (mounts.h).  It does not hear of a superblock that was changed from another
 * namespace, or that went read-only by itself: who waits for it looks now and then as well.
 */
#ifndef FSB_DISK_MOUNT_WATCH_H
#define FSB_DISK_MOUNT_WATCH_H

#include <stdbool.h>

struct mount_watch;

/* NULL with errno when there can be none; every function below takes that. */
struct mount_watch *mount_watch_open(void);
void mount_watch_close(struct mount_watch *watch);

/* Readable when there is something to take; -1 where nothing is ever heard of. */
int mount_watch_fd(const struct mount_watch *watch);

/* Takes it.  True when mounts may have changed since the last time. */
bool mount_watch_take(struct mount_watch *watch);

#endif /* FSB_DISK_MOUNT_WATCH_H */
