// SPDX-License-Identifier: GPL-2.0-or-later
/* all: the disks of a machine that are worth a line in a table.  For list and check. */
#include "disk/disk.h"

#include <errno.h>
#include <string.h>

#include "disk/blockdev.h"
#include "disk/kfile.h"

#define SCSI_TYPE_OPTICAL 5

static bool is_stacked(const struct blockdev *dev)
{
	char **names;
	int nr = kfile_names(&names, "%s/slaves", dev->dir);

	kfile_names_free(names, nr > 0 ? nr : 0);
	return nr > 0;
}

/* A loop device that is not in use, and a card reader without a card, have no size. */
static bool is_worth_listing(const struct blockdev *dev)
{
	return !dev->partition && (dev->major || dev->minor) && blockdev_has_requests(dev) &&
	       !is_stacked(dev) && kfile_number("%s/size", dev->dir) > 0 &&
	       kfile_number("%s/device/type", dev->dir) != SCSI_TYPE_OPTICAL;
}

/* Its paths send its requests, and they are hidden. */
static bool is_unreachable(const struct blockdev *dev)
{
	char culprit[DISK_NAME_MAX];
	struct disk_set set = { 0 };
	bool hidden = !dev->partition && (dev->major || dev->minor) &&
		      !blockdev_has_requests(dev) && !is_stacked(dev) &&
		      blockdev_leaves(dev, &set, culprit) && errno == ENXIO;

	disk_set_free(&set);
	return hidden;
}

static int collect(struct disk_set *set, bool (*wanted)(const struct blockdev *dev))
{
	char **names;
	int nr = kfile_names(&names, DISK_FOLDER), ret = 0;

	memset(set, 0, sizeof(*set));
	for (int i = 0; i < nr && !ret; i++) {
		struct blockdev dev;

		if (!blockdev_by_name(&dev, names[i]) && wanted(&dev))
			ret = blockdev_add(set, &dev);
	}
	kfile_names_free(names, nr > 0 ? nr : 0);
	if (ret)
		disk_set_free(set);
	return nr < 0 ? -1 : ret;
}

int disk_all(struct disk_set *set)
{
	return collect(set, is_worth_listing);
}

int disk_unreachable(struct disk_set *set)
{
	return collect(set, is_unreachable);
}
