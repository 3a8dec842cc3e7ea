// SPDX-License-Identifier: GPL-2.0-or-later
/* blockdev: see blockdev.h. */
#include "disk/blockdev.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk/kfile.h"
#include "message.h"

#define STACK_MAX 16 /* dm on md on dm ...: deeper is a loop */

/* The real directory of a path in sysfs, without disk_root. */
static int real_dir(char dir[PATH_MAX], const char *path)
{
	char rooted[PATH_MAX], real_root[PATH_MAX] = "";
	char *real;
	size_t skip;

	if (kfile_path(rooted, sizeof(rooted), "%s", path))
		return -1;
	if (*disk_root && !realpath(disk_root, real_root))
		return -1;
	real = realpath(rooted, NULL);
	if (!real)
		return -1;
	skip = strlen(real_root);
	if (strncmp(real, real_root, skip) || strlen(real) - skip >= PATH_MAX) {
		free(real);
		errno = ENODEV;
		return -1;
	}
	strcpy(dir, real + skip);
	free(real);
	return 0;
}

static int from_path(struct blockdev *dev, const char *path)
{
	const char *name;
	char number[32];

	memset(dev, 0, sizeof(*dev));
	if (real_dir(dev->dir, path))
		goto absent;
	name = strrchr(dev->dir, '/') + 1;
	if (strlen(name) >= sizeof(dev->name))
		goto absent;
	strcpy(dev->name, name);
	if (!kfile_read(number, sizeof(number), "%s/dev", dev->dir) &&
	    sscanf(number, "%u:%u", &dev->major, &dev->minor) != 2)
		goto absent;
	/* A hidden disk has no number, but every block device has a size. */
	if (!kfile_exists("%s/size", dev->dir))
		goto absent;
	dev->partition = kfile_exists("%s/partition", dev->dir);
	return 0;
absent:
	errno = ENODEV;
	return -1;
}

int blockdev_by_number(struct blockdev *dev, uint32_t major, uint32_t minor)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u", major, minor);
	return from_path(dev, path);
}

void disk_name(uint32_t major, uint32_t minor, char name[DISK_NAME_MAX])
{
	struct blockdev dev;

	if (blockdev_by_number(&dev, major, minor))
		snprintf(name, DISK_NAME_MAX, "%u:%u", major, minor);
	else
		memcpy(name, dev.name, DISK_NAME_MAX);
}

int blockdev_by_name(struct blockdev *dev, const char *name)
{
	char path[128];

	if (!*name || *name == '.' || strchr(name, '/') || strlen(name) >= DISK_NAME_MAX) {
		errno = ENODEV;
		return -1;
	}
	snprintf(path, sizeof(path), "/sys/class/block/%s", name);
	return from_path(dev, path);
}

int blockdev_whole(const struct blockdev *dev, struct blockdev *whole)
{
	char path[PATH_MAX];
	char *end;

	if (!dev->partition) {
		*whole = *dev;
		return 0;
	}
	strcpy(path, dev->dir);
	end = strrchr(path, '/');
	if (end)
		*end = '\0';
	return from_path(whole, path);
}

bool blockdev_has_requests(const struct blockdev *dev)
{
	return kfile_exists("%s/mq", dev->dir);
}

void blockdev_label(const struct blockdev *dev, char *buf, size_t size)
{
	char mapped[128], safe[128];

	if (!kfile_read(mapped, sizeof(mapped), "%s/dm/name", dev->dir) && *mapped)
		snprintf(buf, size, "%s (%s)", dev->name,
			 message_printable(safe, sizeof(safe), mapped));
	else
		snprintf(buf, size, "%s", dev->name);
}

int blockdev_add(struct disk_set *set, const struct blockdev *dev)
{
	struct disk *disk;

	for (size_t i = 0; i < set->nr; i++)
		if (set->disk[i].major == dev->major && set->disk[i].minor == dev->minor)
			return 0;
	disk = realloc(set->disk, (set->nr + 1) * sizeof(*disk));
	if (!disk)
		return -1;
	set->disk = disk;
	disk += set->nr++;
	memset(disk, 0, sizeof(*disk));
	strcpy(disk->name, dev->name);
	disk->major = dev->major;
	disk->minor = dev->minor;
	return 0;
}

static int leaves(const struct blockdev *dev, struct disk_set *set, char *culprit, int depth);

/* Goes on with each device that the links in a directory of whole lead to. */
static int leaves_below(const struct blockdev *whole, const char *links, struct disk_set *set,
			char *culprit, int depth)
{
	char **names;
	int nr = kfile_names(&names, "%s/%s", whole->dir, links), ret = 0;

	for (int i = 0; i < nr && !ret; i++) {
		struct blockdev below;
		char path[PATH_MAX + 64];

		snprintf(path, sizeof(path), "%s/%s/%.48s", whole->dir, links, names[i]);
		ret = from_path(&below, path);
		if (ret)
			snprintf(culprit, DISK_NAME_MAX, "%.*s", DISK_NAME_MAX - 1, names[i]);
		else
			ret = leaves(&below, set, culprit, depth + 1);
	}
	kfile_names_free(names, nr > 0 ? nr : 0);
	return ret ? -1 : nr > 0 ? nr : 0;
}

/*
 * The head of an nvme multipath (nvme0n1) only hands bios on; its paths (nvme0c1n1)
 * send the requests.  Kernels before 6.15 have no links from the one to the others.
 */
static int leaves_of_paths(const struct blockdev *head, struct disk_set *set, char *culprit,
			   int depth)
{
	unsigned int subsystem, namespace, s, c, n;
	char **names;
	int nr, found = 0, ret = 0;

	if (sscanf(head->name, "nvme%un%u", &subsystem, &namespace) != 2)
		return 0;
	nr = kfile_names(&names, "/sys/class/block");
	for (int i = 0; i < nr && !ret; i++) {
		struct blockdev path;

		if (sscanf(names[i], "nvme%uc%un%u", &s, &c, &n) != 3 || s != subsystem ||
		    n != namespace || blockdev_by_name(&path, names[i]) || path.partition)
			continue;
		found++;
		ret = leaves(&path, set, culprit, depth + 1);
	}
	kfile_names_free(names, nr > 0 ? nr : 0);
	return ret ? -1 : found;
}

static int leaves(const struct blockdev *dev, struct disk_set *set, char *culprit, int depth)
{
	struct blockdev whole;
	int nr;

	snprintf(culprit, DISK_NAME_MAX, "%s", dev->name);
	if (depth > STACK_MAX) {
		errno = ELOOP;
		return -1;
	}
	if (blockdev_whole(dev, &whole))
		return -1;
	nr = leaves_below(&whole, "slaves", set, culprit, depth);
	if (nr)
		return nr < 0 ? -1 : 0;
	if (blockdev_has_requests(&whole)) {
		/* Number 0:0 is no device: a path of nvme multipath is hidden. */
		if (whole.major || whole.minor)
			return blockdev_add(set, &whole);
		errno = ENXIO;
		return -1;
	}
	nr = leaves_of_paths(&whole, set, culprit, depth);
	if (nr)
		return nr < 0 ? -1 : 0;
	errno = EOPNOTSUPP;
	return -1;
}

int blockdev_leaves(const struct blockdev *dev, struct disk_set *set, char culprit[DISK_NAME_MAX])
{
	return leaves(dev, set, culprit, 0);
}
