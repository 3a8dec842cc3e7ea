// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/random.h>
#include <linux/slab.h>

#include "copy.h"
#include "owners.h"
#include "probe_lock.h"

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
	       num_possible_cpus() *
		       (sizeof(struct fsb_owners_bank *) + fsb_owners_bank_size(words));
}

static int fsb_owners_alloc_banks(struct fsb_owners *owners)
{
	struct fsb_owners_bank *bank;
	unsigned int cpu;

	owners->bank = alloc_percpu(struct fsb_owners_bank *);
	if (!owners->bank)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		bank = kvzalloc_node(fsb_owners_bank_size(owners->words), GFP_KERNEL,
				     cpu_to_node(cpu));
		if (!bank)
			return -ENOMEM;
		seqcount_init(&bank->seq);
		bank->tgid = -1;	/* of no owner */
		*per_cpu_ptr(owners->bank, cpu) = bank;
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
			kvfree(*per_cpu_ptr(owners->bank, cpu));
	free_percpu(owners->bank);
	kvfree(owners->slot);
	kfree(owners);
}

/*
 * Keep the bytes before the first that is 0: older kernels leave rubbish behind the end of a
 * name.  Says whether there was one.
 */
static bool fsb_owner_cut(u64 *text)
{
	u64 zero = (*text - 0x0101010101010101ULL) & ~*text & 0x8080808080808080ULL;

	if (!zero)
		return false;
	*text &= ((zero - 1) & ~zero) >> 7;
	return true;
}

static void fsb_owner_key(struct fsb_owner_key *key, u64 id, const u64 *comm)
{
	key->id = id;
	key->comm[0] = le64_to_cpu((__force __le64)comm[0]);
	key->comm[1] = le64_to_cpu((__force __le64)comm[1]);
	if (fsb_owner_cut(&key->comm[0]))
		key->comm[1] = 0;
	else
		fsb_owner_cut(&key->comm[1]);
}

static u32 fsb_owner_hash(const struct fsb_owner_key *key, u64 seed)
{
	const u64 odd = 0x9e3779b97f4a7c15ULL;
	u64 hash = (key->comm[0] ^ seed) * odd;

	hash = (hash ^ hash >> 32 ^ key->comm[1]) * odd;
	return ((hash ^ hash >> 32 ^ key->id) * odd) >> 32;
}

/* The slot of an owner, a free one where it has no row; half of them are never used. */
static struct fsb_owner_slot *fsb_owners_look(const struct fsb_owners *owners,
					      const struct fsb_owner_key *key, u32 hash, u32 *row)
{
	struct fsb_owner_slot *slot;

	for (;; hash++) {
		slot = &owners->slot[hash & owners->mask];
		*row = smp_load_acquire(&slot->row);	/* the key is there with the row */
		if (!*row || (slot->key.id == key->id && slot->key.comm[0] == key->comm[0] &&
			      slot->key.comm[1] == key->comm[1]))
			return slot;
	}
}

/* Gives an owner that was not found a moment ago a row, while there is one. */
static u32 fsb_owners_enter(struct fsb_owners *owners, const struct fsb_owner_key *key, u32 hash)
{
	struct fsb_owner_slot *slot;
	unsigned long flags;
	u32 row;

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
	return row;
}

/* Half of a name that another thread is changing would have a row for ever: it is read again. */
static void fsb_owner_comm(u64 *comm)
{
	unsigned int tries = 0;

	do {
		memcpy(comm, current->comm, sizeof(current->comm));
		barrier();
	} while (memcmp(comm, current->comm, sizeof(current->comm)) && ++tries < 8);
}

/**
 * fsb_owners_find() - find or make the row of the current task, for fsb_owners_begin()
 * @owners: the table
 * @bank: of this CPU; gets it for the next time
 * @dev: the device
 *
 * Context: interrupts off.
 */
