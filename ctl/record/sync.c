// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sync: what is dirty on the recorded disks is written out (--sync).  A mount is synced by a
 * descriptor that is known to belong to its filesystem: another one may have been mounted over
 * it, or it is mounted in another namespace only.  Where there is no such descriptor, all
 * filesystems of the machine are synced.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock_ns.h"
#include "disk/kfile.h"
#include "record/record.h"

/* How the child that syncs tells its end. */
enum { SYNC_DONE, SYNC_FAILED, SYNC_ALL };

/* A line of mountinfo: "ID PARENT MAJOR:MINOR ROOT TARGET ..." */
struct mount_line {
	int id;
	uint32_t major, minor;
};

static bool is_mount(const char *line, void *arg)
{
	struct mount_line *wanted = arg;
	unsigned int major, minor;
	int id;

	if (sscanf(line, "%d %*d %u:%u", &id, &major, &minor) != 3 || id != wanted->id)
		return false;
	wanted->major = major;
	wanted->minor = minor;
	return true;
}

static bool is_mount_id(const char *line, void *arg)
{
	return sscanf(line, "mnt_id: %d", (int *)arg) == 1;
}

/* By the mount that the path was found on: btrfs gives each subvolume a device of its own. */
static bool is_of_mount(int fd, const struct mount *mount)
{
	struct mount_line line = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	return kfile_find_line(path, is_mount_id, &line.id) &&
	       (kfile_find_line("/proc/1/mountinfo", is_mount, &line) ||
		kfile_find_line("/proc/self/mountinfo", is_mount, &line)) &&
	       line.major == mount->major && line.minor == mount->minor;
}

/* Looked at before it is opened: what covers it may be a server that does not answer. */
static int open_if_right(const char *path, const struct mount *mount)
{
	int at = open(path, O_PATH | O_CLOEXEC), fd = -1;
	char again[64];

	if (at < 0)
		return -1;
	if (is_of_mount(at, mount)) {
		snprintf(again, sizeof(again), "/proc/self/fd/%d", at);
		fd = open(again, O_RDONLY | O_CLOEXEC);
	}
	close(at);
	return fd;
}

/* Mounts are named as the first process sees them, which may have another view. */
static int open_mount(const struct mount *mount)
{
	char path[PATH_MAX];
	int fd = -1;

	if (snprintf(path, sizeof(path), "/proc/1/root%s", mount->target) < (int)sizeof(path))
		fd = open_if_right(path, mount);
	return fd >= 0 ? fd : open_if_right(mount->target, mount);
}

static int sync_mounts(const struct mounts *mounts)
{
	int result = SYNC_DONE;
	size_t i;

	for (i = 0; i < mounts->nr && result == SYNC_DONE; i++) {
		int fd = open_mount(&mounts->mount[i]);

		if (fd < 0)
			return SYNC_ALL;
		if (syncfs(fd))
			result = SYNC_FAILED;
		close(fd);
	}
	return result;
}

/* In a process of its own, so that a signal can end the wait for a slow disk. */
static int sync_disks(void *arg)
{
	const struct report *report = arg;
	int result = SYNC_DONE;
	bool any = false;
	size_t i;

	for (i = 0; i < report->nr_disks && result == SYNC_DONE; i++) {
		struct mounts mounts = { .nr = 0 };

		if (mounts_of_disk(&report->disk[i].disk, &mounts) == 0) {
			any = any || mounts.nr;
			result = sync_mounts(&mounts);
		}
		mounts_free(&mounts);
	}
	/* Writing to the device itself leaves no filesystem to sync. */
	if (!any || result == SYNC_ALL)
		sync();
	return result;
}

void phase_sync(struct recording *rec)
{
	struct child_plan plan = { .function = sync_disks, .arg = &rec->report };
	uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	const char *what = NULL;
	struct child child;
	size_t i;

	if (phase_run(rec, "--sync", &plan, &child) ||
	    (child_code(&child) != SYNC_DONE && child_code(&child) != SYNC_ALL))
		what = "--sync did not finish: not everything was written";
	else if (child_code(&child) == SYNC_ALL)
		what = "--sync: a mount point leads to another filesystem: all were synced";
	for (i = 0; what && i < rec->report.nr_disks; i++)
		warnings_add(&rec->report.disk[i].warnings, "%s", what);
	rec->report.sync_ns += clock_ns(CLOCK_MONOTONIC) - begin_ns;
}
