// SPDX-License-Identifier: GPL-2.0-or-later
/* text: the report for people, 80 columns of ASCII but for what names bring along. */
#include "results/part.h"

static int show(FILE *to, const struct results *results)
{
	part_head(to, results);
	for (size_t i = 0; i < results->nr_cells; i++) {
		if (!show_opens_workload(results, i))
			continue;
		fputc('\n', to);
		part_bars(to, results, i);
		part_notes(to, results, i);
		part_device(to, results, i);
		part_changes(to, results, i);
	}
	part_mounts(to, results);
	return 0;
}

const struct results_ops results_text = {.name = "text", .show = show};
