// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stat_text: rows for people.  As many columns as the terminal is wide, those that matter
 * most first; the header comes again before the last one has scrolled away.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "out/number.h"
#include "out/stat.h"
#include "out/text.h"

#define LINES 20 /* of what is no terminal */
#define TIME_WIDTH 8
#define DISK_LEAST 9
#define DISK_MOST 20

/* What a person can see at once. */
static void terminal_size(FILE *to, int *columns, unsigned int *lines)
{
	const char *env = getenv("COLUMNS");
	struct winsize size;
	int wanted = env ? atoi(env) : 0;

	*columns = TEXT_COLUMNS;
	*lines = LINES;
	if (ioctl(fileno(to), TIOCGWINSZ, &size) == 0 && size.ws_col) {
		*columns = size.ws_col;
		if (size.ws_row > 4)
			*lines = size.ws_row - 3U;
	} else if (wanted > 0 && wanted < 10000) {
		*columns = wanted;
	}
}

static bool any_disk_has(const struct report *report, size_t column)
{
	size_t i;

	for (i = 0; i < report->nr_disks; i++)
		if (stat_column_known(&stat_columns[column], &report->disk[i]))
			return true;
	return false;
}

/* Rank by rank, until the line is full; then in the order of the table. */
static void choose(struct stat_out *out, const struct report *report, int room)
{
	bool shown[STAT_COLUMNS_MAX] = { false };
	unsigned int rank;
	size_t i;

	for (rank = 1; rank < 16; rank++) {
		for (i = 0; i < stat_nr_columns; i++) {
			const struct stat_column *column = &stat_columns[i];

			if (column->rank != rank || room <= column->width ||
			    !any_disk_has(report, i))
				continue;
			shown[i] = true;
			room -= column->width + 1;
		}
	}
	out->nr_shown = 0;
	for (i = 0; i < stat_nr_columns; i++)
		if (shown[i])
			out->shown[out->nr_shown++] = i;
}

static void header(struct stat_out *out, const struct report *report, int columns)
{
	int disk = text_disk_columns(report, DISK_LEAST, DISK_MOST);
	int used = (out->times ? TIME_WIDTH + !!disk : 0) + disk;
	size_t i;

	if (out->nr_chosen) {
		out->nr_shown = out->nr_chosen;
		memcpy(out->shown, out->chosen, sizeof(out->shown));
	} else {
		/* The first column needs no blank before it at the start of a line. */
		choose(out, report, columns - used + !used);
	}
	if (out->rows)
		fputc('\n', out->to);
	if (out->times)
		fprintf(out->to, "%-*s", TIME_WIDTH + !!disk, "time");
	text_disk(out->to, "disk", disk);
	for (i = 0; i < out->nr_shown; i++)
		fprintf(out->to, "%s%*s", i || used ? " " : "",
			stat_columns[out->shown[i]].width, stat_columns[out->shown[i]].title);
	fputc('\n', out->to);
}

static const char *cell(struct number *number, const struct stat_column *column, double value)
{
	switch (column->unit) {
	case STAT_NS:
		return number_ms(number, value);
	case STAT_BYTES_PER_SECOND:
	case STAT_BYTES:
		value /= 1e6;
		break;
	case STAT_COUNT:
		return number_decimal(number, value, 0);
	case STAT_PER_SECOND:
	case STAT_PERCENT:
	case STAT_NUMBER:
		break;
	}
	return number_decimal(number, value, value < 999.95 ? 1 : 0);
}

static void banner(struct stat_out *out, const struct report_disk *disk, const char *source)
{
	const struct disk_info *info = &disk->begin.info;
	struct number size;

	if (!disk->begin.have_info)
		return;
	text_fillf(out->to, 0, "", "%s  %s%s%s  %s%s%s", disk->disk.name, info->model,
		   *info->model ? "  " : "",
		   info->size_bytes > 0 ? number_bytes(&size, (uint64_t)info->size_bytes) : "",
		   info->transport, *info->transport ? "  " : "", source);
}

static int text_begin(struct stat_out *out, const struct report *report)
{
	size_t i;

	for (i = 0; i < report->nr_disks; i++)
		banner(out, &report->disk[i], report->source_name);
	if (report->missing[LAYER_LATENCY])
		fputs("times: waiting included; write: FUA writes and empty flushes included\n",
		      out->to);
	return 0;
}

static void clock_time(FILE *to, uint64_t realtime_ns)
{
	time_t seconds = (time_t)(realtime_ns / 1000000000);
	char text[16] = "";
	struct tm local;

	if (!localtime_r(&seconds, &local) || !strftime(text, sizeof(text), "%H:%M:%S", &local))
		text[0] = '\0';
	fprintf(to, "%-*s", TIME_WIDTH, text);
}

static int text_row(struct stat_out *out, const struct report *report,
		    const struct report_disk *disk, uint64_t realtime_ns)
{
	struct number number;
	int columns, names = text_disk_columns(report, DISK_LEAST, DISK_MOST);
	unsigned int lines;
	size_t i;

	terminal_size(out->to, &columns, &lines);
	/* The rows of one interval stay together. */
	if (!out->rows || (disk == report->disk && out->rows / report->nr_disks %
			   (lines / report->nr_disks ? lines / report->nr_disks : 1) == 0))
		header(out, report, columns);
	out->rows++;
	if (out->times)
		clock_time(out->to, realtime_ns);
	if (out->times && names)
		fputc(' ', out->to);
	text_disk(out->to, disk->disk.name, names);
	for (i = 0; i < out->nr_shown; i++) {
		const struct stat_column *column = &stat_columns[out->shown[i]];
		bool first = !i && !out->times && report->nr_disks == 1;
		double value;

		fprintf(out->to, "%s%*s", first ? "" : " ", column->width,
			disk->figures.silent || !stat_column_known(column, disk) ? "n/a" :
			column->get(column, disk, &value) ? cell(&number, column, value) : "-");
	}
	fputc('\n', out->to);
	return 0;
}

static int text_end(struct stat_out *out, bool complete)
{
	(void)out;
	(void)complete;
	return 0;
}

const struct stat_ops stat_text = {
	.begin = text_begin,
	.row = text_row,
	.end = text_end,
};
