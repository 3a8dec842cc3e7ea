// SPDX-License-Identifier: GPL-2.0-or-later
/* text_requests: the table of request classes. */
#include <string.h>

#include "out/number.h"
#include "out/text.h"

static const char *const labels[FSBSTAT_CLASSES] = {
	[FSBSTAT_CLASS_READ] = "read",
	[FSBSTAT_CLASS_WRITE] = "write",
	[FSBSTAT_CLASS_FUA_WRITE] = "FUA write",
	[FSBSTAT_CLASS_FLUSH] = "flush",
	[FSBSTAT_CLASS_DISCARD] = "discard",
	[FSBSTAT_CLASS_WRITE_ZEROES] = "write zeroes",
	[FSBSTAT_CLASS_OTHER] = "other",
};

static void percentile_cell(FILE *to, int width, const struct latency *latency, size_t which)
{
	struct number number;

	fprintf(to, "%*s", width,
		latency->enough[which] ?
			number_ms(&number, (double)latency->percentile_ns[which]) : "-");
}

/* The greatest; with ~ when it could only be read off the histogram. */
static void max_cell(FILE *to, int width, const struct latency *latency)
{
	struct number number;
	char text[48] = "-";

	if (latency->count)
		snprintf(text, sizeof(text), "%s%s", latency->exact ? "" : "~",
			 number_ms(&number, (double)latency->max_ns));
	fprintf(to, "%*s", width, text);
}

/* Why there are no FUA writes, or "" when there simply were none. */
static const char *no_fua(const struct report_disk *disk)
{
	if (report_flags_dropped(disk))
		return "not sent while the kernel's view is write through";
	if (disk->begin.info.fua == 0)
		return disk->figures.bio.fua ? "disk has no FUA, see below" : "disk has no FUA";
	return "";
}

static void class_line(FILE *to, const struct report_disk *disk, unsigned int class)
{
	const struct class_figures *figures = &disk->figures.class[class];
	const struct latency *device = &figures->latency[FSBSTAT_HIST_DEVICE];
	double seconds = (double)disk->figures.elapsed_ns / 1e9;
	bool sized = class != FSBSTAT_CLASS_FLUSH;
	struct number number;

	fprintf(to, "  %-12s%11s", labels[class], number_count(&number, figures->counts.ios));
	if (!figures->counts.ios) {
		const char *reason = class == FSBSTAT_CLASS_FUA_WRITE ? no_fua(disk) : "";

		fprintf(to, "%s%s\n", *reason ? "   " : "", reason);
		return;
	}
	fprintf(to, "%8s", seconds > 0 ?
				   number_rate(&number, (double)figures->counts.ios / seconds) :
				   "n/a");
	fprintf(to, "%9s", sized ? number_mb(&number, (double)figures->counts.bytes) : "");
	percentile_cell(to, 7, device, PERCENTILE_50);
	percentile_cell(to, 7, device, PERCENTILE_99);
	percentile_cell(to, 7, device, PERCENTILE_99_9);
	max_cell(to, 8, device);
	if (figures->latency[FSBSTAT_HIST_QUEUE].count)
		percentile_cell(to, 9, &figures->latency[FSBSTAT_HIST_QUEUE], PERCENTILE_99);
	else
		fprintf(to, "%9s", "n/a");
	fputc('\n', to);
}

/* What went wrong with requests; nothing when nothing did. */
static void trouble_line(FILE *to, const struct report_disk *disk)
{
	uint64_t other = disk->figures.class[FSBSTAT_CLASS_OTHER].counts.errors;
	uint64_t errors = 0, requeues = 0, busy = 0, not_sent = disk->figures.not_sent;
	unsigned int class;

	for (class = 0; class < FSBSTAT_CLASSES; class++) {
		errors += disk->figures.class[class].counts.errors;
		requeues += disk->figures.class[class].counts.requeues;
		busy += disk->figures.class[class].counts.busy;
	}
	if (errors)
		text_fillf(to, 14, "  errors", "%llu requests ended with an error%s",
			   (unsigned long long)errors,
			   !other ? "" :
			   other == errors ? "; all are of other: passthrough that asks for the "
					     "drive's registers ends so even if it succeeds" :
					     "; those of other may be passthrough that succeeded");
	if (not_sent)
		text_fillf(to, 14, "  not sent", "%llu requests ended without reaching the disk",
			   (unsigned long long)not_sent);
	if (requeues || busy)
		text_fillf(to, 14, "  given back",
			   "%llu times by the driver after being sent, %llu times before",
			   (unsigned long long)requeues, (unsigned long long)busy);
}

void text_requests(FILE *to, const struct report_disk *disk)
{
	unsigned int class;

	fprintf(to, "\n%47sdevice time, ms%8swaiting\n", "", "");
	fprintf(to, "%-14s%11s%8s%9s%7s%7s%7s%8s%9s\n", "requests", "count", "/s", "MB", "p50",
		"p99", "p99.9", "max", "p99, ms");
	for (class = 0; class < FSBSTAT_CLASSES; class++)
		if (class <= FSBSTAT_CLASS_FLUSH || disk->figures.class[class].counts.ios ||
		    (class == FSBSTAT_CLASS_DISCARD && report_has_discards(disk)))
			class_line(to, disk, class);
	trouble_line(to, disk);
}
