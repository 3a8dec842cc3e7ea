// SPDX-License-Identifier: GPL-2.0-only
/* fill_fs: superblocks in netlink attributes, see fill.h. */
#include <net/netlink.h>

#include "fill.h"
#include "fs.h"

/**
 * fsb_fill_fs_all() - the FS_ALL nest
 * @skb: message
 * @copy: what is dumped
 *
 * Return: 0 or -EMSGSIZE.
 */
int fsb_fill_fs_all(struct sk_buff *skb, const struct fsb_fs_copy *copy)
{
	const struct fsb_fill_u64 list[] = {
		{ FSBSTAT_A_FS_ALL_MISSED, copy->missed },
		{ FSBSTAT_A_FS_ALL_LOST, copy->lost },
	};
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_FS_ALL);

	if (!nest || fsb_fill_u64s(skb, list, ARRAY_SIZE(list), FSBSTAT_A_FS_ALL_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fsb_fill_fs_latency(struct sk_buff *skb, const struct fsb_hist *hist)
{
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_FS_LATENCY);

	if (!nest || fsb_fill_samples(skb, hist))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/**
 * fsb_fill_fs() - the FS nest
 * @skb: message
 * @row: copy of a superblock's counters
 *
 * Return: 0 or -EMSGSIZE.
 */
int fsb_fill_fs(struct sk_buff *skb, const struct fsb_fs_row *row)
{
	const struct fsb_fill_u64 list[] = {
		{ FSBSTAT_A_FS_FSYNCS, row->counts.fsyncs },
		{ FSBSTAT_A_FS_ERRORS, row->counts.errors },
		{ FSBSTAT_A_FS_COMMITS, row->counts.commits },
	};
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_FS);

	if (!nest || nla_put_u32(skb, FSBSTAT_A_FS_MAJOR, MAJOR(row->dev)) ||
	    nla_put_u32(skb, FSBSTAT_A_FS_MINOR, MINOR(row->dev)) ||
	    nla_put_string(skb, FSBSTAT_A_FS_TYPE, row->type) ||
	    fsb_fill_u64s(skb, list, ARRAY_SIZE(list), FSBSTAT_A_FS_PAD) ||
	    fsb_fill_fs_latency(skb, &row->counts.latency))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}
