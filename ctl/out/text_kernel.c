// SPDX-License-Identifier: GPL-2.0-or-later
/* text_kernel: what the kernel itself counts of a disk's requests, without the module. */
#include "out/number.h"
#include "out/text.h"

#define LABEL 14

static const struct {
	unsigned int class;
	const char *label;
	const char *remark;
} lines[] = {
	{ FSBSTAT_CLASS_READ, "read", "" },
	{ FSBSTAT_CLASS_WRITE, "write", "empty flushes are among them" },
	{ FSBSTAT_CLASS_FLUSH, "flush", "" },
	{ FSBSTAT_CLASS_DISCARD, "discard", "" },
};

static void class_line(FILE *to, const struct figures *figures, size_t i)
{
	const struct class_counts *counts = &figures->class[lines[i].class].counts;
	bool flush = lines[i].class == FSBSTAT_CLASS_FLUSH;
	double seconds = (double)figures->elapsed_ns / 1e9, ns;
	struct number count, rate, mb, mean;

	fprintf(to, "  %-12s%11s%8s%9s%7s", lines[i].label, number_count(&count, counts->ios),
		seconds > 0 ? number_rate(&rate, (double)counts->ios / seconds) : "n/a",
		flush ? "" : number_mb(&mb, (double)counts->bytes),
		figures_mean(figures, lines[i].class, &ns) ? number_ms(&mean, ns) : "-");
	fprintf(to, "%s%s\n", counts->ios && *lines[i].remark ? "   " : "",
		counts->ios ? lines[i].remark : "");
}

void text_kernel(FILE *to, const struct report_disk *disk)
{
	const struct figures *figures = &disk->figures;
	double elapsed = (double)figures->elapsed_ns;
	struct number depth, busy;
	size_t i;

	fprintf(to, "\n%42stime with waiting, ms\n", "");
	fprintf(to, "%-14s%11s%8s%9s%7s\n", "requests", "count", "/s", "MB", "mean");
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (lines[i].class != FSBSTAT_CLASS_DISCARD || report_has_discards(disk))
			class_line(to, figures, i);
	if (!figures->elapsed_ns)
		return;
	fputc('\n', to);
	text_fillf(to, LABEL, "depth",
		   "%s mean, waiting requests among them; busy %s %% of the time",
		   number_decimal(&depth, figures->depth_mean, 2),
		   number_rate(&busy, 100 - 100 * figures->idle_ns / elapsed));
}
