/* SPDX-License-Identifier: GPL-2.0-only */
/* target_list: the watched disks as target.c keeps them and target_read.c shows them. */
#ifndef FSB_TARGET_LIST_H
#define FSB_TARGET_LIST_H

#include <linux/list.h>
#include <linux/mutex.h>

#include "target.h"

/**
 * struct fsb_target - a watched disk
 * @list: in the list of all, the oldest first
 * @references: who wants it
 * @dev: number of the whole disk
 * @name: the kernel's name when it was added
 * @id: number of this watch
 * @restarts: how often counting began again
 * @queue: referenced while the disk lives, NULL once it is gone
 * @stats: published exactly while @queue is set
 */
struct fsb_target {
	struct list_head list;
	struct list_head references;
	dev_t dev;
	char name[FSB_DISK_NAME_LEN];
	u32 id;
	u32 restarts;
	struct request_queue *queue;
	struct fsb_disk_stats *stats;
};

extern struct mutex fsb_targets_lock;
extern struct list_head fsb_targets;
extern u32 fsb_targets_generation;

void fsb_target_info_fill(struct fsb_target *target, struct fsb_target_info *info);
struct fsb_target *fsb_target_find(dev_t dev);

#endif /* FSB_TARGET_LIST_H */
