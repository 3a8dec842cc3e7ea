// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/init.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "copy.h"
#include "hooks.h"
#include "netlink.h"
#include "reference.h"
#include "target.h"

/*
 * A watched disk.  @queue is referenced while the disk lives and NULL once it is
 * gone; @stats is published exactly while @queue is set.
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

static DEFINE_MUTEX(fsb_targets_lock);
static LIST_HEAD(fsb_targets);
static u32 fsb_targets_generation;
static u32 fsb_target_last_id;
static unsigned int fsb_targets_live;
static bool fsb_targets_closing;

static void fsb_targets_work_fn(struct work_struct *work);
static DECLARE_DELAYED_WORK(fsb_targets_work, fsb_targets_work_fn);

/**
 * fsb_targets_locked() - for rcu_dereference_protected()
 *
 * Return: whether the mutex is held, as far as lockdep knows.
 */
int fsb_targets_locked(void)
{
	return !IS_ENABLED(CONFIG_LOCKDEP) || lockdep_is_held(&fsb_targets_lock);
}

static void fsb_target_info_fill(struct fsb_target *target, struct fsb_target_info *info)
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
	info->memory = target->stats->memory;
	info->references = fsb_references_of_sockets(&target->references);
	info->permanent = fsb_reference_find(&target->references, FSB_PERMANENT);
	info->write_cache = fsb_settings_write_cache(&target->stats->settings);
	info->settings = fsb_settings_changes(&target->stats->settings);
}

static void fsb_target_announce(struct fsb_target *target, u8 event)
{
	struct fsb_target_info info;

	if (fsb_targets_closing)
		return;
	if (event != FSBSTAT_CMD_DISK_SETTINGS)
		fsb_targets_generation++;
	fsb_target_info_fill(target, &info);
	fsb_netlink_event(event, &info);
}

/* Makes probes see the target's counters; the first one attaches the hooks. */
static int fsb_target_connect(struct fsb_target *target)
{
	int err;

	if (!fsb_targets_live) {
		err = fsb_hooks_attach();
		if (err)
			return err;
	}
	err = fsb_disk_stats_publish(target->stats);
	if (err) {
		if (!fsb_targets_live)
			fsb_hooks_detach();
		return err;
	}
	fsb_targets_live++;
	fsb_disk_stats_settle(target->stats);
	schedule_delayed_work(&fsb_targets_work, HZ);
	return 0;
}

/* Hides the counters again and waits until no probe uses them. */
static void fsb_target_disconnect(struct fsb_target *target)
{
	if (!target->queue)
		return;
	fsb_disk_stats_withdraw(target->stats);
	if (!--fsb_targets_live)
		fsb_hooks_detach();
	synchronize_rcu();
	blk_put_queue(target->queue);
	target->queue = NULL;
}

static void fsb_target_free(struct fsb_target *target)
{
	fsb_disk_stats_free(target->stats);
	kfree(target);
}

static void fsb_target_drop(struct fsb_target *target)
{
	fsb_target_disconnect(target);
	list_del(&target->list);
	fsb_target_announce(target, FSBSTAT_CMD_DISK_REMOVED);
	fsb_target_free(target);
}

/* Gives back COUNT shares of a reference; the last one takes the target with it. */
static void fsb_target_put(struct fsb_target *target, struct fsb_reference *reference, u32 count)
{
	fsb_reference_put(reference, count);
	if (list_empty(&target->references))
		fsb_target_drop(target);
}

/*
 * The live target of a device, the newest if an older one has not drained yet; else the newest
 * that is gone, whose counters remain.
 */
static struct fsb_target *fsb_target_find(dev_t dev)
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

static int fsb_check_disk(struct block_device *bdev, const struct fsb_geometry *geometry,
			  struct netlink_ext_ack *extack)
{
	size_t size;

	if (bdev_is_partition(bdev)) {
		NL_SET_ERR_MSG(extack, "a partition has no requests of its own; name its disk");
		return -EINVAL;
	}
	if (!geometry->queues) {
		NL_SET_ERR_MSG(extack, "the device has no requests; name the disks below it");
		return -EOPNOTSUPP;
	}
	size = fsb_disk_stats_size(geometry);
	if (size > FSB_DISK_MEMORY_MAX) {
		fsb_extack_printf(extack, "%u queues of %u tags need %zu KiB, the limit is %lu KiB",
				  geometry->queues, geometry->depth, size >> 10,
				  FSB_DISK_MEMORY_MAX >> 10);
		return -E2BIG;
	}
	return 0;
}

/*
 * A queue can outlive its disk (sd unbound from its SCSI device), so being alive does not
 * tell.
 */
static bool fsb_target_vanished(const struct fsb_target *target)
{
	return blk_queue_dying(target->queue) || !blk_queue_registered(target->queue);
}

static struct fsb_target *fsb_target_make(struct block_device *bdev,
					  struct netlink_ext_ack *extack)
{
	struct request_queue *queue = bdev_get_queue(bdev);
	struct fsb_geometry geometry = {};
	struct fsb_target *target;
	int err;

