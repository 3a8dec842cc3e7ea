/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reference: who wants a disk to be watched: sockets, and at most one that is nobody's and
 * permanent.  A list belongs to a target and is protected by target.c's lock.
 */
#ifndef FSB_REFERENCE_H
#define FSB_REFERENCE_H

#include <linux/list.h>
#include <linux/types.h>

/* The holder of the permanent reference; no socket has this port. */
#define FSB_PERMANENT 0U

/**
 * struct fsb_reference - one holder's share in a watched disk
 * @list: in the target's list
 * @portid: netlink port of the holder, or %FSB_PERMANENT
 * @count: how often it asked; 1 for the permanent one
 * @layers: what it has asked for
 */
struct fsb_reference {
	struct list_head list;
	u32 portid;
	u32 count;
	u32 layers;
};

struct fsb_reference *fsb_reference_find(struct list_head *references, u32 portid);
int fsb_reference_get(struct list_head *references, u32 portid, u32 layers);
void fsb_reference_put(struct fsb_reference *reference, u32 count);
u32 fsb_references_layers(struct list_head *references);
u32 fsb_references_of_sockets(struct list_head *references);
void fsb_references_free(struct list_head *references);

#endif /* FSB_REFERENCE_H */
