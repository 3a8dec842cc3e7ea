/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fill: puts what the module knows into netlink attributes.  The functions return 0 or
 * -EMSGSIZE, when the caller cancels the message.
 */
#ifndef FSB_FILL_H
#define FSB_FILL_H

#include <linux/skbuff.h>

#include "target.h"

struct fsb_snapshot;

/**
 * struct fsb_module_info - what MODULE_GET replies
 * @targets: sums over all watched disks
 * @unprivileged_read: the module parameter
 */
struct fsb_module_info {
	struct fsb_targets_info targets;
	bool unprivileged_read;
};

int fsb_fill_bio(struct sk_buff *skb, int attr, const struct fsb_bio_counts *bio,
		 const struct fsb_merge_counts *merges);
int fsb_fill_module(struct sk_buff *skb, const void *module_info);
int fsb_fill_disk(struct sk_buff *skb, const void *target_info);

/**
 * struct fsb_fill_u64 - one 64-bit counter and the attribute it travels in
 * @attr: the attribute
 * @value: the counter
 */
struct fsb_fill_u64 {
	int attr;
	u64 value;
};

int fsb_fill_u64s(struct sk_buff *skb, const struct fsb_fill_u64 *list, size_t nr, int pad);
int fsb_fill_samples(struct sk_buff *skb, const struct fsb_hist *hist);

struct fsb_fs_copy;
struct fsb_fs_row;

int fsb_fill_fs_all(struct sk_buff *skb, const struct fsb_fs_copy *copy);
int fsb_fill_fs(struct sk_buff *skb, const struct fsb_fs_row *row);

/**
 * struct fsb_fill_cursor - how far the dump of a snapshot has come
 * @stage: next message of the disk as a whole; then the shards
 * @shard: shard to go on with
 * @part: part of it: 0 QUEUE, 1 DEPTH, then the histograms
 * @depth: first depth value of the next DEPTH message
 */
struct fsb_fill_cursor {
	u32 stage;
	u32 shard;
	u32 part;
	u32 depth;
};

bool fsb_fill_done(struct fsb_fill_cursor *cursor, const struct fsb_snapshot *snapshot);
int fsb_fill_snapshot(struct sk_buff *skb, const struct fsb_snapshot *snapshot,
		      struct fsb_fill_cursor *cursor);

#endif /* FSB_FILL_H */
