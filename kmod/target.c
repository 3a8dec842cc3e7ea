// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/init.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "hooks.h"
#include "netlink.h"
#include "reference.h"
#include "target_list.h"

/* Of the list and of all that is in it. */
DEFINE_MUTEX(fsb_targets_lock);
LIST_HEAD(fsb_targets);
u32 fsb_targets_generation;
static u32 fsb_target_last_id;
static unsigned int fsb_targets_live;
static bool fsb_targets_closing;

static void fsb_targets_work_fn(struct work_struct *work);
static DECLARE_DELAYED_WORK(fsb_targets_work, fsb_targets_work_fn);

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

/* What all disks in the list want that live. */
static u32 fsb_targets_layers(void)
{
	struct fsb_target *target;
	u32 layers = 0;

	list_for_each_entry(target, &fsb_targets, list)
		if (target->queue)
			layers |= target->stats->parts.layers;
	return layers;
}

/* Makes probes see the target's counters, when the hooks of its layers are attached. */
static int fsb_target_connect(struct fsb_target *target)
{
	int err;

	err = fsb_hooks_want(fsb_targets_layers() | target->stats->parts.layers);
	if (err)
		return err;
	fsb_disk_stats_publish(target->stats, NULL);
	fsb_targets_live++;
	fsb_disk_stats_settle(target->stats);
	schedule_delayed_work(&fsb_targets_work, HZ);
	return 0;
}

/* Hides the counters again and waits until no probe uses them. */
static void fsb_target_disconnect(struct fsb_target *target)
{
	struct request_queue *queue = target->queue;

	if (!queue)
		return;
	fsb_disk_stats_withdraw(target->stats);
	fsb_targets_live--;
	target->queue = NULL;
	fsb_hooks_want(fsb_targets_layers());
	synchronize_rcu();
	blk_put_queue(queue);
}

/* Layers that the target has not yet; each begins at 0 when its hooks are attached. */
static int fsb_target_gain(struct fsb_target *target, u32 layers)
{
	struct fsb_disk_stats *stats = target->stats;
	struct fsb_parts parts = {};
	int err;

	layers &= ~stats->parts.layers;
	if (!layers)
		return 0;
	err = fsb_parts_alloc(&parts, layers);
	if (err)
		return err;
	err = fsb_hooks_want(fsb_targets_layers() | layers);
	if (err) {
		fsb_parts_free(&parts);
		return err;
	}
	if (layers & FSBSTAT_LAYER_DRIVE)
		fsb_settings_forget(&stats->settings);
	fsb_parts_start(&parts, ktime_get_ns());
	fsb_parts_move(&stats->parts, &parts, layers);
	return 0;
}

/* Layers that no holder wants any more go; those of a disk that is gone are its last counters. */
static void fsb_target_trim(struct fsb_target *target)
{
	u32 layers = target->stats->parts.layers & ~fsb_references_layers(&target->references);
	struct fsb_parts parts = {};

	if (!layers || !target->queue)
		return;
	fsb_parts_move(&parts, &target->stats->parts, layers);
	fsb_hooks_want(fsb_targets_layers());
	synchronize_rcu();
	fsb_parts_free(&parts);
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
	else
		fsb_target_trim(target);
}

static int fsb_check_disk(struct block_device *bdev, const struct fsb_geometry *geometry,
			  u32 layers, struct netlink_ext_ack *extack)
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
	size = size_add(fsb_disk_stats_size(geometry), fsb_parts_size(layers));
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

static struct fsb_target *fsb_target_make(struct block_device *bdev, u32 layers,
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
	err = fsb_check_disk(bdev, &geometry, layers, extack);
	if (err)
		return ERR_PTR(err);
	target = kzalloc(sizeof(*target), GFP_KERNEL);
	if (!target)
		goto no_memory;
	INIT_LIST_HEAD(&target->references);
	target->dev = bdev->bd_dev;
	strscpy(target->name, bdev->bd_disk->disk_name, sizeof(target->name));
	target->stats = fsb_disk_stats_alloc(queue, bdev->bd_dev, &geometry, layers);
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

/* One more reference on a watched disk, with the layers that go with it. */
static int fsb_target_hold(struct fsb_target *target, const struct fsb_claim *claim,
			   struct fsb_target_info *info)
{
	int err;

	err = fsb_target_gain(target, claim->layers);
	if (!err)
		err = fsb_reference_get(&target->references, claim->portid, claim->layers);
	if (err)
		fsb_target_trim(target);
	else
		fsb_target_info_fill(target, info);
	return err;
}

/* Takes a reference on the watched disk, or makes the new one the watched disk. */
static int fsb_target_enter(struct fsb_target *new, const struct fsb_claim *claim,
			    struct fsb_target_info *info)
{
	struct fsb_target *target;
	int err;

	fsb_targets_look_before(new);
	target = fsb_target_find(new->dev);
	if (target && target->queue == new->queue) {
		fsb_target_unmake(new);
		return fsb_target_hold(target, claim, info);
	}
	err = fsb_reference_get(&new->references, claim->portid, claim->layers);
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
static int fsb_target_share(dev_t dev, const struct fsb_claim *claim,
			    struct fsb_target_info *info)
{
	struct fsb_target *target;
	int err = -ENOENT;

	mutex_lock(&fsb_targets_lock);
	target = fsb_target_find(dev);
	if (target && target->queue && !fsb_target_vanished(target))
		err = fsb_target_hold(target, claim, info);
	mutex_unlock(&fsb_targets_lock);
	return err;
}

/**
 * fsb_target_add() - watch a disk, or take one more reference on it
 * @bdev: the whole disk, which the caller holds open
 * @claim: who holds the reference, and what is to be counted
 * @info: filled with the disk's description
 * @extack: gets the reason of a refusal; may be NULL
 *
 * Context: process context, may sleep.
 * Return: 0 or an error listed at %FSBSTAT_CMD_DISK_ADD.
 */
int fsb_target_add(struct block_device *bdev, const struct fsb_claim *claim,
		   struct fsb_target_info *info, struct netlink_ext_ack *extack)
{
	struct fsb_target *target;
	int err;

	err = fsb_target_share(bdev->bd_dev, claim, info);
	if (err != -ENOENT)
		goto out;
	target = fsb_target_make(bdev, claim->layers, extack);
	if (IS_ERR(target))
		return PTR_ERR(target);
	mutex_lock(&fsb_targets_lock);
	err = fsb_target_enter(target, claim, info);
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
	mutex_unlock(&fsb_targets_lock);
	cancel_delayed_work_sync(&fsb_targets_work);
	fsb_settings_exit();
}
