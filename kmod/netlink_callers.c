// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <net/genetlink.h>
#include <net/netlink.h>

#include "compat/compat.h"
#include "fs.h"
#include "netlink.h"
#include "netlink_callers.h"
#include "owners.h"

struct fsb_callers_dump {
	struct fsb_owners_copy *copy;
	u32 row;
	bool tgids;
};

static int fsb_callers_prepare(struct fsb_callers_dump *dump, struct netlink_callback *cb)
{
	struct fsb_owners_copy *copy;
	int err;

	err = fsb_may_see_processes(cb->skb, cb->extack) ?:
	      fsb_check_abi(fsb_dump_attrs(cb), cb->extack);
	if (err)
		return err;
	copy = fsb_owners_copy_alloc(FSB_CALLERS_WORDS);
	if (IS_ERR(copy)) {
		NL_SET_ERR_MSG(cb->extack, "no memory for a copy, or too many are read");
		return PTR_ERR(copy);
	}
	fsb_fs_take_callers(copy);
	dump->copy = copy;
	dump->tgids = fsb_reader_knows_pids();
	return 0;
}

static int fsb_fill_caller(struct sk_buff *skb, const struct fsb_callers_dump *dump)
{
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_OWNER);
	u32 row = dump->row;
	int err = 0;

	if (!nest)
		return -EMSGSIZE;
	if (row == FSB_OWNERS_OTHER)
		err = nla_put_flag(skb, FSBSTAT_A_OWNER_OTHER);
	else if (row >= FSB_OWNERS_FIRST)
		err = fsb_fill_owner_key(skb, &dump->copy->key[row - FSB_OWNERS_FIRST],
					 dump->tgids);
	if (err || nla_put_u64_64bit(skb, FSBSTAT_A_OWNER_FSYNCS, *fsb_owners_row(dump->copy, row),
				     FSBSTAT_A_OWNER_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/**
 * fsb_callers_dumpit() - CALLERS_GET: who called fsync
 * @skb: where to
 * @cb: the dump
 *
 * The sum first, then those without a row, then the callers.
 *
 * Return: bytes put into @skb, 0 at the end, or an error.
 */
int fsb_callers_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct fsb_callers_dump *dump = (void *)cb->ctx;
	void *header;
	int err;

	BUILD_BUG_ON(sizeof(*dump) > sizeof(cb->ctx));
	err = dump->copy ? 0 : fsb_callers_prepare(dump, cb);
	if (err)
		return err;
	for (; dump->row < dump->copy->rows; dump->row++) {
		/* One that is being entered has nothing counted yet, and perhaps no key. */
		if (dump->row >= FSB_OWNERS_FIRST && !*fsb_owners_row(dump->copy, dump->row))
			continue;
		header = fsb_dump_put(skb, cb, FSBSTAT_CMD_CALLERS_GET);
		if (!header)
			break;
		if (fsb_fill_caller(skb, dump)) {
			genlmsg_cancel(skb, header);
			if (!skb->len)
				return -EMSGSIZE;
			break;
		}
		genlmsg_end(skb, header);
	}
	return skb->len;
}

/**
 * fsb_callers_done() - the end of CALLERS_GET, read or given up
 * @cb: the dump
 *
 * Return: 0.
 */
int fsb_callers_done(struct netlink_callback *cb)
{
	struct fsb_callers_dump *dump = (void *)cb->ctx;

	if (dump->copy)
		fsb_owners_copy_free(dump->copy);
	return 0;
}
