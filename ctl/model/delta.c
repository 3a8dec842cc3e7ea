// SPDX-License-Identifier: GPL-2.0-or-later
/* delta: what happened between two snapshots, see delta.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/delta.h"
#include "model/words.h"

void delta_free(struct delta *delta)
{
	unsigned int class, kind;
	uint32_t i;

	for (class = 0; class < FSBSTAT_CLASSES; class++) {
		for (kind = 0; kind < FSBSTAT_HIST_KINDS; kind++) {
			free(delta->class[class].hist[kind]);
			delta->class[class].hist[kind] = NULL;
		}
	}
	for (i = 0; i < delta->nr_queues; i++)
		free(delta->queue[i].depth_ns);
	free(delta->queue);
	delta->queue = NULL;
	delta->nr_queues = 0;
	ata_delta_free(delta->ata);
	delta->ata = NULL;
	fs_delta_free(delta->fs);
	delta->fs = NULL;
}

static int classes_of_queue(struct delta *delta, const struct queue_counts *a,
			    const struct queue_counts *b)
{
	unsigned int class, kind;
	int err;

	for (class = 0; class < FSBSTAT_CLASSES; class++) {
		struct class_counts counts;

		err = words_subtract(&counts, &b->class[class], &a->class[class],
				     WORDS(counts));
		if (err)
			return err;
		words_add(&delta->class[class].counts, &counts, WORDS(counts));
		for (kind = 0; kind < FSBSTAT_HIST_KINDS; kind++) {
			struct hist hist;

			if (!b->hist[class][kind]) {
				if (a->hist[class][kind] && a->hist[class][kind]->count)
					return -ERANGE;
				continue;
			}
			err = hist_subtract(&hist, b->hist[class][kind], a->hist[class][kind]);
			if (!err)
				err = hist_merge_into(&delta->class[class].hist[kind], &hist);
			if (err)
				return err;
		}
	}
	return 0;
}

/* @a is a queue that has counted nothing yet when there was none. */
static int queue_of(struct delta *delta, const struct queue_counts *a,
		    const struct queue_counts *b)
{
	struct queue_delta *queue = &delta->queue[delta->nr_queues];
	struct quality_counts difference;
	int err;

	queue->depth_ns = calloc(b->nr_depth, sizeof(*queue->depth_ns));
	if (!queue->depth_ns)
		return -ENOMEM;
	delta->nr_queues++;
	queue->index = b->index;
	queue->nr_depth = b->nr_depth;
	if (b->edge.time_ns < a->edge.time_ns || a->nr_depth > b->nr_depth)
		return -ERANGE;
	queue->elapsed_ns = b->edge.time_ns - a->edge.time_ns;
	queue->begin = a->edge;
	queue->end = b->edge;
	memcpy(queue->depth_ns, b->depth_ns, b->nr_depth * sizeof(*queue->depth_ns));
	err = words_subtract(queue->depth_ns, b->depth_ns, a->depth_ns, a->nr_depth);
	if (err)
		return err;
	err = words_subtract(&difference, &b->quality, &a->quality, WORDS(difference));
	if (err)
		return err;
	words_add(&delta->quality, &difference, WORDS(difference));
	return classes_of_queue(delta, a, b);
}

/* Counts of another watch, or none, are no beginning. */
static int ata_of(struct delta *delta, const struct snapshot *a, const struct snapshot *b,
		  bool same)
{
	uint64_t a_time_ns = same && a->nr_queues ? a->queue[0].edge.time_ns : 0;

	if (!b->ata)
		return same && a->ata ? -ERANGE : 0;
	return ata_subtract(&delta->ata, b->ata, same ? a->ata : NULL, a_time_ns);
}

/* Counted apart from the disk: what went back while it was watched anew began anew too. */
static int fs_of(struct delta *delta, const struct snapshot *a, const struct snapshot *b,
		 bool same)
{
	static const struct fs_counts none;
	int err;

	if (!a->fs || !b->fs)
		return 0;
	err = fs_subtract(&delta->fs, b->fs, a->fs);
	if (err != -ERANGE || same)
		return err;
	fs_delta_free(delta->fs);
	return fs_subtract(&delta->fs, b->fs, &none);
}

static bool same_watch(const struct watch *a, const struct watch *b)
{
	return a->id == b->id && a->added_ns == b->added_ns && a->restarts == b->restarts;
}

