/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload_shell: runs one shell text of a workload, with its parameters as variables, in a
 * process group of its own that ends as a whole.  For the other files of workload.
 */
#ifndef FSB_BENCH_WORKLOAD_SHELL_H
#define FSB_BENCH_WORKLOAD_SHELL_H

#include "bench/workload.h"
#include "bench/workload_output.h"

struct shell_job {
	const struct workload_use *use;
	const char *text;
	const char *dir;
	double limit; /* seconds */
	output_line_fn *line; /* for each line of output as it is written; may be NULL */
	void (*held)(void *arg); /* before its first instruction; may be NULL */
	void (*ended)(void *arg); /* when it has ended and all lines are seen; may be NULL */
	void *arg; /* of these three */
	bool (*tick)(void *arg); /* four times a second, false: end it; may be NULL */
	void *tick_arg;
};

enum shell_how { SHELL_ENDED, SHELL_LIMIT, SHELL_STOPPED };

struct shell_end {
	enum shell_how how;
	bool gone; /* false: it did not even end when killed */
	int code, signal; /* as child_code() and child_signal() */
	uint64_t wall_ns;
	struct output output; /* for output_take() or output_free() */
};

/*
 * 0, or -1 with errno when it could not be started.  What it leaves behind in its
 * process group is killed; what made itself a session of its own stays.
 */
int shell_run(const struct shell_job *job, struct shell_end *end);

/* Why @end is not one with exit status 0, @last being its last line: "exit status 1: ...". */
void shell_why(const struct shell_job *job, const struct shell_end *end, const char *last,
	       char *why, size_t size);

/*
 * A text that answers at once, run in "/".  Its first line that is not blank (the last one when it
 * fails) into @line.  True: it ended well; else errno is ETIMEDOUT where it took too long.
 */
bool shell_ask(const struct workload_use *use, const char *text, char *line, size_t size);

#endif /* FSB_BENCH_WORKLOAD_SHELL_H */
