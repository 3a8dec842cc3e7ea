// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * blockdev_node: the block device that a path below /dev leads to; see blockdev.h.
 *
 * Such paths come from mountinfo, /proc/swaps and sysfs, where any user can have put them: the
 * source of a FUSE mount may be /dev/shm/x/y, with a filesystem at /dev/shm/x that never
 * answers.  So the way to a node never leaves the filesystem that /dev is on.
 */
#include "disk/blockdev.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "disk/kfile.h"

#define DEV	  "/dev/"
#define LINKS_MAX 8 /* one after the other: more is a loop */

/* What is at a path below /dev itself, a link not followed.  A descriptor of O_PATH, or -1. */
static int open_below(const char *path)
{
	struct open_how how = {
		.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
		.resolve = RESOLVE_NO_XDEV | RESOLVE_NO_MAGICLINKS,
	};
	char folder[PATH_MAX];
	int dev, fd, saved;

	if (kfile_path(folder, sizeof(folder), "%s", DEV))
		return -1;
	dev = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dev < 0)
		return -1;
	fd = (int)syscall(__NR_openat2, dev, path + strlen(DEV), &how, sizeof(how));
	saved = errno;
	close(dev);
	errno = saved;
	return fd;
}

/* Makes of the path of a link, which is open, the path that it leads to. */
static int follow(char path[PATH_MAX], int fd)
{
	char target[PATH_MAX], joined[2 * PATH_MAX];
	ssize_t len = readlinkat(fd, "", target, sizeof(target) - 1);
	size_t root = strlen(disk_root);

	if (len <= 0)
		return -1;
	target[len] = '\0';
	if (*target != '/')
		snprintf(joined, sizeof(joined), "%.*s/%s", (int)(strrchr(path, '/') - path), path,
			 target);
	else if (!strncmp(target, disk_root, root))
		snprintf(joined, sizeof(joined), "%s", target + root);
	else
		return -1;
	if (strlen(joined) >= PATH_MAX || strncmp(joined, DEV, strlen(DEV)))
		return -1;
	strcpy(path, joined);
	return 0;
}

/* In a container /dev may be empty or have other files; names still are the kernel's. */
static int by_name_of(struct blockdev *dev, const char *path)
{
	const char *name = path + strlen(DEV);
	char plain[PATH_MAX];
	size_t used = 0;

	/* "disk/by-id/../../sda", as links lead there */
	for (const char *up = strstr(name, "/../"); up; up = strstr(name, "/../"))
		name = up + strlen("/../");
	while (!strncmp(name, "../", 3))
		name += 3;
	for (; name[used]; used++)
		plain[used] = name[used] == '/' ? '!' : name[used];
	plain[used] = '\0';
	return blockdev_by_name(dev, plain);
}

int blockdev_by_node(struct blockdev *dev, const char *path)
{
	char at[PATH_MAX];
	struct stat st;

	if (strncmp(path, DEV, strlen(DEV)) || strlen(path) >= sizeof(at)) {
		errno = ENODEV;
		return -1;
	}
	strcpy(at, path);
	for (int i = 0; i < LINKS_MAX; i++) {
		int fd = open_below(at), ret;

		if (fd < 0)
			break;
		ret = fstat(fd, &st);
		if (!ret && S_ISLNK(st.st_mode)) {
			ret = follow(at, fd);
			close(fd);
			if (ret)
				break;
			continue;
		}
		close(fd);
		if (!ret && S_ISBLK(st.st_mode))
			return blockdev_by_number(dev, major(st.st_rdev), minor(st.st_rdev));
		break;
	}
	return by_name_of(dev, at);
}
