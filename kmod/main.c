// SPDX-License-Identifier: GPL-2.0-only
/* Order of coming and going, nothing else. */
#include <linux/module.h>

#include <fsbstat_version.h>

#include "disks_param.h"
#include "fsync.h"
#include "hooks.h"
#include "netlink.h"
#include "target.h"

static int __init fsb_init(void)
{
	int err;

	err = fsb_hooks_init();
	if (err)
		return err;
	err = fsb_fsync_init();
	if (err)
		goto hooks;
	err = fsb_netlink_init();
	if (err)
		goto fsync;
	fsb_disks_param_add();
	return 0;
fsync:
	fsb_fsync_exit();
hooks:
	fsb_hooks_exit();
	return err;
}

static void __exit fsb_exit(void)
{
	fsb_targets_quiesce();
	fsb_netlink_exit();
	fsb_targets_exit();
	fsb_fsync_exit();
	fsb_hooks_exit();
}

module_init(fsb_init);
module_exit(fsb_exit);

MODULE_DESCRIPTION("Flush, FUA, queue depth and latency counters of disks");
MODULE_AUTHOR("The fsbstat authors");
MODULE_LICENSE("GPL");
MODULE_VERSION(FSBSTAT_VERSION);
