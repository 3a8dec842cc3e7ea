// SPDX-License-Identifier: GPL-2.0-or-later
/* text: the report a person reads, see text.h; and one line an interval (-I). */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "out/number.h"
#include "out/out.h"
#include "out/text.h"
#include "width.h"

#define ROWS_PER_HEADER 20
#define DISK_COLUMNS 8 /* the rest of a row takes 72 */

void text_filled(FILE *to, int width, const char *label, const char *text)
{
	int column = width, columns;
	char safe[4096];
	const char *word;
	size_t len;

	fprintf(to, "%-*s", width, label);
	word = message_printable(safe, sizeof(safe), text);
	for (; *word; word += len) {
		/* Blanks go with the word behind them, so columns of two stay. */
		len = strspn(word, " ");
		len += strcspn(word + len, " ");
		columns = width_of_bytes(word, len);
		if (column + columns > TEXT_COLUMNS && column > width) {
			fprintf(to, "\n%*s", width, "");
			columns -= (int)strspn(word, " ");
			word += strspn(word, " ");
			len = strcspn(word, " ");
			column = width;
		}
		fprintf(to, "%.*s", (int)len, word);
		column += columns;
	}
	fputc('\n', to);
}

void text_fillf(FILE *to, int width, const char *label, const char *format, ...)
{
	va_list args;
	char *text;
	int len;

	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	if (len < 0)
		return;
	text_filled(to, width, label, text);
	free(text);
}

int text_disk_columns(const struct report *report, int least, int most)
{
	int columns = least;
	size_t i;

	if (report->nr_disks < 2)
		return 0;
	for (i = 0; i < report->nr_disks; i++)
		if (width_of(report->disk[i].disk.name) >= columns)
			columns = width_of(report->disk[i].disk.name) + 1;
	return columns < most ? columns : most;
}

void text_disk(FILE *to, const char *name, int columns)
{
	char safe[128], shown[128];

	if (!columns)
		return;
	message_printable(safe, sizeof(safe), name);
	width_print(to, width_cut_middle(shown, sizeof(shown), safe, columns - 1, WIDTH_CUT),
		    columns, WIDTH_LEFT);
}

static void rows_header(struct out *out, const struct report *report)
{
	if (!out->rows)
		fprintf(out->to,
			"each line is one interval; a request is counted in the one it ends in%s\n",
			report->missing[LAYER_LATENCY] ? "\nms: waiting included" : "");
	text_disk(out->to, "disk", text_disk_columns(report, DISK_COLUMNS, DISK_COLUMNS));
	fputs(" time s  read/s   MB/s write/s   MB/s  FUA/s flush/s  wr ms  fl ms depth\n",
	      out->to);
}

static void mean_cell(FILE *to, const struct figures *figures, unsigned int class)
{
	struct number number;
	double ns;

	fprintf(to, " %6s", figures_mean(figures, class, &ns) ? number_ms(&number, ns) : "-");
}

static void rate_cell(FILE *to, int width, double value, double seconds)
{
	struct number number;

	value /= seconds;
	fprintf(to, " %*s", width, number_decimal(&number, value, value < 999.95 ? 1 : 0));
}

static void text_interval(struct out *out, const struct report *report,
			  const struct report_disk *disk, const struct report_interval *interval)
{
	const struct figures *figures = &interval->figures;
	const struct class_figures *class = figures->class;
	double seconds = (double)figures->elapsed_ns / 1e9;
	double end = (double)(interval->begin_ns + figures->elapsed_ns) / 1e9;
	struct number number;

	if (out->rows % ROWS_PER_HEADER == 0)
		rows_header(out, report);
	out->rows++;
	text_disk(out->to, disk->disk.name, text_disk_columns(report, DISK_COLUMNS, DISK_COLUMNS));
	fprintf(out->to, "%7s", number_decimal(&number, end, 2));
	if (!figures->elapsed_ns) {
		fprintf(out->to, "  n/a  %s\n", figures->silent ?
			"queue/iostats was off" : "the counters began again");
		fflush(out->to);
		return;
	}
	rate_cell(out->to, 7, (double)class[FSBSTAT_CLASS_READ].counts.ios, seconds);
	rate_cell(out->to, 6, (double)class[FSBSTAT_CLASS_READ].counts.bytes / 1e6, seconds);
	rate_cell(out->to, 7, (double)class[FSBSTAT_CLASS_WRITE].counts.ios, seconds);
	rate_cell(out->to, 6, (double)class[FSBSTAT_CLASS_WRITE].counts.bytes / 1e6, seconds);
	if (figures_class_known(figures, FSBSTAT_CLASS_FUA_WRITE))
		rate_cell(out->to, 6, (double)class[FSBSTAT_CLASS_FUA_WRITE].counts.ios, seconds);
	else
		fprintf(out->to, " %6s", "n/a");
	rate_cell(out->to, 7, (double)class[FSBSTAT_CLASS_FLUSH].counts.ios, seconds);
	mean_cell(out->to, figures, FSBSTAT_CLASS_WRITE);
	mean_cell(out->to, figures, FSBSTAT_CLASS_FLUSH);
	fprintf(out->to, " %5s\n", number_decimal(&number, figures->depth_mean, 1));
	fflush(out->to);
}

static int text_report(struct out *out, const struct report *report)
{
	size_t i;

	for (i = 0; i < report->nr_disks; i++) {
		const struct report_disk *disk = &report->disk[i];

		fputc('\n', out->to);
		text_head(out->to, report, disk);
		if (disk->delta.windows && !figures_have(&disk->figures, LAYER_LATENCY)) {
			text_kernel(out->to, disk);
			if (report->wanted_runs > 1)
				text_summary(out->to, report, disk);
		} else if (disk->delta.windows) {
			text_requests(out->to, disk);
			text_ladder(out->to, disk);
			text_time(out->to, report, disk);
			if (report->wanted_runs > 1)
				text_summary(out->to, report, disk);
		}
		fputc('\n', out->to);
		text_foot(out->to, report, disk);
	}
	return 0;
}

const struct out_ops out_text = {
	.name = "text",
	.interval = text_interval,
	.report = text_report,
};
