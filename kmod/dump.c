// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/pid_namespace.h>
#include <net/genetlink.h>

#include "copy.h"
#include "dump.h"
#include "fill.h"
#include "fs.h"
#include "netlink.h"
#include "owners.h"
#include "snapshot.h"

/*
 * One kind of dump.  @make: the copy, or an ERR_PTR.  @processes: it names processes.  @fill and
 * @done: see fill.h.
 */
struct fsb_dump_kind {
	void *(*make)(struct netlink_callback *cb, kuid_t uid);
	bool processes;
	bool (*done)(const void *copy, struct fsb_fill_cursor *cursor);
	int (*fill)(struct sk_buff *skb, const void *copy, struct fsb_fill_cursor *cursor);
};

/* A dump under way; @copy is NULL before the first message. */
struct fsb_dump {
	void *copy;
	struct fsb_fill_cursor cursor;
};

static void *fsb_dump_disks(struct netlink_callback *cb, kuid_t uid)
{
	return fsb_targets_copy(uid);
}

static int fsb_snapshot_read(struct fsb_disk_stats *stats, const struct fsb_target_info *info,
			     void *arg)
{
	struct fsb_snapshot *snapshot = arg;

	snapshot->info = *info;
	return fsb_snapshot_take(snapshot, stats) ? 0 : -EAGAIN;
}

/* All counters of a disk; again, when its shape has changed meanwhile. */
static void *fsb_dump_snapshot(struct netlink_callback *cb, kuid_t uid)
{
	struct fsb_snapshot *snapshot;
	struct fsb_target_info info;
	dev_t dev;
	int err;

	err = fsb_get_dev(fsb_dump_attrs(cb), &dev, cb->extack);
	if (err)
		return ERR_PTR(err);
	do {
		err = fsb_target_describe(dev, &info);
		if (err)
			return ERR_PTR(err);
		snapshot = fsb_snapshot_alloc(info.shards, info.geometry.depth, uid);
		if (IS_ERR(snapshot))
			return snapshot;
		err = fsb_target_read(dev, fsb_snapshot_read, snapshot);
		if (err)
			fsb_copy_free(snapshot);
	} while (err == -EAGAIN);
	return err ? ERR_PTR(err) : snapshot;
}

/* Process numbers mean to the reader what they mean here. */
static bool fsb_reader_knows_pids(void)
{
	return task_active_pid_ns(current) == &init_pid_ns;
}

static int fsb_owners_read(struct fsb_disk_stats *stats, const struct fsb_target_info *info,
			   void *arg)
{
	if (!stats->parts.bios)
		return -ENODATA;
	fsb_owners_take(arg, stats->parts.bios->owners);
	return 0;
}

static void *fsb_dump_owners(struct netlink_callback *cb, kuid_t uid)
{
	struct fsb_owners_copy *copy;
	dev_t dev;
	int err;

	err = fsb_get_dev(fsb_dump_attrs(cb), &dev, cb->extack);
	if (err)
		return ERR_PTR(err);
	copy = fsb_owners_copy_alloc(FSB_BIO_WORDS, uid);
	if (IS_ERR(copy))
		return copy;
	copy->tgids = fsb_reader_knows_pids();
	err = fsb_target_read(dev, fsb_owners_read, copy);
	if (!err)
		return copy;
	fsb_copy_free(copy);
	return ERR_PTR(err);
}

static void *fsb_dump_fs(struct netlink_callback *cb, kuid_t uid)
{
	return fsb_fs_copy(uid);
}

static void *fsb_dump_callers(struct netlink_callback *cb, kuid_t uid)
{
	struct fsb_owners_copy *copy = fsb_owners_copy_alloc(FSB_CALLERS_WORDS, uid);

	if (IS_ERR(copy))
		return copy;
	copy->tgids = fsb_reader_knows_pids();
	fsb_fs_take_callers(copy);
	return copy;
}

