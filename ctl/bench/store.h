/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store: runs and their trials on stable storage, an SQLite file (docs/store.md).  What has been
 * put is durable when the call returns, kill -9 and power cut included.  store*.c are the only
 * files that know SQLite.
 */
#ifndef FSB_BENCH_STORE_H
#define FSB_BENCH_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/trouble.h"

/* Kept when a run begins; a run is only gone on with where all of it is the same. */
struct store_host {
	char *kernel; /* release and version */
	char *machine; /* hostname, processor and memory, in one line */
	char *tools; /* JSON: name of a tool (mkfs too) to its version */
	char *disk; /* JSON: the device object of fsbstat/1 */
	char *firmware; /* of the disk */
};

/*
 * Whether a run that has not ended is at work: only its process can tell, by a lock on the store.
 * An imported one is always interrupted: what there is of it ends where it was exported.
 */
enum store_activity {
	STORE_ENDED, /* complete or stopped, or not read from a store */
	STORE_RUNNING,
	STORE_INTERRUPTED, /* its process was killed, or the machine went down */
	STORE_UNKNOWN, /* the store's filesystem has no locks */
};

struct store_run {
	int64_t id; /* of this file; 0: new */
	char *name; /* "barrier-1": name of the matrix and a number */
	char *matrix; /* text of the matrix file */
	char *matrix_path;
	char *scale; /* "" */
	char *baseline; /* configuration that others are compared with, "": the first */
	uint64_t seed;
	char *target; /* JSON: id, node, offset, size */
	char *target_id;
	char *began, *ended; /* RFC 3339, UTC; ended "" while it is not complete */
	char *state; /* "running", "complete", "stopped" */
	char *fsbctl; /* version */
	char *module; /* version, "" without */
	char *origin; /* "": it was made here; "imported": all of it is what a document says */
	struct store_host host;
	enum store_activity activity; /* when it was read; not stored */
};

#define STORE_IMPORTED "imported"

/* How it stands: the state, but "interrupted" or "unknown" for what is not running any more. */
const char *store_state_name(const struct store_run *run);

struct store_cell {
	int64_t id;
	char *configuration; /* name */
	char *workload; /* label */
	char *title; /* of the workload: "dbench, 12 clients" */
	char *unit;
	bool more_is_better;
	char *asked; /* JSON: fs, mkfs, mount, barrier, settings, cache, preparation */
	char *unsupported; /* why it cannot be run here, "" : it can */
	char *stop; /* stats_stop_name(), "" while it goes on */
};

/* "ok" counts; "noisy" counts and says so; the others do not count. */
enum trial_state { TRIAL_OK, TRIAL_NOISY, TRIAL_INVALID, TRIAL_FAILED };
const char *trial_state_name(enum trial_state state);
/* Back from a name; false when there is none like that. */
bool trial_state_parse(const char *name, enum trial_state *state);

struct store_trial {
	int64_t cell;
	unsigned int block; /* from 1: repetition of all cells */
	unsigned int place; /* in the order of its block, from 1 */
	enum trial_state state;
	char *reason; /* why it is not ok, and what is to be known of it; "" */
	double score; /* NAN: none */
	double seconds; /* wall time of the command */
	double sync_seconds; /* of the sync after it */
	char *began; /* RFC 3339, UTC */
	char *mount_options; /* effective, at the end */
	char *mkfs_output, *output; /* raw */
	char *device; /* JSON document fsbstat/1 of the device window, "" : none (tmpfs) */
	char *phases; /* JSON: name of a phase to its nanoseconds */
};

struct store;

/* Where it lies unless told otherwise: $XDG_DATA_HOME/fsbctl/runs.db; malloc'd or NULL. */
char *store_default_path(void);

/* STORE_WRITE makes the file, and its directory, where there is none. */
enum store_mode { STORE_READ, STORE_WRITE };

/* @store is NULL on failure.  A file of a newer schema is refused, an older one is brought on. */
int store_open(struct store **store, const char *path, enum store_mode mode,
	       struct trouble *trouble);
void store_close(struct store *store);
const char *store_path(const struct store *store);

/*
 * Gives the run its id and, when name is NULL, its name: "MATRIX-N" (malloc'd).  The cells get
 * their ids.  A string that is NULL counts as "", here and below; what is JSON has to be an
 * object.  The run is held, as by store_run_hold().
 */
int store_run_add(struct store *store, struct store_run *run, const char *matrix_name,
		  struct store_cell *cell, size_t nr_cells, struct trouble *trouble);
/*
 * The run is in progress, in this process, until store_close().  -1 with *trouble where it is in
 * another one; 0 also where the store's filesystem has no locks.
 */
int store_busy(const char *name, struct trouble *trouble); /* that trouble; -1 */
int store_run_hold(struct store *store, int64_t run, const char *name, struct trouble *trouble);
int store_run_state(struct store *store, int64_t run, const char *state, const char *ended,
		    struct trouble *trouble);
int store_cell_stop(struct store *store, int64_t cell, const char *stop, struct trouble *trouble);
/*
 * Of each cell and block there is one trial: a second one is refused.  After any refusal (a full
 * disk) the store is as before and can be used on.
 */
int store_trial_add(struct store *store, const struct store_trial *trial, struct trouble *trouble);

/* A run with all that is known of it, owned by the caller. */
struct store_result {
	struct store_run run;
	struct store_cell *cell;
	size_t nr_cells;
	struct store_trial *trial; /* in the order they were made */
	size_t nr_trials;
};

/* @name: NULL is the latest.  0, or -1 with *trouble. */
int store_load(struct store *store, const char *name, struct store_result *result,
	       struct trouble *trouble);
void store_result_free(struct store_result *result);

/* All runs, oldest first, without their trials. */
int store_list(struct store *store, struct store_run **runs, size_t *nr, struct trouble *trouble);
void store_runs_free(struct store_run *runs, size_t nr);
/* How many trials of a run there are. */
int store_count(struct store *store, int64_t run, size_t *trials, struct trouble *trouble);

/* All of @run, or none: one that is in progress is refused, one that is not there is nothing. */
int store_delete(struct store *store, const struct store_run *run, size_t nr,
		 struct trouble *trouble);

/* What a trial that counts took; the texts are JSON, as in struct store_run and its parts. */
struct store_time {
	const char *target; /* of the run */
	const char *asked; /* of the cell */
	const char *phases;
	double seconds; /* of the command */
};

/* The latest trials on a target, newest first, 1000 at most. */
int store_times(struct store *store, const char *target_id,
		void (*each)(void *arg, const struct store_time *time), void *arg,
		struct trouble *trouble);

/*
 * One JSON document of a run (fsbstat-run/1, docs/store.md), and back under a name that is free;
 * "-" is standard output and input.
 */
int store_export(struct store *store, const char *name, const char *path, struct trouble *trouble);
/*
 * @new is false where all that the document has is stored already: @name is that run's then, and
 * nothing is added.
 */
int store_import(struct store *store, const char *path, char **name, bool *new,
		 struct trouble *trouble);

#endif /* FSB_BENCH_STORE_H */
