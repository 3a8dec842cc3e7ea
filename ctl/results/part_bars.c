// SPDX-License-Identifier: GPL-2.0-or-later
/* part_bars: scores as bars, with mean, standard error and number of runs. */
#include "results/part.h"

#include <math.h>
#include <string.h>

#define NAME_MOST 36
#define BAR_LEAST 10

struct bars {
	size_t name, mean, se, bar; /* widths */
	unsigned int digits;
	double largest; /* mean */
};

static const char *se_text(struct number *number, const struct stats *stats, unsigned int digits)
{
	if (stats->n < 2) {
		snprintf(number->text, sizeof(number->text), "-");
		return number->text;
	}
	return number_decimal(number, stats->se, digits);
}

static void widen(size_t *width, const char *text)
{
	if (strlen(text) > *width)
		*width = strlen(text);
}

static void measure(struct bars *bars, const struct results *results, size_t first)
{
	size_t used;

	*bars = (struct bars){.name = show_name_width(results, NAME_MOST) + 3,
			      .mean = 4,
			      .se = 2,
			      .digits = show_digits(show_largest(results, first))};
	for (size_t i = first; i < results->nr_cells; i = show_next(results, i)) {
		const struct stats *stats = &results->cell[i].stats;
		struct number number;

		if (!stats->n)
			continue;
		widen(&bars->mean, number_decimal(&number, stats->mean, bars->digits));
		widen(&bars->se, se_text(&number, stats, bars->digits));
		bars->largest = fmax(bars->largest, stats->mean);
	}
	used = 2 + bars->name + 1 + bars->mean + 2 + bars->se + 5 + 3;
	bars->bar = used + BAR_LEAST <= SHOW_WIDTH ? SHOW_WIDTH - used : 0;
}

static void print_bar(FILE *to, const struct bars *bars, double mean)
{
	size_t filled = 0;

	if (!bars->bar)
		return;
	if (mean > 0 && bars->largest > 0)
		filled = (size_t)lround(mean / bars->largest * (double)bars->bar);
	fputs(" |", to);
	for (size_t i = 0; i < bars->bar; i++)
		fputc(i < filled ? '#' : ' ', to);
	fputc('|', to);
}

static void print_row(FILE *to, const struct results *results, const struct bars *bars,
		      const struct cell_result *cell)
{
	struct number mean, se;
	char why[1024];

	fputs("  ", to);
	show_padded(to, cell->cell->configuration, bars->name, '.');
	fputc(' ', to);
	if (!cell->n) {
		show_wrapped(to, results_why(results, cell, why, sizeof(why)), bars->name + 3,
			     bars->name + 3);
		return;
	}
	fprintf(to, "%*s  %*s %4zu", (int)bars->mean,
		number_decimal(&mean, cell->stats.mean, bars->digits), (int)bars->se,
		se_text(&se, &cell->stats, bars->digits), cell->n);
	print_bar(to, bars, cell->stats.mean);
	fputc('\n', to);
}

static bool any_score(const struct results *results, size_t first)
{
	for (; first < results->nr_cells; first = show_next(results, first))
		if (results->cell[first].n)
			return true;
	return false;
}

void part_bars(FILE *to, const struct results *results, size_t first)
{
	const struct store_cell *cell = results->cell[first].cell;
	struct bars bars;
	char unit[64];

	show_unit(unit, sizeof(unit), cell);
	show_ends(to, *cell->title ? cell->title : cell->workload, unit);
	measure(&bars, results, first);
	if (any_score(results, first))
		fprintf(to, "%*s%*s  %*s %4s\n", (int)bars.name + 3, "", (int)bars.mean, "mean",
			(int)bars.se, "SE", "N");
	for (size_t i = first; i < results->nr_cells; i = show_next(results, i))
		print_row(to, results, &bars, &results->cell[i]);
}
