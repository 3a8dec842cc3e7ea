/* SPDX-License-Identifier: GPL-2.0-only */
/* netlink_callers: the dump of CALLERS_GET, for netlink.c. */
#ifndef FSB_NETLINK_CALLERS_H
#define FSB_NETLINK_CALLERS_H

struct netlink_callback;
struct sk_buff;

int fsb_callers_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int fsb_callers_done(struct netlink_callback *cb);

#endif /* FSB_NETLINK_CALLERS_H */
