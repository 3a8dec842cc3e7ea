/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: what the files of `fsbctl run` share.
 *
 *	run.c		the command line
 *	run_begin.c	plan, target, store: all that is needed before anything is written
 *	run_left.c	a disk for one run alone, and what an interrupted one has left there
 *	run_consent.c	who agrees to losing the data
 *	run_go.c	the experiment, its report and its exit status
 *	plan_text.c	what a plan comes to, for a person
 *	plan_axes.c	what its cells differ in
 *	plan_files.c	files that did not come with fsbctl
 *	plan_json.c	the same for a program
 */
#ifndef FSB_CMD_RUN_H
#define FSB_CMD_RUN_H

#include <stdbool.h>
#include <stdio.h>

#include "bench/experiment.h"

struct run_options {
	const char *matrix, *disk; /* as typed; NULL with resume */
	const char *file; /* an image is to be made instead of using a disk */
	uint64_t size; /* of the image or the range of the disk, 0: as the matrix says */
	const char *destroy; /* the word of consent, NULL: none was given */
	bool plan, json, verbose;
	bool resume;
	const char *run; /* name of the one to go on with, NULL: the latest */
	bool skip_missing;
	const char *only, *scale, *db, *jsonl;
	bool have_seed;
	uint64_t seed;
	unsigned int max_runs;
	double max_seconds;
	double settle_s;
	bool have_settle, have_source;
	enum source_kind source;
	bool quiet;
	char **words; /* the command line, to be pasted again */
};

/* Everything of one call, taken apart by run_end(). */
struct run {
	struct run_options options;
	char *db;
	struct store *store;
	struct store_result stored; /* of resume */
	struct experiment_stored begun; /* with what */
	char disk_now[DISK_NAME_MAX]; /* the name its disk has today */
	bool moved; /* and is at another port, see experiment_find_disk() */
	struct leftover_owner left; /* the run that was interrupted on this disk */
	char left_at[LEFTOVER_PATH_MAX]; /* where it may have left a mount; of a plan */
	bool left_settings; /* wait to be put back; of a plan */
	struct plan plan;
	struct target target;
	bool have_target;
	struct experiment experiment;
	struct progress *progress;
};

/* 0, or the exit status (printed why).  run_end() in either case. */
int run_begin(struct run *run);
void run_end(struct run *run);
/* Any cell of the plan that can be had changes a setting of the whole disk. */
bool run_sets_any(const struct run *run);
/*
 * The disk is this run's alone from here on, and nothing of an interrupted one is mounted or in
 * progress; a plan only looks.  0, or -1 with *trouble.
 */
int run_take_disk(struct run *run, struct target_options *options, struct trouble *trouble);
/* What to call to go on with the run that was interrupted on the disk. */
void run_resume_line(char *text, size_t size, const struct run *run);
/* What that run has left there, "": nothing.  Returns @text. */
const char *run_left(const struct run *run, char *text, size_t size);
/* Whether the data may be destroyed: 0, or the exit status (printed why). */
int run_consent(const struct run *run);
/* Runs it.  Returns the exit status; errors have been printed. */
int run_go(struct run *run);

/* "the first 16 GiB": as a matrix has it. */
#define PLAN_RANGE_MAX 80
void plan_range(char text[PLAN_RANGE_MAX], const struct target *target);
/* A word on stderr for each file of a workload that cannot be used, and is not. */
void plan_mistakes(const struct plan *plan);
void plan_text(FILE *to, const struct run *run);
/* A file that decides what is run and did not come with fsbctl. */
struct plan_file {
	const char *kind; /* "matrix", "filesystem", "workload" */
	const char *name; /* of the filesystem or workload, "" */
	const char *path;
	const char *owner; /* name of a user; NULL: not known */
	bool others; /* users other than root and the caller of sudo can change it */
};

typedef void plan_file_show(void *arg, const struct plan_file *file);
void plan_files(const struct plan *plan, plan_file_show *show, void *arg);
/* "filesystem 3 x barrier 2 x workload 2 = 12 cells, 3 to 9 runs of each"; malloc'd, or NULL. */
char *plan_axes(const struct plan *plan);
/* 0, or -1: no memory. */
int plan_json(FILE *to, const struct run *run);

#endif /* FSB_CMD_RUN_H */
