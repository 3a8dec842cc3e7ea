// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/init.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>

#include "disks_param.h"
#include "target.h"

static char *disks;
module_param(disks, charp, 0444);
MODULE_PARM_DESC(disks, "disks to watch from load on, comma separated: names (sda) or MAJ:MIN");

static int __init fsb_dev_by_name(const char *name, dev_t *dev)
{
	unsigned int major, minor;
	char path[64], rest;

	if (sscanf(name, "%u:%u%c", &major, &minor, &rest) == 2 &&
	    major == MAJOR(MKDEV(major, 0)) && minor == MINOR(MKDEV(0, minor))) {
		*dev = MKDEV(major, minor);
		return 0;
	}
	if (snprintf(path, sizeof(path), "/dev/%s", name) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	return fsb_bdev_lookup(path, dev);
}

/* Outside of any lock: opening may load a driver and wait for the drive. */
static int __init fsb_watch_dev(dev_t dev)
{
	const struct fsb_claim claim = { .portid = FSB_PERMANENT, .layers = FSBSTAT_LAYERS_ALL };
	fsb_open_bdev_t *open = fsb_bdev_open(dev);
	struct fsb_target_info info;
	int err;

	if (IS_ERR(open))
		return PTR_ERR(open);
	err = fsb_target_add(fsb_bdev_opened(open), &claim, &info, NULL);
	fsb_bdev_close(open);
	return err;
}

/**
 * fsb_disks_param_add() - watch the disks the parameter names
 *
 * One that cannot be watched is named in the log and the rest goes on.
 */
void __init fsb_disks_param_add(void)
{
	char *copy, *rest, *name;
	dev_t dev;
	int err;

	copy = kstrdup(disks ?: "", GFP_KERNEL);
	rest = copy;
	while ((name = strsep(&rest, ","))) {
		if (!*name)
			continue;
		err = fsb_dev_by_name(name, &dev);
		if (!err)
			err = fsb_watch_dev(dev);
		if (err)
			pr_err("disks=: %s cannot be watched: error %d\n", name, err);
	}
	kfree(copy);
}
