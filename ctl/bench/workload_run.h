/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload_run: runs a workload in a directory and finds its score.  Knows nothing of disks.
 * A command that hangs is killed with all of its process group at its time limit.
 */
#ifndef FSB_BENCH_WORKLOAD_RUN_H
#define FSB_BENCH_WORKLOAD_RUN_H

#include "bench/workload.h"

enum workload_end {
	WORKLOAD_OK,
	WORKLOAD_FAILED, /* exit status, a line of `failure`, `check`, or no result */
	WORKLOAD_TIMEOUT,
	WORKLOAD_STOPPED, /* tick() said so */
};

struct workload_result {
	enum workload_end end;
	double score; /* in the workload's unit; NAN without one */
	uint64_t wall_ns; /* of the command */
	int code, signal; /* of the command: -1 and 0 where there is none */
	char reason[640]; /* why it is not WORKLOAD_OK */
	char *output; /* stdout and stderr of the command, with 0 at its end; malloc'd */
	size_t output_size;
	bool window_from_seen, window_to_seen;
};

/* Called while the command runs; any may be NULL. */
struct workload_hooks {
	/*
	 * The device window begins: the command is held back and starts when this returns, or,
	 * with window_from, a line like that was just written.
	 */
	void (*begin)(void *arg);
	/* It ends: a line like window_to was just written, or the command has ended. */
	void (*end)(void *arg);
	/* Some four times a second; false ends the command (SIGTERM, then SIGKILL). */
	bool (*tick)(void *arg);
	void *arg;
};

/*
 * `prepare` in @dir; 0, or -1 with *trouble (its reason has the last line of its output), after
 * `cleanup`.  Of @hooks, which may be NULL, only tick() is called.
 */
int workload_prepare(const struct workload_use *use, const char *dir,
		     const struct workload_hooks *hooks, struct trouble *trouble);

/*
 * The command, its check and `cleanup` (also after a failure) in @dir.  -1 with *trouble only
 * when nothing could be run at all; else 0 and result->end says how it went.
 */
int workload_run(const struct workload_use *use, const char *dir,
		 const struct workload_hooks *hooks, struct workload_result *result,
		 struct trouble *trouble);
void workload_result_free(struct workload_result *result);

/*
 * The score that @output holds: 0, or -1 with why not in @reason (a line of `failure`, no line
 * like `result`, a number that is none).  Not for workloads whose score is the wall time.
 */
int workload_score(const struct workload *workload, const char *output, double *score, char *reason,
		   size_t size);

#endif /* FSB_BENCH_WORKLOAD_RUN_H */