int delta_make(struct delta *delta, const struct snapshot *a, const struct snapshot *b)
{
	static const struct bio_counts no_bio;
	static const struct kernel_counts no_kernel;
	bool same = same_watch(&a->watch, &b->watch);
	uint32_t i;
	int err;

	memset(delta, 0, sizeof(*delta));
	delta->windows = 1;
	delta->missing = a->missing | b->missing;
	delta->depth_limit = b->watch.depth_limit;
	delta->hw_queues = b->watch.queues;
	delta->settling = a->watch.settling || b->watch.settling;
	delta->silent = a->watch.silent || b->watch.silent;
	delta->restarted = !same;
	delta->gone = b->watch.state == FSBSTAT_DISK_GONE;
	err = words_subtract(&delta->bio, &b->bio, same ? &a->bio : &no_bio,
			     WORDS(struct bio_counts));
	if (!err)
		err = words_subtract(&delta->kernel, &b->kernel, same ? &a->kernel : &no_kernel,
				     WORDS(struct kernel_counts));
	if (err)
		return err;
	delta->queue = calloc(b->nr_queues ? b->nr_queues : 1, sizeof(*delta->queue));
	if (!delta->queue)
		return -ENOMEM;
	for (i = 0; i < b->nr_queues && !err; i++) {
		const struct queue_counts *from;
		struct queue_counts none = { .edge = { .start_ns = b->queue[i].edge.start_ns,
						       .time_ns = b->queue[i].edge.start_ns } };

		from = same ? snapshot_queue(a, b->queue[i].index) : &none;
		err = from ? queue_of(delta, from, &b->queue[i]) : -ERANGE;
	}
	if (!err)
		err = ata_of(delta, a, b, same);
	if (!err)
		err = fs_of(delta, a, b, same);
	if (!err)
		err = unflushed_subtract(&delta->unflushed, &b->unflushed,
					 same ? &a->unflushed : NULL, b->watch.added_ns);
	delta->unflushed.cache_begin = a->watch.write_cache;
	delta->unflushed.cache_end = b->watch.write_cache;
	delta->unflushed.settings_changed = !same || a->watch.settings != b->watch.settings;
	if (err)
		delta_free(delta);
	else if (delta->nr_queues)
		delta->elapsed_ns = delta->queue[0].elapsed_ns;
	return err;
}

static struct queue_delta *find_queue(const struct delta *delta, uint32_t index)
{
	uint32_t i;

	for (i = 0; i < delta->nr_queues; i++)
		if (delta->queue[i].index == index)
			return &delta->queue[i];
	return NULL;
}

/* A queue that was not there in the windows before starts from nothing. */
static int add_queue(struct delta *into, const struct queue_delta *from)
{
	struct queue_delta *queue = find_queue(into, from->index);
	uint64_t *depth;

	if (!queue) {
		queue = realloc(into->queue, (into->nr_queues + 1) * sizeof(*queue));
		if (!queue)
			return -ENOMEM;
		into->queue = queue;
		queue += into->nr_queues++;
		memset(queue, 0, sizeof(*queue));
		queue->index = from->index;
		queue->begin = from->begin;
	}
	if (from->nr_depth > queue->nr_depth) {
		depth = calloc(from->nr_depth, sizeof(*depth));
		if (!depth)
			return -ENOMEM;
		if (queue->nr_depth)
			memcpy(depth, queue->depth_ns, queue->nr_depth * sizeof(*depth));
		free(queue->depth_ns);
		queue->depth_ns = depth;
		queue->nr_depth = from->nr_depth;
	}
	queue->elapsed_ns += from->elapsed_ns;
	queue->end = from->end;
	words_add(queue->depth_ns, from->depth_ns, from->nr_depth);
	return 0;
}

int delta_add(struct delta *into, const struct delta *from)
{
	unsigned int class, kind;
	uint32_t i;
	int err = 0;

	unflushed_add(&into->unflushed, &from->unflushed, !into->windows);
	into->windows += from->windows;
	into->missing |= from->missing;
	into->elapsed_ns += from->elapsed_ns;
	into->depth_limit = from->depth_limit;
	into->hw_queues = from->hw_queues;
	into->settling = into->settling || from->settling;
	into->silent = into->silent || from->silent;
	into->restarted = into->restarted || from->restarted;
	into->gone = into->gone || from->gone;
	words_add(&into->bio, &from->bio, WORDS(into->bio));
	words_add(&into->kernel, &from->kernel, WORDS(into->kernel));
	words_add(&into->quality, &from->quality, WORDS(into->quality));
	for (class = 0; class < FSBSTAT_CLASSES; class++) {
		words_add(&into->class[class].counts, &from->class[class].counts,
			  WORDS(struct class_counts));
		for (kind = 0; kind < FSBSTAT_HIST_KINDS && !err; kind++)
			if (from->class[class].hist[kind])
				err = hist_merge_into(&into->class[class].hist[kind],
						      from->class[class].hist[kind]);
	}
	for (i = 0; i < from->nr_queues && !err; i++)
		err = add_queue(into, &from->queue[i]);
	if (!err && from->ata)
		err = ata_add(&into->ata, from->ata);
	if (!err && from->fs)
		err = fs_add(&into->fs, from->fs);
	return err;
}

double queue_depth_mean(const struct queue_delta *queue)
{
	double weighted = 0, time = 0;
	uint32_t depth;

	for (depth = 0; depth < queue->nr_depth; depth++) {
		weighted += (double)depth * (double)queue->depth_ns[depth];
		time += (double)queue->depth_ns[depth];
	}
	return time > 0 ? weighted / time : 0;
}

double delta_depth_mean(const struct delta *delta)
{
	double mean = 0;
	uint32_t i;

	for (i = 0; i < delta->nr_queues; i++)
		mean += queue_depth_mean(&delta->queue[i]);
	return mean;
}

uint32_t queue_depth_max(const struct queue_delta *queue)
{
	uint32_t depth;

	for (depth = queue->nr_depth; depth > 1; depth--)
		if (queue->depth_ns[depth - 1])
			return depth - 1;
	return 0;
}
