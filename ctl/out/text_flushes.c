// SPDX-License-Identifier: GPL-2.0-or-later
/* text_flushes: flushes asked for and sent; and what the disk did with its time. */
#include <string.h>

#include "out/number.h"
#include "out/text.h"

#define LABEL 14
#define REMARK 36 /* column of the remarks */

/* "  LABEL         COUNT      /s   " up to the remark. */
static void count_cells(char *line, size_t size, const char *label, uint64_t count,
			double seconds)
{
	struct number number, rate;

	snprintf(line, size, "  %-12s%11s%8s", label, number_count(&number, count),
		 seconds > 0 ? number_rate(&rate, (double)count / seconds) : "n/a");
}

static void asked_line(FILE *to, const struct report_disk *disk, const struct asked *asked,
		       double seconds)
{
	struct number pre, post, empty;
	char line[96];

	count_cells(line, sizeof(line), "asked for", asked->all, seconds);
	number_count(&pre, asked->pre);
	number_count(&post, asked->post);
	number_count(&empty, asked->empty);
	if (!asked->all)
		fprintf(to, "%s\n", line);
	else if (disk->begin.info.fua == 0)
		text_fillf(to, REMARK, line, "%s before a write, %s FUA, %s alone",
			   pre.text, post.text, empty.text);
	else
		text_fillf(to, REMARK, line, "%s before a write, %s alone", pre.text, empty.text);
}

void text_flushes(FILE *to, const struct report_disk *disk)
{
	uint64_t sent = disk->figures.class[FSBSTAT_CLASS_FLUSH].counts.ios;
	double seconds = (double)disk->figures.elapsed_ns / 1e9;
	struct number ratio;
	struct asked asked;
	const char *why;
	char line[96];

	why = report_flags_dropped(disk) ?
		      "the kernel drops them before they can be counted (write through)" :
		      "this disk's bios pass no tracepoint";
	report_asked(disk, &disk->figures.bio, &asked);
	fprintf(to, "\n%-14s%11s%8s\n", "flushes", "count", "/s");
	if (asked.known)
		asked_line(to, disk, &asked, seconds);
	else
		text_filled(to, 28, "  asked for            n/a", why);
	count_cells(line, sizeof(line), "sent", sent, seconds);
	if (asked.known && sent)
		text_fillf(to, REMARK, line, "%s asked per sent",
			   number_decimal(&ratio, (double)asked.all / (double)sent, 2));
	else
		fprintf(to, "%s\n", line);
}

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

void text_time(FILE *to, const struct report_disk *disk)
{
	const struct figures *figures = &disk->figures;
	double elapsed = (double)figures->elapsed_ns, busy;
	uint32_t limit = disk->delta.depth_limit;
	struct number mean, while_busy, share;
	char remark[256];

	if (elapsed <= 0 || !figures->nr_queues)
		return;
	number_decimal(&mean, figures->depth_mean, 2);
	if (figures->nr_queues > 1) {
		fputc('\n', to);
		text_fillf(to, LABEL, "depth",
			   "%s mean, the sum of %u hardware queues' means; time at each depth is known per queue only (--json)",
			   mean.text, figures->nr_queues);
		return;
	}
	if (disk->begin.info.queue_depth > 0 && (uint32_t)disk->begin.info.queue_depth < limit)
		limit = (uint32_t)disk->begin.info.queue_depth;
	busy = elapsed - figures->idle_ns;
	fprintf(to, "\n%-14s%11s%8s\n", "disk's time", "s", "%");
	share_line(to, "idle", figures->idle_ns, elapsed, "");
	number_decimal(&while_busy, busy > 0 ? figures->depth_mean * elapsed / busy : 0, 2);
	snprintf(remark, sizeof(remark),
		 "depth %s mean, %s while busy, %u max, at the limit (%u) %s %% of the time",
		 mean.text, while_busy.text, figures->depth_max, limit,
		 number_decimal(&share, 100 * at_limit_ns(disk, limit) / elapsed, 1));
	share_line(to, "busy", busy, elapsed, remark);
}
