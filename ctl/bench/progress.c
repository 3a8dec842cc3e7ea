// SPDX-License-Identifier: GPL-2.0-or-later
/* progress: what is told, and who is to hear it; see progress.h. */
#include "bench/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock_ns.h"
#include "message.h"

struct progress {
	bool quiet;
	struct progress_state state;
	struct progress_screen screen;
	uint64_t told_ns; /* when state's times were right */
	struct progress_events *events; /* NULL: nobody wants them */
};

int progress_open(struct progress **out, const struct progress_options *options,
		  struct trouble *trouble)
{
	struct progress *progress = calloc(1, sizeof(*progress));

	*out = progress;
	if (!progress)
		return trouble_memory(trouble, "progress");
	progress->quiet = options->quiet;
	progress_screen_open(&progress->screen);
	if (!options->jsonl || !progress_events_open(&progress->events, options->jsonl, trouble))
		return 0;
	free(progress);
	*out = NULL;
	return -1;
}

void progress_close(struct progress *progress)
{
	if (!progress)
		return;
	if (!progress->quiet)
		progress_screen_clear(&progress->screen);
	if (progress_events_close(progress->events))
		message_error("--jsonl", "not all events could be written", "");
	free(progress);
}

struct progress_state *progress_state(struct progress *progress)
{
	return &progress->state;
}

void progress_run_begin(struct progress *progress, const struct plan *plan,
			const struct store_run *run, bool resumed)
{
	char line[PROGRESS_LINE_MAX], name[160];

	if (progress->events)
		progress_events_run_begin(progress->events, plan, run, resumed);
	if (progress->quiet)
		return;
	snprintf(line, sizeof(line), "%s: %s, seed %llu",
		 message_printable(name, sizeof(name), run->name), resumed ? "goes on" : "begins",
		 (unsigned long long)run->seed);
	progress_screen_line(&progress->screen, line);
}

/* What was told when the trial began goes on meanwhile. */
static void let_time_pass(struct progress *progress)
{
	struct progress_state *state = &progress->state;
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	double passed = (double)(now - progress->told_ns) / 1e9;

	progress->told_ns = now;
	state->elapsed_s += passed;
	if (state->left_s >= 0)
		state->left_s = state->left_s > passed ? state->left_s - passed : 0;
}

void progress_trial_begin(struct progress *progress)
{
	char line[PROGRESS_LINE_MAX];

	progress->told_ns = clock_ns(CLOCK_MONOTONIC);

	if (progress->events)
		progress_events_trial_begin(progress->events, &progress->state);
	if (progress->quiet)
		return;
	if (progress->screen.live) {
		progress_screen_block(&progress->screen, &progress->state, true);
		return;
	}
	progress_begin_line(line, sizeof(line), &progress->state);
	progress_screen_line(&progress->screen, line);
}

void progress_step(struct progress *progress, enum trial_step step)
{
	let_time_pass(progress);
	progress->state.step = step;
	progress->state.latest = NULL;
	if (progress->events)
		progress_events_step(progress->events, &progress->state);
	if (!progress->quiet)
		progress_screen_block(&progress->screen, &progress->state, true);
}

void progress_tick(struct progress *progress, const struct figures *latest)
{
	let_time_pass(progress);
	progress->state.latest = latest;
	if (!progress->quiet)
		progress_screen_block(&progress->screen, &progress->state, false);
}

void progress_trial_end(struct progress *progress, const struct store_trial *trial,
			const struct stats *stats)
{
	char line[1024];

	if (progress->events)
		progress_events_trial_end(progress->events, &progress->state, trial, stats);
	if (progress->quiet)
		return;
	progress_end_line(line, sizeof(line), &progress->state, trial, stats);
	progress_screen_line(&progress->screen, line);
}

void progress_cell_stop(struct progress *progress, const struct cell *cell, enum stats_stop stop,
			const struct stats *stats)
{
	char line[PROGRESS_LINE_MAX], name[200];

	if (progress->events)
		progress_events_cell_stop(progress->events, cell, stop, stats);
	/* That somebody has ended it all he knows himself. */
	if (progress->quiet || stop == STOP_USER)
		return;
	snprintf(line, sizeof(line), "  %s done, n = %zu: %s",
		 message_printable(name, sizeof(name), cell->name), stats->n,
		 stats_stop_text(stop));
	progress_screen_line(&progress->screen, line);
}

void progress_run_end(struct progress *progress, const char *state)
{
	if (progress->events)
		progress_events_run_end(progress->events, state);
	if (!progress->quiet)
		progress_screen_clear(&progress->screen);
}

void progress_notice(struct progress *progress, const char *object, const char *text,
		     const char *hint)
{
	if (!progress->quiet)
		progress_screen_clear(&progress->screen);
	message_error(object, text, hint);
}
