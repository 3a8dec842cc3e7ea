// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/random.h>
#include <linux/slab.h>

#include "owners.h"
#include "snapshot.h"

/* Owners of a table; fewer where many CPUs would multiply the memory. */
#define FSB_OWNERS_MAX		512U
#define FSB_OWNERS_MIN		128U
#define FSB_OWNERS_ALL_BANKS	8192U

static u32 fsb_owners_room(void)
{
	u32 room = rounddown_pow_of_two(max(FSB_OWNERS_ALL_BANKS / num_possible_cpus(), 1U));

	return clamp(room, FSB_OWNERS_MIN, FSB_OWNERS_MAX);
}

static u32 fsb_owners_slots(void)
{
	return 2 * fsb_owners_room();
}

static size_t fsb_owners_bank_size(u32 words)
{
	return sizeof(struct fsb_owners_bank) +
	       (size_t)(fsb_owners_room() + FSB_OWNERS_FIRST) * words * sizeof(u64);
}

/**
 * fsb_owners_size() - memory a table takes
 * @words: counters in a row
 *
 * Return: bytes.
 */
size_t fsb_owners_size(u32 words)
{
	return sizeof(struct fsb_owners) + fsb_owners_slots() * sizeof(struct fsb_owner_slot) +
	       nr_cpu_ids * sizeof(struct fsb_owners_bank *) +
	       num_possible_cpus() * fsb_owners_bank_size(words);
}

static int fsb_owners_alloc_banks(struct fsb_owners *owners)
{
	struct fsb_owners_bank *bank;
	unsigned int cpu;

	owners->bank = kvcalloc(nr_cpu_ids, sizeof(*owners->bank), GFP_KERNEL);
	if (!owners->bank)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		bank = kvzalloc_node(fsb_owners_bank_size(owners->words), GFP_KERNEL,
				     cpu_to_node(cpu));
		if (!bank)
			return -ENOMEM;
		raw_spin_lock_init(&bank->lock);
		owners->bank[cpu] = bank;
	}
	return 0;
}

/**
 * fsb_owners_alloc() - make a table
 * @words: counters in a row
 *
 * Context: process context, may sleep.
 * Return: the table, or NULL.
 */
struct fsb_owners *fsb_owners_alloc(u32 words)
{
	struct fsb_owners *owners = kzalloc(sizeof(*owners), GFP_KERNEL);

	if (!owners)
		return NULL;
	raw_spin_lock_init(&owners->lock);
	owners->words = words;
	owners->rows = fsb_owners_room() + FSB_OWNERS_FIRST;
	owners->next = FSB_OWNERS_FIRST;
	owners->mask = fsb_owners_slots() - 1;
	get_random_bytes(&owners->seed, sizeof(owners->seed));
	owners->slot = kvcalloc(fsb_owners_slots(), sizeof(*owners->slot), GFP_KERNEL);
	if (owners->slot && !fsb_owners_alloc_banks(owners))
		return owners;
	fsb_owners_free(owners);
	return NULL;
}

/**
 * fsb_owners_free() - release a table
 * @owners: one that nobody counts in any more, or NULL
 */
void fsb_owners_free(struct fsb_owners *owners)
{
	unsigned int cpu;

	if (!owners)
		return;
	if (owners->bank)
		for_each_possible_cpu(cpu)
			kvfree(owners->bank[cpu]);
	kvfree(owners->bank);
	kvfree(owners->slot);
	kfree(owners);
}

/**
 * fsb_owners_enter() - give an owner a row
 * @owners: the table
 * @key: an owner that was not found a moment ago
 * @hash: its hash
 *
 * Context: any.
 * Return: its row, or %FSB_OWNERS_OTHER when all are taken.
 */
