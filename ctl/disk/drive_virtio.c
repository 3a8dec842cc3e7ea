// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * drive_virtio: the cache that a virtual disk's device stands for, by the driver's
 * cache_type: reading and writing it go to the device.  See drive.h.
 */
#include "disk/drive.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "disk/kfile.h"
#include "disk/settings_values.h"

static int virtio_get(struct drive *drive, bool *on)
{
	char type[64];

	if (kfile_read(type, sizeof(type), "%s/cache_type", drive->dev.dir))
		return drive_failed(drive, "cache_type: %s", strerror(errno));
	*on = !strcmp(type, "write back");
	return 0;
}

static int virtio_set(struct drive *drive, bool on)
{
	char path[PATH_MAX];
	struct stat st;

	if (!kfile_path(path, sizeof(path), "%s/cache_type", drive->dev.dir) && !stat(path, &st) &&
	    !(st.st_mode & 0200))
		return drive_failed(drive,
				    "the virtual machine does not let its guest set the cache");
	if (file_write(&drive->dev, "cache_type", on ? "write back" : "write through"))
		return drive_failed(drive, "cache_type: %s", strerror(errno));
	return 0;
}

const struct drive_ops drive_virtio = {
	.command = "cache_type",
	.get = virtio_get,
	.set = virtio_set,
};
