// SPDX-License-Identifier: GPL-2.0-or-later
/* target_device: nodes and the kernel's partitions; see target_parts.h. */
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

int target_device(const struct target *target, struct blockdev *dev, struct trouble *trouble)
{
	const struct disk *disk = &target->device.disk;
	struct blockdev whole;

	if (blockdev_by_number(&whole, disk->major, disk->minor) || strcmp(whole.name, disk->name))
		return trouble_set(trouble, TROUBLE_REFUSED, disk->name, "",
				   "it is no longer there, or another disk has its name");
	*dev = whole;
	if (!*target->device.partition)
		return 0;
	if (blockdev_by_name(dev, target->device.partition) || !dev->partition ||
	    blockdev_whole(dev, &whole) || strcmp(whole.name, disk->name))
		return trouble_set(trouble, TROUBLE_REFUSED, target->device.partition, "",
				   "it is no longer there, or another disk's");
	return 0;
}

void target_node(const char *name, char *node, size_t size)
{
	snprintf(node, size, "/dev/%s", name);
	for (char *c = node + strlen("/dev/"); *c; c++)
		if (*c == '!')
			*c = '/';
}

int target_open(const char *node, uint32_t major, uint32_t minor, int flags,
		struct trouble *trouble)
{
	char path[PATH_MAX];
	struct stat st;
	int fd;

	if (kfile_path(path, sizeof(path), "%s", node))
		return trouble_set(trouble, TROUBLE_FAILED, node, "", "%s", strerror(errno));
	fd = open(path, flags | O_CLOEXEC);
	if (fd < 0) {
		if (errno == EBUSY && flags & O_EXCL)
			return trouble_set(trouble, TROUBLE_REFUSED, node, "",
					   "somebody has opened it for himself alone");
		if (errno == ENOMEDIUM)
			return trouble_set(trouble, TROUBLE_REFUSED, node, "",
					   "there is no medium in it");
		return trouble_set(trouble, TROUBLE_FAILED, node,
				   errno == EACCES || errno == EPERM ? "run it as root" : "", "%s",
				   strerror(errno));
	}
	if (!fstat(fd, &st) && S_ISBLK(st.st_mode) && st.st_rdev == makedev(major, minor))
		return fd;
	close(fd);
	return trouble_set(trouble, TROUBLE_REFUSED, node, "",
			   "the node does not lead to device %u:%u", major, minor);
}

int target_open_device(const struct blockdev *dev, int flags, struct trouble *trouble)
{
	char node[DISK_NAME_MAX + 8];

	target_node(dev->name, node, sizeof(node));
	return target_open(node, dev->major, dev->minor, flags, trouble);
}

int target_partitions(const struct blockdev *whole, char ***names)
{
	int nr = kfile_names(names, "%s", whole->dir), kept = 0;

	for (int i = 0; i < nr; i++) {
		if (kfile_exists("%s/%s/partition", whole->dir, (*names)[i]))
			(*names)[kept++] = (*names)[i];
		else
			free((*names)[i]);
	}
	return nr < 0 ? -1 : kept;
}

int target_find_partition(const struct blockdev *whole, uint64_t offset, uint64_t size,
			  struct blockdev *partition)
{
	char **names;
	int nr = target_partitions(whole, &names), number = 0;

	for (int i = 0; i < nr && !number; i++)
		if (!blockdev_by_name(partition, names[i]) &&
		    kfile_number("%s/start", partition->dir) == (int64_t)(offset / SECTOR) &&
		    kfile_number("%s/size", partition->dir) == (int64_t)(size / SECTOR))
			number = (int)kfile_number("%s/partition", partition->dir);
	kfile_names_free(names, nr > 0 ? nr : 0);
	return number > 0 ? number : 0;
}
