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
 * kept by CPU, in a bank.  A bank's lock is held while the sum and a row are counted up, so
 * that in every copy the rows add up to the sum exactly.  It is raw, taken with interrupts
 * off, and a leaf; so is the lock under which owners are entered.  The two are never held
 * together.
 *
 * To count (any context; while the table is not being freed):
 *
 *	struct fsb_owners_entry entry;
 *
 *	fsb_owners_begin(owners, dev, &entry);
 *	entry.sum[WORD] += n;
 *	entry.row[WORD] += n;
 *	fsb_owners_end(&entry);
 */
#ifndef FSB_OWNERS_H
#define FSB_OWNERS_H

#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/types.h>

#include "compat/compat.h"
#include "probe_lock.h"

/* Rows of every bank that are no owner's. */
enum {
	FSB_OWNERS_SUM,		/* everything */
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
 * struct fsb_owners_bank - what was counted on one CPU
 * @lock: protects @value; raw, irqs off, leaf
 * @value: words of the rows, one row after another
 */
struct fsb_owners_bank {
	raw_spinlock_t lock;
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
	struct fsb_owners_bank **bank;
	raw_spinlock_t lock;
	u32 next;
	bool full;
};

/**
 * struct fsb_owners_entry - where to count; between fsb_owners_begin() and _end()
 * @sum: words of the sum
 * @row: words of the owner's row, or of those without one
 * @bank: private
 * @flags: private
 */
struct fsb_owners_entry {
	u64 *sum;
	u64 *row;
	struct fsb_owners_bank *bank;
	unsigned long flags;
};

u32 fsb_owners_enter(struct fsb_owners *owners, const struct fsb_owner_key *key, u32 hash);

/**
 * fsb_owner_cut() - keep the bytes before the first that is 0
 * @text: eight of them
 *
 * Older kernels leave rubbish behind the end of a name.
 *
 * Return: whether there was one.
 */
static __always_inline bool fsb_owner_cut(u64 *text)
{
	u64 zero = (*text - 0x0101010101010101ULL) & ~*text & 0x8080808080808080ULL;

	if (!zero)
		return false;
	*text &= ((zero - 1) & ~zero) >> 7;
	return true;
}

/**
 * fsb_owner_current() - the current task as an owner
 * @key: where to
 * @dev: the device
 */
static __always_inline void fsb_owner_current(struct fsb_owner_key *key, dev_t dev)
{
	__le64 comm[2];

	BUILD_BUG_ON(sizeof(comm) != sizeof(current->comm));
	memcpy(comm, current->comm, sizeof(comm));
	key->id = (u64)dev << 32 | (u32)current->tgid;
	key->comm[0] = le64_to_cpu(comm[0]);
	key->comm[1] = le64_to_cpu(comm[1]);
	if (fsb_owner_cut(&key->comm[0]))
		key->comm[1] = 0;
	else
		fsb_owner_cut(&key->comm[1]);
}

/**
 * fsb_owner_hash() - where to begin to look for an owner
 * @key: the owner
 * @seed: of the table
 *
 * Return: the hash.
 */
static __always_inline u32 fsb_owner_hash(const struct fsb_owner_key *key, u64 seed)
{
	const u64 odd = 0x9e3779b97f4a7c15ULL;
	u64 hash = (key->comm[0] ^ seed) * odd;

	hash = (hash ^ hash >> 32 ^ key->comm[1]) * odd;
	return ((hash ^ hash >> 32 ^ key->id) * odd) >> 32;
}

/**
 * fsb_owner_same() - whether two keys are of one owner
 * @a: a key
 * @b: a key
 *
 * Return: true when they are.
 */
static __always_inline bool fsb_owner_same(const struct fsb_owner_key *a,
					   const struct fsb_owner_key *b)
{
	return a->id == b->id && a->comm[0] == b->comm[0] && a->comm[1] == b->comm[1];
}

/**
 * fsb_owners_look() - find an owner's slot
 * @owners: the table
 * @key: the owner
 * @hash: its hash
 * @row: set to the owner's row, 0: it has none
 *
 * Return: the slot, a free one where there is no row; half of them are never used.
 */
static __always_inline struct fsb_owner_slot *fsb_owners_look(const struct fsb_owners *owners,
							      const struct fsb_owner_key *key,
							      u32 hash, u32 *row)
{
	struct fsb_owner_slot *slot;

	for (;; hash++) {
		slot = &owners->slot[hash & owners->mask];
		*row = smp_load_acquire(&slot->row);	/* the key is there with the row */
		if (!*row || fsb_owner_same(&slot->key, key))
			return slot;
	}
}

/**
 * fsb_owners_begin() - find or make the row of the current task; locks
 * @owners: the table
 * @dev: the device it is counted for
 * @entry: where to count until fsb_owners_end()
 *
 * Context: any.
 */
static __always_inline void fsb_owners_begin(struct fsb_owners *owners, dev_t dev,
					     struct fsb_owners_entry *entry)
{
	struct fsb_owner_key key;
	u32 hash, row;

	fsb_owner_current(&key, dev);
	hash = fsb_owner_hash(&key, owners->seed);
	fsb_owners_look(owners, &key, hash, &row);
	if (unlikely(!row))
		row = fsb_owners_enter(owners, &key, hash);
	entry->bank = owners->bank[raw_smp_processor_id()];
	entry->sum = entry->bank->value;
	entry->row = entry->bank->value + row * owners->words;
	fsb_probe_lock_irqsave(&entry->bank->lock, entry->flags);
}

/**
 * fsb_owners_end() - counterpart of fsb_owners_begin()
 * @entry: what that filled
 */
static __always_inline void fsb_owners_end(struct fsb_owners_entry *entry)
{
	raw_spin_unlock_irqrestore(&entry->bank->lock, entry->flags);
}

size_t fsb_owners_size(u32 words);
struct fsb_owners *fsb_owners_alloc(u32 words);
void fsb_owners_free(struct fsb_owners *owners);
void fsb_owners_sum(struct fsb_owners *owners, u64 *sum);

/**
 * struct fsb_owners_copy - a table at one instant, summed over CPUs
 * @words: counters in a row
 * @rows: rows that are used; those of owners have a key
 * @memory: bytes of the copy
 * @key: by row - %FSB_OWNERS_FIRST
 * @value: words of the rows
 */
struct fsb_owners_copy {
	u32 words;
	u32 rows;
	size_t memory;
	struct fsb_owner_key *key;
	u64 value[];
};

struct fsb_owners_copy *fsb_owners_copy_alloc(u32 words);
void fsb_owners_take(struct fsb_owners_copy *copy, struct fsb_owners *owners);
void fsb_owners_copy_free(struct fsb_owners_copy *copy);

/**
 * fsb_owners_row() - the counters of a row of a copy
 * @copy: the copy
 * @row: %FSB_OWNERS_SUM, %FSB_OWNERS_OTHER, or from %FSB_OWNERS_FIRST on an owner's
 *
 * Return: its words.
 */
static inline const u64 *fsb_owners_row(const struct fsb_owners_copy *copy, u32 row)
{
	return copy->value + row * copy->words;
}

#endif /* FSB_OWNERS_H */
