// SPDX-License-Identifier: GPL-2.0-or-later
/* meter_why: why there were flushes in a stretch, see meter_why.h. */
#include "tui/meter_why.h"

#include <math.h>

#include "out/report.h"

static void asked(struct why *why, const struct report_disk *disk)
{
	struct asked asked;

	if (disk_drops_flushes(&disk->begin.info)) {
		why->asked_unknown = "n/a (write through)";
		return;
	}
	report_asked(disk, &disk->figures.bio, &asked);
	if (asked.known)
		why->asked_s = (double)asked.all * 1e9 / (double)disk->figures.elapsed_ns;
}

/* What the judgements of reports are made on: a borrowed copy, not to be freed. */
static void as_report(struct report_disk *disk, const struct stretch *stretch,
		      const struct disk_info *info)
{
	*disk = (struct report_disk){ .delta = *stretch->delta, .figures = *stretch->figures };
	disk->begin.info = *info;
	disk->end.info = *info;
	if (info->nr_requests > 0)
		disk->requests_waiting = (uint64_t)info->nr_requests * stretch->delta->hw_queues;
}

void meter_why(struct stretch *stretch, const struct disk_info *info)
{
	const struct figures *figures = stretch->figures;
	struct why *why = &stretch->why;
	struct report_disk disk;

	as_report(&disk, stretch, info);
	*why = (struct why){
		.fsync_s = NAN, .commit_s = NAN, .asked_s = NAN, .waited_s = NAN,
		.each_flushes = NAN, .each_bytes = NAN, .each_ns = NAN, .risk_now_ns = NAN };
	asked(why, &disk);
	why->sent_s = (double)figures->class[FSBSTAT_CLASS_FLUSH].counts.ios * 1e9 /
		      (double)figures->elapsed_ns;
	if (figures->ata.elapsed_ns)
		why->waited_s = (double)figures->ata.sums.drains * 1e9 /
				(double)figures->ata.elapsed_ns;
}
