/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan: what a matrix comes to on this machine: its cells, which of them cannot be had and why, the
 * order of trials, what is missing, how long it takes.  Made from matrix, workloads and
 * filesystems; changes nothing.
 */
#ifndef FSB_BENCH_PLAN_H
#define FSB_BENCH_PLAN_H

#include "bench/filesystem.h"
#include "bench/matrix.h"
#include "bench/store.h"
#include "bench/target.h"
#include "bench/workload.h"

struct cell {
	const struct configuration *configuration;
	const struct workload_use *use;
	const struct filesystem *fs;
	char *name; /* "ext4-barrier-cache/dbench-12" */
	struct filesystem_mount_plan mount;
	struct settings settings; /* with "max" and emulation resolved */
	char *unsupported; /* why it cannot be run here; NULL: it can */
	double around_s; /* what a trial takes beside its workload; 0: not known */
};

/* What a matrix may say and probably does not mean. */
struct plan_warning {
	unsigned int line; /* of the matrix */
	char *text, *hint; /* hint: "" */
};

struct plan {
	struct matrix matrix;
	struct workload_library workloads;
	struct filesystem_table filesystems;
	struct workload_use *use;
	size_t nr_uses;
	struct cell *cell; /* in the order of the matrix: configurations, in each its workloads */
	size_t nr_cells;
	/*
	 * Bytes of the target: as the matrix says, or less where its scale makes the workloads
	 * smaller; 0: up to the end of the disk.
	 */
	uint64_t size;
	bool sized_by_scale; /* not by the matrix: a smaller disk will do for some of the cells */
	uint64_t seed;
	char **package; /* that are missing here */
	size_t nr_packages;
	struct plan_warning *warning;
	size_t nr_warnings;
	bool unasked; /* there are workloads whose `needs` has not been run */
	size_t nr_learned; /* cells whose around_s is from earlier trials */
	double seconds_min,
		seconds_max; /* for repeat.min and repeat.max runs of each; 0: not known */
};

struct plan_options {
	const char *matrix; /* a path or the name of a preset */
	const char *scale; /* NULL */
	const char *only; /* shell pattern for names of cells; NULL: all */
	bool have_seed;
	uint64_t seed;
	unsigned int max_runs; /* 0: as the matrix says */
	double max_seconds;
	bool look_only; /* run no text of a workload, not even to ask whether it can run here */
	const char *text; /* the matrix's text, of a run gone on with; NULL: read the file */
};

/* 0, or -1 with *trouble; plan_free() in either case. */
int plan_make(struct plan *plan, const struct plan_options *options, struct trouble *trouble);
void plan_free(struct plan *plan);
/*
 * Marks cells that @target cannot have: a setting it has not, a disk too small, a scheduler that
 * is not there.  0, or -1 with *trouble.
 */
int plan_fit(struct plan *plan, const struct target *target, struct trouble *trouble);
/*
 * The time that trials on this target took around their workloads, by those in a store.  0, or -1
 * with *trouble: then the time stays what plan_fit() made of it.
 */
int plan_learn(struct plan *plan, const struct target *target, struct store *store,
	       struct trouble *trouble);
/*
 * The commands that make (no words: none does) and mount a cell's filesystem on a target, as they
 * will be run.  0, or -1 with *trouble; tool_words_free() of both in either case.
 */
int plan_commands(const struct cell *cell, const struct target *target, struct tool_words *make,
		  struct tool_words *mount, struct trouble *trouble);
/* Indices of the plan's cells in the order of a block (from 1), plan->nr_cells of them. */
void plan_order(const struct plan *plan, unsigned int block, size_t *order);

#endif /* FSB_BENCH_PLAN_H */
