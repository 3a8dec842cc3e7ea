// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <net/genetlink.h>

#include "fill.h"
#include "fs.h"
#include "netlink.h"
#include "netlink_fs.h"

/* @next: 0 FS_ALL, then the rows. */
struct fsb_fs_dump {
	struct fsb_fs_copy *copy;
	u32 next;
};

static int fsb_fs_prepare(struct fsb_fs_dump *dump, struct netlink_callback *cb)
{
	struct fsb_fs_copy *copy;
	int err = fsb_dump_check(cb);

	if (err)
		return err;
	copy = fsb_fs_copy();
	if (IS_ERR(copy)) {
		NL_SET_ERR_MSG(cb->extack, "no memory for a copy, or too many are read");
		return PTR_ERR(copy);
	}
	dump->copy = copy;
	return 0;
}

/**
 * fsb_fs_dumpit() - dumpit() of FS_GET: everything is copied first, then sent
 * @skb: where to
 * @cb: the dump
 *
 * Return: bytes in @skb, or an error.
 */
int fsb_fs_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct fsb_fs_dump *dump = (void *)cb->ctx;
	void *header;
	int err;

	BUILD_BUG_ON(sizeof(*dump) > sizeof(cb->ctx));
	err = dump->copy ? 0 : fsb_fs_prepare(dump, cb);
	if (err)
		return err;
	for (; dump->next <= dump->copy->nr; dump->next++) {
		header = fsb_dump_put(skb, cb, FSBSTAT_CMD_FS_GET);
		if (!header)
			break;
		err = dump->next ? fsb_fill_fs(skb, &dump->copy->row[dump->next - 1]) :
				   fsb_fill_fs_all(skb, dump->copy);
		if (err) {
			genlmsg_cancel(skb, header);
			if (!skb->len)
				return err;
			break;
		}
		genlmsg_end(skb, header);
	}
	return skb->len;
}

/**
 * fsb_fs_done() - done() of FS_GET
 * @cb: the dump
 *
 * Return: 0.
 */
int fsb_fs_done(struct netlink_callback *cb)
{
	struct fsb_fs_dump *dump = (void *)cb->ctx;

	if (dump->copy)
		fsb_fs_copy_free(dump->copy);
	return 0;
}
