// SPDX-License-Identifier: GPL-2.0-only
#include <linux/slab.h>

#include "reference.h"

/**
 * fsb_reference_find() - a holder's reference
 * @references: the disk's
 * @portid: the holder
 *
 * Return: it, or NULL.
 */
struct fsb_reference *fsb_reference_find(struct list_head *references, u32 portid)
{
	struct fsb_reference *reference;

	list_for_each_entry(reference, references, list)
		if (reference->portid == portid)
			return reference;
	return NULL;
}

/**
 * fsb_reference_get() - take one more share; the permanent one is taken only once
 * @references: the disk's
 * @portid: the holder
 * @layers: what it asks for, besides what it has asked for before
 *
 * Context: process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int fsb_reference_get(struct list_head *references, u32 portid, u32 layers)
{
	struct fsb_reference *reference = fsb_reference_find(references, portid);

	if (reference) {
		reference->layers |= layers;
		if (portid != FSB_PERMANENT)
			reference->count++;
		return 0;
	}
	reference = kmalloc(sizeof(*reference), GFP_KERNEL);
	if (!reference)
		return -ENOMEM;
	reference->portid = portid;
	reference->count = 1;
	reference->layers = layers;
	list_add_tail(&reference->list, references);
	return 0;
}

/**
 * fsb_reference_put() - give shares back; the last one frees the reference
 * @reference: the holder's
 * @count: how many
 */
void fsb_reference_put(struct fsb_reference *reference, u32 count)
{
	reference->count -= count;
	if (reference->count)
		return;
	list_del(&reference->list);
	kfree(reference);
}

/**
 * fsb_references_layers() - what all holders have asked for
 * @references: the disk's
 *
 * Return: layers.
 */
u32 fsb_references_layers(struct list_head *references)
{
	struct fsb_reference *reference;
	u32 layers = 0;

	list_for_each_entry(reference, references, list)
		layers |= reference->layers;
	return layers;
}

/**
 * fsb_references_of_sockets() - shares that are not the permanent one
 * @references: the disk's
 *
 * Return: their number.
 */
u32 fsb_references_of_sockets(struct list_head *references)
{
	struct fsb_reference *reference;
	u32 count = 0;

	list_for_each_entry(reference, references, list)
		if (reference->portid != FSB_PERMANENT)
			count += reference->count;
	return count;
}

/**
 * fsb_references_free() - forget all holders
 * @references: of a disk that goes
 */
void fsb_references_free(struct list_head *references)
{
	struct fsb_reference *reference, *next;

	list_for_each_entry_safe(reference, next, references, list) {
		list_del(&reference->list);
		kfree(reference);
	}
}
