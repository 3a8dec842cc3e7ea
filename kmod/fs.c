// SPDX-License-Identifier: GPL-2.0-only
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <trace/events/jbd2.h>

#include "copy.h"
#include "fs.h"
#include "fsync.h"
#include "probe_lock.h"
#include "owners.h"

/*
 * Type of a row for a journal on a device of its own, which leads to no superblock; its
 * number tells the filesystem all the same.
 */
#define FSB_FS_JOURNAL "jbd2"

struct fsb_fs_table {
	raw_spinlock_t lock;
	atomic64_t lost;
	u64 since;
	struct fsb_owners *callers;
	u32 nr;
	struct fsb_fs_row row[FSB_FS_ROWS];
};

static DEFINE_MUTEX(fsb_fs_lock);
static unsigned int fsb_fs_users;

/* Set before the first probe is attached, and until after the last one is detached. */
static struct fsb_fs_table *fsb_fs_table;

static struct fsb_fs_table *fsb_fs_table_alloc(void)
{
	struct fsb_fs_table *table = vzalloc(sizeof(*table));
	unsigned int i;

	if (!table)
		return NULL;
	table->callers = fsb_owners_alloc(FSB_CALLERS_WORDS);
	if (!table->callers) {
		vfree(table);
		return NULL;
	}
	raw_spin_lock_init(&table->lock);
	for (i = 0; i < FSB_FS_ROWS; i++) {
		raw_spin_lock_init(&table->row[i].lock);
		fsb_hist_init(&table->row[i].counts.latency);
	}
	return table;
}

/**
 * fsb_fs_get() - make the table, or use the one that is there
 *
 * Context: process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fsb_fs_get(void)
{
	int err = 0;

	mutex_lock(&fsb_fs_lock);
	if (!fsb_fs_users)
		fsb_fs_table = fsb_fs_table_alloc();
	if (fsb_fs_table)
		fsb_fs_users++;
	else
		err = -ENOMEM;
	mutex_unlock(&fsb_fs_lock);
	return err;
}

/**
 * fsb_fs_put() - counterpart of fsb_fs_get(); the last one frees the table
 *
 * Context: process context, may sleep; for the last one no probe is attached any more.
 */
void fsb_fs_put(void)
{
	mutex_lock(&fsb_fs_lock);
	if (!--fsb_fs_users) {
		fsb_owners_free(fsb_fs_table->callers);
		vfree(fsb_fs_table);
		fsb_fs_table = NULL;
	}
	mutex_unlock(&fsb_fs_lock);
}

/**
 * fsb_fs_memory() - what the table takes now
 *
 * Context: process context, may sleep.
 * Return: bytes.
 */
size_t fsb_fs_memory(void)
{
	size_t size = 0;

	mutex_lock(&fsb_fs_lock);
	if (fsb_fs_table)
		size = sizeof(*fsb_fs_table) + fsb_owners_size(FSB_CALLERS_WORDS);
	mutex_unlock(&fsb_fs_lock);
	return size;
}

/**
 * fsb_fs_counting() - the hooks are all attached, or no longer
 * @counting: they are
 *
 * Context: process context, may sleep; the table exists while they are.
 */
void fsb_fs_counting(bool counting)
{
	mutex_lock(&fsb_fs_lock);
	if (fsb_fs_table)
		fsb_fs_table->since = counting ? ktime_get_ns() : 0;
	mutex_unlock(&fsb_fs_lock);
}

static struct fsb_fs_row *fsb_fs_find(struct fsb_fs_table *table, dev_t dev, const char *type)
{
	u32 i, nr = smp_load_acquire(&table->nr); /* pairs with fsb_fs_add(): rows are complete */

	for (i = 0; i < nr; i++)
		if (table->row[i].dev == dev &&
		    !strncmp(table->row[i].type, type, FSB_FS_TYPE_LEN - 1))
			return &table->row[i];
	return NULL;
}

static struct fsb_fs_row *fsb_fs_add(struct fsb_fs_table *table, dev_t dev, const char *type)
{
	struct fsb_fs_row *row;
	unsigned long flags;

	fsb_probe_lock_irqsave(&table->lock, flags);
	row = fsb_fs_find(table, dev, type);
	if (!row && table->nr < FSB_FS_ROWS) {
		row = &table->row[table->nr];
		row->dev = dev;
		strscpy(row->type, type, sizeof(row->type));
		smp_store_release(&table->nr, table->nr + 1); /* pairs with fsb_fs_find() */
	}
	raw_spin_unlock_irqrestore(&table->lock, flags);
	return row;
}

