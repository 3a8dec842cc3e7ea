// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * member: one recorded disk.  At the begin diskstats are read before the module's
 * counters and at the end after them: what diskstats counts more ended in between.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "record/record.h"
#include "source/diskstats.h"
#include "source/module.h"
#include "suspended.h"

/* More than a scheduler keeps, where nr_requests is not known. */
#define MANY_REQUESTS 1024

void member_free(struct member *member)
{
	snapshot_free(&member->first);
	snapshot_free(&member->last);
	owners_free(&member->owners);
	owners_free(&member->callers);
	snapshot_free(&member->noticed);
	delta_free(&member->since);
	option_set_free(&member->options);
}

static void forget_window(struct member *member)
{
	snapshot_free(&member->first);
	snapshot_free(&member->last);
	snapshot_free(&member->noticed);
	member->intervals = 0;
	member->silent = false;
}

/* Requests that may have been made before the window and end in it. */
static uint64_t most_waiting(const struct report_disk *disk, const struct snapshot *snap)
{
	int64_t of_queue = disk->begin.info.nr_requests;

	if (of_queue <= 0)
		of_queue = MANY_REQUESTS;
	return (uint64_t)of_queue * snap->watch.queues;
}

int member_begin(struct recording *rec, size_t i)
{
	struct report_disk *disk = &rec->report.disk[i];
	struct member *member = &rec->member[i];

	forget_window(member);
	member->suspended_ns = suspended_ns();
	owners_begin(rec, i);
	member->have_stats = source_stats(rec->source, i, &member->stats) == 0;
	if (!disk->begin.have_stats && member->have_stats && !disk->delta.windows) {
		disk->begin.stats = member->stats;
		disk->begin.have_stats = true;
	}
	if (source_snapshot(rec->source, i, &member->first))
		return -1;
	keep_instant(rec, i, PHASE_BEGIN, &member->first,
		     member->have_stats ? &member->stats : NULL);
	if (!disk->delta.windows) {
		disk->requests_waiting = most_waiting(disk, &member->first);
		if (i == 0)
			rec->report.origin_ns = member->first.queue[0].edge.time_ns;
	}
	epoch_begin(rec, i);
	return 0;
}

void member_tell_cache(struct recording *rec, size_t i)
{
	struct report_disk *disk = &rec->report.disk[i];
	const struct report_end *now = disk->end.have_info ? &disk->end : &disk->begin;
	struct module *module = source_module(rec->source);

	if (!module || !now->have_info || now->info.write_cache == UNKNOWN)
		return;
	if (module_set(module, disk->disk.major, disk->disk.minor,
		       now->info.write_cache == ON ? FSBSTAT_WRITE_CACHE_ON :
						     FSBSTAT_WRITE_CACHE_OFF))
		warnings_add(&disk->warnings,
			     "the module could not be told the state of the drive's cache: %s",
			     module_error(module));
}

/* What cannot be kept is missing from the report, and nothing else is. */
static void keep_row(struct report_disk *disk, const struct report_interval *row)
{
	int err = intervals_add(&disk->intervals, row);
	char reason[128];

	if (!err)
		return;
	snprintf(reason, sizeof(reason), "%s: the report will lack intervals of %s from %.2f s on",
		 strerror(-err), disk->disk.name, (double)row->begin_ns / 1e9);
	message_error(intervals_folder(), reason, "TMPDIR names another folder for them");
}

static void show_row(struct recording *rec, size_t i, const struct delta *delta, unsigned int run)
{
	struct report_disk *disk = &rec->report.disk[i];
	struct report_interval *row = &rec->member[i].row;

	rec->member[i].have_row = true;
	row->run = run;
	figures_of(&row->figures, delta);
	row->begin_ns = row->figures.begin_ns > rec->report.origin_ns ?
				row->figures.begin_ns - rec->report.origin_ns : 0;
	if (rec->keep_rows)
		keep_row(disk, row);
	if (rec->out.ops->interval)
		rec->out.ops->interval(record_out(rec), &rec->report, disk, row);
}

static const struct snapshot *row_begin(const struct member *member)
{
	return member->last.nr_queues ? &member->last : &member->first;
}

/* A row from where the last one ended to @now, which then is the last. */
static void row_until(struct recording *rec, size_t i, unsigned int run, struct snapshot *now)
{
	struct member *member = &rec->member[i];
	struct delta delta;

	if (delta_make(&delta, row_begin(member), now) == 0) {
		member->silent = member->silent || delta.silent;
		if ((delta.elapsed_ns || delta.restarted) && rec->rows)
			show_row(rec, i, &delta, run);
		delta_free(&delta);
	}
	epoch_count(rec, i, now, &member->last);
	snapshot_free(&member->last);
	member->last = *now;
	memset(now, 0, sizeof(*now));
}

void member_interval(struct recording *rec, size_t i, unsigned int run)
{
	struct member *member = &rec->member[i];
	struct snapshot now;
	bool due, got;

	if (rec->report.disk[i].lost)
		return;
	due = ++member->intervals % rec->look_every == 0;
	if (due)
		look_again(rec, i);
	got = source_snapshot(rec->source, i, &now) == 0;
	keep_instant(rec, i, PHASE_TICK, got ? &now : NULL, NULL);
	if (got)
		row_until(rec, i, run, &now);
	if (got && due)
		epoch_feed(rec, i, EPOCH_POLLED);
}

