// SPDX-License-Identifier: GPL-2.0-or-later
/* text_foot: what is left at the end, whether the counts agree, notes and warnings. */
#include <string.h>

#include "out/number.h"
#include "out/text.h"

#define LABEL 15

static void dirty_line(FILE *to, const struct report *report)
{
	struct number bytes;

	if (report->have_dirty && !report->dirty_bytes)
		text_filled(to, LABEL, "at end", "nothing dirty in memory");
	else if (report->have_dirty)
		text_fillf(to, LABEL, "at end",
			   "%s dirty in memory (all disks together), not written yet and not counted above",
			   number_bytes(&bytes, report->dirty_bytes));
}

/* "w 216 010 = 214 806 + 1 204 empty flushes" */
static void agreement(char *text, size_t size, const struct report_disk *disk,
		      const struct check *writes)
{
	uint64_t empty = disk->delta.quality.sequence_end_empty;
	struct number all, rest, alone;

	if (empty)
		snprintf(text, size, "diskstats agree (w %s = %s + %s empty flushes)",
			 number_count(&all, writes->theirs),
			 number_count(&rest, writes->theirs - empty), number_count(&alone, empty));
	else
		snprintf(text, size, "diskstats agree");
}

static void difference(char *text, size_t size, const struct report_disk *disk,
		       const struct check checks[REPORT_CHECKS])
{
	size_t i, used;

	snprintf(text, size, "diskstats differ:");
	for (i = 0; i < REPORT_CHECKS; i++) {
		used = strlen(text);
		if (checks[i].theirs != checks[i].ours)
			snprintf(text + used, size - used, " %s %+lld,", checks[i].name,
				 (long long)(checks[i].theirs - checks[i].ours));
	}
	used = strlen(text);
	snprintf(text + used, size - used, " with %u and %u in flight at the ends",
		 disk->figures.inflight_begin, disk->figures.inflight_end);
}

static void checked_line(FILE *to, const struct report_disk *disk)
{
	const struct quality_counts *quality = &disk->delta.quality;
	struct check checks[REPORT_CHECKS];
	char matched[128], compared[256];
	struct number requests, lost;
	const char *why = report_check(disk, checks);
	bool agree = true;
	uint64_t all = 0;
	unsigned int i;

	for (i = 0; i < FSBSTAT_CLASSES; i++)
		all += disk->figures.class[i].counts.ios;
	if (quality->unmatched || quality->untracked)
		snprintf(matched, sizeof(matched), "%s more seen ending only",
			 number_count(&lost, quality->unmatched + quality->untracked));
	else
		snprintf(matched, sizeof(matched), "all matched");
	for (i = 0; !why && i < REPORT_CHECKS; i++)
		agree = agree && checks[i].theirs == checks[i].ours;
	if (why)
		snprintf(compared, sizeof(compared), "not compared with diskstats: %s", why);
	else if (agree)
		agreement(compared, sizeof(compared), disk, &checks[1]);
	else
		difference(compared, sizeof(compared), disk, checks);
	text_fillf(to, LABEL, "checked", "%s requests, %s; %s", number_count(&requests, all),
		   matched, compared);
}

static bool any_inexact(const struct report_disk *disk)
{
	const struct unflushed_delta *unflushed = &disk->figures.unflushed;
	unsigned int class;
	const char *why;

	for (class = 0; class < FSBSTAT_CLASSES; class++) {
		const struct latency *device =
			&disk->figures.class[class].latency[FSBSTAT_HIST_DEVICE];

		if (device->count && !device->exact)
			return true;
	}
	return report_unflushed(disk, &disk->figures, &why) == UNFLUSHED_KNOWN &&
	       unflushed->bytes_max && !unflushed->exact;
}

static void notes(FILE *to, const struct report_disk *disk)
{
	if (disk->begin.info.fua == 0 && !report_flags_dropped(disk) && disk->figures.bio.fua)
		text_filled(to, LABEL, "note",
			    "the disk has no FUA: a FUA write is sent as a write and then a flush.");
	if (any_inexact(disk))
		text_filled(to, LABEL, "note",
			    "~ was read off the histogram, at most 1/32 too high: counting had begun before, and what came then was greater.");
}

void text_foot(FILE *to, const struct report *report, const struct report_disk *disk)
{
	size_t i;

	if (disk->delta.windows) {
		text_unflushed(to, LABEL, disk);
		text_owners(to, LABEL, disk);
	}
	dirty_line(to, report);
	if (disk->delta.windows && figures_have(&disk->figures, LAYER_CLASSES)) {
		checked_line(to, disk);
		notes(to, disk);
	}
	for (i = 0; i < disk->warnings.nr; i++)
		text_filled(to, LABEL, "warning:", disk->warnings.line[i]);
}
