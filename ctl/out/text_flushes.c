// SPDX-License-Identifier: GPL-2.0-or-later
/* text_flushes: flushes asked for and sent. */
#include <string.h>

#include "out/number.h"
#include "out/text.h"

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
