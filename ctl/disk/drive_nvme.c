// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * drive_nvme: the volatile write cache of an NVMe controller, which all its namespaces
 * share; see drive.h.  Never with the save bit.
 */
#include "disk/drive.h"

#include <errno.h>
#include <linux/nvme_ioctl.h>
#include <string.h>
#include <sys/ioctl.h>

#define SET_FEATURES	       0x09
#define GET_FEATURES	       0x0a
#define FEATURE_VOLATILE_CACHE 0x06

static int feature(struct drive *drive, unsigned int opcode, unsigned int value,
		   unsigned int *result)
{
	struct nvme_admin_cmd command = {
		.opcode = (unsigned char)opcode,
		.cdw10 = FEATURE_VOLATILE_CACHE,
		.cdw11 = value,
	};
	int status = ioctl(drive->fd, NVME_IOCTL_ADMIN_CMD, &command);

	if (status < 0)
		return drive_failed(drive, "NVMe admin command: %s", strerror(errno));
	if (status > 0)
		return drive_failed(drive,
				    "the controller refused the volatile write cache feature"
				    " (status 0x%x): it may have no such cache",
				    status);
	*result = command.result;
	return 0;
}

static int nvme_get(struct drive *drive, bool *on)
{
	unsigned int result = 0;

	if (feature(drive, GET_FEATURES, 0, &result))
		return -1;
	*on = result & 1;
	return 0;
}

static int nvme_set(struct drive *drive, bool on)
{
	unsigned int result;

	return feature(drive, SET_FEATURES, on, &result);
}

const struct drive_ops drive_nvme = {
	.command = "Set Features",
	.needs_node = true,
	.get = nvme_get,
	.set = nvme_set,
};
