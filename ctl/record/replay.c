// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * replay: a recorded file takes the place of windows.  The same functions as then make
 * the report; what they cannot find out again (warnings, exit status) is in the file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "message.h"
#include "record/record.h"
#include "source/file.h"

static int failed(struct recording *rec)
{
	message_error(rec->options->from, source_error(rec->source), source_hint(rec->source));
	return -1;
}

int replay_head(struct recording *rec)
{
	struct report *report = &rec->report;
	const struct recording_head *head;
	int err;

	if (source_open(&rec->source, SOURCE_FILE, rec->options->from))
		return failed(rec);
	head = file_head(rec->source);
	err = record_room(rec, &head->disks, head->wanted_runs);
	if (err) {
		message_error(rec->options->from, strerror(-err), "");
		return -1;
	}
	report->argv = head->argv;
	report->sync = head->sync;
	report->code = head->argv ? 0 : -1;
	memcpy(report->start, head->start, sizeof(report->start));
	rec->rows = head->interval_ns > 0;
	rec->keep_rows = rec->rows && rec->options->format->needs_intervals;
	rec->look_every = record_look_every((double)head->interval_ns / 1e9);
	return 0;
}

/* All disks at the end of a window, and how its command ended. */
static void end_run(struct recording *rec, unsigned int run)
{
	const struct recording_run *result = file_run(rec->source);
	struct report_run none = { .code = rec->report.argv ? -1 : 0 };
	size_t i;

	if (result)
		none = (struct report_run){ result->code, result->signal, result->wall_ns };
	record_run_ended(rec, &none);
	for (i = 0; i < rec->report.nr_disks; i++)
		member_end(rec, i, run);
	rec->report.nr_runs++;
	for (i = 0; i < rec->report.nr_disks; i++)
		look(rec, i);
	for (i = 0; i < rec->report.nr_disks; i++)
		epoch_end(rec, i);
}

static int begin_run(struct recording *rec)
{
	size_t i;

	for (i = 0; i < rec->report.nr_disks; i++)
		look(rec, i);
	for (i = 0; i < rec->report.nr_disks; i++)
		if (member_begin(rec, i)) {
			message_error(rec->report.disk[i].disk.name, source_error(rec->source),
				      source_hint(rec->source));
			return -1;
		}
	return 0;
}

/* The window breaks off: up to the last instant that is whole. */
static void cut_run(struct recording *rec, unsigned int run)
{
	struct report_run none = { .code = rec->report.argv ? -1 : 0 };
	size_t i;

	for (i = 0; i < rec->report.nr_disks; i++)
		if (!rec->member[i].last.nr_queues)
			return;
	rec->report.run[rec->report.nr_runs] = none;
	for (i = 0; i < rec->report.nr_disks; i++)
		member_cut(rec, i, run);
	for (i = 0; i < rec->report.nr_disks; i++)
		epoch_end(rec, i);
	rec->report.nr_runs++;
}

/* What was said then, instead of what these functions have said again. */
static int take_end(struct recording *rec, const struct recording_end *end)
{
	struct report *report = &rec->report;
	size_t i, k;

	if (end->nr != report->nr_disks) {
		message_error(rec->options->from, "its last line is of other disks", "");
		return -1;
	}
	report->code = end->code;
	report->signal = end->signal;
	report->cut_short = end->cut_short;
	report->sync_ns = end->sync_ns;
	report->have_dirty = end->have_dirty;
	report->dirty_bytes = end->dirty_bytes;
	for (i = 0; i < end->nr; i++) {
		struct report_disk *disk = &report->disk[i];

		disk->lost = end->said[i].lost;
		disk->incomplete = end->said[i].incomplete;
		warnings_free(&disk->warnings);
		for (k = 0; k < end->said[i].nr; k++)
			warnings_add(&disk->warnings, "%s", end->said[i].line[k]);
	}
	return 0;
}

static void broken_off(struct recording *rec, bool in_window, unsigned int run)
{
	size_t i;

	if (in_window)
		cut_run(rec, run);
	rec->report.cut_short = true;
	for (i = 0; i < rec->report.nr_disks; i++)
		warnings_add(&rec->report.disk[i].warnings, "%s", source_notice(rec->source));
	if (!rec->report.nr_runs)
		message_error("record", source_notice(rec->source), "there is nothing to report");
}

/* One instant: 0, or -1 (printed). */
static int instant(struct recording *rec, const struct source_instant *at, bool *in_window)
{
	unsigned int run = rec->report.nr_runs + 1;
	bool begins = at->phase == PHASE_BEGIN;
	size_t i;

	if (at->run != run || run > rec->report.wanted_runs ||
	    *in_window == begins) {
		message_error(rec->options->from, "its windows are out of order", "");
		return -1;
	}
	*in_window = at->phase != PHASE_END;
	if (begins)
		return begin_run(rec);
	for (i = 0; i < rec->report.nr_disks && at->phase == PHASE_TICK; i++)
		member_interval(rec, i, run);
	for (i = 0; i < rec->report.nr_disks && at->phase == PHASE_NOTICE; i++) {
		look_again(rec, i);
		member_noticed(rec, i);
	}
	if (at->phase == PHASE_END)
		end_run(rec, run);
	return 0;
}

int replay_windows(struct recording *rec)
{
	const struct recording_end *end;
	struct source_instant at;
	bool in_window = false;
	int got;

	for (;;) {
		got = source_step(rec->source, &at);
		if (got < 0)
			return failed(rec);
		if (!got)
			break;
		if (instant(rec, &at, &in_window))
			return -1;
	}
	/* The exit status is that of the replay, not of the command then. */
	rec->status = EXIT_OK;
	end = file_end(rec->source);
	if (end)
		return take_end(rec, end);
	broken_off(rec, in_window, rec->report.nr_runs + 1);
	return rec->report.nr_runs ? 0 : -1;
}