static const struct fsb_dump_kind fsb_dump_kinds[] = {
	[FSBSTAT_CMD_DISK_GET] = {
		.make = fsb_dump_disks,
		.done = fsb_disks_done,
		.fill = fsb_fill_disks,
	},
	[FSBSTAT_CMD_SNAPSHOT_GET] = {
		.make = fsb_dump_snapshot,
		.done = fsb_snapshot_done,
		.fill = fsb_fill_snapshot,
	},
	[FSBSTAT_CMD_OWNERS_GET] = {
		.make = fsb_dump_owners,
		.processes = true,
		.done = fsb_owners_done,
		.fill = fsb_fill_owners,
	},
	[FSBSTAT_CMD_FS_GET] = {
		.make = fsb_dump_fs,
		.done = fsb_fs_done,
		.fill = fsb_fill_fs,
	},
	[FSBSTAT_CMD_CALLERS_GET] = {
		.make = fsb_dump_callers,
		.processes = true,
		.done = fsb_owners_done,
		.fill = fsb_fill_owners,
	},
};

static u8 fsb_dump_cmd(const struct netlink_callback *cb)
{
	const struct genlmsghdr *header = nlmsg_data(cb->nlh);

	return header->cmd;
}

/* What a dump checks, it checks in its first message: its start has no extended ack. */
static int fsb_dump_begin(struct fsb_dump *dump, const struct fsb_dump_kind *kind,
			  struct netlink_callback *cb)
{
	kuid_t uid;
	void *copy;
	int err;

	err = fsb_may_read(cb->skb, kind->processes, &uid, cb->extack) ?:
	      fsb_check_abi(fsb_dump_attrs(cb), cb->extack);
	if (err)
		return err;
	copy = kind->make(cb, uid);
	if (!IS_ERR(copy)) {
		dump->copy = copy;
		return 0;
	}
	switch (PTR_ERR(copy)) {
	case -ENOENT:
		NL_SET_ERR_MSG(cb->extack, "the disk is not being watched");
		break;
	case -ENODATA:
		NL_SET_ERR_MSG(cb->extack, "no reader has asked for the bios of the disk");
		break;
	case -EBUSY:
	case -ENOMEM:
		NL_SET_ERR_MSG(cb->extack, "no memory for a copy, or too many are read");
		break;
	}
	return PTR_ERR(copy);
}

static int fsb_dump_message(struct sk_buff *skb, struct netlink_callback *cb,
			    const struct fsb_dump_kind *kind, struct fsb_dump *dump)
{
	void *header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
				   &fsb_family, NLM_F_MULTI, fsb_dump_cmd(cb));
	int err;

	if (!header)
		return -EMSGSIZE;
	err = kind->fill(skb, dump->copy, &dump->cursor);
	if (err)
		genlmsg_cancel(skb, header);
	else
		genlmsg_end(skb, header);
	return err;
}

/**
 * fsb_dump_start() - start() of a dump with messages of up to %FSBSTAT_MSG_MAX bytes
 * @cb: the dump
 *
 * Return: 0.
 */
int fsb_dump_start(struct netlink_callback *cb)
{
	cb->min_dump_alloc = FSBSTAT_MSG_MAX;
	return 0;
}

/**
 * fsb_dumpit() - dumpit() of all dumps
 * @skb: where to
 * @cb: the dump
 *
 * Return: bytes put into @skb, 0 at the end, or an error.
 */
int fsb_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct fsb_dump_kind *kind = &fsb_dump_kinds[fsb_dump_cmd(cb)];
	struct fsb_dump *dump = (void *)cb->ctx;
	int err;

	BUILD_BUG_ON(sizeof(*dump) > sizeof(cb->ctx));
	err = dump->copy ? 0 : fsb_dump_begin(dump, kind, cb);
	while (!err && !kind->done(dump->copy, &dump->cursor))
		err = fsb_dump_message(skb, cb, kind, dump);
	return err && !skb->len ? err : skb->len;
}

/**
 * fsb_dump_done() - done() of all dumps, read to the end or given up
 * @cb: the dump
 *
 * Return: 0.
 */
int fsb_dump_done(struct netlink_callback *cb)
{
	struct fsb_dump *dump = (void *)cb->ctx;

	if (dump->copy)
		fsb_copy_free(dump->copy);
	return 0;
}