void fsb_owners_find(struct fsb_owners *owners, struct fsb_owners_bank *bank, dev_t dev)
{
	struct fsb_owner_key key;
	bool full;
	u32 hash, row;

	fsb_owner_comm(bank->comm.word);
	bank->tgid = current->tgid;
	bank->dev = dev;
	fsb_owner_key(&key, (u64)dev << 32 | (u32)bank->tgid, bank->comm.word);
	hash = fsb_owner_hash(&key, owners->seed);
	full = smp_load_acquire(&owners->full);	/* once it is, every owner can be found */
	fsb_owners_look(owners, &key, hash, &row);
	if (!row && !full)
		row = fsb_owners_enter(owners, &key, hash);
	bank->last = bank->value + row * owners->words;
}

/* Adds a row of a bank, as it was at one instant. */
static void fsb_bank_add(const struct fsb_owners_bank *bank, u32 row, u32 words, u64 *to)
{
	u64 value[FSB_OWNERS_WORDS];
	unsigned int seq;
	u32 word;

	do {
		seq = read_seqcount_begin(&bank->seq);
		memcpy(value, bank->value + row * words, words * sizeof(*value));
	} while (read_seqcount_retry(&bank->seq, seq));
	for (word = 0; word < words; word++)
		to[word] += value[word];
}

/**
 * fsb_owners_sum() - what all owners did together
 * @owners: the table
 * @sum: gets the words of the sum of all rows
 *
 * Context: process context.
 */
void fsb_owners_sum(const struct fsb_owners *owners, u64 *sum)
{
	u32 row, rows = READ_ONCE(owners->next);
	unsigned int cpu;

	memset(sum, 0, owners->words * sizeof(*sum));
	for_each_possible_cpu(cpu)
		for (row = 0; row < rows; row++)
			fsb_bank_add(*per_cpu_ptr(owners->bank, cpu), row, owners->words, sum);
}

/**
 * fsb_owners_copy_alloc() - make room for the copy of a table
 * @words: counters in a row
 * @uid: the reader, see fsb_copy_alloc()
 *
 * Context: as fsb_copy_alloc().
 * Return: the room, to be given to fsb_copy_free(), or -EBUSY or -ENOMEM.
 */
struct fsb_owners_copy *fsb_owners_copy_alloc(u32 words, kuid_t uid)
{
	size_t room = fsb_owners_room();
	size_t values = (room + FSB_OWNERS_FIRST) * words * sizeof(u64);
	struct fsb_owners_copy *copy;

	copy = fsb_copy_alloc(sizeof(*copy) + values + room * sizeof(struct fsb_owner_key), uid);
	if (IS_ERR(copy))
		return copy;
	copy->words = words;
	copy->rows = FSB_OWNERS_FIRST;
	copy->key = (void *)copy->value + values;
	return copy;
}

/**
 * fsb_owners_take() - copy a table
 * @copy: room for one with as many words
 * @owners: a table that will not be freed meanwhile
 *
 * Keys come last, so that whatever was counted has one; a row that is being entered may have
 * neither.
 *
 * Context: process context.
 */
void fsb_owners_take(struct fsb_owners_copy *copy, const struct fsb_owners *owners)
{
	const struct fsb_owner_slot *slot;
	unsigned int cpu;
	u32 i, row, word;
	u64 *value = copy->value;

	copy->rows = READ_ONCE(owners->next);
	for (row = 0; row < copy->rows; row++, value += copy->words) {
		for_each_possible_cpu(cpu)
			fsb_bank_add(*per_cpu_ptr(owners->bank, cpu), row, copy->words, value);
		for (word = 0; word < copy->words; word++)
			copy->sum[word] += value[word];
	}
	for (i = 0; i <= owners->mask; i++) {
		slot = &owners->slot[i];
		row = smp_load_acquire(&slot->row);	/* the key is there with the row */
		if (row && row < copy->rows)
			copy->key[row - FSB_OWNERS_FIRST] = slot->key;
	}
}
