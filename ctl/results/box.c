// SPDX-License-Identifier: GPL-2.0-or-later
/* box: configurations x workloads with least, quartiles and most: how scores lie, in numbers. */
#include "results/show.h"

#include <string.h>

#define NUMBERS 5

static void values_of(const struct stats *stats, double value[NUMBERS])
{
	value[0] = stats->min;
	value[1] = stats->q1;
	value[2] = stats->median;
	value[3] = stats->q3;
	value[4] = stats->max;
}

/* Width of the widest number of the workload. */
static size_t number_width(const struct results *results, size_t first, unsigned int digits)
{
	size_t width = 6; /* "median" */

	for (size_t i = first; i < results->nr_cells; i = show_next(results, i)) {
		double value[NUMBERS];

		if (!results->cell[i].n)
			continue;
		values_of(&results->cell[i].stats, value);
		for (int k = 0; k < NUMBERS; k++) {
			struct number number;
			size_t length = strlen(number_decimal(&number, value[k], digits));

			width = length > width ? length : width;
		}
	}
	/* With more, names have no room: such numbers stand out of their columns. */
	return width < 10 ? width : 10;
}

/* How a workload's table is laid out. */
struct box {
	size_t name, number; /* widths */
	unsigned int digits;
};

static void print_row(FILE *to, const struct results *results, const struct cell_result *cell,
		      const struct box *box)
{
	double value[NUMBERS];
	char why[1024];

	fputs("  ", to);
	if (show_length(cell->cell->configuration) > box->name) {
		show_wrapped(to, cell->cell->configuration, 2, 2);
		fprintf(to, "%*s", (int)box->name + 2, "");
	} else {
		show_padded(to, cell->cell->configuration, box->name, ' ');
	}
	if (!cell->n) {
		fputs("  ", to);
		show_wrapped(to, results_why(results, cell, why, sizeof(why)), box->name + 4,
			     box->name + 4);
		return;
	}
	values_of(&cell->stats, value);
	fprintf(to, "%5zu", cell->n);
	for (int k = 0; k < NUMBERS; k++) {
		struct number number;

		fprintf(to, "  %*s", (int)box->number,
			number_decimal(&number, value[k], box->digits));
	}
	snprintf(why, sizeof(why), "%s%s%s", cell->noisy ? "~" : "", cell->stats.bimodal ? ":" : "",
		 cell->device.idle_share >= IDLE_SHARE ? "z" : "");
	fprintf(to, "%s%s\n", *why ? " " : "", why);
}

static void print_workload(FILE *to, const struct results *results, size_t first)
{
	static const char *const titles[NUMBERS] = {"min", "q1", "median", "q3", "max"};
	const struct store_cell *cell = results->cell[first].cell;
	struct box box = {.digits = show_digits(show_largest(results, first))};
	char unit[64];
	size_t room;

	box.number = number_width(results, first, box.digits);
	/* Blanks, n, the numbers, and the marks at the end. */
	room = SHOW_WIDTH - 2 - 5 - NUMBERS * (box.number + 2) - 4;
	box.name = show_name_width(results, room);
	show_unit(unit, sizeof(unit), cell);
	show_ends(to, cell->workload, unit);
	fprintf(to, "%*s%5s", (int)box.name + 2, "", "n");
	for (int k = 0; k < NUMBERS; k++)
		fprintf(to, "  %*s", (int)box.number, titles[k]);
	fputc('\n', to);
	for (size_t i = first; i < results->nr_cells; i = show_next(results, i))
		print_row(to, results, &results->cell[i], &box);
}

static int show(FILE *to, const struct results *results)
{
	bool noisy = false, bimodal = false, idle = false;

	for (size_t i = 0; i < results->nr_cells; i++) {
		noisy |= results->cell[i].noisy > 0;
		bimodal |= results->cell[i].stats.bimodal;
		idle |= results->cell[i].device.idle_share >= IDLE_SHARE;
		if (!show_opens_workload(results, i))
			continue;
		if (i)
			fputc('\n', to);
		print_workload(to, results, i);
	}
	if (noisy || bimodal || idle)
		fputc('\n', to);
	if (noisy)
		fputs("~ some runs were noisy; they count\n", to);
	if (bimodal)
		fputs(": the scores lie in two groups\n", to);
	if (idle)
		fprintf(to,
			"z the disk was idle %.0f %% of the time or more: "
			"the score says little about it\n",
			100 * IDLE_SHARE);
	return 0;
}

const struct results_ops results_table = {.name = "table", .show = show};
