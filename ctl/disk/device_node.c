// SPDX-License-Identifier: GPL-2.0-or-later
/* device_node: see device_node.h. */
#include "disk/device_node.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "disk/kfile.h"

/* Read only: closing a node that was open for writing makes udev scan the disk. */
static int open_if_same(const char *path, uint32_t major, uint32_t minor)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISBLK(st.st_mode) && major(st.st_rdev) == major &&
	    minor(st.st_rdev) == minor)
		return fd;
	close(fd);
	errno = ENODEV;
	return -1;
}

int device_node_open(const char *name, uint32_t major, uint32_t minor)
{
	char path[PATH_MAX];
	int fd, err;

	if (kfile_path(path, sizeof(path), "/dev/%s", name))
		return -1;
	for (char *c = path + strlen(path) - strlen(name); *c; c++)
		if (*c == '!')
			*c = '/';
	fd = open_if_same(path, major, minor);
	if (fd >= 0 || (errno != ENOENT && errno != ENODEV))
		return fd;
	err = errno;
	if (kfile_path(path, sizeof(path), "/dev/block/%u:%u", major, minor))
		return -1;
	fd = open_if_same(path, major, minor);
	if (fd < 0 && errno == ENOENT)
		errno = err;
	return fd;
}
