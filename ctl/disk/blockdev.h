/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blockdev: any block device as sysfs has it (disk, partition, dm, md, ...), and
 * the way down to the disks below it.  For disk/ only.
 */
#ifndef FSB_DISK_BLOCKDEV_H
#define FSB_DISK_BLOCKDEV_H

#include <limits.h>

#include "disk/disk.h"

struct blockdev {
	char name[DISK_NAME_MAX];
	char dir[PATH_MAX]; /* its directory, as kfile takes it: without disk_root */
	uint32_t major, minor; /* 0:0 when it has no number (hidden path of nvme multipath) */
	bool partition;
};

/* Each returns 0, or -1 with errno: ENODEV when there is no such device. */
int blockdev_by_number(struct blockdev *dev, uint32_t major, uint32_t minor);
int blockdev_by_name(struct blockdev *dev, const char *name);
/*
 * A device node below /dev or a link to one (blockdev_node.c); nodes that are not there are taken
 * by their name.  Never waits for a filesystem that is mounted below /dev.
 */
int blockdev_by_node(struct blockdev *dev, const char *path);
/* What a partition is part of; a copy of anything else. */
int blockdev_whole(const struct blockdev *dev, struct blockdev *whole);
/* It sends requests itself (blk-mq), so that they can be counted. */
bool blockdev_has_requests(const struct blockdev *dev);

/*
 * Adds the disks at the bottom of dev to set, each once.  Returns 0, or -1 with
 * errno and the device at fault in culprit: EOPNOTSUPP it has neither requests nor
 * disks below, ENXIO it is a path without a device number, ENODEV, ELOOP, ENOMEM.
 */
int blockdev_leaves(const struct blockdev *dev, struct disk_set *set,
		    char culprit[DISK_NAME_MAX]);

/* Adds dev itself, once.  Returns 0, or -1 with ENOMEM. */
int blockdev_add(struct disk_set *set, const struct blockdev *dev);

/* "dm-0 (vg-root)" for device mapper, else the name; printable. */
void blockdev_label(const struct blockdev *dev, char *buf, size_t size);

#endif /* FSB_DISK_BLOCKDEV_H */
