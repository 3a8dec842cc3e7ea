// SPDX-License-Identifier: GPL-2.0-or-later
/* experiment: blocks, rules, the end; see experiment.h. */
#include "bench/experiment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/interrupt.h"
#include "bench/trial.h"
#include "clock_ns.h"
#include "timestamp.h"

/* What one call of experiment_run() needs beside the experiment. */
struct session {
	struct experiment *experiment;
	struct trial_bench bench;
	uint64_t began_ns;
	double before_s; /* spent on trials before it */
	double block_s; /* that the last block took */
	size_t *order;
};

int experiment_new(struct experiment *experiment, struct trouble *trouble)
{
	experiment->cell = calloc(experiment->plan->nr_cells, sizeof(*experiment->cell));
	if (experiment->cell)
		return 0;
	return trouble_memory(trouble, experiment->plan->matrix.name);
}

void experiment_free(struct experiment *experiment)
{
	size_t i;

	for (i = 0; experiment->cell && i < experiment->plan->nr_cells; i++)
		free(experiment->cell[i].sample);
	free(experiment->cell);
	experiment->cell = NULL;
	if (!experiment->resumed)
		experiment_run_free(&experiment->run);
}

/* ---- the begin ---- */

/* What counts when a run begins counts all of it. */
static enum source_kind source_of(const struct experiment *experiment)
{
	if (experiment->options.source != SOURCE_AUTO || !experiment->run.module)
		return experiment->options.source;
	return *experiment->run.module ? SOURCE_MODULE : SOURCE_DISKSTATS;
}

static int count_disk(struct experiment *experiment, struct trouble *trouble)
{
	const struct disk *disk = &experiment->target->device.disk;
	const char *then = experiment->run.module;
	const struct source *source;
	struct disk_info info;

	if (span_open(&experiment->span, disk, source_of(experiment)))
		return trouble_set(trouble, TROUBLE_MISSING, disk->name,
				   span_hint(experiment->span), "%s", span_error(experiment->span));
	source = span_source(experiment->span);
	if (then && strcmp(then, source_module_version(source)))
		return trouble_set(trouble, TROUBLE_REFUSED, experiment->run.name,
				   "its trials would not be like those that there are",
				   "something else counts now: fsbstat was \"%s\", is \"%s\"", then,
				   source_module_version(source));
	if (source_kind(source) != SOURCE_MODULE && disk_describe(disk, &info) == 0 &&
	    info.iostats == 0)
		return trouble_set(trouble, TROUBLE_REFUSED, disk->name,
				   "echo 1 > /sys/block/DISK/queue/iostats, or load the module",
				   "queue/iostats is off: nothing counts its requests, so whether it is idle cannot be known");
	if (*source_notice(source))
		progress_notice(experiment->progress, "run", source_notice(source),
				source_notice_more(source));
	return 0;
}

static int store_new(struct experiment *experiment, struct trouble *trouble)
{
	struct store_cell *cells = NULL;
	size_t i, nr = experiment->plan->nr_cells;
	int ret = experiment_describe(experiment, &cells, trouble);

	if (!ret)
		ret = store_run_add(experiment->store, &experiment->run,
				    experiment->plan->matrix.name, cells, nr, trouble);
	for (i = 0; i < nr && !ret; i++)
		experiment->cell[i].id = cells[i].id;
	experiment_cells_free(cells, nr);
	return ret;
}

/* What is done by what was stored before: a kill came before that was, or another most of runs. */
static int store_stops(struct experiment *experiment, struct trouble *trouble)
{
	size_t i;

	for (i = 0; i < experiment->plan->nr_cells; i++) {
		const struct cell_progress *cell = &experiment->cell[i];

		if (!experiment->plan->cell[i].unsupported &&
		    store_cell_stop(experiment->store, cell->id, stats_stop_name(cell->stop),
				    trouble))
			return -1;
	}
	return 0;
}

static int store_resumed(struct experiment *experiment, struct trouble *trouble)
{
	if (store_stops(experiment, trouble))
		return -1;
	return store_run_state(experiment->store, experiment->run.id, "running", "", trouble);
}

static int begin(struct session *session, struct trouble *trouble)
{
	struct experiment *experiment = session->experiment;

	session->order = calloc(experiment->plan->nr_cells, sizeof(*session->order));
	if (!session->order)
		return trouble_memory(trouble, experiment->plan->matrix.name);
	if (target_claim(experiment->target, trouble))
		return -1;
	if (!*experiment->leftover.at &&
	    leftover_lock(&experiment->leftover, experiment->target->device.disk.name, trouble))
		return -1;
	if (count_disk(experiment, trouble) ||
	    (experiment->resumed ? store_resumed(experiment, trouble)
				 : store_new(experiment, trouble)))
		return -1;
	leftover_note(&experiment->leftover, experiment->run.name, store_path(experiment->store));
	return 0;
}

