/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * experiment: all trials of a plan on a target, block after block, each stored when it has ended;
 * and going on with one that was cut off.  Called by cmd/run.c.
 *
 *	experiment.c		blocks, rules, the end
 *	experiment_resume.c	what a run that was cut off has done already
 *	experiment_cell.c	what is known of each cell so far
 *	experiment_store.c	what is stored of a run when it begins
 *	experiment_disk.c	the disk that a stored run was begun on
 *	experiment_host.c	the machine it runs on
 */
#ifndef FSB_BENCH_EXPERIMENT_H
#define FSB_BENCH_EXPERIMENT_H

#include "bench/leftover.h"
#include "bench/plan.h"
#include "bench/progress.h"
#include "bench/store.h"
#include "bench/target.h"
#include "record/span.h"
#include "source/source.h"

struct experiment_options {
	const char *disk; /* the device as it was named, NULL: an image */
	const char *scale; /* NULL: none */
	unsigned int max_runs; /* as given; 0: not */
	double max_seconds;
	double settle_s; /* that the disk has to be idle before a trial */
	enum source_kind source;
};

/* The disk that a run was begun on; "" and 0: not known. */
struct experiment_disk {
	char id[256]; /* that its data was agreed to be lost with */
	char serial[128], wwn[128], model[128];
	char port[256]; /* see disk/place.h */
	int64_t size; /* bytes */
};

/* Options, disk and range of a run that is to go on, as they were stored. */
struct experiment_stored {
	struct experiment_options options;
	char scale[64], disk[256]; /* what options point to */
	char image[512]; /* "": it was no image */
	bool partition; /* a partition was named, not a whole disk */
	uint64_t offset, size;
	struct experiment_disk was;
};

/* Cells with what is known of them. */
struct cell_progress {
	int64_t id; /* in the store */
	double *sample; /* scores that count */
	size_t n;
	unsigned int trials, failed; /* all of them; those that failed */
	unsigned int block; /* the last one that it was run in */
	double whole_s; /* all of its trials together, from settings to unmounting */
	enum stats_stop stop;
};

struct experiment {
	struct plan *plan;
	struct target *target;
	struct store *store;
	struct progress *progress;
	struct experiment_options options;
	struct leftover leftover; /* locked by the caller; its `at` is "" for an image */
	struct span *span;
	struct store_run run; /* its strings are this struct's, unless resumed */
	bool resumed;
	struct cell_progress *cell; /* plan->nr_cells of them */
	unsigned int nr_trials; /* that are stored */
	double spent_s; /* on them */
};

/* How it ended. */
enum experiment_end {
	EXPERIMENT_COMPLETE,
	EXPERIMENT_INTERRUPTED, /* interrupt_signal() */
	EXPERIMENT_NO_TARGET, /* the disk is gone, or somebody's: *trouble */
	EXPERIMENT_BROKEN, /* it could not go on: *trouble */
};

/*
 * What the caller has filled in before (plan, target, store, progress, options, leftover) stays
 * the caller's.  0, or -1 with *trouble; experiment_free() in either case.
 */
int experiment_new(struct experiment *experiment, struct trouble *trouble);
/*
 * The same for a run to go on with, whose text the plan was made from; @stored stays the caller's.
 * Cells that it does not have are taken out of the plan.  Refuses where machine, disk or tools are
 * others.
 */
int experiment_resume(struct experiment *experiment, const struct store_result *stored,
		      struct trouble *trouble);
/*
 * The first part of experiment_resume(), which runs no program: the plan's cells become those of
 * the run.  0, or -1 with *trouble.
 */
int experiment_match(struct experiment *experiment, const struct store_result *stored,
		     struct trouble *trouble);
void experiment_free(struct experiment *experiment);

/* What a stored run was begun with.  0, or -1 with *trouble. */
int experiment_read_stored(struct experiment_stored *stored, const struct store_run *run,
			   struct trouble *trouble);

/*
 * The disk that a run was begun on, whatever name it has now: *name is "" where no disk here has
 * its identity.  *moved: it has no WWN and is at another port: maybe another disk of the same
 * serial number.  0, or -1 with *trouble: the disks here with that identity are others, or two
 * cannot be told apart.
 */
int experiment_find_disk(const struct experiment_disk *was, char name[DISK_NAME_MAX], bool *moved,
			 struct trouble *trouble);
/* "size", ...: by what a disk of the same identity is another one, NULL: nothing known. */
const char *experiment_other_disk(const struct experiment_disk *was, const struct disk_info *now);

/*
 * Claims the target, puts a new run into the store, runs what is left to run, puts everything
 * back.  The caller hears signals meanwhile (interrupt.h).
 */
enum experiment_end experiment_run(struct experiment *experiment, struct trouble *trouble);

/* How many cells that can be had have no score, or were given up. */
size_t experiment_failed(const struct experiment *experiment);

/* --- for the files experiment*.c only --- */

/*
 * Counts a trial in that took @whole_s; decides whether the cell is to be run again.  0, or -1: no
 * memory.
 */
int experiment_cell_take(struct experiment *experiment, size_t cell,
			 const struct store_trial *trial, double whole_s);
/* It could be run, and its rule does not say that it is done. */
bool experiment_cell_waits(const struct experiment *experiment, size_t cell);
void experiment_cell_stats(const struct cell_progress *cell, struct stats *stats);
/* Seconds until every cell has had its least number of runs, or another one; < 0: not known. */
double experiment_left(const struct experiment *experiment);

/* Everything of store_run but its id, and the cells.  0, or -1 with *trouble. */
int experiment_describe(struct experiment *experiment, struct store_cell **cells,
			struct trouble *trouble);
void experiment_cells_free(struct store_cell *cells, size_t nr);
/* Fills run->host.  0, or -1 with *trouble. */
int experiment_host(struct experiment *experiment, struct store_host *host,
		    struct trouble *trouble);
void experiment_run_free(struct store_run *run);
/* 0, or -1 with *trouble, which names what differs. */
int experiment_same_host(const char *run, const struct store_host *then,
			 const struct store_host *now, struct trouble *trouble);

#endif /* FSB_BENCH_EXPERIMENT_H */
