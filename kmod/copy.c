// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "copy.h"

/* Those who share a limit: a user, or with %INVALID_UID all who have the capability. */
struct fsb_pool {
	struct list_head list;
	kuid_t uid;
	size_t memory;
};

struct fsb_copy {
	struct fsb_pool *pool;
	size_t memory;
	u64 data[];
};

static DEFINE_MUTEX(fsb_pools_lock);
static LIST_HEAD(fsb_pools);

static struct fsb_pool *fsb_pool_get(kuid_t uid)
{
	struct fsb_pool *pool;

	list_for_each_entry(pool, &fsb_pools, list)
		if (pool->uid.val == uid.val)
			return pool;
	pool = kzalloc(sizeof(*pool), GFP_KERNEL);
	if (!pool)
		return NULL;
	pool->uid = uid;
	list_add(&pool->list, &fsb_pools);
	return pool;
}

static void fsb_uncharge(struct fsb_pool *pool, size_t memory)
{
	pool->memory -= memory;
	if (pool->memory)
		return;
	list_del(&pool->list);
	kfree(pool);
}

static struct fsb_pool *fsb_charge(kuid_t uid, size_t memory)
{
	size_t max = uid_valid(uid) ? FSB_COPIES_USER_MAX : FSB_COPIES_MAX, sum;
	struct fsb_pool *pool = fsb_pool_get(uid);

	if (!pool)
		return ERR_PTR(-ENOMEM);
	sum = size_add(pool->memory, memory);
	if (sum > max) {
		fsb_uncharge(pool, 0);
		return ERR_PTR(-EBUSY);
	}
	pool->memory = sum;
	return pool;
}

/**
 * fsb_copy_alloc() - memory for a copy
 * @size: bytes, zeroed
 * @uid: the reader; %INVALID_UID for one with the capability
 *
 * Charged to the reader's memory cgroup as well.
 *
 * Context: process context, may sleep; no lock held, for the reader may be throttled.
 * Return: the memory, to be given to fsb_copy_free(), or -EBUSY or -ENOMEM.
 */
void *fsb_copy_alloc(size_t size, kuid_t uid)
{
	size_t memory = size_add(sizeof(struct fsb_copy), size);
	struct fsb_pool *pool;
	struct fsb_copy *copy;

	mutex_lock(&fsb_pools_lock);
	pool = fsb_charge(uid, memory);
	mutex_unlock(&fsb_pools_lock);
	if (IS_ERR(pool))
		return pool;
	copy = kvzalloc(memory, GFP_KERNEL_ACCOUNT);
	if (copy) {
		copy->pool = pool;
		copy->memory = memory;
		return copy->data;
	}
	mutex_lock(&fsb_pools_lock);
	fsb_uncharge(pool, memory);
	mutex_unlock(&fsb_pools_lock);
	return ERR_PTR(-ENOMEM);
}

/**
 * fsb_copy_free() - counterpart of fsb_copy_alloc()
 * @data: what that returned
 *
 * Context: process context, may sleep.
 */
void fsb_copy_free(void *data)
{
	struct fsb_copy *copy = container_of(data, struct fsb_copy, data);

	mutex_lock(&fsb_pools_lock);
	fsb_uncharge(copy->pool, copy->memory);
	mutex_unlock(&fsb_pools_lock);
	kvfree(copy);
}
