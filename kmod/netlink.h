/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * netlink: the generic netlink family of include/uapi/fsbstat.h.  Translates between
 * messages and target.c; holds no state of its own.
 */
#ifndef FSB_NETLINK_H
#define FSB_NETLINK_H

#include <linux/types.h>

struct fsb_target_info;

int fsb_netlink_init(void);
void fsb_netlink_exit(void);
void fsb_netlink_event(u8 event, const struct fsb_target_info *info);

#endif /* FSB_NETLINK_H */