/* The row of a superblock; NULL, and counted as lost, when there is no room for it. */
static struct fsb_fs_row *fsb_fs_row(dev_t dev, const char *type)
{
	struct fsb_fs_table *table = fsb_fs_table;
	struct fsb_fs_row *row;

	row = fsb_fs_find(table, dev, type) ?: fsb_fs_add(table, dev, type);
	if (!row)
		atomic64_inc(&table->lost);
	return row;
}

/**
 * fsb_fs_enter() - count a call of fsync
 * @sb: of the file
 *
 * Context: process context, may be with preemption off.
 * Return: for fsb_fs_return(); NULL when there is no room for the superblock.
 */
struct fsb_fs_row *fsb_fs_enter(const struct super_block *sb)
{
	struct fsb_fs_row *row = fsb_fs_row(sb->s_dev, sb->s_type->name);
	struct fsb_owners_bank *bank;
	unsigned long flags;

	local_irq_save(flags);
	bank = fsb_owners_begin(fsb_fs_table->callers, sb->s_dev);
	++*bank->last;
	fsb_owners_end(bank);
	local_irq_restore(flags);
	if (!row)
		return NULL;
	fsb_probe_lock_irqsave(&row->lock, flags);
	row->counts.fsyncs++;
	raw_spin_unlock_irqrestore(&row->lock, flags);
	return row;
}

/**
 * fsb_fs_return() - a call of fsync has returned
 * @row: what fsb_fs_enter() returned
 * @ns: since then
 * @error: it failed
 *
 * Context: as fsb_fs_enter().
 */
void fsb_fs_return(struct fsb_fs_row *row, u64 ns, bool error)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&row->lock, flags);
	row->counts.errors += error;
	fsb_hist_add(&row->counts.latency, ns);
	raw_spin_unlock_irqrestore(&row->lock, flags);
}

static void fsb_probe_end_commit(void *data, journal_t *journal, transaction_t *transaction)
{
	const struct inode *inode = journal->j_inode;
	struct fsb_fs_row *row;
	unsigned long flags;

	row = fsb_fs_row(journal->j_fs_dev->bd_dev,
			 inode ? inode->i_sb->s_type->name : FSB_FS_JOURNAL);
	if (!row)
		return;
	raw_spin_lock_irqsave(&row->lock, flags);
	row->counts.commits++;
	raw_spin_unlock_irqrestore(&row->lock, flags);
}

/* Fails the build where the prototype is not what the probe takes. */
static inline void fsb_check_fs_prototypes(void)
{
	check_trace_callback_type_jbd2_end_commit(fsb_probe_end_commit);
}

struct fsb_hook fsb_fs_hooks[FSB_FS_HOOKS] = {
	{ .name = "jbd2_end_commit", .probe = fsb_probe_end_commit },
};

static void fsb_fs_copy_row(struct fsb_fs_row *to, struct fsb_fs_row *from)
{
	unsigned long flags;

	to->dev = from->dev;
	memcpy(to->type, from->type, sizeof(to->type));
	raw_spin_lock_irqsave(&from->lock, flags);
	to->counts = from->counts;
	raw_spin_unlock_irqrestore(&from->lock, flags);
}

/**
 * fsb_fs_take_callers() - copy the table of callers
 * @copy: room for one of %FSB_CALLERS_WORDS
 *
 * Context: process context, may sleep.
 */
void fsb_fs_take_callers(struct fsb_owners_copy *copy)
{
	mutex_lock(&fsb_fs_lock);
	if (fsb_fs_table)
		fsb_owners_take(copy, fsb_fs_table->callers);
	mutex_unlock(&fsb_fs_lock);
}

/**
 * fsb_fs_copy() - copy the counters of all superblocks
 * @uid: the reader, see fsb_copy_alloc()
 *
 * Context: process context, may sleep.
 * Return: the copy, to be given to fsb_copy_free(), or -ENOMEM or -EBUSY.
 */
struct fsb_fs_copy *fsb_fs_copy(kuid_t uid)
{
	struct fsb_fs_copy *copy;
	u32 i;

	copy = fsb_copy_alloc(struct_size(copy, row, FSB_FS_ROWS), uid);
	if (IS_ERR(copy))
		return copy;
	copy->missed = fsb_fsync_missed();
	mutex_lock(&fsb_fs_lock);
	if (fsb_fs_table) {
		copy->lost = atomic64_read(&fsb_fs_table->lost);
		copy->since = fsb_fs_table->since;
		copy->nr = smp_load_acquire(&fsb_fs_table->nr); /* rows are complete */
		for (i = 0; i < copy->nr; i++)
			fsb_fs_copy_row(&copy->row[i], &fsb_fs_table->row[i]);
	}
	mutex_unlock(&fsb_fs_lock);
	return copy;
}
