// SPDX-License-Identifier: GPL-2.0-or-later
/* snapshot: building and releasing, see snapshot.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/snapshot.h"

/* More than any kernel has; what a foreign module claims is not believed. */
#define QUEUES_MAX 8192U
/* Depths of all queues together: no message and no file makes us take all memory. */
#define DEPTHS_MAX (1U << 20)

static void queue_free(struct queue_counts *queue)
{
	unsigned int class, kind;

	free(queue->depth_ns);
	for (class = 0; class < FSBSTAT_CLASSES; class++)
		for (kind = 0; kind < FSBSTAT_HIST_KINDS; kind++)
			free(queue->hist[class][kind]);
}

void snapshot_free(struct snapshot *snap)
{
	uint32_t i;

	for (i = 0; i < snap->nr_queues; i++)
		queue_free(&snap->queue[i]);
	free(snap->queue);
	snap->queue = NULL;
	snap->nr_queues = 0;
	ata_counts_free(snap->ata);
	snap->ata = NULL;
	fs_counts_free(snap->fs);
	snap->fs = NULL;
	unflushed_free(&snap->unflushed);
}

struct queue_counts *snapshot_queue(const struct snapshot *snap, uint32_t index)
{
	uint32_t i;

	for (i = 0; i < snap->nr_queues; i++)
		if (snap->queue[i].index == index)
			return &snap->queue[i];
	return NULL;
}

int snapshot_add_queue(struct snapshot *snap, const struct queue_counts *scalars)
{
	struct queue_counts *grown, *queue;

	if (snap->nr_queues >= QUEUES_MAX ||
	    (snap->nr_queues + 1) * ((uint64_t)snap->watch.depth_limit + 1) > DEPTHS_MAX ||
	    snapshot_queue(snap, scalars->index))
		return -EBADMSG;
	grown = realloc(snap->queue, (snap->nr_queues + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	snap->queue = grown;
	queue = &grown[snap->nr_queues];
	*queue = *scalars;
	memset(queue->hist, 0, sizeof(queue->hist));
	queue->nr_depth = snap->watch.depth_limit + 1;
	queue->depth_ns = calloc(queue->nr_depth, sizeof(*queue->depth_ns));
	if (!queue->depth_ns)
		return -ENOMEM;
	snap->nr_queues++;
	return 0;
}

int queue_set_depth(struct queue_counts *queue, uint32_t first, const void *values, size_t bytes)
{
	size_t nr = bytes / sizeof(uint64_t);

	if (bytes % sizeof(uint64_t) || first > queue->nr_depth || nr > queue->nr_depth - first)
		return -EBADMSG;
	memcpy(queue->depth_ns + first, values, bytes);
	return 0;
}

struct hist *queue_new_hist(struct queue_counts *queue, unsigned int class, unsigned int kind)
{
	if (class >= FSBSTAT_CLASSES || kind >= FSBSTAT_HIST_KINDS || queue->hist[class][kind])
		return NULL;
	queue->hist[class][kind] = calloc(1, sizeof(struct hist));
	return queue->hist[class][kind];
}
