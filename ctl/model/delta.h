/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * delta: what happened on a disk between two snapshots.  Counts are exact
 * differences; histograms are merged over the hardware queues, time at depth is
 * kept per queue.  Pure; called by record and out.
 *
 * Ownership: a struct delta owns its histograms, queues and layers; delta_free() releases
 * them and may be called twice.  A zeroed struct is an empty delta.
 */
#ifndef FSB_MODEL_DELTA_H
#define FSB_MODEL_DELTA_H

#include "model/hist.h"

struct class_delta {
	struct class_counts counts;
	struct hist *hist[FSBSTAT_HIST_KINDS]; /* NULL: no samples */
};

struct queue_delta {
	uint32_t index;
	uint64_t elapsed_ns; /* by the queue's own clock; depth_ns sums to it */
	struct queue_edge begin, end;
	uint32_t nr_depth;
	uint64_t *depth_ns;
};

struct delta {
	unsigned int windows; /* how many were added up; 0: empty */
	uint32_t missing; /* LAYER_BIT()s, see struct snapshot */
	struct kernel_counts kernel;
	uint64_t elapsed_ns; /* by the clock of the first queue */
	uint32_t depth_limit; /* tags in one queue */
	uint32_t hw_queues;
	struct bio_counts bio;
	struct class_delta class[FSBSTAT_CLASSES];
	struct quality_counts quality;
	bool settling; /* older requests were in flight: depth is a lower bound */
	bool silent; /* not counted, at one end at least: no number says anything */
	bool restarted; /* counters began again: what was before that is lost */
	bool gone; /* the device vanished: up to then */
	uint32_t nr_queues;
	struct queue_delta *queue;
	/* NULL: no ATA command was seen.  A window without any is missing in the sum. */
	struct ata_delta *ata;
	struct fs_delta *fs; /* NULL: not known at both ends */
	struct unflushed_delta unflushed;
};

/*
 * @b minus @a.  When the watch was restarted or replaced between them, everything
 * since that restart.  -ENOMEM; -ERANGE when a counter went back.
 */
int delta_make(struct delta *delta, const struct snapshot *a, const struct snapshot *b);

/* Adds a further window of the same disk; -ENOMEM. */
int delta_add(struct delta *into, const struct delta *from);

void delta_free(struct delta *delta);

/* Time-weighted: sum of depth x time / time; of the disk: the sum of its queues'. */
double queue_depth_mean(const struct queue_delta *queue);
double delta_depth_mean(const struct delta *delta);
/* The highest depth that any time was spent at. */
uint32_t queue_depth_max(const struct queue_delta *queue);

#endif /* FSB_MODEL_DELTA_H */
