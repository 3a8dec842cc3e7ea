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
	return cell->stats.mean < 0 ? "not comparable (a mean below 0)"
				    : "not comparable (the mean of the baseline is not above 0)";
}

static const char *verdict(const struct cell_result *cell)
{
	int sign = change_sign(&cell->change);

	if (!sign)
		return "not significant";
	return (sign > 0) == cell->cell->more_is_better ? "better" : "worse";
}

static void print_row(FILE *to, size_t name, const struct cell_result *base,
		      const struct cell_result *cell)
{
	struct number change, interval;

	fputs("  ", to);
	show_padded(to, cell->cell->configuration, name, ' ');
	if (!cell->change.known) {
		fprintf(to, "  %s\n", why_not(base, cell));
		return;
	}
	fprintf(to, "%11s  %-16s  %s\n", show_percent(&change, cell->change.change),
		number_interval(&interval, cell->change.low, cell->change.high, 1), verdict(cell));
}

static bool any_unbounded(const struct results *results, size_t first)
{
	for (; first < results->nr_cells; first = show_next(results, first))
		if (isinf(results->cell[first].change.high))
			return true;
	return false;
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
	snprintf(title, sizeof(title), "against %.300s (95 %% interval%s%s):", results->baseline,
		 base->cell->more_is_better ? "" : "; less is better",
		 any_unbounded(results, first) ? "; inf: unbounded" : "");
	show_wrapped(to, title, 0, 2);
	for (i = first; i < results->nr_cells; i = show_next(results, i))
		if (results->cell[i].n && &results->cell[i] != base)
			print_row(to, name, base, &results->cell[i]);
}
