// SPDX-License-Identifier: GPL-2.0-or-later
/* drive: see drive.h. */
#include "disk/drive.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "disk/device_node.h"
#include "disk/kfile.h"
#include "disk/settings_values.h"

int drive_failed(struct drive *drive, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(drive->reason, sizeof(drive->reason), format, args);
	va_end(args);
	return -1;
}

/* What the disk hangs on tells which commands its drive understands. */
static const struct drive_ops *ops_of(const struct blockdev *dev, const char *transport)
{
	if (!strcmp(transport, "nvme"))
		return &drive_nvme;
	if (!strcmp(transport, "virtio") && kfile_exists("%s/cache_type", dev->dir))
		return &drive_virtio;
	if (!kfile_exists("%s/device/scsi_disk", dev->dir))
		return NULL;
	if (!strcmp(transport, "sata") || !strcmp(transport, "ata"))
		return &drive_ata;
	return &drive_scsi;
}

static int open_node(struct drive *drive)
{
	const struct blockdev *dev = &drive->dev;

	drive->fd = device_node_open(dev->name, dev->major, dev->minor);
	if (drive->fd >= 0)
		return 0;
	if (errno == ENODEV)
		return drive_failed(drive, "/dev/%s is not the node of %u:%u", dev->name,
				    dev->major, dev->minor);
	return drive_failed(drive, "/dev/%s: %s", dev->name, strerror(errno));
}

int drive_open(struct drive *drive, const struct blockdev *dev, const char *transport)
{
	memset(drive, 0, sizeof(*drive));
	drive->fd = -1;
	drive->dev = *dev;
	drive->ops = ops_of(dev, transport);
	if (!drive->ops) {
		errno = ENOTSUP;
		return drive_failed(drive,
				    "there is no known way to the cache of this kind of disk");
	}
	return drive->ops->needs_node ? open_node(drive) : 0;
}

void drive_close(struct drive *drive)
{
	if (drive->fd >= 0)
		close(drive->fd);
	drive->fd = -1;
}

int drive_flush(struct drive *drive)
{
	if (drive->fd < 0 && open_node(drive))
		return -1;
	if (fsync(drive->fd))
		return drive_failed(drive, "flushing it: %s", strerror(errno));
	return 0;
}

int drive_rescan(struct drive *drive)
{
	if (file_write(&drive->dev, "device/rescan", "1"))
		return drive_failed(drive, "device/rescan: %s", strerror(errno));
	return 0;
}
