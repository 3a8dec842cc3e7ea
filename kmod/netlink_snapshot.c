// SPDX-License-Identifier: GPL-2.0-only
#include <linux/netlink.h>
#include <net/genetlink.h>

#include "fill.h"
#include "netlink.h"
#include "snapshot.h"
#include "target.h"

/* The dump of a disk's counters; @snapshot is NULL before the first message. */
struct fsb_snapshot_dump {
	struct fsb_snapshot *snapshot;
	struct fsb_fill_cursor cursor;
};

static int fsb_snapshot_read(struct fsb_disk_stats *stats, const struct fsb_target_info *info,
			     void *arg)
{
	struct fsb_snapshot *snapshot = arg;

	snapshot->info = *info;
	return fsb_snapshot_take(snapshot, stats) ? 0 : -EAGAIN;
}

/* Copies all counters of a disk; again, when its shape has changed meanwhile. */
static struct fsb_snapshot *fsb_snapshot_make(dev_t dev, struct netlink_ext_ack *extack)
{
	struct fsb_snapshot *snapshot;
	struct fsb_target_info info;
	int err;

	do {
		err = fsb_target_describe(dev, &info);
		if (err)
			break;
		snapshot = fsb_snapshot_alloc(info.shards, info.geometry.depth);
		if (IS_ERR(snapshot)) {
			NL_SET_ERR_MSG(extack, "no memory for a snapshot, or too many are read");
			return snapshot;
		}
		err = fsb_target_read(dev, fsb_snapshot_read, snapshot);
		if (!err)
			return snapshot;
		fsb_snapshot_free(snapshot);
	} while (err == -EAGAIN);
	NL_SET_ERR_MSG(extack, "the disk is not being watched");
	return ERR_PTR(err);
}

static int fsb_snapshot_prepare(struct fsb_snapshot_dump *dump, struct netlink_callback *cb)
{
	struct fsb_snapshot *snapshot;
	dev_t dev;
	int err;

	err = fsb_dump_check(cb) ?: fsb_get_dev(fsb_dump_attrs(cb), &dev, cb->extack);
	if (err)
		return err;
	snapshot = fsb_snapshot_make(dev, cb->extack);
	if (IS_ERR(snapshot))
		return PTR_ERR(snapshot);
	dump->snapshot = snapshot;
	return 0;
}

/**
 * fsb_snapshot_dumpit() - SNAPSHOT_GET: all counters of a disk, copied by its first call
 * @skb: where to
 * @cb: the dump
 *
 * Return: bytes put into @skb, 0 at the end, or an error.
 */
int fsb_snapshot_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct fsb_snapshot_dump *dump = (void *)cb->ctx;
	void *header;
	int err;

	BUILD_BUG_ON(sizeof(*dump) > sizeof(cb->ctx));
	err = dump->snapshot ? 0 : fsb_snapshot_prepare(dump, cb);
	if (err)
		return err;
	while (!fsb_fill_done(&dump->cursor, dump->snapshot)) {
		header = fsb_dump_put(skb, cb, FSBSTAT_CMD_SNAPSHOT_GET);
		if (!header)
			break;
		err = fsb_fill_snapshot(skb, dump->snapshot, &dump->cursor);
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
 * fsb_snapshot_done() - the end of SNAPSHOT_GET, read or given up
 * @cb: the dump
 *
 * Return: 0.
 */
int fsb_snapshot_done(struct netlink_callback *cb)
{
	struct fsb_snapshot_dump *dump = (void *)cb->ctx;

	if (dump->snapshot)
		fsb_snapshot_free(dump->snapshot);
	return 0;
}
