/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trial: one run of one cell, from settings to unmounting; docs/run.md tells what each step is for.
 * Called by experiment.
 *
 *	trial.c		the order of things
 *	trial_disk.c	settings, filesystem, mount, rest, cold cache
 *	trial_window.c	the workload and what is counted around it
 */
#ifndef FSB_BENCH_TRIAL_H
#define FSB_BENCH_TRIAL_H

#include "bench/intruder.h"
#include "bench/leftover.h"
#include "bench/plan.h"
#include "bench/progress.h"
#include "bench/store.h"
#include "bench/target.h"
#include "bench/workload_run.h"
#include "record/span.h"

/* What stays from trial to trial. */
struct trial_bench {
	const struct plan *plan;
	const struct target *target; /* claimed */
	struct leftover leftover; /* the mount point */
	struct span *span; /* counts the target's disk */
	struct progress *progress;
	double settle_s; /* that the disk has to have been idle before a trial */
	/* How the last trial has left things. */
	struct settings set; /* that are not as they were before the first one; "" all: none */
	const struct configuration *made; /* whose filesystem is on the target, NULL: nobody's */
};

enum trial_end {
	TRIAL_ENDED, /* with or without a score: to be stored */
	TRIAL_INTERRUPTED, /* and not to be stored */
	TRIAL_NO_TARGET, /* no trial can be run on it any more: *trouble */
	TRIAL_BROKEN, /* memory or the store have failed: *trouble */
};

/*
 * Runs @cell; fills all of @trial but its place, for trial_free().  Whatever comes, nothing is
 * mounted afterwards, if it can be helped; the settings stay until trial_restore().
 */
enum trial_end trial_run(struct trial_bench *bench, const struct cell *cell,
			 struct store_trial *trial, struct trouble *trouble);
void trial_free(struct store_trial *trial);

/* Puts back the settings that trials have changed.  0, or -1 with *trouble. */
int trial_restore(struct trial_bench *bench, struct trouble *trouble);

/* --- for the files trial*.c only --- */

struct attempt {
	struct trial_bench *bench;
	const struct cell *cell;
	struct store_trial *trial;
	enum trial_step step;
	uint64_t step_began, step_ns[TRIAL_STEPS];
	char reason[1024];
	char note[352]; /* what has to be known of it, whatever its state; "" */
	char dir[LEFTOVER_PATH_MAX + 8]; /* the workload's, below the mount point */
	bool mounted;
	char *options; /* effective, where the window begins; NULL: not mounted */
	struct settings settings; /* where the window begins */
	char *argv[5]; /* the command, for the window's document */
	struct workload_result result;
	struct asked_bytes asked;
	unsigned int continued; /* interrupt_continued() where the window begins */
	uint64_t suspended_ns; /* suspended_ns() there */
	bool counted; /* a window was opened */
	bool synced;
	uint64_t sync_ns;
};

/* The step that begins now; the time up to here was the one before's. */
void attempt_step(struct attempt *attempt, enum trial_step step);
/*
 * The trial is no better than @state.  A reason for a worse state replaces the one there was, one
 * for the same is added.  Returns -1.
 */
int attempt_mark(struct attempt *attempt, enum trial_state state, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* A device lies below the filesystem, and is counted. */
bool attempt_has_disk(const struct attempt *attempt);

/* Each is a step: 0, or -1 when the trial ends here (marked, or interrupted). */
int attempt_set(struct attempt *attempt);
int attempt_make(struct attempt *attempt);
int attempt_mount(struct attempt *attempt);
int attempt_settle(struct attempt *attempt);
int attempt_prepare(struct attempt *attempt);
int attempt_cold(struct attempt *attempt);
int attempt_window(struct attempt *attempt);
/* Are options and settings still those where the window began? */
void attempt_compare(struct attempt *attempt);
/* The document of the window, and what it says against the trial. */
void attempt_collect(struct attempt *attempt);

#endif /* FSB_BENCH_TRIAL_H */
