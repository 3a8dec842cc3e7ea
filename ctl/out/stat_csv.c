// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stat_csv: a row an interval and disk (RFC 4180).  All columns, or those of --columns; in
 * base units (per second, bytes, ns, percent); what is not known is an empty field.
 */
#include <inttypes.h>
#include <string.h>

#include "csv_field.h"
#include "out/number.h"
#include "out/stat.h"

static int csv_begin(struct stat_out *out, const struct report *report)
{
	size_t i;

	(void)report;
	out->nr_shown = out->nr_chosen ? out->nr_chosen : stat_nr_columns;
	for (i = 0; i < out->nr_shown; i++)
		out->shown[i] = out->nr_chosen ? out->chosen[i] : i;
	fputs("time,disk,elapsed_ns", out->to);
	for (i = 0; i < out->nr_shown; i++)
		fprintf(out->to, ",%s", stat_columns[out->shown[i]].key);
	fputs(CSV_END, out->to);
	return 0;
}

static int csv_row(struct stat_out *out, const struct report *report,
		   const struct report_disk *disk, uint64_t realtime_ns)
{
	struct number number;
	char text[40];
	size_t i;

	(void)report;
	fprintf(out->to, "%s,", stat_time(text, realtime_ns));
	csv_field(out->to, disk->disk.name);
	fprintf(out->to, ",%" PRIu64, disk->figures.elapsed_ns);
	for (i = 0; i < out->nr_shown; i++) {
		const struct stat_column *column = &stat_columns[out->shown[i]];
		double value;

		bool whole = column->unit == STAT_NS || column->unit == STAT_COUNT ||
			     column->unit == STAT_BYTES;
		unsigned int digits = whole ? 0 : 3;

		fprintf(out->to, ",%s",
			stat_column_known(column, disk) && column->get(column, disk, &value) ?
				number_decimal(&number, value, digits) :
				"");
	}
	fputs(CSV_END, out->to);
	out->rows++;
	return 0;
}

static int csv_end(struct stat_out *out, bool complete)
{
	(void)out;
	(void)complete;
	return 0;
}

const struct stat_ops stat_csv = {
	.begin = csv_begin,
	.row = csv_row,
	.end = csv_end,
};