static void fill_bench(struct session *session)
{
	struct experiment *experiment = session->experiment;

	session->bench = (struct trial_bench){.plan = experiment->plan,
					      .target = experiment->target,
					      .leftover = experiment->leftover,
					      .span = experiment->span,
					      .progress = experiment->progress,
					      .settle_s = experiment->options.settle_s};
	session->began_ns = clock_ns(CLOCK_MONOTONIC);
	session->before_s = experiment->spent_s;
}

/* ---- a trial ---- */

static double elapsed_s(const struct session *session)
{
	return session->before_s + (double)(clock_ns(CLOCK_MONOTONIC) - session->began_ns) / 1e9;
}

static void tell_where(struct session *session, unsigned int block, unsigned int place, size_t i)
{
	const struct experiment *experiment = session->experiment;
	struct progress_state *state = progress_state(experiment->progress);
	const struct cell_progress *cell = &experiment->cell[i];

	*state = (struct progress_state){.run = experiment->run.name,
					 .disk = experiment->target->device.disk.name,
					 .block = block,
					 .blocks = experiment->plan->matrix.repeat.min,
					 .place = place,
					 .nr_cells = experiment->plan->nr_cells,
					 .elapsed_s = elapsed_s(session),
					 .left_s = experiment_left(experiment),
					 .cell = &experiment->plan->cell[i],
					 .number = cell->trials + 1,
					 .sample = cell->sample,
					 .nr_samples = cell->n};
	progress_trial_begin(experiment->progress);
}

/* Stored first, then told. */
static int take_trial(struct session *session, size_t i, struct store_trial *trial, double whole_s,
		      struct trouble *trouble)
{
	struct experiment *experiment = session->experiment;
	struct cell_progress *cell = &experiment->cell[i];
	struct stats stats;

	trial->cell = cell->id;
	if (store_trial_add(experiment->store, trial, trouble))
		return -1;
	if (experiment_cell_take(experiment, i, trial, whole_s))
		return trouble_memory(trouble, experiment->plan->cell[i].name);
	experiment_cell_stats(cell, &stats);
	progress_state(experiment->progress)->sample = cell->sample;
	progress_state(experiment->progress)->nr_samples = cell->n;
	progress_trial_end(experiment->progress, trial, &stats);
	if (cell->stop == STOP_NOT)
		return 0;
	if (store_cell_stop(experiment->store, cell->id, stats_stop_name(cell->stop), trouble))
		return -1;
	progress_cell_stop(experiment->progress, &experiment->plan->cell[i], cell->stop, &stats);
	return 0;
}

/* The module may have been loaded anew: all further trials would lack their counts. */
static int count_again(struct session *session, struct trouble *trouble)
{
	struct experiment *experiment = session->experiment;

	if (!span_is_lost(experiment->span))
		return 0;
	span_close(experiment->span);
	experiment->span = NULL;
	if (count_disk(experiment, trouble))
		return -1;
	session->bench.span = experiment->span;
	return 0;
}

static enum trial_end one_trial(struct session *session, unsigned int block, unsigned int place,
				size_t i, struct trouble *trouble)
{
	uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	struct store_trial trial;
	enum trial_end end;

	if (count_again(session, trouble))
		return TRIAL_BROKEN;
	tell_where(session, block, place, i);
	end = trial_run(&session->bench, &session->experiment->plan->cell[i], &trial, trouble);
	trial.block = block;
	trial.place = place;
	if (end == TRIAL_ENDED &&
	    take_trial(session, i, &trial, (double)(clock_ns(CLOCK_MONOTONIC) - begin_ns) / 1e9,
		       trouble))
		end = TRIAL_BROKEN;
	trial_free(&trial);
	return end;
}

/* ---- blocks ---- */

/* Every cell once that is still to be run, but for those that have been in it before a kill. */
static enum trial_end one_block(struct session *session, unsigned int block,
				struct trouble *trouble)
{
	const struct experiment *experiment = session->experiment;
	uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	enum trial_end end;
	size_t k;

	plan_order(experiment->plan, block, session->order);
	for (k = 0; k < experiment->plan->nr_cells; k++) {
		size_t i = session->order[k];

		if (!experiment_cell_waits(experiment, i) || experiment->cell[i].block >= block)
			continue;
		if (interrupt_count())
			return TRIAL_INTERRUPTED;
		end = one_trial(session, block, (unsigned int)k + 1, i, trouble);
		if (end != TRIAL_ENDED)
			return end;
	}
	session->block_s = (double)(clock_ns(CLOCK_MONOTONIC) - begin_ns) / 1e9;
	return TRIAL_ENDED;
}

