/* SPDX-License-Identifier: GPL-2.0-only */
/* netlink_fs: the dump of FS_GET, for netlink.c. */
#ifndef FSB_NETLINK_FS_H
#define FSB_NETLINK_FS_H

struct netlink_callback;
struct sk_buff;

int fsb_fs_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int fsb_fs_done(struct netlink_callback *cb);

#endif /* FSB_NETLINK_FS_H */
