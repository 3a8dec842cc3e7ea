// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/overflow.h>

#include "copy.h"
#include "target_list.h"

/**
 * fsb_target_info_fill() - describe a disk
 * @target: it
 * @info: where to
 *
 * Context: process context, the lock of the list held.
 */
void fsb_target_info_fill(struct fsb_target *target, struct fsb_target_info *info)
{
	memset(info, 0, sizeof(*info));
	info->dev = target->dev;
	memcpy(info->name, target->name, sizeof(info->name));
	info->id = target->id;
	info->state = target->queue ? FSBSTAT_DISK_LIVE : FSBSTAT_DISK_GONE;
	info->settling = READ_ONCE(target->stats->settling);
	info->restarts = target->restarts;
	info->start = target->stats->start;
	info->geometry = target->stats->geometry;
	info->shards = target->stats->nr_shards;
	info->layers = target->stats->parts.layers;
	info->bio_since = target->stats->parts.bios ? target->stats->parts.bios->since : 0;
	info->memory = target->stats->memory + fsb_parts_size(info->layers);
	info->references = fsb_references_of_sockets(&target->references);
	info->permanent = fsb_reference_find(&target->references, FSB_PERMANENT);
	info->write_cache = info->layers & FSBSTAT_LAYER_DRIVE ?
			    fsb_settings_write_cache(&target->stats->settings) :
			    FSBSTAT_WRITE_CACHE_UNKNOWN;
	info->settings = fsb_settings_changes(&target->stats->settings);
}

/**
 * fsb_target_find() - the target of a device
 * @dev: its number
 *
 * Context: process context, the lock of the list held.
 * Return: the live one, the newest if an older one has not drained yet; else the newest that is
 * gone, whose counters remain; or NULL.
 */
struct fsb_target *fsb_target_find(dev_t dev)
{
	struct fsb_target *target, *gone = NULL;

	list_for_each_entry_reverse(target, &fsb_targets, list) {
		if (target->dev != dev)
			continue;
		if (target->queue)
			return target;
		if (!gone)
			gone = target;
	}
	return gone;
}

/**
 * fsb_target_describe() - describe one watched disk
 * @dev: its number
 * @info: where to
 *
 * Context: process context, may sleep.
 * Return: 0 or -ENOENT.
 */
int fsb_target_describe(dev_t dev, struct fsb_target_info *info)
{
	struct fsb_target *target;

	mutex_lock(&fsb_targets_lock);
	target = fsb_target_find(dev);
	if (target) {
		if (target->queue)
			fsb_disk_stats_settle(target->stats);
		fsb_target_info_fill(target, info);
	}
	mutex_unlock(&fsb_targets_lock);
	return target ? 0 : -ENOENT;
}

/* Copies as many as there is room for; returns how many there are. */
static u32 fsb_targets_fill(struct fsb_targets_copy *copy, u32 room)
{
	struct fsb_target *target;
	u32 nr = 0;

	mutex_lock(&fsb_targets_lock);
	list_for_each_entry(target, &fsb_targets, list) {
		if (nr < room)
			fsb_target_info_fill(target, &copy->info[nr]);
		nr++;
	}
	mutex_unlock(&fsb_targets_lock);
	copy->nr = nr;
	return nr;
}

/**
 * fsb_targets_copy() - describe all watched disks
 * @uid: the reader, see fsb_copy_alloc()
 *
 * Context: as fsb_copy_alloc().
 * Return: the copy, to be given to fsb_copy_free(), or -EBUSY or -ENOMEM.
 */
struct fsb_targets_copy *fsb_targets_copy(kuid_t uid)
{
	struct fsb_targets_copy *copy;
	u32 room = 8, nr;

	for (;; room = nr) {
		copy = fsb_copy_alloc(struct_size(copy, info, room), uid);
		if (IS_ERR(copy))
			return copy;
		nr = fsb_targets_fill(copy, room);
		if (nr <= room)
			return copy;
		fsb_copy_free(copy);
	}
}

/**
 * fsb_targets_describe() - sum over all watched disks
 * @info: where to
 *
 * Context: process context, may sleep.
 */
void fsb_targets_describe(struct fsb_targets_info *info)
{
	struct fsb_target *target;

	memset(info, 0, sizeof(*info));
	mutex_lock(&fsb_targets_lock);
	list_for_each_entry(target, &fsb_targets, list) {
		info->disks++;
		info->memory += target->stats->memory +
				fsb_parts_size(target->stats->parts.layers);
	}
	info->generation = fsb_targets_generation;
	mutex_unlock(&fsb_targets_lock);
}

/**
 * fsb_target_read() - look at the counters of a disk, which stay meanwhile
 * @dev: its number
 * @read: called with them, if the disk is watched; may not sleep long
 * @arg: for @read
 *
 * Context: process context, may sleep.
 * Return: what @read returned, or -ENOENT.
 */
int fsb_target_read(dev_t dev, fsb_target_read_fn read, void *arg)
{
	struct fsb_target_info info;
	struct fsb_target *target;
	int err = -ENOENT;

	mutex_lock(&fsb_targets_lock);
	target = fsb_target_find(dev);
	if (target) {
		if (target->queue)
			fsb_disk_stats_settle(target->stats);
		fsb_target_info_fill(target, &info);
		err = read(target->stats, &info, arg);
	}
	mutex_unlock(&fsb_targets_lock);
	return err;
}
