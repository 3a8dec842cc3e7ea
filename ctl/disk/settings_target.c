// SPDX-License-Identifier: GPL-2.0-or-later
/* settings_target: DISK for those who change it; see settings_find() in settings.h. */
#include "disk/settings_state.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "disk/kfile.h"

#define HINT_LIST "fsbctl list shows the disks"
#define HINT_NAME "settings are changed only on a block device named as such;\n" HINT_LIST

static const char *kind_of(mode_t mode)
{
	if (S_ISDIR(mode))
		return "a directory or mount point";
	return S_ISCHR(mode) ? "a character device" : "a file";
}

static int find_node(const char *arg, struct blockdev *dev, struct settings_error *error)
{
	char path[PATH_MAX];
	struct stat st;

	if (kfile_path(path, sizeof(path), "%s", arg) || stat(*arg == '/' ? path : arg, &st))
		return settings_fail(error, SETTINGS_FAILED, arg, HINT_LIST, "no such disk");
	if (!S_ISBLK(st.st_mode))
		return settings_fail(error, SETTINGS_REFUSED, arg, HINT_NAME, "is %s",
				     kind_of(st.st_mode));
	if (blockdev_by_number(dev, major(st.st_rdev), minor(st.st_rdev)))
		return settings_fail(error, SETTINGS_FAILED, arg, HINT_LIST,
				     "a device node without a device (%u:%u)", major(st.st_rdev),
				     minor(st.st_rdev));
	return 0;
}

static int find_device(const char *arg, struct blockdev *dev, struct settings_error *error)
{
	unsigned int maj, min;
	int used = 0;

	if (arg[strspn(arg, "0123456789:")] == '\0' &&
	    sscanf(arg, "%5u:%8u%n", &maj, &min, &used) == 2 && !arg[used]) {
		if (blockdev_by_number(dev, maj, min))
			return settings_fail(error, SETTINGS_FAILED, arg, HINT_LIST,
					     "no block device has this number");
		return 0;
	}
	if (!strchr(arg, '/') && !blockdev_by_name(dev, arg))
		return 0;
	return find_node(arg, dev, error);
}

int settings_find(const char *arg, struct settings_target *target, struct settings_error *error)
{
	struct blockdev dev, whole;
	char **names;
	int nr;

	memset(target, 0, sizeof(*target));
	if (!kfile_exists(DISK_FOLDER))
		return settings_fail(error, SETTINGS_FAILED, arg, DISK_FOLDER_HINT,
				     DISK_FOLDER ": %s", strerror(errno));
	if (find_device(arg, &dev, error))
		return -1;
	if (blockdev_whole(&dev, &whole))
		return settings_fail(error, SETTINGS_FAILED, arg, HINT_LIST, "%s", strerror(errno));
	nr = kfile_names(&names, "%s/slaves", whole.dir);
	if (nr > 0)
		settings_fail(error, SETTINGS_REFUSED, arg, "name the disk that is to be set",
			      "%s stands on %s%s", whole.name, names[0],
			      nr > 1 ? " and others" : "");
	kfile_names_free(names, nr > 0 ? nr : 0);
	if (nr > 0)
		return -1;
	if (!blockdev_has_requests(&whole) || (!whole.major && !whole.minor))
		return settings_fail(error, SETTINGS_REFUSED, arg, HINT_LIST,
				     "%s sends no requests of its own: it has no such settings",
				     whole.name);
	strcpy(target->disk.name, whole.name);
	target->disk.major = whole.major;
	target->disk.minor = whole.minor;
	if (dev.partition)
		strcpy(target->partition, dev.name);
	return 0;
}
