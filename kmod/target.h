/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * target: the watched disks: who asked for them, when they come, change shape, vanish
 * and go.
 *
 * Nothing watched is pinned.  A target holds a reference on the request queue, which
 * keeps the structure's address from being used again, and no more: the driver can be
 * unloaded, the array stopped, the disk pulled.  A work looks once a second whether
 * the disk is gone or has changed its queues.
 *
 * Locking: one mutex, taken in process context only.  Order: it is taken outside the
 * kernel's tracepoint mutexes, and never while a device is being opened (a drive may
 * spin up meanwhile).
 */
#ifndef FSB_TARGET_H
#define FSB_TARGET_H

#include <linux/netlink.h>
#include <linux/uidgid.h>

#include "disk_stats.h"
#include "reference.h"

#define FSB_DISK_NAME_LEN 32

/**
 * struct fsb_target_info - a watched disk as readers see it
 * @dev: number of the whole disk
 * @name: the kernel's name when it was added
 * @id: number of this watch
 * @state: &enum fsbstat_disk_state
 * @settling: requests from before are still in flight
 * @restarts: how often counting began again
 * @start: when counting began, ns
 * @geometry: shape of its queues
 * @shards: QUEUE messages of a snapshot
 * @memory: bytes
 * @references: held by sockets
 * @permanent: the permanent reference is held
 * @write_cache: &enum fsbstat_write_cache, of the drive
 * @settings: commands seen that change settings of the drive
 * @layers: what is counted
 * @bio_since: when counting of bios began, ns; 0: it has not
 */
struct fsb_target_info {
	dev_t dev;
	char name[FSB_DISK_NAME_LEN];
	u32 id;
	u8 state;
	bool settling;
	u32 restarts;
	u64 start;
	struct fsb_geometry geometry;
	u32 shards;
	u64 memory;
	u32 references;
	bool permanent;
	u8 write_cache;
	u32 settings;
	u32 layers;
	u64 bio_since;
};

/**
 * struct fsb_claim - who wants a disk to be watched
 * @portid: a netlink port, or %FSB_PERMANENT
 * @layers: what is to be counted
 */
struct fsb_claim {
	u32 portid;
	u32 layers;
};

int fsb_target_add(struct block_device *bdev, const struct fsb_claim *claim,
		   struct fsb_target_info *info, struct netlink_ext_ack *extack);
int fsb_target_del(dev_t dev, u32 portid, struct netlink_ext_ack *extack);
void fsb_targets_release_socket(u32 portid);

int fsb_target_describe(dev_t dev, struct fsb_target_info *info);

/**
 * struct fsb_targets_copy - all watched disks at one time
 * @nr: disks
 * @info: their descriptions
 */
struct fsb_targets_copy {
	u32 nr;
	struct fsb_target_info info[];
};

struct fsb_targets_copy *fsb_targets_copy(kuid_t uid);

/**
 * struct fsb_targets_info - the module as readers see it
 * @disks: watched
 * @generation: changes with every change of the set
 * @memory: bytes, of all
 */
struct fsb_targets_info {
	u32 disks;
	u32 generation;
	u64 memory;
};

void fsb_targets_describe(struct fsb_targets_info *info);

typedef int (*fsb_target_read_fn)(struct fsb_disk_stats *stats, const struct fsb_target_info *info,
				  void *arg);
int fsb_target_read(dev_t dev, fsb_target_read_fn read, void *arg);

void fsb_targets_announce_settings(void);
void fsb_targets_quiesce(void);
void fsb_targets_exit(void);

#endif /* FSB_TARGET_H */
