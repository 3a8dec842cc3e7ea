// SPDX-License-Identifier: GPL-2.0-only
/* fill_rows: disks, superblocks and owners, a row a message; see fill.h. */
#include <net/netlink.h>

#include "fill.h"
#include "fs.h"
#include "owners.h"

/**
 * fsb_disks_done() - whether all disks have been sent
 * @copy: &struct fsb_targets_copy
 * @cursor: how far the dump has come
 *
 * Return: true when nothing is left.
 */
bool fsb_disks_done(const void *copy, struct fsb_fill_cursor *cursor)
{
	const struct fsb_targets_copy *targets = copy;

	return cursor->stage >= targets->nr;
}

/**
 * fsb_fill_disks() - the DISK nest of the next disk
 * @skb: message
 * @copy: &struct fsb_targets_copy
 * @cursor: how far the dump has come
 *
 * Return: 0 or -EMSGSIZE.
 */
int fsb_fill_disks(struct sk_buff *skb, const void *copy, struct fsb_fill_cursor *cursor)
{
	const struct fsb_targets_copy *targets = copy;
	int err = fsb_fill_disk(skb, &targets->info[cursor->stage]);

	cursor->stage += !err;
	return err;
}

/**
 * fsb_fs_done() - whether all superblocks have been sent
 * @copy: &struct fsb_fs_copy
 * @cursor: how far the dump has come
 *
 * Return: true when nothing is left.
 */
bool fsb_fs_done(const void *copy, struct fsb_fill_cursor *cursor)
{
	const struct fsb_fs_copy *fs = copy;

	return cursor->stage > fs->nr;
}

static int fsb_fill_fs_all(struct sk_buff *skb, const struct fsb_fs_copy *copy)
{
	static const struct fsb_u64_attr list[] = {
		FSB_U64(FS_ALL_MISSED, struct fsb_fs_copy, missed),
		FSB_U64(FS_ALL_LOST, struct fsb_fs_copy, lost),
		FSB_U64(FS_ALL_SINCE, struct fsb_fs_copy, since),
	};
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_FS_ALL);

	if (!nest || fsb_fill_u64s(skb, list, ARRAY_SIZE(list), FSBSTAT_A_FS_ALL_PAD, copy))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fsb_fill_fs_row(struct sk_buff *skb, const struct fsb_fs_row *row)
{
	static const struct fsb_u64_attr list[] = {
		FSB_U64(FS_FSYNCS, struct fsb_fs_counts, fsyncs),
		FSB_U64(FS_ERRORS, struct fsb_fs_counts, errors),
		FSB_U64(FS_COMMITS, struct fsb_fs_counts, commits),
	};
	const struct fsb_hist_id id = { .queue = -1, .class = -1, .kind = -1 };
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_FS);

	if (!nest || nla_put_u32(skb, FSBSTAT_A_FS_MAJOR, MAJOR(row->dev)) ||
	    nla_put_u32(skb, FSBSTAT_A_FS_MINOR, MINOR(row->dev)) ||
	    nla_put_string(skb, FSBSTAT_A_FS_TYPE, row->type) ||
	    fsb_fill_u64s(skb, list, ARRAY_SIZE(list), FSBSTAT_A_FS_PAD, &row->counts) ||
	    fsb_fill_hist(skb, FSBSTAT_A_FS_LATENCY, id, &row->counts.latency))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/**
 * fsb_fill_fs() - FS_ALL, then the FS nest of the next superblock
 * @skb: message
 * @copy: &struct fsb_fs_copy
 * @cursor: how far the dump has come
 *
 * Return: 0 or -EMSGSIZE.
 */
int fsb_fill_fs(struct sk_buff *skb, const void *copy, struct fsb_fill_cursor *cursor)
{
	const struct fsb_fs_copy *fs = copy;
	int err = cursor->stage ? fsb_fill_fs_row(skb, &fs->row[cursor->stage - 1]) :
				  fsb_fill_fs_all(skb, fs);

	cursor->stage += !err;
	return err;
}

/* Stage 0 is the sum, then come the rows. */
static const u64 *fsb_owners_stage(const struct fsb_owners_copy *copy, u32 stage)
{
	return stage ? fsb_owners_row(copy, stage - 1) : copy->sum;
}

/**
 * fsb_owners_done() - whether all owners have been sent
 * @copy: &struct fsb_owners_copy
 * @cursor: how far the dump has come
 *
 * One that is being entered has nothing counted yet, and perhaps no key: it is left out.
 *
 * Return: true when nothing is left.
 */
bool fsb_owners_done(const void *copy, struct fsb_fill_cursor *cursor)
{
	const struct fsb_owners_copy *owners = copy;
	size_t size = owners->words * sizeof(u64);

	while (cursor->stage > 1 + FSB_OWNERS_OTHER && cursor->stage <= owners->rows &&
	       !memchr_inv(fsb_owners_stage(owners, cursor->stage), 0, size))
		cursor->stage++;
	return cursor->stage > owners->rows;
}

static int fsb_fill_owner_key(struct sk_buff *skb, const struct fsb_owner_key *key, bool tgid)
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

/* Counts of bios, or calls of fsync. */
static int fsb_fill_owner_counts(struct sk_buff *skb, u32 words, const u64 *counts)
{
	if (words == FSB_BIO_WORDS)
		return fsb_fill_bio(skb, FSBSTAT_A_OWNER_BIO, (const void *)counts, NULL);
	return nla_put_u64_64bit(skb, FSBSTAT_A_OWNER_FSYNCS, *counts, FSBSTAT_A_OWNER_PAD);
}

static int fsb_fill_owner(struct sk_buff *skb, const struct fsb_owners_copy *copy, u32 stage)
{
	const u64 *counts = fsb_owners_stage(copy, stage);
	u32 owner = stage - 1 - FSB_OWNERS_FIRST;
	struct nlattr *nest;
	int err = 0;

	if (!stage && copy->words == FSB_BIO_WORDS)
		return fsb_fill_bio(skb, FSBSTAT_A_BIO, (const void *)counts, NULL);
	nest = nla_nest_start(skb, FSBSTAT_A_OWNER);
	if (!nest)
		return -EMSGSIZE;
	if (stage == 1 + FSB_OWNERS_OTHER)
		err = nla_put_flag(skb, FSBSTAT_A_OWNER_OTHER);
	else if (stage)
		err = fsb_fill_owner_key(skb, &copy->key[owner], copy->tgids);
	if (err || fsb_fill_owner_counts(skb, copy->words, counts))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/**
 * fsb_fill_owners() - the sum, those without a row, then the OWNER nest of the next owner
 * @skb: message
 * @copy: &struct fsb_owners_copy
 * @cursor: how far the dump has come
 *
 * Return: 0 or -EMSGSIZE.
 */
int fsb_fill_owners(struct sk_buff *skb, const void *copy, struct fsb_fill_cursor *cursor)
{
	int err = fsb_fill_owner(skb, copy, cursor->stage);

	cursor->stage += !err;
	return err;
}
