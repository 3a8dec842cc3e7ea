/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fill: puts what the module knows into netlink attributes.  The functions return 0 or
 * -EMSGSIZE, when the caller cancels the message.
 *
 * Those of a dump fill the next message from a copy and move its cursor when they succeed;
 * before each, the done function moves it past what has nothing to send, and returns true when
 * nothing is left.
 */
#ifndef FSB_FILL_H
#define FSB_FILL_H

#include <linux/skbuff.h>

#include "target.h"

/**
 * struct fsb_module_info - what MODULE_GET replies
 * @targets: sums over all watched disks
 * @unprivileged_read: the module parameter
 */
struct fsb_module_info {
	struct fsb_targets_info targets;
	bool unprivileged_read;
};

int fsb_fill_module(struct sk_buff *skb, const void *module_info);
int fsb_fill_disk(struct sk_buff *skb, const void *target_info);

/**
 * struct fsb_u64_attr - a 64-bit counter of a structure and the attribute it travels in
 * @attr: the attribute
 * @offset: of the counter
 */
struct fsb_u64_attr {
	u16 attr;
	u16 offset;
};

/* One of them: attribute FSBSTAT_A_<ATTR>, member of TYPE. */
#define FSB_U64(attr, type, member) { FSBSTAT_A_##attr, offsetof(type, member) }

int fsb_fill_u64s(struct sk_buff *skb, const struct fsb_u64_attr *list, size_t nr, int pad,
		  const void *from);
int fsb_fill_bio(struct sk_buff *skb, int attr, const struct fsb_bio_counts *bio,
		 const struct fsb_merge_counts *merges);

/* Whose a histogram is: what does not apply is negative and not sent. */
struct fsb_hist_id {
	int queue;
	int class;
	int kind;
};

int fsb_fill_hist(struct sk_buff *skb, int attr, struct fsb_hist_id id,
		  const struct fsb_hist *hist);

/**
 * struct fsb_fill_cursor - how far a dump has come
 * @stage: next row; of a snapshot, next message of the disk as a whole, then the shards
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

bool fsb_disks_done(const void *copy, struct fsb_fill_cursor *cursor);
int fsb_fill_disks(struct sk_buff *skb, const void *copy, struct fsb_fill_cursor *cursor);
bool fsb_snapshot_done(const void *copy, struct fsb_fill_cursor *cursor);
int fsb_fill_snapshot(struct sk_buff *skb, const void *copy, struct fsb_fill_cursor *cursor);
bool fsb_owners_done(const void *copy, struct fsb_fill_cursor *cursor);
int fsb_fill_owners(struct sk_buff *skb, const void *copy, struct fsb_fill_cursor *cursor);
bool fsb_fs_done(const void *copy, struct fsb_fill_cursor *cursor);
int fsb_fill_fs(struct sk_buff *skb, const void *copy, struct fsb_fill_cursor *cursor);

#endif /* FSB_FILL_H */