	if (queue_is_mq(queue) && !fsb_queue_geometry(queue, &geometry)) {
		NL_SET_ERR_MSG(extack, "the disk is being removed or reconfigured; try again");
		return ERR_PTR(-EBUSY);
	}
	err = fsb_check_disk(bdev, &geometry, extack);
	if (err)
		return ERR_PTR(err);
	target = kzalloc(sizeof(*target), GFP_KERNEL);
	if (!target)
		goto no_memory;
	INIT_LIST_HEAD(&target->references);
	target->dev = bdev->bd_dev;
	strscpy(target->name, bdev->bd_disk->disk_name, sizeof(target->name));
	target->stats = fsb_disk_stats_alloc(queue, bdev->bd_dev, &geometry);
	if (!target->stats)
		goto free;
	if (!blk_get_queue(queue)) {
		NL_SET_ERR_MSG(extack, "the disk is being removed");
		fsb_target_free(target);
		return ERR_PTR(-ENODEV);
	}
	target->queue = queue;
	return target;
free:
	fsb_target_free(target);
no_memory:
	NL_SET_ERR_MSG(extack, "no memory for its counters");
	return ERR_PTR(-ENOMEM);
}

/* Gives up a target that was made but never connected. */
static void fsb_target_unmake(struct fsb_target *target)
{
	blk_put_queue(target->queue);
	fsb_target_free(target);
}

/* Begins again with counters of the queue's new shape. */
static void fsb_target_restart(struct fsb_target *target, const struct fsb_geometry *geometry)
{
	struct fsb_disk_stats *stats;

	stats = fsb_disk_stats_renew(target->stats, geometry);
	if (!stats)
		return;
	target->stats = stats;
	target->restarts++;
	fsb_target_announce(target, FSBSTAT_CMD_DISK_RESTARTED);
}

/* The last counters stay; nothing more is counted. */
static void fsb_target_gone(struct fsb_target *target)
{
	fsb_target_disconnect(target);
	fsb_target_announce(target, FSBSTAT_CMD_DISK_GONE);
}

static void fsb_target_look(struct fsb_target *target)
{
	struct fsb_geometry now, *then = &target->stats->geometry;

	if (fsb_target_vanished(target)) {
		if (fsb_disk_stats_drained(target->stats))
			fsb_target_gone(target);
		return;
	}
	if (!fsb_queue_geometry(target->queue, &now))
		return;
	if (now.queues != then->queues || now.depth != then->depth ||
	    now.shared_tags != then->shared_tags || fsb_disk_stats_misfit(target->stats))
		fsb_target_restart(target, &now);
	fsb_disk_stats_settle(target->stats);
}

/*
 * The number or the queue of a disk that vanished a moment ago may be a new disk's by
 * now: notice it here, not with the next look.
 */
static void fsb_targets_look_before(const struct fsb_target *new)
{
	struct fsb_target *target;

	list_for_each_entry(target, &fsb_targets, list) {
		if (!target->queue)
			continue;
		if (target->queue == new->queue && target->dev != new->dev)
			fsb_target_gone(target);
		else if (target->dev == new->dev)
			fsb_target_look(target);
	}
}

/* Takes a reference on the watched disk, or makes the new one the watched disk. */
static int fsb_target_enter(struct fsb_target *new, u32 portid, struct fsb_target_info *info)
{
	struct fsb_target *target;
	int err;

	fsb_targets_look_before(new);
	target = fsb_target_find(new->dev);
	if (target && target->queue == new->queue) {
		err = fsb_reference_get(&target->references, portid);
		fsb_target_unmake(new);
		if (!err)
			fsb_target_info_fill(target, info);
		return err;
	}
	err = fsb_reference_get(&new->references, portid);
	if (err)
		goto unmake;
	err = fsb_target_connect(new);
	if (err)
		goto put;
	new->id = ++fsb_target_last_id;
	list_add_tail(&new->list, &fsb_targets);
	fsb_target_announce(new, FSBSTAT_CMD_DISK_ADDED);
	fsb_target_info_fill(new, info);
	return 0;
put:
	fsb_references_free(&new->references);
unmake:
	fsb_target_unmake(new);
	return err;
}

/* One more reference on a disk that is watched already; -ENOENT when it is not. */
static int fsb_target_share(dev_t dev, u32 portid, struct fsb_target_info *info)
{
	struct fsb_target *target;
	int err = -ENOENT;

	mutex_lock(&fsb_targets_lock);
	target = fsb_target_find(dev);
	if (target && target->queue && !fsb_target_vanished(target)) {
		err = fsb_reference_get(&target->references, portid);
		if (!err)
			fsb_target_info_fill(target, info);
	}
	mutex_unlock(&fsb_targets_lock);
	return err;
}