u32 fsb_owners_enter(struct fsb_owners *owners, const struct fsb_owner_key *key, u32 hash)
{
	struct fsb_owner_slot *slot;
	unsigned long flags;
	u32 row;

	/* Pairs with the release below: once full, every owner can be found. */
	if (smp_load_acquire(&owners->full)) {
		fsb_owners_look(owners, key, hash, &row);
		return row ?: FSB_OWNERS_OTHER;
	}
	fsb_probe_lock_irqsave(&owners->lock, flags);
	slot = fsb_owners_look(owners, key, hash, &row);
	if (!row && owners->next < owners->rows) {
		row = owners->next;
		WRITE_ONCE(owners->next, row + 1);
		slot->key = *key;
		/* Whoever sees the row sees the key, and that next is beyond it. */
		smp_store_release(&slot->row, row);
		/* Whoever sees that it is full sees every row. */
		smp_store_release(&owners->full, owners->next == owners->rows);
	}
	raw_spin_unlock_irqrestore(&owners->lock, flags);
	return row ?: FSB_OWNERS_OTHER;
}

/**
 * fsb_owners_sum() - what all owners did together
 * @owners: the table
 * @sum: gets the words of the sum over all CPUs
 *
 * Context: process context.
 */
void fsb_owners_sum(struct fsb_owners *owners, u64 *sum)
{
	struct fsb_owners_bank *bank;
	unsigned long flags;
	unsigned int cpu;
	u32 word;

	memset(sum, 0, owners->words * sizeof(*sum));
	for_each_possible_cpu(cpu) {
		bank = owners->bank[cpu];
		raw_spin_lock_irqsave(&bank->lock, flags);
		for (word = 0; word < owners->words; word++)
			sum[word] += bank->value[word];
		raw_spin_unlock_irqrestore(&bank->lock, flags);
	}
}

/**
 * fsb_owners_copy_alloc() - make room for the copy of a table
 * @words: counters in a row
 *
 * Charged to the reader's memory cgroup, and to what all readers may keep together.
 *
 * Context: process context, may sleep; no lock held, for the reader may be throttled.
 * Return: the room, to be given to fsb_owners_copy_free(), or -EBUSY or -ENOMEM.
 */
struct fsb_owners_copy *fsb_owners_copy_alloc(u32 words)
{
	size_t room = fsb_owners_room();
	struct fsb_owners_copy *copy;
	size_t values, memory;

	values = (room + FSB_OWNERS_FIRST) * words * sizeof(u64);
	memory = sizeof(*copy) + values + room * sizeof(struct fsb_owner_key);
	if (!fsb_snapshots_charge(memory))
		return ERR_PTR(-EBUSY);
	copy = kvzalloc(memory, GFP_KERNEL_ACCOUNT);
	if (!copy) {
		fsb_snapshots_uncharge(memory);
		return ERR_PTR(-ENOMEM);
	}
	copy->words = words;
	copy->memory = memory;
	copy->key = (void *)copy->value + values;
	return copy;
}

/**
 * fsb_owners_take() - copy a table
 * @copy: room for one with as many words
 * @owners: a table that will not be freed meanwhile
 *
 * Each bank is taken as it is at one instant: rows add up to the sum.  Keys come last,
 * so that whatever was counted has one; a row that is being entered may have neither.
 *
 * Context: process context.
 */
void fsb_owners_take(struct fsb_owners_copy *copy, struct fsb_owners *owners)
{
	const struct fsb_owner_slot *slot;
	struct fsb_owners_bank *bank;
	unsigned long flags;
	unsigned int cpu;
	u32 i, nr, row;

	for_each_possible_cpu(cpu) {
		bank = owners->bank[cpu];
		raw_spin_lock_irqsave(&bank->lock, flags);
		nr = READ_ONCE(owners->next) * owners->words;
		for (i = 0; i < nr; i++)
			copy->value[i] += bank->value[i];
		raw_spin_unlock_irqrestore(&bank->lock, flags);
	}
	copy->rows = READ_ONCE(owners->next);
	for (i = 0; i <= owners->mask; i++) {
		slot = &owners->slot[i];
		row = smp_load_acquire(&slot->row);	/* the key is there with the row */
		if (row && row < copy->rows)
			copy->key[row - FSB_OWNERS_FIRST] = slot->key;
	}
}

/**
 * fsb_owners_copy_free() - release a copy
 * @copy: it
 */
void fsb_owners_copy_free(struct fsb_owners_copy *copy)
{
	fsb_snapshots_uncharge(copy->memory);
	kvfree(copy);
}
