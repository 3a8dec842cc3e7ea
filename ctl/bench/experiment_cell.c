// SPDX-License-Identifier: GPL-2.0-or-later
/* experiment_cell: what is known of each cell so far; see experiment.h. */
#include "bench/experiment.h"

#include <math.h>
#include <stdlib.h>

/* Trials that fail from the first on before the cell is given up. */
#define FAILURES_AT_MOST 2
/* Trials for each run that is wanted, where some do not count. */
#define TRIALS_A_RUN 2

static int add_sample(struct cell_progress *cell, double score)
{
	double *grown = realloc(cell->sample, (cell->n + 1) * sizeof(*grown));

	if (!grown)
		return -1;
	cell->sample = grown;
	grown[cell->n++] = score;
	return 0;
}

static enum stats_stop decide(const struct matrix_repeat *repeat, const struct cell_progress *cell,
			      double seconds)
{
	enum stats_stop stop = STOP_NOT;

	if (!cell->n && cell->failed >= FAILURES_AT_MOST)
		return STOP_FAILED;
	if (cell->n)
		stop = stats_rule(repeat, cell->sample, cell->n, seconds);
	if (stop == STOP_NOT && cell->trials >= TRIALS_A_RUN * repeat->max)
		stop = cell->n ? STOP_MAX : STOP_FAILED;
	return stop;
}

int experiment_cell_take(struct experiment *experiment, size_t i, const struct store_trial *trial,
			 double whole_s)
{
	struct cell_progress *cell = &experiment->cell[i];

	cell->trials++;
	cell->block = trial->block;
	cell->whole_s += whole_s;
	experiment->nr_trials++;
	experiment->spent_s += whole_s;
	if (trial->state == TRIAL_FAILED)
		cell->failed++;
	if (trial->state <= TRIAL_NOISY && !isnan(trial->score) && add_sample(cell, trial->score))
		return -1;
	cell->stop = decide(&experiment->plan->matrix.repeat, cell, trial->seconds);
	return 0;
}

bool experiment_cell_waits(const struct experiment *experiment, size_t i)
{
	return !experiment->plan->cell[i].unsupported && experiment->cell[i].stop == STOP_NOT;
}

void experiment_cell_stats(const struct cell_progress *cell, struct stats *stats)
{
	stats_of(stats, cell->sample, cell->n);
}

/* What a trial of the cell takes: by its own, else by what others took in all. */
static double trial_seconds(const struct experiment *experiment, size_t i)
{
	const struct cell_progress *cell = &experiment->cell[i];

	if (cell->trials)
		return cell->whole_s / cell->trials;
	if (experiment->plan->cell[i].use->seconds > 0)
		return experiment->plan->cell[i].use->seconds;
	return experiment->nr_trials ? experiment->spent_s / experiment->nr_trials : -1;
}

double experiment_left(const struct experiment *experiment)
{
	const struct matrix_repeat *repeat = &experiment->plan->matrix.repeat;
	double left = 0;
	size_t i;

	for (i = 0; i < experiment->plan->nr_cells; i++) {
		const struct cell_progress *cell = &experiment->cell[i];
		double seconds = trial_seconds(experiment, i);

		if (!experiment_cell_waits(experiment, i))
			continue;
		if (seconds < 0)
			return -1;
		left += seconds * (cell->n < repeat->min ? (double)(repeat->min - cell->n) : 1);
	}
	return left;
}

size_t experiment_failed(const struct experiment *experiment)
{
	size_t i, nr = 0;

	for (i = 0; i < experiment->plan->nr_cells; i++)
		if (!experiment->plan->cell[i].unsupported &&
		    (experiment->cell[i].stop == STOP_FAILED || !experiment->cell[i].n))
			nr++;
	return nr;
}
