// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * epochs_table: option sets beside one another, and the epochs they come from; the report
 * of `fsbctl epochs`.  80 columns.
 */
#include <string.h>

#include "message.h"
#include "model/compare.h"
#include "out/number.h"
#include "out/out.h"
#include "width.h"

#define NAME 22 /* columns of a set's name */
#define CHANGE 38 /* of what changed */

/*
 * Prints as much of *text as fits a column, whole words where it can, and goes on behind.
 * A further line of it ends there.
 */
static void column(FILE *to, const char **text, int width, bool further)
{
	size_t len = width_line(*text, width);

	fprintf(to, "%.*s%*s", (int)len, *text,
		further ? 0 : width - width_of_bytes(*text, len), "");
	if (further)
		fputc('\n', to);
	*text += len;
	*text += strspn(*text, " ");
}

/* 72.4 s, 12m05s, 3h04m */
static const char *duration(struct number *number, uint64_t ns)
{
	uint64_t s = ns / 1000000000;

	if (s < 100)
		snprintf(number->text, sizeof(number->text), "%.1f s", (double)ns / 1e9);
	else if (s < 6000)
		snprintf(number->text, sizeof(number->text), "%um%02us", (unsigned int)(s / 60),
			 (unsigned int)(s % 60));
	else
		snprintf(number->text, sizeof(number->text), "%uh%02um", (unsigned int)(s / 3600),
			 (unsigned int)(s / 60 % 60));
	return number->text;
}

static void rate_cell(FILE *to, const struct epochs *epochs, unsigned int set,
		      const struct rate *rate)
{
	struct number mean, half;
	struct estimate estimate;
	char text[96];

	estimate_of(&estimate, epochs, set, rate);
	if (!estimate.n)
		snprintf(text, sizeof(text), "n/a");
	else if (estimate.half < 0)
		snprintf(text, sizeof(text), "%s", number_rate(&mean, estimate.value));
	else
		snprintf(text, sizeof(text), "%s +- %s", number_rate(&mean, estimate.value),
			 number_rate(&half, estimate.half));
	fprintf(to, " %14s", text);
}

static void change_cell(FILE *to, const struct epochs *epochs, const struct report *report,
			unsigned int set, const struct rate *rate)
{
	struct comparison comparison;
	struct number interval;
	char text[96];

	compare_sets(&comparison, epochs, report->baseline, set, rate);
	if (comparison.how == COMPARED)
		snprintf(text, sizeof(text), "%+.0f %% %s", comparison.change.change * 100,
			 number_interval(&interval, comparison.change.low, comparison.change.high,
					 0));
	else
		snprintf(text, sizeof(text), "%s", comparable_word(comparison.how));
	fprintf(to, "  %-18s", text);
}

/* In one unit in all rows. */
static void work_cell(FILE *to, const struct epochs *epochs, unsigned int set)
{
	struct number bytes;
	struct work work;

	work_of(&work, epochs, set);
	if (work.per == WORK_UNKNOWN || (work.per != WORK_FSYNC && work_by_fsync(epochs)))
		fputs(" n/a\n", to);
	else
		fprintf(to, " %s\n", number_bytes(&bytes, (uint64_t)work.bytes));
}

static void set_row(FILE *to, const struct epochs *epochs, const struct report *report,
		    const struct epoch_set *set, const struct rate *rate)
{
	const char *text = set->derived_from ? set->name : set->title, *rest;
	struct number held;
	char safe[512];

	rest = message_printable(safe, sizeof(safe), text);
	fprintf(to, "%c%2u ", set->nr == report->baseline ? 'b' : ' ', set->nr);
	column(to, &rest, NAME, false);
	fprintf(to, " %3u %7s", set->n, duration(&held, set->held_ns));
	rate_cell(to, epochs, set->nr, rate);
	change_cell(to, epochs, report, set->nr, rate);
	work_cell(to, epochs, set->nr);
	while (*rest) {
		fprintf(to, "    ");
		column(to, &rest, NAME, true);
	}
}

/* What came before an epoch (or after the last), each on a line of its own. */
static void change_rows(FILE *to, const struct epoch_change *change, size_t nr,
			uint64_t origin_ns)
{
	char text[512], safe[512], within[64];
	struct number at, error;
	const char *rest;
	size_t i;

	for (i = 0; i < nr; i++) {
		option_change_text(text, sizeof(text), &change[i].option);
		rest = message_printable(safe, sizeof(safe), text);
		snprintf(within, sizeof(within), "within %s s",
			 number_decimal(&error, (double)change[i].error_ns / 1e9, 1));
		fprintf(to, "   %9s               ", duration(&at, change[i].at_ns - origin_ns));
		column(to, &rest, CHANGE, false);
		fprintf(to, "  %s\n", change[i].error_ns ? within : "at once");
		while (*rest) {
			fprintf(to, "%27s", "");
			column(to, &rest, CHANGE, true);
		}
	}
}

static void epoch_rows(FILE *to, const struct epochs *epochs, uint64_t origin_ns)
{
	struct number began, held;
	size_t i;

	fputs("\n #     began     held  set  what changed before it                  seen\n", to);
	for (i = 0; i < epochs->nr_epochs; i++) {
		const struct epoch *epoch = &epochs->epoch[i];

		change_rows(to, epoch->change, epoch->nr_changes, origin_ns);
		fprintf(to, "%2zu %9s  %7s %4u\n", i + 1,
			duration(&began, epoch->began_ns - origin_ns),
			duration(&held, epoch->held_ns), epoch->set);
	}
	change_rows(to, epochs->pending, epochs->nr_pending, origin_ns);
}

static void disk_table(FILE *to, const struct report *report, const struct report_disk *disk)
{
	const struct epochs *epochs = &disk->epochs;
	const struct rate *rate = report->rate ? report->rate : rate_telling_most(epochs);
	struct number settle;
	size_t i;

	fprintf(to, "option sets on %-32s baseline %u     settle %s\n", disk->disk.name,
		report->baseline, duration(&settle, epochs->settle_ns));
	fprintf(to, "   %-*s %4s %7s %14s  %-18s %s\n", NAME, " set", "n", "held",
		rate->label, "change", work_by_fsync(epochs) ? "/fsync" : "each");
	for (i = 0; i < epochs->nr_sets; i++)
		set_row(to, epochs, report, &epochs->set[i], rate);
	epoch_rows(to, epochs, report->origin_ns);
}

static int table_report(struct out *out, const struct report *report)
{
	size_t i, k;

	for (i = 0; i < report->nr_disks; i++) {
		const struct report_disk *disk = &report->disk[i];

		if (i)
			fputc('\n', out->to);
		disk_table(out->to, report, disk);
		for (k = 0; k < disk->warnings.nr; k++) {
			char safe[1024];

			fprintf(out->to, "warning: %s\n",
				message_printable(safe, sizeof(safe), disk->warnings.line[k]));
		}
	}
	return 0;
}

const struct out_ops out_epochs = {
	.name = "epochs",
	.report = table_report,
};
