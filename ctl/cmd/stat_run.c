// SPDX-License-Identifier: GPL-2.0-or-later
/* stat_run: reads a source interval by interval and hands rows to an output. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/stat.h"
#include "message.h"
#include "record/events.h"
#include "source/file.h"
#include "suspended.h"
#include "timestamp.h"

/* A row of a recording covers INTERVAL when so much of it has passed. */
#define ENOUGH 0.95

struct stating {
	struct stat_options *options;
	struct source *source;
	struct report report; /* of each disk the current row only */
	struct place {
		size_t in_source;
		struct snapshot last; /* where the last row ended */
		bool have_last;
		bool gone; /* said so already */
		bool silent, restarted, unclear; /* these too */
	} *place; /* report.nr_disks of them */
	uint64_t rows;
	struct disk_set found; /* what was named, and has come to that since */
	uint64_t suspended_ns; /* at the last row */
	bool incomplete; /* of some row nothing could be said */
	bool no_memory;
	int write_err; /* of the first write that failed */
};

static int failed(const char *object, struct source *source)
{
	message_error(object, source_error(source), source_hint(source));
	return EXIT_FSBCTL;
}

/* --- which disks --- */

/* 0, or the exit status (printed). */
static int find_disks(const struct stat_options *options, struct disk_set *all)
{
	size_t i;

	for (i = 0; i < options->nr_disks; i++) {
		struct disk_set set;
		int err;

		if (disk_find(options->disk[i], &set))
			return EXIT_FSBCTL;
		err = disk_set_join(all, &set) ? -ENOMEM : 0;
		if (!err && *set.via && !options->quiet)
			cmd_error(options->disk[i], "", "%s: counting the whole disk %s%s", set.via,
				  set.disk[0].name, set.nr > 1 ? " and others" : "");
		disk_set_free(&set);
		if (err) {
			message_error(options->disk[i], strerror(-err), "");
			return EXIT_FSBCTL;
		}
	}
	return 0;
}

static bool is_named(const struct stat_options *options, const char *name)
{
	size_t i;

	for (i = 0; i < options->nr_disks; i++) {
		const char *word = options->disk[i];

		if (!strcmp(!strncmp(word, "/dev/", 5) ? word + 5 : word, name))
			return true;
	}
	return !options->nr_disks;
}

static int choose_disks(struct stating *stating)
{
	struct report *report = &stating->report;
	size_t i, nr = source_nr_disks(stating->source);

	report->disk = calloc(nr, sizeof(*report->disk));
	stating->place = calloc(nr, sizeof(*stating->place));
	if (!report->disk || !stating->place) {
		message_error("stat", strerror(ENOMEM), "");
		return EXIT_FSBCTL;
	}
	for (i = 0; i < nr; i++) {
		const struct disk *disk = source_disk(stating->source, i);

		if (stating->options->from && !is_named(stating->options, disk->name))
			continue;
		report->disk[report->nr_disks].disk = *disk;
		stating->place[report->nr_disks++].in_source = i;
	}
	if (report->nr_disks)
		return 0;
	message_error(stating->options->disk[0], "is not in the recording", "");
	return EXIT_FSBCTL;
}

static int open_source(struct stating *stating)
{
	const struct stat_options *options = stating->options;
	struct disk_set *found = &stating->found;
	size_t culprit = 0;
	int status;

	if (options->from) {
		if (source_open(&stating->source, SOURCE_FILE, options->from))
			return failed(options->from, stating->source);
		return choose_disks(stating);
	}
	status = find_disks(options, found);
	if (!status && source_open(&stating->source, options->source, NULL))
		status = failed("fsbstat", stating->source);
	if (!status)
		source_want(stating->source, options->layers ? options->layers :
							       stat_layers(&options->out));
	if (!status && source_watch(stating->source, found, &culprit))
		status = failed(found->disk[culprit].name, stating->source);
	if (status)
		return status;
	if (*source_notice(stating->source) && !options->quiet)
		message_error("stat", source_notice(stating->source),
			      source_notice_more(stating->source));
	return choose_disks(stating);
}

/* --- rows --- */

/* Counts, and what the disk is like in the report; where it is not there, that stays. */
static int observe(struct stating *stating, size_t i, struct snapshot *now)
{
	struct report_disk *disk = &stating->report.disk[i];
	struct source_look seen;
	int err = source_observe(stating->source, stating->place[i].in_source, now, &seen);

	if (err || !seen.have_info) {
		source_look_free(&seen);
		return err;
	}
	mounts_free(&disk->begin.mounts);
	disk->begin.info = seen.info;
	disk->begin.mounts = seen.mounts;
	disk->begin.have_info = true;
	disk->end.info = seen.info;
	disk->end.have_info = true;
	return 0;
}

/* What row_silent() needs: requests that may have had their bios before. */
static uint64_t most_waiting(const struct report_disk *disk, const struct snapshot *snap)
{
	int64_t of_queue = disk->begin.info.nr_requests;

	return (uint64_t)(of_queue > 0 ? of_queue : 1024) * snap->watch.queues;
}

