/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump: requests that are answered by many messages.  Each copies what it sends when it starts, so
 * that all of it is of one time and a slow reader holds nothing up; fill.h puts the copy into
 * messages.
 */
#ifndef FSB_DUMP_H
#define FSB_DUMP_H

struct netlink_callback;
struct sk_buff;

int fsb_dump_start(struct netlink_callback *cb);
int fsb_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int fsb_dump_done(struct netlink_callback *cb);

#endif /* FSB_DUMP_H */
