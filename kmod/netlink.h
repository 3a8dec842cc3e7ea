/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * netlink: the generic netlink family of include/uapi/fsbstat.h: policies, permissions and
 * requests with one answer.  Translates between messages and target.c; holds no state of its own.
 */
#ifndef FSB_NETLINK_H
#define FSB_NETLINK_H

#include <linux/types.h>
#include <linux/uidgid.h>

struct fsb_target_info;
struct genl_family;
struct netlink_ext_ack;
struct nlattr;
struct sk_buff;

extern struct genl_family fsb_family;

int fsb_netlink_init(void);
void fsb_netlink_exit(void);
void fsb_netlink_event(u8 event, const struct fsb_target_info *info);

/* For dump.c. */
int fsb_may_read(struct sk_buff *skb, bool processes, kuid_t *uid, struct netlink_ext_ack *extack);
int fsb_check_abi(struct nlattr **attrs, struct netlink_ext_ack *extack);
int fsb_get_dev(struct nlattr **attrs, dev_t *dev, struct netlink_ext_ack *extack);

#endif /* FSB_NETLINK_H */
