// SPDX-License-Identifier: GPL-2.0-or-later
/* target_use: whether anybody has the device; see target_parts.h. */
#include "bench/target_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "disk/holds.h"
#include "disk/kfile.h"
#include "disk/mounts.h"
#include "message.h"

#define HINT_RELEASE "nothing may use what is to be overwritten"

/* "254:1" in field three of any process's mountinfo; its mount point, printable. */
static bool mounted_somewhere(const struct blockdev *dev, char *where, size_t size)
{
	char **pids, path[PATH_MAX], *line = NULL, target[256], number[32];
	int nr = kfile_names(&pids, "/proc");
	size_t room = 0;
	bool found = false;

	for (int i = 0; i < nr && !found; i++) {
		FILE *file;

		if (strspn(pids[i], "0123456789") != strlen(pids[i]) ||
		    kfile_path(path, sizeof(path), "/proc/%s/mountinfo", pids[i]))
			continue;
		file = fopen(path, "re");
		while (file && !found && getline(&line, &room, file) > 0) {
			unsigned int major, minor;

			found = sscanf(line, "%*s %*s %u:%u %*s %255s", &major, &minor, target) ==
					3 &&
				major == dev->major && minor == dev->minor;
		}
		if (file)
			fclose(file);
		if (found) {
			message_printable(number, sizeof(number), pids[i]);
			snprintf(where, size, "mounted on %s by process %s", target, number);
		}
	}
	free(line);
	kfile_names_free(pids, nr > 0 ? nr : 0);
	return found;
}

/* Whether a swap area is the device or stands on it. */
static bool is_swap(const struct blockdev *dev)
{
	char path[PATH_MAX], *line = NULL, area[256], type[16];
	size_t room = 0;
	bool found = false;
	FILE *file;

	file = kfile_path(path, sizeof(path), "/proc/swaps") ? NULL : fopen(path, "re");
	while (file && !found && getline(&line, &room, file) > 0) {
		const struct disk disk = {.major = dev->major, .minor = dev->minor};
		struct blockdev swap;

		/* A file is on a filesystem that is mounted, and need not be looked at. */
		if (sscanf(line, "%255s %15s", area, type) != 2 || strcmp(type, "partition"))
			continue;
		if (blockdev_by_node(&swap, area))
			continue;
		found = (swap.major == dev->major && swap.minor == dev->minor) ||
			(!dev->partition && disk_holds(&disk, &swap));
	}
	free(line);
	if (file)
		fclose(file);
	return found;
}

static bool is_held(const struct blockdev *dev, char *how, size_t size)
{
	char **names, label[200] = "";
	struct blockdev holder;
	int nr = kfile_names(&names, "%s/holders", dev->dir);

	if (nr > 0 && !blockdev_by_name(&holder, names[0]))
		blockdev_label(&holder, label, sizeof(label));
	if (nr > 0)
		snprintf(how, size, "part of %s", *label ? label : names[0]);
	kfile_names_free(names, nr > 0 ? nr : 0);
	return nr > 0;
}

