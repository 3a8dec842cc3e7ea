/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * netlink: the generic netlink family of include/uapi/fsbstat.h.  Translates between
 * messages and target.c; holds no state of its own.
 */
#ifndef FSB_NETLINK_H
#define FSB_NETLINK_H

#include <linux/types.h>

struct fsb_owner_key;
struct fsb_target_info;
struct netlink_callback;
struct netlink_ext_ack;
struct nlattr;
struct sk_buff;

int fsb_netlink_init(void);
void fsb_netlink_exit(void);
void fsb_netlink_event(u8 event, const struct fsb_target_info *info);

/* For those parts of the family that have a file of their own. */
int fsb_may_see_processes(struct sk_buff *skb, struct netlink_ext_ack *extack);
int fsb_check_abi(struct nlattr **attrs, struct netlink_ext_ack *extack);
int fsb_get_dev(struct nlattr **attrs, dev_t *dev, struct netlink_ext_ack *extack);
int fsb_dump_start(struct netlink_callback *cb);
int fsb_dump_check(struct netlink_callback *cb);
void *fsb_dump_put(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd);
bool fsb_reader_knows_pids(void);
int fsb_fill_owner_key(struct sk_buff *skb, const struct fsb_owner_key *key, bool tgid);

int fsb_snapshot_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int fsb_snapshot_done(struct netlink_callback *cb);
int fsb_owners_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int fsb_owners_done(struct netlink_callback *cb);

#endif /* FSB_NETLINK_H */
