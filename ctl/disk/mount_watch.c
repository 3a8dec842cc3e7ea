// SPDX-License-Identifier: GPL-2.0-or-later
/* mount_watch: see mount_watch.h. */
#include "disk/mount_watch.h"

#include <errno.h>
#include <libmount.h>
#include <stdlib.h>
#include <sys/stat.h>

struct mount_watch {
	struct libmnt_monitor *monitor;
	int fd;
};

/* Where the first process's namespace may not be looked at, it is taken for ours. */
static bool in_initial_namespace(void)
{
	struct stat own, first;

	if (stat("/proc/self/ns/mnt", &own) || stat("/proc/1/ns/mnt", &first))
		return true;
	return own.st_ino == first.st_ino && own.st_dev == first.st_dev;
}

struct mount_watch *mount_watch_open(void)
{
	struct mount_watch *watch;
	int ret;

	if (!in_initial_namespace()) {
		errno = EXDEV;
		return NULL;
	}
	watch = calloc(1, sizeof(*watch));
	if (!watch)
		return NULL;
	watch->monitor = mnt_new_monitor();
	ret = watch->monitor ? mnt_monitor_enable_kernel(watch->monitor, 1) : -ENOMEM;
	watch->fd = ret < 0 ? ret : mnt_monitor_get_fd(watch->monitor);
	if (watch->fd >= 0)
		return watch;
	ret = watch->fd;
	mount_watch_close(watch);
	errno = -ret;
	return NULL;
}

void mount_watch_close(struct mount_watch *watch)
{
	if (!watch)
		return;
	mnt_unref_monitor(watch->monitor);
	free(watch);
}

int mount_watch_fd(const struct mount_watch *watch)
{
	return watch ? watch->fd : -1;
}

bool mount_watch_take(struct mount_watch *watch)
{
	bool changed = false;

	while (watch && mnt_monitor_next_change(watch->monitor, NULL, NULL) == 0)
		changed = true;
	if (watch)
		(void)mnt_monitor_event_cleanup(watch->monitor);
	return changed;
}
