// SPDX-License-Identifier: GPL-2.0-or-later
/* find: what a person means by DISK.  For every command that takes one. */
#include "disk/disk.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "disk/blockdev.h"
#include "disk/kfile.h"
#include "disk/mounts.h"
#include "message.h"

#define HINT_LIST "fsbctl list shows the disks that can be watched"

static int refuse(const char *arg, const char *hint, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int refuse(const char *arg, const char *hint, const char *format, ...)
{
	char reason[512];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	message_error(arg, reason, hint);
	return -1;
}

/* Why there are no disks below dev that could be counted. */
static int refuse_device(const char *arg, const char *culprit)
{
	switch (errno) {
	case EOPNOTSUPP:
		return refuse(arg, HINT_LIST,
			      "%s sends no requests of its own and has no disk below it", culprit);
	case ENXIO:
		return refuse(arg, "with nvme_core.multipath=N its paths are disks of their own",
			      "its requests go to %s, a hidden path of NVMe multipath", culprit);
	case ENODEV:
		return refuse(arg, HINT_LIST, "%s is no longer there", culprit);
	case ELOOP:
		return refuse(arg, "", "%s is one device too many on top of one another", culprit);
	default:
		return refuse(arg, "", "%s", strerror(errno));
	}
}

static int add_top(struct disk_set *set, const struct blockdev *dev, bool pool)
{
	struct disk_top *grown = realloc(set->top, (set->nr_tops + 1) * sizeof(*grown));

	if (!grown)
		return -1;
	set->top = grown;
	grown[set->nr_tops++] = (struct disk_top){ dev->major, dev->minor, pool };
	return 0;
}

static void describe_device(const struct blockdev *dev, char *buf, size_t size)
{
	char label[200];

	blockdev_label(dev, label, sizeof(label));
	snprintf(buf, size, "%s%s", dev->partition ? "partition " : "", label);
}

static int find_device(const char *arg, const struct blockdev *dev, struct disk_set *set)
{
	char culprit[DISK_NAME_MAX];

	if (blockdev_leaves(dev, set, culprit) || add_top(set, dev, false))
		return refuse_device(arg, culprit);
	if (set->nr != 1 || strcmp(set->disk[0].name, dev->name))
		describe_device(dev, set->via, sizeof(set->via));
	return 0;
}

/* "mount /srv on sda1", "file /srv/x on sda1, sdb1" */
static void describe_place(const char *path, const struct mount_place *place, struct disk_set *set)
{
	char real[PATH_MAX], target[PATH_MAX], safe[160];
	struct stat st, top;
	size_t used;
	bool is_mount = !kfile_path(real, sizeof(real), "%s", path) &&
			!kfile_path(target, sizeof(target), "%s", place->target) &&
			*place->target && !stat(*path == '/' ? real : path, &st) &&
			!stat(target, &top) && st.st_dev == top.st_dev && st.st_ino == top.st_ino;

	message_printable(safe, sizeof(safe), is_mount ? place->target : path);
	snprintf(set->via, sizeof(set->via), "%s %s on ", is_mount ? "mount" : "file", safe);
	for (size_t i = 0; i < place->nr; i++) {
		char label[200];

		blockdev_label(&place->dev[i], label, sizeof(label));
		used = strlen(set->via);
		snprintf(set->via + used, sizeof(set->via) - used, "%s%s", i ? ", " : "", label);
	}
}

static int find_place(const char *arg, struct disk_set *set)
{
	struct mount_place place;
	char culprit[DISK_NAME_MAX] = "";
	int ret = mount_place_of_path(arg, &place);

	if (ret) {
		refuse(arg, "", "%s", strerror(errno));
	} else if (!place.nr) {
		ret = refuse(arg, "name the disk itself; " HINT_LIST,
			     "lies on %s, which has no disk that the kernel would tell",
			     *place.fstype ? place.fstype : "a filesystem");
	}
	for (size_t i = 0; i < place.nr && !ret; i++) {
		ret = blockdev_leaves(&place.dev[i], set, culprit) ||
		      add_top(set, &place.dev[i], !strcmp(place.fstype, "btrfs"));
		if (ret)
			ret = refuse_device(arg, culprit);
	}
	if (!ret)
		describe_place(arg, &place, set);
	mount_place_free(&place);
	return ret;
}

static int find_path(const char *arg, struct disk_set *set)
{
	char path[PATH_MAX];
	struct blockdev dev;
	struct stat st;

	if (kfile_path(path, sizeof(path), "%s", arg) || stat(*arg == '/' ? path : arg, &st)) {
		if (errno != ENOENT && errno != ENOTDIR)
			return refuse(arg, "", "%s", strerror(errno));
		return refuse(arg, HINT_LIST, "no such disk%s",
			      strchr(arg, '/') ? ", mount or file" : "");
	}
	if (S_ISCHR(st.st_mode))
		return refuse(arg, HINT_LIST, "is a character device, not a block device");
	if (!S_ISBLK(st.st_mode))
		return find_place(arg, set);
	if (blockdev_by_number(&dev, major(st.st_rdev), minor(st.st_rdev)))
		return refuse(arg, HINT_LIST, "a device node without a device (%u:%u)",
			      major(st.st_rdev), minor(st.st_rdev));
	return find_device(arg, &dev, set);
}

static bool is_number(const char *arg, unsigned int *maj, unsigned int *min)
{
	int used = 0;

	return arg[strspn(arg, "0123456789:")] == '\0' &&
	       sscanf(arg, "%5u:%8u%n", maj, min, &used) == 2 && !arg[used];
}

int disk_find(const char *arg, struct disk_set *set)
{
	unsigned int maj, min;
	struct blockdev dev;
	int ret;

	memset(set, 0, sizeof(*set));
	if (!*arg)
		return refuse("\"\"", HINT_LIST, "an empty word names no disk");
	if (!kfile_exists(DISK_FOLDER))
		return refuse(arg, DISK_FOLDER_HINT, DISK_FOLDER ": %s", strerror(errno));
	if (is_number(arg, &maj, &min)) {
		if (blockdev_by_number(&dev, maj, min))
			return refuse(arg, HINT_LIST, "no block device has this number");
		ret = find_device(arg, &dev, set);
	} else if (!strchr(arg, '/') && !blockdev_by_name(&dev, arg)) {
		ret = find_device(arg, &dev, set);
	} else {
		ret = find_path(arg, set);
	}
	if (ret)
		disk_set_free(set);
	return ret;
}

void disk_set_free(struct disk_set *set)
{
	free(set->disk);
	free(set->top);
	memset(set, 0, sizeof(*set));
}
