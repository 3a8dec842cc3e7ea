// SPDX-License-Identifier: GPL-2.0-or-later
/* figures: from the trials of a stored run to what is said of its cells. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/device.h"
#include "results/results.h"

static bool counts(const struct store_trial *trial)
{
	return (trial->state == TRIAL_OK || trial->state == TRIAL_NOISY) && isfinite(trial->score);
}

/* Cells come in the order of their ids. */
static struct cell_result *cell_of(const struct results *results, int64_t id)
{
	size_t low = 0, high = results->nr_cells;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (results->cell[middle].cell->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == results->nr_cells || results->cell[low].cell->id != id)
		return NULL;
	return &results->cell[low];
}

static void take(struct cell_result *cell, const struct store_trial *trial)
{
	if (*trial->mount_options)
		cell->mount_options = trial->mount_options;
	if (counts(trial)) {
		cell->trial[cell->n] = trial;
		cell->sample[cell->n++] = trial->score;
		if (trial->state == TRIAL_NOISY) {
			cell->noisy++;
			cell->noise = trial->reason;
		}
		return;
	}
	if (trial->state == TRIAL_INVALID)
		cell->invalid++;
	else
		cell->failed++;
	cell->reason = trial->reason;
}

static int sort_trials(struct results *results, const struct store_result *stored)
{
	size_t *nr = calloc(results->nr_cells + 1, sizeof(*nr)), i;
	struct cell_result *cell;

	if (!nr)
		return -ENOMEM;
	for (i = 0; i < stored->nr_trials; i++) {
		cell = cell_of(results, stored->trial[i].cell);
		if (cell)
			nr[cell - results->cell]++;
	}
	for (i = 0; i < results->nr_cells; i++) {
		cell = &results->cell[i];
		cell->sample = calloc(nr[i] + 1, sizeof(*cell->sample));
		cell->trial = calloc(nr[i] + 1, sizeof(*cell->trial));
		if (!cell->sample || !cell->trial) {
			free(nr);
			return -ENOMEM;
		}
	}
	free(nr);
	for (i = 0; i < stored->nr_trials; i++) {
		cell = cell_of(results, stored->trial[i].cell);
		if (cell)
			take(cell, &stored->trial[i]);
	}
	return 0;
}

const struct cell_result *results_base(const struct results *results,
				       const struct cell_result *cell)
{
	for (size_t i = 0; i < results->nr_cells; i++)
		if (!strcmp(results->cell[i].cell->configuration, results->baseline) &&
		    !strcmp(results->cell[i].cell->workload, cell->cell->workload))
			return &results->cell[i];
	return NULL;
}

static const char *default_baseline(const struct store_result *stored)
{
	if (stored->run.baseline && *stored->run.baseline)
		return stored->run.baseline;
	return stored->nr_cells ? stored->cell[0].configuration : "";
}

int results_make(struct results *results, const struct store_result *stored, const char *baseline)
{
	int err;

	*results = (struct results){.stored = stored};
	results->baseline = baseline ? baseline : default_baseline(stored);
	results->cell = calloc(stored->nr_cells + 1, sizeof(*results->cell));
	if (!results->cell)
		return -ENOMEM;
	results->nr_cells = stored->nr_cells;
	for (size_t i = 0; i < results->nr_cells; i++)
		results->cell[i] = (struct cell_result){
			.cell = &stored->cell[i], .mount_options = "", .reason = "", .noise = ""};
	err = sort_trials(results, stored);
	for (size_t i = 0; i < results->nr_cells && !err; i++) {
		stats_of(&results->cell[i].stats, results->cell[i].sample, results->cell[i].n);
		err = device_figures_of(&results->cell[i].device, &results->cell[i]);
	}
	for (size_t i = 0; i < results->nr_cells && !err; i++) {
		const struct cell_result *base = results_base(results, &results->cell[i]);

		if (base && base != &results->cell[i])
			stats_change(&results->cell[i].change, &base->stats,
				     &results->cell[i].stats);
	}
	return err;
}

void results_free(struct results *results)
{
	for (size_t i = 0; i < results->nr_cells; i++) {
		free(results->cell[i].sample);
		free(results->cell[i].trial);
	}
	free(results->cell);
	*results = (struct results){0};
}

const char *results_why(const struct results *results, const struct cell_result *cell, char *buf,
			size_t size)
{
	enum stats_stop stop;

	buf[0] = '\0';
	if (cell->n)
		return buf;
	if (*cell->cell->unsupported)
		snprintf(buf, size, "unsupported: %s", cell->cell->unsupported);
	else if (cell->failed || cell->invalid)
		snprintf(buf, size, "%s: %s", cell->failed ? "failed" : "invalid",
			 *cell->reason ? cell->reason : "no reason given");
	else if (stats_stop_parse(cell->cell->stop, &stop) && stop != STOP_NOT)
		snprintf(buf, size, "not run: %s", stats_stop_text(stop));
	else
		snprintf(buf, size, "%s",
			 strcmp(store_state_name(&results->stored->run), "running") ? "not run"
									    : "not run yet");
	return buf;
}
