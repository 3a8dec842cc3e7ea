// SPDX-License-Identifier: GPL-2.0-or-later
/* trial: the order of things; see trial.h. */
#include "bench/trial.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/interrupt.h"
#include "clock_ns.h"
#include "timestamp.h"

void attempt_step(struct attempt *attempt, enum trial_step step)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	attempt->step_ns[attempt->step] += now - attempt->step_began;
	attempt->step_began = now;
	if (step == attempt->step)
		return;
	attempt->step = step;
	progress_step(attempt->bench->progress, step);
}

int attempt_mark(struct attempt *attempt, enum trial_state state, const char *format, ...)
{
	size_t used = strlen(attempt->reason), size = sizeof(attempt->reason);
	va_list args;

	if (state < attempt->trial->state)
		return -1;
	if (state > attempt->trial->state)
		used = 0;
	attempt->trial->state = state;
	if (used)
		used += (size_t)snprintf(attempt->reason + used, size - used, "; ");
	va_start(args, format);
	if (used < size)
		vsnprintf(attempt->reason + used, size - used, format, args);
	va_end(args);
	return -1;
}

bool attempt_has_disk(const struct attempt *attempt)
{
	return attempt->cell->fs->disk;
}

static void do_steps(struct attempt *attempt)
{
	if (attempt_set(attempt) || attempt_make(attempt) || attempt_mount(attempt) ||
	    attempt_settle(attempt) || attempt_prepare(attempt) || attempt_cold(attempt) ||
	    attempt_window(attempt))
		return;
	attempt_step(attempt, STEP_COLLECT);
	attempt_compare(attempt);
}

/* Whatever of the window there is, goes with the trial, also with one that has failed. */
static void finish(struct attempt *attempt)
{
	struct store_trial *trial = attempt->trial;

	attempt_step(attempt, STEP_COLLECT);
	attempt_collect(attempt);
	trial->seconds = (double)attempt->result.wall_ns / 1e9;
	trial->sync_seconds = (double)attempt->sync_ns / 1e9;
	trial->score = trial->state == TRIAL_FAILED ? NAN : attempt->result.score;
	trial->output = attempt->result.output;
	attempt->result.output = NULL;
	trial->mount_options = attempt->options;
	attempt->options = NULL;
}

/* 0, or -1: what is mounted there stays mounted. */
static int unmount(struct attempt *attempt, struct trouble *trouble)
{
	attempt_step(attempt, STEP_UNMOUNT);
	if (!attempt->mounted)
		return 0;
	if (filesystem_unmount(attempt->bench->leftover.at, trouble) == 0)
		return 0;
	return leftover_clean(&attempt->bench->leftover, trouble);
}

static char *phases_json(const struct attempt *attempt)
{
	char *text = NULL;
	size_t size, i;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	for (i = 0; i < TRIAL_STEPS; i++)
		fprintf(to, "%s\"%s\": %llu", i ? ", " : "{", trial_step_names[i],
			(unsigned long long)attempt->step_ns[i]);
	fputc('}', to);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

/* Why it is not ok, and then what has to be known of it. */
static char *reason_of(const struct attempt *attempt)
{
	char *text;

	if (asprintf(&text, "%s%s%s", attempt->reason,
		     *attempt->reason && *attempt->note ? "; " : "", attempt->note) < 0)
		return NULL;
	return text;
}

/* A trial that has failed may have lost its disk: then it says nothing about its cell. */
static enum trial_end judge(const struct attempt *attempt, struct trouble *trouble)
{
	if (interrupt_count())
		return TRIAL_INTERRUPTED;
	if (attempt->trial->state != TRIAL_FAILED || !attempt_has_disk(attempt))
		return TRIAL_ENDED;
	return target_recheck(attempt->bench->target, trouble) ? TRIAL_NO_TARGET : TRIAL_ENDED;
}

enum trial_end trial_run(struct trial_bench *bench, const struct cell *cell,
			 struct store_trial *trial, struct trouble *trouble)
{
	struct attempt attempt = {.bench = bench,
				  .cell = cell,
				  .trial = trial,
				  .step_began = clock_ns(CLOCK_MONOTONIC)};
	enum trial_end end;
	int err;

	memset(trial, 0, sizeof(*trial));
	trial->score = NAN;
	attempt.result.score = NAN;
	attempt.result.code = -1;
	trial->began = timestamp_new();
	progress_step(bench->progress, STEP_SET);
	do_steps(&attempt);
	finish(&attempt);
	err = unmount(&attempt, trouble);
	attempt_step(&attempt, STEP_UNMOUNT);
	trial->phases = phases_json(&attempt);
	trial->reason = reason_of(&attempt);
	end = err ? TRIAL_NO_TARGET : judge(&attempt, trouble);
	if (end == TRIAL_ENDED && (!trial->reason || !trial->phases || !trial->began)) {
		(void)trouble_memory(trouble, cell->name);
		end = TRIAL_BROKEN;
	}
	workload_result_free(&attempt.result);
	return end;
}

void trial_free(struct store_trial *trial)
{
	free(trial->reason);
	free(trial->began);
	free(trial->mount_options);
	free(trial->mkfs_output);
	free(trial->output);
	free(trial->device);
	free(trial->phases);
	memset(trial, 0, sizeof(*trial));
}
