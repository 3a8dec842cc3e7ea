// SPDX-License-Identifier: GPL-2.0-or-later
/* workload_run: runs a workload in a directory and finds its score; see workload_run.h. */
#include "bench/workload_run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/workload_scan.h"
#include "bench/workload_shell.h"

/* The command's output on its way, and the window it marks. */
struct window {
	struct scan scan;
	const struct workload_hooks *hooks;
	bool open, closed;
};

static void open_window(struct window *window)
{
	window->open = true;
	if (window->hooks && window->hooks->begin)
		window->hooks->begin(window->hooks->arg);
}

static void close_window(struct window *window)
{
	if (!window->open || window->closed)
		return;
	window->closed = true;
	if (window->hooks && window->hooks->end)
		window->hooks->end(window->hooks->arg);
}

static void see_held(void *arg)
{
	struct window *window = arg;

	if (!window->scan.has[SCAN_FROM])
		open_window(window);
}

static void see_line(void *arg, const char *line)
{
	struct window *window = arg;

	scan_line(&window->scan, line);
	if (window->scan.seen[SCAN_FROM] && !window->open)
		open_window(window);
	if (window->scan.seen[SCAN_TO])
		close_window(window);
}

static void see_end(void *arg)
{
	close_window(arg);
}

static struct shell_job job_of(const struct workload_use *use, const char *text, const char *dir,
			       const struct workload_hooks *hooks)
{
	return (struct shell_job){
		.use = use,
		.text = text,
		.dir = dir,
		.limit = use->timeout,
		.tick = hooks ? hooks->tick : NULL,
		.tick_arg = hooks ? hooks->arg : NULL,
	};
}

/* The last line that is not blank, of 512 bytes. */
static void keep_last(void *arg, const char *line)
{
	if (line[strspn(line, " \t")])
		snprintf(arg, 512, "%s", line);
}

/*
 * `prepare`, `check` or `cleanup`, of which only the last line of output is of use.  True: it
 * ended well; else @why has its name and the reason, and *how how it ended.
 */
static bool run_beside(struct shell_job *job, const char *what, enum shell_how *how, char *why,
		       size_t size)
{
	char last[512] = "", reason[600];
	struct shell_end end;
	bool well;

	*how = SHELL_ENDED;
	if (!*job->text)
		return true;
	job->line = keep_last;
	job->arg = last;
	if (shell_run(job, &end)) {
		snprintf(why, size, "%s: %s", what, strerror(errno));
		return false;
	}
	output_free(&end.output);
	*how = end.how;
	well = end.gone && end.how == SHELL_ENDED && end.code == 0;
	if (!well) {
		shell_why(job, &end, last, reason, sizeof(reason));
		snprintf(why, size, "%s: %s", what, reason);
	}
	return well;
}

/* Nobody can stop it: what it leaves would be in the way of the next one. */
static void cleanup(const struct workload_use *use, const char *dir, struct workload_result *result)
{
	struct shell_job job = job_of(use, use->workload->cleanup, dir, NULL);
	enum shell_how how;
	char why[640];

	if (run_beside(&job, "cleanup", &how, why, sizeof(why)) || result->end != WORKLOAD_OK)
		return;
	result->end = WORKLOAD_FAILED;
	snprintf(result->reason, sizeof(result->reason), "%s", why);
}

int workload_prepare(const struct workload_use *use, const char *dir,
		     const struct workload_hooks *hooks, struct trouble *trouble)
{
	struct shell_job job = job_of(use, use->workload->prepare, dir, hooks);
	struct workload_result nothing = {.end = WORKLOAD_FAILED};
	enum shell_how how;
	char why[640];

	if (run_beside(&job, "prepare", &how, why, sizeof(why)))
		return 0;
	cleanup(use, dir, &nothing);
	return trouble_set(trouble, TROUBLE_FAILED, use->label, "", "%s", why);
}

static enum workload_end end_of(enum shell_how how)
{
	if (how == SHELL_LIMIT)
		return WORKLOAD_TIMEOUT;
	return how == SHELL_STOPPED ? WORKLOAD_STOPPED : WORKLOAD_FAILED;
}

