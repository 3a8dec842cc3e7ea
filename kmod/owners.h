/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * owners: who did how much of something: task groups (process, name of the task, device),
 * each with a row of counters.  Used for the bios of a disk and for calls of fsync.
 *
 * There is room for a fixed number of owners; the counts of those that find none are in
 * one row of their own.  An owner that got a row keeps it, and one that found no room never
 * gets one: what a row says is all that its owner did, from its first act on.
 *
 * Rows are the same on every CPU, so that it is decided once who has one; what they count is
 * kept by CPU, in a bank.  A bank is written by its CPU alone, with interrupts off and no lock;
 * its sequence count gives a reader each row as it was at one instant.  The sum of all owners is
 * that of the rows.  The one lock is taken to enter an owner: raw, irqs off, a leaf.
 *
 * To count (any context but an NMI; interrupts are off; while the table is not being freed):
 *
 *	struct fsb_owners_bank *bank = fsb_owners_begin(owners, dev);
 *
 *	bank->last[WORD] += n;
 *	fsb_owners_end(bank);
 */
#ifndef FSB_OWNERS_H
#define FSB_OWNERS_H

#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/seqlock.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/uidgid.h>

/* Most counters a row may have. */
#define FSB_OWNERS_WORDS 11

/* Rows of every bank. */
enum {
	FSB_OWNERS_OTHER,	/* of those that found no room */
	FSB_OWNERS_FIRST,	/* the first owner's */
};

/**
 * struct fsb_owner_key - who
 * @id: process (low half, in the initial pid namespace) and device
 * @comm: name of the task, as two little-endian numbers; 0 after its end
 */
struct fsb_owner_key {
	u64 id;
	u64 comm[2];
};

/**
 * struct fsb_owner_slot - a place in the hash table of owners
 * @key: the owner
 * @row: its row, 0 while the place is free; set last, never changed again
 */
struct fsb_owner_slot {
	struct fsb_owner_key key;
	u32 row;
};

/**
 * struct fsb_comm - the name of a task, to be compared as it lies there
 * @word: its bytes
 */
struct fsb_comm {
	u64 word[TASK_COMM_LEN / sizeof(u64)];
} __packed;

/**
 * struct fsb_owners_bank - what was counted on one CPU
 * @seq: odd while a row is written
 * @tgid: process of the owner that was counted last
 * @dev: device of that
 * @comm: the name of its task as it lies there
 * @last: its row
 * @value: words of the rows, one row after another
 */
struct fsb_owners_bank {
	seqcount_t seq;
	pid_t tgid;
	dev_t dev;
	struct fsb_comm comm;
	u64 *last;
	u64 value[];
};

/**
 * struct fsb_owners - a table
 * @words: counters in a row
 * @rows: rows of a bank
 * @mask: slots - 1; there are at least twice as many as owners
 * @seed: of the hash
 * @slot: open addressing
 * @bank: by CPU
 * @lock: held while an owner is entered; raw, irqs off, leaf
 * @next: the first row that is nobody's; moved on before an owner can be found
 * @full: no row is left, and all owners that have one can be found
 */
struct fsb_owners {
	u32 words;
	u32 rows;
	u32 mask;
	u64 seed;
	struct fsb_owner_slot *slot;
	struct fsb_owners_bank *__percpu *bank;
	raw_spinlock_t lock;
	u32 next;
	bool full;
};

void fsb_owners_find(struct fsb_owners *owners, struct fsb_owners_bank *bank, dev_t dev);

/**
 * fsb_owners_begin() - find or make the row of the current task
 * @owners: the table
 * @dev: the device it is counted for
 *
 * Nearly always it is the owner that was counted last on this CPU.
 *
 * Context: any but an NMI; interrupts are off until fsb_owners_end().
 * Return: the bank of this CPU; @last is the owner's row, or that of those without one.
 */
static __always_inline struct fsb_owners_bank *fsb_owners_begin(struct fsb_owners *owners,
								dev_t dev)
{
	struct fsb_owners_bank *bank = this_cpu_read(*owners->bank);
	const struct fsb_comm *comm = (const void *)current->comm;

	BUILD_BUG_ON(sizeof(*comm) != 2 * sizeof(u64));
	if (unlikely(bank->tgid != current->tgid || bank->dev != dev ||
		     bank->comm.word[0] != comm->word[0] ||
		     bank->comm.word[1] != comm->word[1]))
		fsb_owners_find(owners, bank, dev);
	raw_write_seqcount_begin(&bank->seq);
	return bank;
}

/**
 * fsb_owners_end() - counterpart of fsb_owners_begin()
 * @bank: what that returned
 */
static __always_inline void fsb_owners_end(struct fsb_owners_bank *bank)
{
	raw_write_seqcount_end(&bank->seq);
}

size_t fsb_owners_size(u32 words);
struct fsb_owners *fsb_owners_alloc(u32 words);
void fsb_owners_free(struct fsb_owners *owners);
void fsb_owners_sum(const struct fsb_owners *owners, u64 *sum);

/**
 * struct fsb_owners_copy - a table, summed over CPUs
 * @words: counters in a row
 * @rows: rows that are used; those of owners have a key
 * @tgids: the reader may know process numbers
 * @sum: words of the sum of all rows
 * @key: by row - %FSB_OWNERS_FIRST
 * @value: words of the rows
 */
struct fsb_owners_copy {
	u32 words;
	u32 rows;
	bool tgids;
	u64 sum[FSB_OWNERS_WORDS];
	struct fsb_owner_key *key;
	u64 value[];
};

struct fsb_owners_copy *fsb_owners_copy_alloc(u32 words, kuid_t uid);
void fsb_owners_take(struct fsb_owners_copy *copy, const struct fsb_owners *owners);

/**
 * fsb_owners_row() - the counters of a row of a copy
 * @copy: the copy
 * @row: %FSB_OWNERS_OTHER, or from %FSB_OWNERS_FIRST on an owner's
 *
 * Return: its words.
 */
static inline const u64 *fsb_owners_row(const struct fsb_owners_copy *copy, u32 row)
{
	return copy->value + row * copy->words;
}

#endif /* FSB_OWNERS_H */