static void say_once(struct stating *stating, size_t i, bool *said, const char *what,
		     const char *hint)
{
	stating->incomplete = true;
	if (!*said)
		message_error(stating->report.disk[i].disk.name, what, hint);
	*said = true;
}

/*
 * What was counted since the last row; where that cannot be said, nothing.  False: there is no
 * row, since no time has passed for a disk that is gone.
 */
static bool subtract(struct stating *stating, size_t i, const struct snapshot *now)
{
	struct report_disk *disk = &stating->report.disk[i];
	struct place *place = &stating->place[i];
	struct delta delta;
	int err = delta_make(&delta, &place->last, now);

	memset(&disk->figures, 0, sizeof(disk->figures));
	disk->figures.missing = now->missing;
	if (err == -ENOMEM)
		stating->no_memory = true;
	else if (err)
		say_once(stating, i, &place->unclear,
			 "a counter went back: nothing is known of that interval", "");
	if (err)
		return true;
	if (delta.silent)
		say_once(stating, i, &place->silent,
			 "queue/iostats is off, so /proc/diskstats does not count this disk",
			 "echo 1 > /sys/block/DISK/queue/iostats turns it on");
	if (delta.restarted)
		say_once(stating, i, &place->restarted,
			 "the counters began again: what was counted before that is lost", "");
	delta_free(&disk->delta);
	disk->delta = delta;
	figures_of(&disk->figures, &delta);
	return delta.elapsed_ns || delta.restarted;
}

/* From where the last row ended; nothing where it has just begun. */
static void row(struct stating *stating, size_t i, struct snapshot *now, uint64_t realtime_ns)
{
	struct stat_out *out = &stating->options->out;
	struct report_disk *disk = &stating->report.disk[i];
	struct place *place = &stating->place[i];

	if (place->have_last) {
		bool any = subtract(stating, i, now);

		disk->requests_waiting = most_waiting(disk, now);
		if (any && out->ops->row(out, &stating->report, disk, realtime_ns))
			stating->no_memory = true;
		snapshot_free(&place->last);
	}
	place->last = *now;
	place->have_last = true;
}

/* True while a disk is left. */
static bool say_gone(struct stating *stating, size_t i, const char *why)
{
	const struct report_disk *disk = &stating->report.disk[i];
	struct place *place = &stating->place[i];
	struct disk again;
	char hint[128] = "";

	if (!stating->options->from && disk->begin.have_info &&
	    !disk_again(&disk->begin.info, &again))
		snprintf(hint, sizeof(hint),
			 "%s has the same serial number, model and size: fsbctl stat %s",
			 again.name, again.name);
	if (!place->gone)
		message_error(disk->disk.name, why, hint);
	place->gone = true;
	for (i = 0; i < stating->report.nr_disks; i++)
		if (!stating->place[i].gone)
			return true;
	return false;
}

static void flush(struct stating *stating)
{
	FILE *to = stating->options->out.to;

	errno = 0;
	if ((fflush(to) || ferror(to)) && !stating->write_err)
		stating->write_err = errno ? errno : EIO;
}

/* Rates leave that time out; what ran did not run in it. */
static void say_suspended(struct stating *stating)
{
	uint64_t now_ns = suspended_ns();
	char text[96];
	double seconds;

	if (suspended_between(stating->suspended_ns, now_ns, &seconds)) {
		snprintf(text, sizeof(text), "the machine was suspended for %.1f s", seconds);
		message_error("stat", text, "");
	}
	stating->suspended_ns = now_ns;
}

/* Said once: it is known then. */
static void say_added(struct stating *stating)
{
	struct disk_set added;
	size_t i;

	if (disk_find_added(&stating->found, &added) == 0) {
		for (i = 0; i < added.nr; i++)
			message_error(added.disk[i].name,
				      "was added below the device and is not counted",
				      "start stat again to count it");
		stating->incomplete = stating->incomplete || added.nr;
		stating->no_memory = disk_set_join(&stating->found, &added) ||
				     stating->no_memory;
	}
	disk_set_free(&added);
}

/* A row of each disk.  False when no disk is left. */
static bool take_rows(struct stating *stating, const struct source_instant *instant)
{
	bool any = true;
	size_t i;

	for (i = 0; i < stating->report.nr_disks; i++) {
		struct snapshot now;
		bool gone;

		if (stating->place[i].gone)
			continue;
		if (observe(stating, i, &now)) {
			any = say_gone(stating, i, source_error(stating->source));
			continue;
		}
		gone = now.watch.state == FSBSTAT_DISK_GONE;
		row(stating, i, &now, instant->realtime_ns);
		if (gone)
			any = say_gone(stating, i, "the device is gone");
	}
	stating->rows++;
	flush(stating);
	return any;
}

/* What lies between windows of a recording is no row. */
static int take_begin(struct stating *stating)
{
	size_t i;

	for (i = 0; i < stating->report.nr_disks; i++) {
		struct place *place = &stating->place[i];
		struct snapshot now;

		if (observe(stating, i, &now))
			return failed(stating->report.disk[i].disk.name, stating->source);
		if (place->have_last)
			snapshot_free(&place->last);
		place->last = now;
		place->have_last = true;
	}
	return 0;
}