void member_noticed(struct recording *rec, size_t i)
{
	struct member *member = &rec->member[i];
	struct snapshot now;
	bool got;

	if (rec->report.disk[i].lost)
		return;
	got = source_snapshot(rec->source, i, &now) == 0;
	keep_instant(rec, i, PHASE_NOTICE, got ? &now : NULL, NULL);
	if (!got)
		return;
	epoch_count(rec, i, &now, &member->noticed);
	epoch_feed(rec, i, EPOCH_NOTIFIED);
	snapshot_free(&member->noticed);
	member->noticed = now;
}

static void compare_stats(struct report_disk *disk, const struct member *member,
			  unsigned int run)
{
	struct diskstats counted;

	if (run == 1)
		disk->compared = true;
	if (member->have_stats && disk->end.have_stats &&
	    !diskstats_subtract(&counted, &disk->end.stats, &member->stats))
		diskstats_add(&disk->counted, &counted);
	else
		disk->compared = false;
}

static void say_what_is_wrong(struct report_disk *disk, const struct delta *delta,
			      const char *when)
{
	if (delta->gone)
		warnings_add(&disk->warnings, "device gone%s: the counts go up to then", when);
	if (delta->restarted)
		warnings_add(&disk->warnings,
			     "the counters began again at 0%s (the device changed its queues, or was removed and came back): what was before that is lost",
			     when);
	if (delta->settling)
		warnings_add(&disk->warnings,
			     "requests from before the recording were still in flight%s: depth is a lower bound",
			     when);
	if (delta->fs && delta->fs->all.missed)
		warnings_add(&disk->warnings,
			     "%llu calls of fsync on this machine could not be seen%s, too many were under way",
			     (unsigned long long)delta->fs->all.missed, when);
	if (delta->fs && delta->fs->all.lost)
		warnings_add(&disk->warnings,
			     "%llu calls of fsync or commits%s were on more filesystems than there is room for",
			     (unsigned long long)delta->fs->all.lost, when);
	if (delta->quality.clock_anomalies)
		warnings_add(&disk->warnings, "%llu durations came out negative and were left out",
			     (unsigned long long)delta->quality.clock_anomalies);
}

/* @silent: it is known already that not all of it was counted. */
static int add_window(struct recording *rec, struct report_disk *disk, const struct snapshot *a,
		      const struct snapshot *b, unsigned int run, bool silent)
{
	struct delta delta;
	int err = delta_make(&delta, a, b);

	if (err)
		return err;
	delta.silent = delta.silent || silent;
	disk->silent = disk->silent || delta.silent;
	figures_of(&disk->run[run - 1], &delta);
	if (delta.silent) {
		delta_free(&delta);
		return 0;
	}
	say_what_is_wrong(disk, &delta, record_when(rec, run));
	err = delta_add(&disk->delta, &delta);
	delta_free(&delta);
	figures_of(&disk->figures, &disk->delta);
	return err;
}

void member_cut(struct recording *rec, size_t i, unsigned int run)
{
	const struct member *member = &rec->member[i];
	struct report_disk *disk = &rec->report.disk[i];

	owners_lost(disk);
	if (add_window(rec, disk, &member->first, &member->last, run, member->silent))
		warnings_add(&disk->warnings, "the last interval's counts make no sense");
}

/* Nothing can be read any more: the last interval's counts are the last ones. */
static void last_counts(struct recording *rec, size_t i, unsigned int run)
{
	struct report_disk *disk = &rec->report.disk[i];
	struct member *member = &rec->member[i];
	bool any = member->last.nr_queues > 0;

	disk->lost = true;
	rec->stop = true;
	warnings_add(&disk->warnings, "the counters could not be read at the end%s (%s): %s",
		     record_when(rec, run), source_error(rec->source),
		     any ? "the report ends with the last interval" : "they are lost");
	if (any)
		member_cut(rec, i, run);
}

/* Of a replay what was said then is in the recording. */
static void say_suspended(struct recording *rec, size_t i, unsigned int run)
{
	double seconds;

	if (!rec->options->from &&
	    suspended_between(rec->member[i].suspended_ns, suspended_ns(), &seconds))
		warnings_add(&rec->report.disk[i].warnings,
			     "the machine was suspended for %.1f s%s; times and rates leave that out",
			     seconds, record_when(rec, run));
}

static bool same_counting(const struct watch *a, const struct watch *b)
{
	return a->id == b->id && a->added_ns == b->added_ns;
}

void member_end(struct recording *rec, size_t i, unsigned int run)
{
	struct report_disk *disk = &rec->report.disk[i];
	struct member *member = &rec->member[i];
	struct snapshot now;
	int err;

	say_suspended(rec, i, run);
	if (source_snapshot(rec->source, i, &now)) {
		keep_instant(rec, i, PHASE_END, NULL, NULL);
		last_counts(rec, i, run);
		return;
	}
	disk->end.have_stats = source_stats(rec->source, i, &disk->end.stats) == 0;
	keep_instant(rec, i, PHASE_END, &now, disk->end.have_stats ? &disk->end.stats : NULL);
	compare_stats(disk, member, run);
	owners_end(rec, i, same_counting(&member->first.watch, &now.watch));
	err = add_window(rec, disk, &member->first, &now, run, member->silent);
	if (err) {
		disk->lost = true;
		rec->stop = true;
		warnings_add(&disk->warnings, "nothing is shown%s: %s", record_when(rec, run),
			     err == -ERANGE ? "a counter went back" : strerror(-err));
	} else if (rec->rows) {
		row_until(rec, i, run, &now);
	} else {
		epoch_count(rec, i, &now, NULL);
	}
	snapshot_free(&now);
}

const char *member_vanished(struct recording *rec, size_t i)
{
	return source_vanished(rec->source, i);
}
