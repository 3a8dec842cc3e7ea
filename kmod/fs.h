/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fs: what is counted of each superblock: calls of its fsync operation, by caller as well,
 * and commits of its journal.  fsync.c and the probe of the journal count, dump.c
 * reads.
 *
 * A superblock is told by its device number and the name of its filesystem type, so that
 * one mounted again goes on where it was, and another type on the same device does not.
 * The table has room for %FSB_FS_ROWS; it exists while a disk has layer FS, and is
 * all made beforehand: nothing is allocated where calls are counted.
 *
 * Locking: a raw spinlock a row and one for adding rows, both leaves, irqs off; rows are
 * found without one and stay until the table goes.  A mutex for making, freeing and copying.
 */
#ifndef FSB_FS_H
#define FSB_FS_H

#include <linux/kdev_t.h>
#include <linux/spinlock.h>
#include <linux/uidgid.h>

#include "hist.h"
#include "hooks.h"

#define FSB_FS_ROWS	32
#define FSB_FS_TYPE_LEN 16

/* Tracepoints of the journal, see hooks.h. */
#define FSB_FS_HOOKS 1
extern struct fsb_hook fsb_fs_hooks[FSB_FS_HOOKS];

/**
 * struct fsb_fs_counts - counters of one superblock
 * @fsyncs: calls of its fsync operation
 * @errors: those that returned an error
 * @commits: commits of its journal
 * @latency: entry to return
 */
struct fsb_fs_counts {
	u64 fsyncs;
	u64 errors;
	u64 commits;
	struct fsb_hist latency;
};

/**
 * struct fsb_fs_row - one superblock
 * @lock: of @counts
 * @dev: its s_dev
 * @type: name of its filesystem type
 * @counts: what is counted
 */
struct fsb_fs_row {
	raw_spinlock_t lock;
	dev_t dev;
	char type[FSB_FS_TYPE_LEN];
	struct fsb_fs_counts counts;
};

struct super_block;

int fsb_fs_get(void);
void fsb_fs_put(void);
size_t fsb_fs_memory(void);
void fsb_fs_counting(bool counting);

struct fsb_fs_row *fsb_fs_enter(const struct super_block *sb);
void fsb_fs_return(struct fsb_fs_row *row, u64 ns, bool error);

/**
 * struct fsb_fs_copy - all superblocks as they were at one time
 * @missed: calls that went unseen for want of a free probe instance
 * @lost: calls and commits on superblocks there was no room for
 * @since: since when all is counted, ns; 0: it is not
 * @nr: rows
 * @row: their copies; the locks mean nothing
 */
struct fsb_fs_copy {
	u64 missed;
	u64 lost;
	u64 since;
	u32 nr;
	struct fsb_fs_row row[];
};

/* Counters of a caller in the table of owners: calls. */
#define FSB_CALLERS_WORDS 1

struct fsb_owners_copy;

void fsb_fs_take_callers(struct fsb_owners_copy *copy);
struct fsb_fs_copy *fsb_fs_copy(kuid_t uid);

#endif /* FSB_FS_H */