static bool any_waits(const struct experiment *experiment)
{
	size_t i;

	for (i = 0; i < experiment->plan->nr_cells; i++)
		if (experiment_cell_waits(experiment, i))
			return true;
	return false;
}

/* The block that has trials of some cells, or is the first without any. */
static unsigned int first_block(const struct experiment *experiment)
{
	unsigned int block = 0;
	size_t i;

	for (i = 0; i < experiment->plan->nr_cells; i++)
		if (experiment_cell_waits(experiment, i) &&
		    (!block || experiment->cell[i].block + 1 < block))
			block = experiment->cell[i].block + 1;
	return block;
}

/* Whole blocks only: all cells have as many runs.  The first one is always run. */
static bool time_is_over(const struct session *session)
{
	double most = session->experiment->plan->matrix.repeat.max_seconds;

	return most > 0 && elapsed_s(session) + session->block_s > most;
}

/* Cells that are not done stop for another reason than their own. */
static int stop_others(struct experiment *experiment, enum stats_stop stop, struct trouble *trouble)
{
	struct stats stats;
	size_t i;

	for (i = 0; i < experiment->plan->nr_cells; i++) {
		struct cell_progress *cell = &experiment->cell[i];

		if (!experiment_cell_waits(experiment, i))
			continue;
		cell->stop = stop;
		if (store_cell_stop(experiment->store, cell->id, stats_stop_name(stop), trouble))
			return -1;
		experiment_cell_stats(cell, &stats);
		progress_cell_stop(experiment->progress, &experiment->plan->cell[i], stop, &stats);
	}
	return 0;
}

static enum experiment_end all_blocks(struct session *session, struct trouble *trouble)
{
	struct experiment *experiment = session->experiment;
	unsigned int block = first_block(experiment);
	bool first = experiment->nr_trials == 0;
	enum trial_end end = TRIAL_ENDED;

	for (; end == TRIAL_ENDED && any_waits(experiment); block++) {
		if (!first && time_is_over(session)) {
			if (stop_others(experiment, STOP_TIME, trouble))
				return EXPERIMENT_BROKEN;
			break;
		}
		first = false;
		end = one_block(session, block, trouble);
	}
	switch (end) {
	case TRIAL_ENDED:
		return EXPERIMENT_COMPLETE;
	case TRIAL_INTERRUPTED:
		return stop_others(experiment, STOP_USER, trouble) ? EXPERIMENT_BROKEN
								   : EXPERIMENT_INTERRUPTED;
	case TRIAL_NO_TARGET:
		return EXPERIMENT_NO_TARGET;
	default:
		return EXPERIMENT_BROKEN;
	}
}

/* ---- the end ---- */

static int note_end(struct experiment *experiment, enum experiment_end end, struct trouble *trouble)
{
	const char *state = end == EXPERIMENT_COMPLETE ? "complete" : "stopped";
	char text[TIMESTAMP_MAX] = "";

	if (end == EXPERIMENT_COMPLETE)
		timestamp_now(text);
	progress_run_end(experiment->progress, state);
	return store_run_state(experiment->store, experiment->run.id, state, text, trouble);
}

/* What went wrong first is what is told at the end; what comes on top of it, now. */
static enum experiment_end go_wrong(struct experiment *experiment, enum experiment_end end,
				    struct trouble *trouble, const struct trouble *later)
{
	if (end == EXPERIMENT_NO_TARGET || end == EXPERIMENT_BROKEN)
		progress_notice(experiment->progress, later->object, later->reason, later->hint);
	else
		*trouble = *later;
	return end == EXPERIMENT_NO_TARGET ? end : EXPERIMENT_BROKEN;
}

enum experiment_end experiment_run(struct experiment *experiment, struct trouble *trouble)
{
	struct session session = {.experiment = experiment};
	enum experiment_end end = EXPERIMENT_BROKEN;
	struct trouble later;

	if (begin(&session, trouble))
		goto out;
	progress_run_begin(experiment->progress, experiment->plan, &experiment->run,
			   experiment->resumed);
	fill_bench(&session);
	end = all_blocks(&session, trouble);
	if (trial_restore(&session.bench, &later))
		end = go_wrong(experiment, end, trouble, &later);
	else
		leftover_note(&experiment->leftover, NULL, NULL);
	if (note_end(experiment, end, &later))
		end = go_wrong(experiment, end, trouble, &later);
out:
	span_close(experiment->span);
	experiment->span = NULL;
	free(session.order);
	return end;
}
