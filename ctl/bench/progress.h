/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress: what an experiment is doing, for a person (a small block on a terminal, else plain
 * lines, both on stderr) and for a program (one JSON object a line).  Told by experiment and
 * trial; where it can no longer be written, the experiment goes on.
 *
 *	progress.c		what is told, and who is to hear it
 *	progress_text.c		as lines of text; pure
 *	progress_screen.c	where a person sees them
 *	progress_events.c	as JSON
 */
#ifndef FSB_BENCH_PROGRESS_H
#define FSB_BENCH_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/plan.h"
#include "bench/stats.h"
#include "bench/store.h"
#include "bench/trouble.h"
#include "model/figures.h"

/* The steps of a trial, in their order. */
enum trial_step {
	STEP_SET,
	STEP_PREPARATION,
	STEP_MKFS,
	STEP_MOUNT,
	STEP_SETTLE,
	STEP_PREPARE,
	STEP_COLD,
	STEP_RUN,
	STEP_SYNC,
	STEP_COLLECT,
	STEP_UNMOUNT,
	TRIAL_STEPS,
};

extern const char *const trial_step_names[TRIAL_STEPS];

/* All that is known now. */
struct progress_state {
	const char *run, *disk; /* names */
	unsigned int block, blocks; /* blocks: that all cells are certain to need */
	unsigned int place; /* of the trial among all cells of the block, from 1 */
	size_t nr_cells; /* that can be had */
	double elapsed_s, left_s; /* left_s < 0: not known */
	const struct cell *cell;
	unsigned int number; /* which run of the cell, from 1 */
	const double *sample; /* its scores so far */
	size_t nr_samples;
	enum trial_step step;
	const struct figures *latest; /* of the disk's last second, NULL: none */
};

/* --- told --- */

struct progress;

struct progress_options {
	bool quiet; /* nothing for a person */
	const char *jsonl; /* file for events, "-" stdout, NULL: none */
};

/* *progress is NULL on failure. */
int progress_open(struct progress **progress, const struct progress_options *options,
		  struct trouble *trouble);
void progress_close(struct progress *progress);

/* To be filled by experiment before each of the calls below. */
struct progress_state *progress_state(struct progress *progress);

void progress_run_begin(struct progress *progress, const struct plan *plan,
			const struct store_run *run, bool resumed);
void progress_trial_begin(struct progress *progress);
void progress_step(struct progress *progress, enum trial_step step);
/* Some four times a second, so that numbers move. */
void progress_tick(struct progress *progress, const struct figures *latest);
/* @stats: of the cell, with this trial. */
void progress_trial_end(struct progress *progress, const struct store_trial *trial,
			const struct stats *stats);
void progress_cell_stop(struct progress *progress, const struct cell *cell, enum stats_stop stop,
			const struct stats *stats);
void progress_run_end(struct progress *progress, const char *state);
/* Something else that a person should know. */
void progress_notice(struct progress *progress, const char *object, const char *text,
		     const char *hint);

/* --- as text --- */

#define PROGRESS_LINES	  3
#define PROGRESS_LINE_MAX 320

/* The block on a terminal. */
void progress_block(char line[PROGRESS_LINES][PROGRESS_LINE_MAX],
		    const struct progress_state *state);
/* A line when a trial begins, one when it has ended. */
void progress_begin_line(char *line, size_t size, const struct progress_state *state);
void progress_end_line(char *line, size_t size, const struct progress_state *state,
		       const struct store_trial *trial, const struct stats *stats);
/* 11m20s, 3h05m, 45s */
void progress_duration(char *text, size_t size, double seconds);

/* --- on a terminal, or wherever stderr leads --- */

struct progress_screen {
	bool live; /* a terminal: a block is redrawn below the lines */
	unsigned int drawn; /* lines of it that stand there */
	uint64_t drawn_ns;
};

void progress_screen_open(struct progress_screen *screen);
/* A line that stays. */
void progress_screen_line(struct progress_screen *screen, const char *line);
/* The block; at most four times a second unless @now. */
void progress_screen_block(struct progress_screen *screen, const struct progress_state *state,
			   bool now);
void progress_screen_clear(struct progress_screen *screen);

/* --- as JSON --- */

struct progress_events;

/* 0, or -1 with *trouble. */
int progress_events_open(struct progress_events **events, const char *path,
			 struct trouble *trouble);
/* 0, or -1: not all could be written. */
int progress_events_close(struct progress_events *events);
void progress_events_run_begin(struct progress_events *events, const struct plan *plan,
			       const struct store_run *run, bool resumed);
void progress_events_trial_begin(struct progress_events *events,
				 const struct progress_state *state);
void progress_events_step(struct progress_events *events, const struct progress_state *state);
void progress_events_trial_end(struct progress_events *events, const struct progress_state *state,
			       const struct store_trial *trial, const struct stats *stats);
void progress_events_cell_stop(struct progress_events *events, const struct cell *cell,
			       enum stats_stop stop, const struct stats *stats);
void progress_events_run_end(struct progress_events *events, const char *state);

#endif /* FSB_BENCH_PROGRESS_H */
