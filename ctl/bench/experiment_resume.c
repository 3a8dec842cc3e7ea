// SPDX-License-Identifier: GPL-2.0-or-later
/* experiment_resume: what a run that was cut off has done already; see experiment.h. */
#include "bench/experiment.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "json_bounded.h"

static const struct store_cell *find_stored(const struct store_result *stored,
					    const struct cell *cell)
{
	size_t i;

	for (i = 0; i < stored->nr_cells; i++)
		if (!strcmp(stored->cell[i].configuration, cell->configuration->name) &&
		    !strcmp(stored->cell[i].workload, cell->use->label))
			return &stored->cell[i];
	return NULL;
}

static void drop_cell(struct plan *plan, size_t i)
{
	free(plan->cell[i].name);
	free(plan->cell[i].unsupported);
	plan->nr_cells--;
	memmove(&plan->cell[i], &plan->cell[i + 1], (plan->nr_cells - i) * sizeof(*plan->cell));
}

/* A cell stays what it was when the run began. */
static int same_support(const struct store_run *run, struct cell *cell,
			const struct store_cell *stored, struct trouble *trouble)
{
	if (!*stored->unsupported && cell->unsupported)
		return trouble_set(trouble, TROUBLE_REFUSED, run->name, "",
				   "%s can no longer be had: %s", cell->name, cell->unsupported);
	if (*stored->unsupported && !cell->unsupported) {
		cell->unsupported = strdup(stored->unsupported);
		if (!cell->unsupported)
			return trouble_memory(trouble, cell->name);
	}
	return 0;
}

int experiment_match(struct experiment *experiment, const struct store_result *stored,
		     struct trouble *trouble)
{
	struct plan *plan = experiment->plan;
	const struct store_cell *found;
	size_t i = 0;

	while (i < plan->nr_cells) {
		found = find_stored(stored, &plan->cell[i]);
		if (!found) {
			drop_cell(plan, i);
			continue;
		}
		if (same_support(&stored->run, &plan->cell[i], found, trouble))
			return -1;
		i++;
	}
	if (plan->nr_cells == stored->nr_cells)
		return 0;
	return trouble_set(trouble, TROUBLE_REFUSED, stored->run.name, "begin anew",
			   "it has %zu cells, and what it was made from gives %zu: a workload's "
			   "file has changed",
			   stored->nr_cells, plan->nr_cells);
}

/* Sum of the phases, in seconds. */
static double whole_seconds(const struct store_trial *trial)
{
	json_t *phases = json_bounded_text(trial->phases, NULL);
	json_t *value;
	double sum = 0;
	const char *key;

	json_object_foreach(phases, key, value)
		sum += json_number_value(value) / 1e9;
	json_decref(phases);
	return sum;
}

static int take_trials(struct experiment *experiment, const struct store_result *stored,
		       struct trouble *trouble)
{
	size_t i, k;

	for (i = 0; i < stored->nr_trials; i++) {
		const struct store_trial *trial = &stored->trial[i];

		for (k = 0; k < experiment->plan->nr_cells; k++)
			if (experiment->cell[k].id == trial->cell &&
			    experiment_cell_take(experiment, k, trial, whole_seconds(trial)))
				return trouble_memory(trouble, stored->run.name);
	}
	return 0;
}

static int same_host(struct experiment *experiment, const struct store_run *run,
		     struct trouble *trouble)
{
	struct store_run now = {.id = 0};
	int ret = experiment_host(experiment, &now.host, trouble);

	if (!ret)
		ret = experiment_same_host(run->name, &run->host, &now.host, trouble);
	experiment_run_free(&now);
	return ret;
}

int experiment_resume(struct experiment *experiment, const struct store_result *stored,
		      struct trouble *trouble)
{
	size_t i;

	experiment->resumed = true;
	experiment->run = stored->run;
	if (experiment_match(experiment, stored, trouble) || experiment_new(experiment, trouble) ||
	    same_host(experiment, &stored->run, trouble))
		return -1;
	for (i = 0; i < experiment->plan->nr_cells; i++)
		experiment->cell[i].id = find_stored(stored, &experiment->plan->cell[i])->id;
	return take_trials(experiment, stored, trouble);
}