/* Somebody has claimed it: a mount that is seen nowhere, a device-mapper target, a tool. */
static bool is_claimed(const struct blockdev *dev, char *how, size_t size)
{
	char node[PATH_MAX], path[PATH_MAX];
	int fd;

	target_node(dev->name, node, sizeof(node));
	if (kfile_path(path, sizeof(path), "%s", node))
		return false;
	fd = open(path, O_RDONLY | O_EXCL | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	if (fd >= 0 || errno != EBUSY)
		return false;
	if (!mounted_somewhere(dev, how, size))
		snprintf(how, size, "opened by somebody for himself alone");
	return true;
}

static bool is_mounted(const struct blockdev *dev, const struct mounts *mounts, char *how,
		       size_t size)
{
	char safe[200];

	for (size_t i = 0; i < mounts->nr; i++) {
		if (strcmp(mounts->mount[i].source, dev->name))
			continue;
		snprintf(how, size, "mounted on %s",
			 message_printable(safe, sizeof(safe), mounts->mount[i].target));
		return true;
	}
	return false;
}

static bool is_used(const struct blockdev *dev, const struct mounts *mounts, char *how, size_t size)
{
	if (is_mounted(dev, mounts, how, size) || is_held(dev, how, size))
		return true;
	if (!is_swap(dev))
		return false;
	snprintf(how, size, "a swap area");
	return true;
}

static int refuse_use(const char *object, const char *name, const char *how,
		      struct trouble *trouble)
{
	bool itself = !strcmp(object, name);

	return trouble_set(trouble, TROUBLE_REFUSED, object, HINT_RELEASE, "%s%sis %s",
			   itself ? "" : name, itself ? "" : " ", how);
}

/* The partitions of @whole but for the one called @but (NULL: none). */
static int check_partitions(const struct blockdev *whole, const char *but, const char *object,
			    const struct mounts *mounts, struct trouble *trouble)
{
	char **names, how[400];
	int nr = target_partitions(whole, &names), ret = 0;

	if (nr < 0)
		return trouble_set(trouble, TROUBLE_FAILED, object, "", "%s", strerror(errno));
	for (int i = 0; i < nr && !ret; i++) {
		struct blockdev dev;

		if (but && !strcmp(names[i], but))
			continue;
		if (blockdev_by_name(&dev, names[i]))
			ret = trouble_set(trouble, TROUBLE_FAILED, object, "", "%s: %s", names[i],
					  strerror(errno));
		else if (is_used(&dev, mounts, how, sizeof(how)) ||
			 is_claimed(&dev, how, sizeof(how)))
			ret = refuse_use(object, dev.name, how, trouble);
	}
	kfile_names_free(names, nr);
	return ret;
}

/* Who is on a partition's neighbours would be given the disk's settings too. */
static int check_neighbours(const struct target *target, const struct blockdev *whole,
			    const struct mounts *mounts, struct trouble *trouble)
{
	char reason[sizeof(trouble->reason)];

	if (!check_partitions(whole, target->device.partition, target->device.partition, mounts,
			      trouble))
		return 0;
	snprintf(reason, sizeof(reason), "%s", trouble->reason);
	return trouble_set(trouble, trouble->kind, target->device.partition,
			   "leave settings of the disk out of the matrix, or use another disk",
			   "its disk's settings are to change, and %s", reason);
}

bool target_is_left(const struct target *target, const char *left)
{
	struct mounts mounts;
	bool only = !mounts_of_disk(&target->device.disk, &mounts) && mounts.nr;

	for (size_t i = 0; i < mounts.nr && only; i++)
		only = !strcmp(mounts.mount[i].target, left);
	mounts_free(&mounts);
	return only;
}

int target_check_use(const struct target *target, bool settings, struct trouble *trouble)
{
	struct blockdev dev, whole;
	struct mounts mounts;
	char how[400], safe[200];
	int ret = 0;

	if (target_device(target, &dev, trouble))
		return -1;
	if (blockdev_whole(&dev, &whole))
		return trouble_set(trouble, TROUBLE_FAILED, dev.name, "", "%s", strerror(errno));
	if (mounts_of_disk(&target->device.disk, &mounts)) {
		ret = trouble_set(trouble, TROUBLE_FAILED, dev.name, "",
				  "what is mounted on it cannot be told: %s", mounts.unknown);
		goto out;
	}
	if (is_used(&dev, &mounts, how, sizeof(how)))
		ret = refuse_use(dev.name, dev.name, how, trouble);
	else if (!dev.partition)
		ret = check_partitions(&whole, NULL, dev.name, &mounts, trouble);
	/* On a partition or a device above that was not found to be used. */
	if (!ret && !dev.partition && mounts.nr) {
		snprintf(how, sizeof(how), "mounted on %s",
			 message_printable(safe, sizeof(safe), mounts.mount[0].target));
		ret = refuse_use(dev.name, mounts.mount[0].source, how, trouble);
	}
	if (!ret &&
	    (is_claimed(&dev, how, sizeof(how)) || target_has_opener(&dev, how, sizeof(how))))
		ret = refuse_use(dev.name, dev.name, how, trouble);
	if (!ret && dev.partition && settings)
		ret = check_neighbours(target, &whole, &mounts, trouble);
out:
	mounts_free(&mounts);
	return ret;
}