/**
 * fsb_target_add() - watch a disk, or take one more reference on it
 * @bdev: the whole disk, which the caller holds open
 * @portid: who holds the reference: a netlink port, or %FSB_PERMANENT
 * @info: filled with the disk's description
 * @extack: gets the reason of a refusal; may be NULL
 *
 * Context: process context, may sleep.
 * Return: 0 or an error listed at %FSBSTAT_CMD_DISK_ADD.
 */
int fsb_target_add(struct block_device *bdev, u32 portid, struct fsb_target_info *info,
		   struct netlink_ext_ack *extack)
{
	struct fsb_target *target;
	int err;

	err = fsb_target_share(bdev->bd_dev, portid, info);
	if (err != -ENOENT)
		goto out;
	target = fsb_target_make(bdev, extack);
	if (IS_ERR(target))
		return PTR_ERR(target);
	mutex_lock(&fsb_targets_lock);
	err = fsb_target_enter(target, portid, info);
	mutex_unlock(&fsb_targets_lock);
out:
	if (err)
		NL_SET_ERR_MSG(extack, "out of memory, or hooks cannot be attached (see dmesg)");
	return err;
}

/**
 * fsb_target_del() - give a reference back
 * @dev: number of the whole disk
 * @portid: whose reference: a netlink port, or %FSB_PERMANENT
 * @extack: gets the reason of a refusal
 *
 * Context: process context, may sleep.
 * Return: 0, or -ENOENT when there is none to give back.
 */
int fsb_target_del(dev_t dev, u32 portid, struct netlink_ext_ack *extack)
{
	struct fsb_reference *reference;
	struct fsb_target *target;
	int err = -ENOENT;

	mutex_lock(&fsb_targets_lock);
	list_for_each_entry_reverse(target, &fsb_targets, list) {
		if (target->dev != dev)
			continue;
		reference = fsb_reference_find(&target->references, portid);
		if (!reference)
			continue;
		fsb_target_put(target, reference, 1);
		err = 0;
		break;
	}
	mutex_unlock(&fsb_targets_lock);
	if (err && portid == FSB_PERMANENT)
		NL_SET_ERR_MSG(extack, "the disk is not being watched permanently");
	else if (err)
		NL_SET_ERR_MSG(extack, "this socket holds no reference on the disk");
	return err;
}

/**
 * fsb_targets_release_socket() - drop all references of a socket that went
 * @portid: its port
 *
 * Context: process context, may sleep.
 */
void fsb_targets_release_socket(u32 portid)
{
	struct fsb_reference *reference;
	struct fsb_target *target, *next;

	if (portid == FSB_PERMANENT)
		return;
	mutex_lock(&fsb_targets_lock);
	list_for_each_entry_safe(target, next, &fsb_targets, list) {
		reference = fsb_reference_find(&target->references, portid);
		if (reference)
			fsb_target_put(target, reference, reference->count);
	}
	mutex_unlock(&fsb_targets_lock);
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
		info->memory += target->stats->memory;
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

/**
 * fsb_targets_announce_settings() - tell readers whose settings may have changed
 *
 * Context: process context, may sleep.
 */
void fsb_targets_announce_settings(void)
{
	struct fsb_target *target;

	mutex_lock(&fsb_targets_lock);
	list_for_each_entry(target, &fsb_targets, list)
		if (fsb_settings_announce(&target->stats->settings))
			fsb_target_announce(target, FSBSTAT_CMD_DISK_SETTINGS);
	mutex_unlock(&fsb_targets_lock);
}

static void fsb_targets_work_fn(struct work_struct *work)
{
	struct fsb_target *target;

	mutex_lock(&fsb_targets_lock);
	list_for_each_entry(target, &fsb_targets, list)
		if (target->queue)
			fsb_target_look(target);
	if (fsb_targets_live && !fsb_targets_closing)
		schedule_delayed_work(&fsb_targets_work, HZ);
	mutex_unlock(&fsb_targets_lock);
}

/**
 * fsb_targets_quiesce() - no event and no periodic work from here on
 *
 * Context: process context, the module is going; before netlink is closed.
 */
void __exit fsb_targets_quiesce(void)
{
	mutex_lock(&fsb_targets_lock);
	fsb_targets_closing = true;
	mutex_unlock(&fsb_targets_lock);
	cancel_delayed_work_sync(&fsb_targets_work);
}

/**
 * fsb_targets_exit() - drop everything when the module goes
 *
 * Context: process context, netlink already closed.
 */
void __exit fsb_targets_exit(void)
{
	struct fsb_target *target, *next;

	mutex_lock(&fsb_targets_lock);
	list_for_each_entry_safe(target, next, &fsb_targets, list) {
		fsb_references_free(&target->references);
		fsb_target_disconnect(target);
		list_del(&target->list);
		fsb_target_free(target);
	}
	fsb_map_free();
	mutex_unlock(&fsb_targets_lock);
	cancel_delayed_work_sync(&fsb_targets_work);
	fsb_settings_exit();
}
