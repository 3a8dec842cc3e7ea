/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settings_tree: a made-up sysfs with one disk, vda, that has settings. */
#ifndef FSB_TEST_SETTINGS_TREE_H
#define FSB_TEST_SETTINGS_TREE_H

#include "tree.h"

#define VDA "/sys/devices/pci0/virtio1/block/vda"

static inline int settings_tree_make(void **state)
{
	char path[PATH_MAX];

	(void)state;
	tree_make();
	tree_path(path, "/home");
	setenv("XDG_STATE_HOME", path, 1);
	tree_disk(VDA, "254:0", "2048", 1, "256");
	tree_attr(VDA, "serial", "fsb0");
	tree_attr(VDA, "cache_type", "write back\n");
	tree_attr(VDA, "queue/write_cache", "write back\n");
	tree_attr(VDA, "queue/scheduler", "none [mq-deadline]\n");
	tree_attr(VDA, "queue/nr_requests", "256\n");
	tree_attr(VDA, "queue/wbt_lat_usec", "2000\n");
	tree_file("/proc/self/mountinfo", "");
	tree_file("/proc/sys/kernel/random/boot_id", "one\n");
	return 0;
}

static inline int settings_tree_remove(void **state)
{
	(void)state;
	tree_remove();
	return 0;
}

#endif /* FSB_TEST_SETTINGS_TREE_H */
