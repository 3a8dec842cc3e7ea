// SPDX-License-Identifier: GPL-2.0-or-later
/* part_changes: each configuration against the baseline, with an interval or not at all. */
#include "results/part.h"

#include <math.h>
#include <string.h>

#define NAME_MOST 32

/* Why there is no figure. */
static const char *why_not(const struct cell_result *base, const struct cell_result *cell)
{
	if (cell->n == 1 || base->n == 1)
		return cell->n == 1 ? "not comparable (n = 1)"
				    : "not comparable (n = 1 of the baseline)";
	return "not comparable (the baseline is not apart from 0)";
}

static const char *verdict(const struct cell_result *cell)
{
	if (cell->change.low <= 0 && cell->change.high >= 0)
		return "not told apart";
	return (cell->change.change > 0) == cell->cell->more_is_better ? "better" : "worse";
}

static void print_row(FILE *to, size_t name, const struct cell_result *base,
		      const struct cell_result *cell)
{
	struct number change, low, high;
	char interval[96];

	fputs("  ", to);
	show_padded(to, cell->cell->configuration, name, ' ');
	if (!cell->change.known) {
		fprintf(to, "  %s\n", why_not(base, cell));
		return;
	}
	snprintf(interval, sizeof(interval), "[%s, %s]",
		 number_decimal(&low, 100 * cell->change.low, 1),
		 number_decimal(&high, 100 * cell->change.high, 1));
	fprintf(to, "%11s  %-16s  %s\n", show_percent(&change, cell->change.change), interval,
		verdict(cell));
}

void part_changes(FILE *to, const struct results *results, size_t first)
{
	const struct cell_result *base = results_base(results, &results->cell[first]);
	size_t name = show_name_width(results, NAME_MOST), others = 0, i;
	char title[512];

	for (i = first; i < results->nr_cells; i = show_next(results, i))
		others += results->cell[i].n && &results->cell[i] != base;
	if (!others || !base)
		return;
	if (!base->n) {
		snprintf(title, sizeof(title), "against %.300s: it has no score here",
			 results->baseline);
		show_wrapped(to, title, 0, 2);
		return;
	}
	snprintf(title, sizeof(title), "against %.300s (95 %% interval%s):", results->baseline,
		 base->cell->more_is_better ? "" : "; less is better");
	show_wrapped(to, title, 0, 2);
	for (i = first; i < results->nr_cells; i = show_next(results, i))
		if (results->cell[i].n && &results->cell[i] != base)
			print_row(to, name, base, &results->cell[i]);
}
