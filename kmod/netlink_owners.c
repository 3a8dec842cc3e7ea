// SPDX-License-Identifier: GPL-2.0-only
#include <linux/netlink.h>
#include <linux/pid_namespace.h>
#include <net/genetlink.h>

#include "fill.h"
#include "netlink.h"
#include "owners.h"

/* The dump of a disk's owners; @copy is NULL before the first message. */
struct fsb_owners_dump {
	struct fsb_owners_copy *copy;
	u32 row;
	bool tgids;
};

static const struct fsb_bio_counts *fsb_owners_bio(const struct fsb_owners_copy *copy, u32 row)
{
	return (const void *)fsb_owners_row(copy, row);
}

/**
 * fsb_fill_owner_key() - who, within an OWNER nest
 * @skb: message
 * @key: the owner
 * @tgid: the reader may know the process
 *
 * Return: 0 or -EMSGSIZE.
 */
int fsb_fill_owner_key(struct sk_buff *skb, const struct fsb_owner_key *key, bool tgid)
{
	dev_t dev = key->id >> 32;
	union {
		__le64 number[2];
		char text[FSBSTAT_COMM_LEN];
	} comm = { .number = { cpu_to_le64(key->comm[0]), cpu_to_le64(key->comm[1]) } };

	comm.text[sizeof(comm.text) - 1] = '\0';
	if ((tgid && nla_put_u32(skb, FSBSTAT_A_OWNER_TGID, (u32)key->id)) ||
	    nla_put_string(skb, FSBSTAT_A_OWNER_COMM, comm.text) ||
	    nla_put_u32(skb, FSBSTAT_A_OWNER_MAJOR, MAJOR(dev)) ||
	    nla_put_u32(skb, FSBSTAT_A_OWNER_MINOR, MINOR(dev)))
		return -EMSGSIZE;
	return 0;
}

static int fsb_fill_owner(struct sk_buff *skb, const struct fsb_owners_dump *dump)
{
	const struct fsb_bio_counts *bio = fsb_owners_bio(dump->copy, dump->row);
	struct nlattr *nest;
	int err;

	if (dump->row == FSB_OWNERS_SUM)
		return fsb_fill_bio(skb, FSBSTAT_A_BIO, bio, NULL);
	nest = nla_nest_start(skb, FSBSTAT_A_OWNER);
	if (!nest)
		return -EMSGSIZE;
	if (dump->row == FSB_OWNERS_OTHER)
		err = nla_put_flag(skb, FSBSTAT_A_OWNER_OTHER);
	else
		err = fsb_fill_owner_key(skb, &dump->copy->key[dump->row - FSB_OWNERS_FIRST],
					 dump->tgids);
	if (err || fsb_fill_bio(skb, FSBSTAT_A_OWNER_BIO, bio, NULL))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fsb_owners_read(struct fsb_disk_stats *stats, const struct fsb_target_info *info,
			   void *arg)
{
	fsb_owners_take(arg, stats->owners);
	return 0;
}

/**
 * fsb_reader_knows_pids() - whether process numbers mean to the reader what they mean here
 *
 * Context: the request that begins a dump.
 * Return: true in the initial pid namespace.
 */
bool fsb_reader_knows_pids(void)
{
	return task_active_pid_ns(current) == &init_pid_ns;
}

static int fsb_owners_prepare(struct fsb_owners_dump *dump, struct netlink_callback *cb)
{
	struct fsb_owners_copy *copy;
	dev_t dev;
	int err;

	err = fsb_may_see_processes(cb->skb, cb->extack) ?:
	      fsb_check_abi(fsb_dump_attrs(cb), cb->extack) ?:
	      fsb_get_dev(fsb_dump_attrs(cb), &dev, cb->extack);
	if (err)
		return err;
	copy = fsb_owners_copy_alloc(FSB_BIO_WORDS);
	if (IS_ERR(copy)) {
		NL_SET_ERR_MSG(cb->extack, "no memory for a copy, or too many are read");
		return PTR_ERR(copy);
	}
	err = fsb_target_read(dev, fsb_owners_read, copy);
	if (err) {
		NL_SET_ERR_MSG(cb->extack, "the disk is not being watched");
		fsb_owners_copy_free(copy);
		return err;
	}
	dump->copy = copy;
	dump->tgids = fsb_reader_knows_pids();
	return 0;
}

/* An owner that is being entered has nothing counted yet, and perhaps no key. */
static bool fsb_owner_empty(const struct fsb_owners_copy *copy, u32 row)
{
	return row >= FSB_OWNERS_FIRST &&
	       !memchr_inv(fsb_owners_row(copy, row), 0, sizeof(struct fsb_bio_counts));
}

/**
 * fsb_owners_dumpit() - OWNERS_GET: who submitted a disk's bios
 * @skb: where to
 * @cb: the dump
 *
 * The sum first, then those without a row, then the owners.
 *
 * Return: bytes put into @skb, 0 at the end, or an error.
 */
int fsb_owners_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct fsb_owners_dump *dump = (void *)cb->ctx;
	void *header;
	int err;

	BUILD_BUG_ON(sizeof(*dump) > sizeof(cb->ctx));
	err = dump->copy ? 0 : fsb_owners_prepare(dump, cb);
	if (err)
		return err;
	for (; dump->row < dump->copy->rows; dump->row++) {
		if (fsb_owner_empty(dump->copy, dump->row))
			continue;
		header = fsb_dump_put(skb, cb, FSBSTAT_CMD_OWNERS_GET);
		if (!header)
			break;
		if (fsb_fill_owner(skb, dump)) {
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
 * fsb_owners_done() - the end of OWNERS_GET, read or given up
 * @cb: the dump
 *
 * Return: 0.
 */
int fsb_owners_done(struct netlink_callback *cb)
{
	struct fsb_owners_dump *dump = (void *)cb->ctx;

	if (dump->copy)
		fsb_owners_copy_free(dump->copy);
	return 0;
}