static void describe(struct stating *stating)
{
	struct report *report = &stating->report;
	struct source *source = stating->source;
	size_t layer;

	report->source_name = source_kind_name(source_kind(source));
	report->host = *source_host(source);
	report->ata_hooks = source_sees_ata(source);
	memcpy(report->module_version, source_module_version(source),
	       sizeof(report->module_version));
	for (layer = 0; layer < LAYERS; layer++)
		report->missing[layer] = source_missing(source, (enum layer)layer);
	if (source_kind(source) == SOURCE_FILE)
		memcpy(report->start, file_head(source)->start, sizeof(report->start));
	else
		timestamp_now(report->start);
}

/* The first counts, and what is known before any row. */
static int begin(struct stating *stating)
{
	struct stat_out *out = &stating->options->out;
	size_t i;

	if (take_begin(stating))
		return EXIT_FSBCTL;
	describe(stating);
	/* Which columns there can be depends on what the source cannot tell. */
	for (i = 0; i < stating->report.nr_disks; i++)
		stating->report.disk[i].figures.missing = stating->place[i].last.missing;
	if (!out->ops->begin(out, &stating->report))
		return 0;
	message_error("stat", strerror(ENOMEM), "");
	return EXIT_FSBCTL;
}

/* --- time passes --- */

static bool enough(const struct stating *stating)
{
	uint64_t count = stating->options->count;

	return (count && stating->rows >= count) || stating->write_err || stating->no_memory;
}

static int live_rows(struct stating *stating)
{
	double interval = stating->options->interval;
	struct source_instant instant;
	struct events events;
	struct event event;
	int status = begin(stating);

	if (status)
		return status;
	if (events_open(&events) || events_arm(&events, EVENT_INTERVAL, interval, interval)) {
		message_error("stat", strerror(errno), "");
		events_close(&events);
		return EXIT_FSBCTL;
	}
	flush(stating);
	stating->suspended_ns = suspended_ns();
	while (!status && !enough(stating)) {
		if (events_wait(&events, &event)) {
			message_error("stat", strerror(errno), "");
			status = EXIT_FSBCTL;
		} else if (event.kind == EVENT_SIGNAL) {
			break;
		} else if (event.kind == EVENT_INTERVAL) {
			(void)source_step(stating->source, &instant);
			say_added(stating);
			say_suspended(stating);
			if (!take_rows(stating, &instant))
				status = EXIT_FSBCTL;
		}
	}
	events_close(&events);
	return status;
}

/* Every instant is a row, or those that are INTERVAL apart. */
static int recorded_rows(struct stating *stating)
{
	uint64_t least_ns = (uint64_t)(stating->options->interval * ENOUGH * 1e9), passed_ns = 0;
	struct source_instant instant;
	bool began = false, left = true;
	int got = 1, status = 0;

	while (left && !status && !enough(stating)) {
		got = source_step(stating->source, &instant);
		if (got <= 0)
			break;
		passed_ns += instant.gap_ns;
		if (!began || instant.phase == PHASE_BEGIN) {
			status = began ? take_begin(stating) : begin(stating);
			if (status)
				return status;
			began = true;
			passed_ns = 0;
		} else if (instant.phase != PHASE_NOTICE &&
			   (passed_ns >= least_ns || instant.phase == PHASE_END)) {
			left = take_rows(stating, &instant);
			passed_ns = 0;
		}
	}
	if (got < 0)
		return failed(stating->options->from, stating->source);
	if (*source_notice(stating->source))
		message_error("stat", source_notice(stating->source),
			      source_notice_more(stating->source));
	return began ? status : EXIT_FSBCTL;
}

/* Whoever reads us has seen enough: no error, and nothing for main() to complain of. */
static void nobody_reads(FILE *to)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (null >= 0 && dup2(null, fileno(to)) >= 0)
		clearerr(to);
	if (null >= 0)
		close(null);
}

static int end(struct stating *stating, int status)
{
	struct stat_out *out = &stating->options->out;

	if (stating->no_memory) {
		message_error("stat", strerror(ENOMEM), "");
		status = EXIT_FSBCTL;
	}
	(void)out->ops->end(out, status == EXIT_OK && !stating->incomplete);
	flush(stating);
	if (stating->write_err == EPIPE)
		nobody_reads(out->to);
	return status;
}

int stat_run(struct stat_options *options)
{
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct stating stating = {.options = options};
	int status;
	size_t i;

	/* Whoever reads us may go away; see nobody_reads(). */
	(void)sigaction(SIGPIPE, &ignore, NULL);
	status = open_source(&stating);
	if (!status) {
		status = options->from ? recorded_rows(&stating) : live_rows(&stating);
		if (stating.report.source_name)
			status = end(&stating, status);
	}
	for (i = 0; i < stating.report.nr_disks; i++)
		if (stating.place[i].have_last)
			snapshot_free(&stating.place[i].last);
	free(stating.place);
	disk_set_free(&stating.found);
	report_free(&stating.report);
	source_close(stating.source);
	return status;
}
