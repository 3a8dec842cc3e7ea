// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * target_openers: who has the device open for writing without claiming it, as virtual machines,
 * databases and loop devices do; see target_parts.h.
 */
#include "bench/target_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "disk/kfile.h"
#include "message.h"

/* Writing to a disk writes to its partitions, and the other way round. */
static bool overlaps(const struct blockdev *dev, const struct blockdev *other)
{
	struct blockdev whole;

	if (dev->major == other->major && dev->minor == other->minor)
		return true;
	if (dev->partition == other->partition)
		return false;
	if (blockdev_whole(dev->partition ? dev : other, &whole))
		return false;
	other = dev->partition ? other : dev;
	return whole.major == other->major && whole.minor == other->minor;
}

static bool is_for_writing(const char *pid, const char *fd)
{
	char text[512], *flags;

	if (kfile_read(text, sizeof(text), "/proc/%s/fdinfo/%s", pid, fd))
		return false;
	flags = strstr(text, "flags:");
	return flags && (strtoul(flags + strlen("flags:"), NULL, 8) & O_ACCMODE) != O_RDONLY;
}

static bool process_has(const char *pid, const struct blockdev *dev)
{
	char **fds, path[PATH_MAX];
	int nr = kfile_names(&fds, "/proc/%s/fd", pid);
	bool has = false;

	for (int i = 0; i < nr && !has; i++) {
		struct blockdev other;
		struct stat st;

		has = !kfile_path(path, sizeof(path), "/proc/%s/fd/%s", pid, fds[i]) &&
		      !stat(path, &st) && S_ISBLK(st.st_mode) &&
		      !blockdev_by_number(&other, major(st.st_rdev), minor(st.st_rdev)) &&
		      overlaps(dev, &other) && is_for_writing(pid, fds[i]);
	}
	kfile_names_free(fds, nr > 0 ? nr : 0);
	return has;
}

static bool a_process_has(const struct blockdev *dev, char *how, size_t size)
{
	char **pids, comm[64] = "", safe[100];
	int nr = kfile_names(&pids, "/proc");
	bool has = false;

	for (int i = 0; i < nr && !has; i++) {
		if (strspn(pids[i], "0123456789") != strlen(pids[i]) ||
		    strtol(pids[i], NULL, 10) == (long)getpid() || !process_has(pids[i], dev))
			continue;
		has = true;
		(void)kfile_read(comm, sizeof(comm), "/proc/%s/comm", pids[i]);
		snprintf(how, size, "open for writing by %s (process %.16s)",
			 message_printable(safe, sizeof(safe), comm), pids[i]);
	}
	kfile_names_free(pids, nr > 0 ? nr : 0);
	return has;
}

static bool a_loop_has(const struct blockdev *dev, char *how, size_t size)
{
	char **names, path[PATH_MAX];
	int nr = kfile_names(&names, "/sys/block");
	bool has = false;

	for (int i = 0; i < nr && !has; i++) {
		struct blockdev other;

		has = !strncmp(names[i], "loop", 4) &&
		      !kfile_read(path, sizeof(path), "/sys/block/%s/loop/backing_file",
				  names[i]) &&
		      !strncmp(path, "/dev/", 5) && !blockdev_by_node(&other, path) &&
		      overlaps(dev, &other);
		if (has)
			snprintf(how, size, "what %.20s stands on", names[i]);
	}
	kfile_names_free(names, nr > 0 ? nr : 0);
	return has;
}

bool target_has_opener(const struct blockdev *dev, char *how, size_t size)
{
	return a_loop_has(dev, how, size) || a_process_has(dev, how, size);
}
