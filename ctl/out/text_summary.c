// SPDX-License-Identifier: GPL-2.0-or-later
/* text_summary: mean and standard error over the runs of -r. */
#include <string.h>

#include "out/number.h"
#include "out/text.h"

/* A figure per run of one class: label, unit it is divided by, digits. */
static void spread_line(FILE *to, const char *label, const struct spread *spread, double unit,
			unsigned int digits)
{
	struct number mean, se, min, max;

	if (!spread->n)
		return;
	fprintf(to, "  %-25s%12s %10s %12s %12s %3u\n", label,
		number_decimal(&mean, spread->mean / unit, digits),
		spread->se >= 0 ? number_decimal(&se, spread->se / unit, digits) : "-",
		number_decimal(&min, spread->min / unit, digits),
		number_decimal(&max, spread->max / unit, digits), spread->n);
}

void text_summary(FILE *to, const struct report *report, const struct report_disk *disk)
{
	static const struct {
		unsigned int class;
		const char *label;
	} rows[] = {
		{ FSBSTAT_CLASS_READ, "read" },
		{ FSBSTAT_CLASS_WRITE, "write" },
		{ FSBSTAT_CLASS_FUA_WRITE, "FUA write" },
		{ FSBSTAT_CLASS_FLUSH, "flush" },
	};
	static const struct {
		const char *label;
		double unit;
		unsigned int digits;
	} figures[CLASS_FIGURES] = {
		{ "requests", 1, 1 }, { "MB", 1e6, 1 }, { "requests/s", 1, 1 },
		{ "device ms, mean", 1e6, 3 }, { "device ms, p99", 1e6, 3 },
	};
	struct spread spread;
	char label[64];
	size_t i, k;

	fprintf(to, "\n%-27s%12s %10s %12s %12s %3s\n", "per run", "mean", "+- SE", "least",
		"most", "n");
	spread_of_elapsed_s(&spread, disk->run, report->nr_runs);
	spread_line(to, "seconds", &spread, 1, 2);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (k = 0; k < CLASS_FIGURES; k++) {
			if (!disk->figures.class[rows[i].class].counts.ios)
				break;
			if (!strcmp(figures[k].label, "MB") && rows[i].class == FSBSTAT_CLASS_FLUSH)
				continue;
			spread_of_class(&spread, disk->run, report->nr_runs, rows[i].class,
					&class_figures[k]);
			snprintf(label, sizeof(label), "%s %s", rows[i].label, figures[k].label);
			spread_line(to, label, &spread, figures[k].unit, figures[k].digits);
		}
	}
	spread_of_depth_mean(&spread, disk->run, report->nr_runs);
	spread_line(to, "depth mean", &spread, 1, 2);
}
