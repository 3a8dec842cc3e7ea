// SPDX-License-Identifier: GPL-2.0-or-later
/* part_notes: what has to be known of a workload's scores before they are believed. */
#include "results/part.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* From here on a score tells of flushes more than of anything else. */
#define FLUSH_SHARE 0.5

static void note(FILE *to, const struct cell_result *cell, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void note(FILE *to, const struct cell_result *cell, const char *format, ...)
{
	char text[1536];
	size_t used;
	va_list args;

	used = (size_t)snprintf(text, sizeof(text) / 2, "%.200s: ", cell->cell->configuration);
	va_start(args, format);
	vsnprintf(text + used, sizeof(text) - used, format, args);
	va_end(args);
	fputs("  ! ", to);
	show_wrapped(to, text, 4, 4);
}

static const char *plural(size_t nr)
{
	return nr == 1 ? "" : "s";
}

static void note_quality(FILE *to, const struct cell_result *cell)
{
	size_t lost = cell->failed + cell->invalid;

	if (cell->noisy)
		note(to, cell, "%zu of %zu run%s noisy: %s", cell->noisy, cell->n, plural(cell->n),
		     *cell->noise ? cell->noise : "no reason given");
	if (cell->n && lost)
		note(to, cell, "%zu more run%s not counted (%zu failed, %zu invalid): %s", lost,
		     plural(lost), cell->failed, cell->invalid,
		     *cell->reason ? cell->reason : "no reason given");
}

/* What has to be known of runs that are well. */
static void note_runs(FILE *to, const struct cell_result *cell)
{
	for (size_t i = 0; i < cell->n; i++)
		if (cell->trial[i]->state == TRIAL_OK && *cell->trial[i]->reason) {
			note(to, cell, "%s", cell->trial[i]->reason);
			return;
		}
}

static void note_outliers(FILE *to, const struct cell_result *cell, unsigned int digits)
{
	for (size_t i = 0; i < cell->n; i++) {
		double far = stats_outlier(&cell->stats, cell->sample[i]);
		struct number value, by;

		if (far == 0)
			continue;
		note(to, cell, "run %u stands out: %s, %s %s where outliers begin; it counts",
		     cell->trial[i]->block, number_decimal(&value, cell->sample[i], digits),
		     number_decimal(&by, fabs(far), digits), far > 0 ? "above" : "below");
	}
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The scores in order, with a bar where the gap is. */
static void note_groups(FILE *to, const struct cell_result *cell, unsigned int digits)
{
	double *order = calloc(cell->n, sizeof(*order));
	size_t i, gap = 1, used = 0;
	char text[512] = "";

	if (!order)
		return;
	memcpy(order, cell->sample, cell->n * sizeof(*order));
	qsort(order, cell->n, sizeof(*order), compare);
	for (i = 1; i + 2 < cell->n; i++)
		if (order[i + 1] - order[i] > order[gap + 1] - order[gap])
			gap = i;
	for (i = 0; i < cell->n && used + 64 < sizeof(text); i++) {
		struct number number;

		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s",
					 i == gap + 1 ? " | "
					 : i	      ? " "
						      : "",
					 number_decimal(&number, order[i], digits));
	}
	note(to, cell, "the scores lie in two groups, the mean between them: %s", text);
	free(order);
}

/* Why there are no more runs, where the mean is still less certain than was asked for. */
static void note_stop(FILE *to, const struct cell_result *cell)
{
	struct number number;
	enum stats_stop stop;

	if (cell->n < 2 || !stats_stop_parse(cell->cell->stop, &stop) || stop == STOP_NOT ||
	    stop == STOP_PRECISE || !isfinite(cell->stats.half / cell->stats.mean))
		return;
	number_decimal(&number, 100 * fabs(cell->stats.half / cell->stats.mean), 1);
	note(to, cell, "known to +- %s %% after %zu runs (95 %%); no more were made: %s",
	     number.text, cell->n, stats_stop_text(stop));
}

static void note_flushes(FILE *to, const struct cell_result *cell)
{
	struct number number;

	if (!(cell->device.flush_drain_share >= FLUSH_SHARE))
		return;
	number_decimal(&number, 100 * cell->device.flush_drain_share, 0);
	note(to, cell, "%s %% of the time the disk was flushing%s: the score is one of flushes",
	     number.text, cell->device.drain_known ? " or draining its queue for it" : "");
}

static void note_idle(FILE *to, const struct cell_result *cell)
{
	struct number number;

	if (!(cell->device.idle_share >= IDLE_SHARE))
		return;
	number_decimal(&number, 100 * cell->device.idle_share, 0);
	note(to, cell, "the disk was idle %s %% of the time: this score says little about it",
	     number.text);
}

void part_notes(FILE *to, const struct results *results, size_t first)
{
	unsigned int digits = show_digits(show_largest(results, first));

	for (size_t i = first; i < results->nr_cells; i = show_next(results, i)) {
		const struct cell_result *cell = &results->cell[i];

		note_quality(to, cell);
		note_runs(to, cell);
		if (!results->quiet)
			note_outliers(to, cell, digits);
		if (cell->stats.bimodal)
			note_groups(to, cell, digits);
		note_stop(to, cell);
		note_flushes(to, cell);
		note_idle(to, cell);
	}
}
