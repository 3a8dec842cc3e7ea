// SPDX-License-Identifier: GPL-2.0-or-later
/* text_time: what a disk did with its time, as the block layer sees it. */
#include <string.h>

#include "out/number.h"
#include "out/text.h"

#define LABEL 14
#define REMARK 36 /* column of the remarks */

/* Time at the limit; the device's own limit may be lower than the number of tags. */
static double at_limit_ns(const struct report_disk *disk, uint32_t limit)
{
	const struct queue_delta *queue = &disk->delta.queue[0];
	double time = 0;
	uint32_t depth;

	for (depth = limit; depth < queue->nr_depth; depth++)
		time += (double)queue->depth_ns[depth];
	return time;
}

static void share_line(FILE *to, const char *label, double ns, double elapsed, const char *remark)
{
	struct number seconds, share;
	char line[96];

	snprintf(line, sizeof(line), "  %-12s%11s%8s", label,
		 number_decimal(&seconds, ns / 1e9, 1),
		 number_rate(&share, 100 * ns / elapsed));
	if (*remark)
		text_filled(to, REMARK, line, remark);
	else
		fprintf(to, "%s\n", line);
}

static void idle_and_busy(FILE *to, const struct report_disk *disk, const char *ata_unknown)
{
	const struct figures *figures = &disk->figures;
	double elapsed = (double)figures->elapsed_ns, busy = elapsed - figures->idle_ns;
	uint32_t limit = disk->delta.depth_limit;
	struct number mean, while_busy, share;
	char remark[256];

	if (disk->begin.info.queue_depth > 0 && (uint32_t)disk->begin.info.queue_depth < limit)
		limit = (uint32_t)disk->begin.info.queue_depth;
	fprintf(to, "\n%-14s%11s%8s\n", "disk's time", "s", "%");
	share_line(to, "idle", figures->idle_ns, elapsed, "");
	number_decimal(&mean, figures->depth_mean, 2);
	number_decimal(&while_busy, busy > 0 ? figures->depth_mean * elapsed / busy : 0, 2);
	snprintf(remark, sizeof(remark),
		 "depth %s mean, %s while busy, %u max, at the limit (%u) %s %% of the time",
		 mean.text, while_busy.text, figures->depth_max, limit,
		 number_decimal(&share, 100 * at_limit_ns(disk, limit) / elapsed, 1));
	share_line(to, "busy", busy, elapsed, remark);
	text_filled(to, REMARK, "  draining            n/a", ata_unknown);
}

void text_time(FILE *to, const struct report *report, const struct report_disk *disk)
{
	const char *ata_unknown = report_ata_unknown(report, disk);
	const struct figures *figures = &disk->figures;
	struct number mean, share;
	double idle;

	if (!ata_unknown) {
		text_ata(to, disk);
	} else if (figures->elapsed_ns && figures->nr_queues == 1) {
		idle_and_busy(to, disk, ata_unknown);
	} else if (figures->elapsed_ns && figures->nr_queues) {
		fputc('\n', to);
		text_fillf(to, LABEL, "depth",
			   "%s mean, the sum of %u hardware queues' means; time at each depth is known per queue only (--json)",
			   number_decimal(&mean, figures->depth_mean, 2), figures->nr_queues);
		if (report_idle(disk, figures, &idle))
			text_fillf(to, LABEL, "idle", "%s %% of the time, by /proc/diskstats",
				   number_rate(&share, 100 * idle / (double)figures->elapsed_ns));
		text_fillf(to, LABEL, "draining", "n/a  %s", ata_unknown);
	}
}
