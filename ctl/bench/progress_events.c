// SPDX-License-Identifier: GPL-2.0-or-later
/* progress_events: what an experiment is doing, one JSON object a line; see progress.h. */
#include "bench/progress.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock_ns.h"
#include "json_text.h"
#include "output_file.h"

struct progress_events {
	FILE *to;
	bool failed;
};

int progress_events_open(struct progress_events **out, const char *path, struct trouble *trouble)
{
	struct progress_events *events = calloc(1, sizeof(*events));

	*out = events;
	if (!events)
		return trouble_memory(trouble, path);
	events->to = strcmp(path, "-") ? output_file_open(path, true) : stdout;
	if (events->to)
		return 0;
	free(events);
	*out = NULL;
	return trouble_set(trouble, TROUBLE_FAILED, path, "nothing was run", "%s",
			   output_file_why());
}

int progress_events_close(struct progress_events *events)
{
	bool failed;

	if (!events)
		return 0;
	failed = events->failed;
	if (events->to != stdout && fclose(events->to))
		failed = true;
	free(events);
	return failed ? -1 : 0;
}

/* "2026-11-30T14:02:10.123Z" */
static json_t *now_json(void)
{
	uint64_t now = clock_ns(CLOCK_REALTIME);
	time_t seconds = (time_t)(now / 1000000000U);
	char text[40], whole[64];
	struct tm utc;

	if (!gmtime_r(&seconds, &utc) || !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &utc))
		return json_null();
	snprintf(whole, sizeof(whole), "%s.%03uZ", text, (unsigned int)(now / 1000000U % 1000U));
	return json_string(whole);
}

static json_t *stats_json(const struct stats *stats)
{
	return json_pack("{s:I, s:o, s:o, s:o}", "n", (json_int_t)stats->n, "mean",
			 json_finite(stats->mean), "se", json_finite(stats->se), "half",
			 json_finite(stats->half));
}

/* Takes @object; a line that cannot be written is missed, and said at the end. */
static void emit(struct progress_events *events, const char *event, json_t *object)
{
	json_t *line = json_pack("{s:s, s:o}", "event", event, "time", now_json());

	if (!line || !object || json_object_update(line, object) ||
	    json_put(line, events->to, JSON_COMPACT) || fputc('\n', events->to) == EOF ||
	    fflush(events->to))
		events->failed = true;
	json_decref(line);
	json_decref(object);
}

static json_t *cells_json(const struct plan *plan)
{
	json_t *cells = json_array();
	size_t i;

	for (i = 0; cells && i < plan->nr_cells; i++) {
		const struct cell *cell = &plan->cell[i];
		json_t *item =
			json_pack("{s:o, s:o}", "cell", json_text(cell->name), "unsupported",
				  cell->unsupported ? json_text(cell->unsupported) : json_null());

		if (json_array_append_new(cells, item)) {
			json_decref(cells);
			cells = NULL;
		}
	}
	return cells;
}

void progress_events_run_begin(struct progress_events *events, const struct plan *plan,
			       const struct store_run *run, bool resumed)
{
	/* As text: JSON's numbers end at 2^53 for many a reader. */
	char seed[24];

	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)run->seed);
	emit(events, "run_begin",
	     json_pack("{s:o, s:o, s:s, s:o, s:b, s:o}", "run", json_text(run->name), "target",
		       json_text(run->target_id), "seed", seed, "scale", json_text(run->scale),
		       "resumed", resumed, "cells", cells_json(plan)));
}

static json_t *trial_json(const struct progress_state *state)
{
	return json_pack("{s:o, s:I, s:I, s:I}", "cell", json_text(state->cell->name), "block",
			 (json_int_t)state->block, "place", (json_int_t)state->place, "run",
			 (json_int_t)state->number);
}

void progress_events_trial_begin(struct progress_events *events, const struct progress_state *state)
{
	emit(events, "trial_begin", trial_json(state));
}

void progress_events_step(struct progress_events *events, const struct progress_state *state)
{
	json_t *object = trial_json(state);

	(void)json_object_set_new(object, "phase", json_string(trial_step_names[state->step]));
	emit(events, "phase", object);
}

void progress_events_trial_end(struct progress_events *events, const struct progress_state *state,
			       const struct store_trial *trial, const struct stats *stats)
{
	json_t *object = trial_json(state);
	json_t *more = json_pack("{s:s, s:o, s:o, s:o, s:f, s:f, s:o}", "state",
				 trial_state_name(trial->state), "reason", json_text(trial->reason),
				 "score", json_finite(trial->score), "unit",
				 json_text(state->cell->use->workload->unit), "seconds",
				 trial->seconds, "sync_seconds", trial->sync_seconds, "stats",
				 stats_json(stats));

	if (object && more && json_object_update(object, more)) {
		json_decref(object);
		object = NULL;
	}
	json_decref(more);
	emit(events, "trial_end", object);
}

void progress_events_cell_stop(struct progress_events *events, const struct cell *cell,
			       enum stats_stop stop, const struct stats *stats)
{
	emit(events, "cell_stop",
	     json_pack("{s:o, s:s, s:o}", "cell", json_text(cell->name), "stop",
		       stats_stop_name(stop), "stats", stats_json(stats)));
}

void progress_events_run_end(struct progress_events *events, const char *state)
{
	emit(events, "run_end", json_pack("{s:s}", "state", state));
}