/* How the command itself went; WORKLOAD_OK: nothing speaks against it yet. */
static enum workload_end judge(const struct shell_job *job, const struct shell_end *end,
			       const struct scan *scan, char *why, size_t size)
{
	if (!end->gone || end->how != SHELL_ENDED) {
		shell_why(job, end, scan->last, why, size);
		return end_of(end->how);
	}
	if (scan->seen[SCAN_FAILURE]) {
		snprintf(why, size, "failed: %s", scan->failure);
		return WORKLOAD_FAILED;
	}
	if (end->code) {
		shell_why(job, end, scan->last, why, size);
		return WORKLOAD_FAILED;
	}
	return WORKLOAD_OK;
}

static void find_score(const struct workload *workload, const struct scan *scan,
		       struct workload_result *result)
{
	if (!*workload->result)
		result->score = (double)result->wall_ns / 1e9 * workload->factor;
	else if (scan_score(scan, &result->score, result->reason, sizeof(result->reason)))
		result->end = WORKLOAD_FAILED;
}

static int run_command(const struct workload_use *use, const char *dir, struct window *window,
		       struct workload_result *result, struct trouble *trouble)
{
	struct shell_job job = job_of(use, use->workload->command, dir, window->hooks);
	struct shell_end end;

	job.line = see_line;
	job.held = see_held;
	job.ended = see_end;
	job.arg = window;
	if (shell_run(&job, &end))
		return trouble_set(trouble, TROUBLE_FAILED, use->label, "", "%s", strerror(errno));
	result->wall_ns = end.wall_ns;
	result->code = end.code;
	result->signal = end.signal;
	result->window_from_seen = window->scan.seen[SCAN_FROM];
	result->window_to_seen = window->scan.seen[SCAN_TO];
	result->end = judge(&job, &end, &window->scan, result->reason, sizeof(result->reason));
	result->output = output_take(&end.output, &result->output_size);
	return result->output ? 0 : trouble_memory(trouble, use->label);
}

static void check(const struct workload_use *use, const char *dir,
		  const struct workload_hooks *hooks, struct workload_result *result)
{
	struct shell_job job = job_of(use, use->workload->check, dir, hooks);
	enum shell_how how;

	if (!run_beside(&job, "check", &how, result->reason, sizeof(result->reason)))
		result->end = end_of(how);
}

int workload_run(const struct workload_use *use, const char *dir,
		 const struct workload_hooks *hooks, struct workload_result *result,
		 struct trouble *trouble)
{
	struct window window = {.hooks = hooks};
	int err;

	memset(result, 0, sizeof(*result));
	result->score = NAN;
	result->code = -1;
	if (access(dir, X_OK))
		return trouble_set(trouble, TROUBLE_FAILED, dir, "", "%s", strerror(errno));
	err = scan_open(&window.scan, use->workload, trouble);
	if (!err)
		err = run_command(use, dir, &window, result, trouble);
	if (!err) {
		if (result->end == WORKLOAD_OK)
			check(use, dir, hooks, result);
		if (result->end == WORKLOAD_OK)
			find_score(use->workload, &window.scan, result);
		cleanup(use, dir, result);
		if (result->end != WORKLOAD_OK)
			result->score = NAN;
	}
	scan_close(&window.scan);
	return err;
}

void workload_result_free(struct workload_result *result)
{
	free(result->output);
	memset(result, 0, sizeof(*result));
}

static void scan_it(void *arg, const char *line)
{
	scan_line(arg, line);
}

int workload_score(const struct workload *workload, const char *output, double *score, char *reason,
		   size_t size)
{
	struct output lines = {.total = 0};
	struct trouble trouble;
	struct scan scan;
	int err;

	*score = NAN;
	err = scan_open(&scan, workload, &trouble);
	if (err) {
		snprintf(reason, size, "%s", trouble.reason);
	} else {
		/* Keeping it can fail, its lines come all the same. */
		(void)output_add(&lines, output, strlen(output), scan_it, &scan);
		output_end(&lines, scan_it, &scan);
		output_free(&lines);
		err = scan_score(&scan, score, reason, size);
	}
	scan_close(&scan);
	return err;
}
