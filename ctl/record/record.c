// SPDX-License-Identifier: GPL-2.0-or-later
/* record: the order of things in a recording, see record.h. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "message.h"
#include "output_file.h"
#include "record/record.h"
#include "timestamp.h"

#define SETTLE_S 2
#define SETTLE_STEP_NS 20000000L

void record_notice(const struct recording *rec, const char *object, const char *format, ...)
{
	char text[512];
	va_list args;

	if (rec->options->quiet)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	message_error(object, text, "");
}

const char *record_when(struct recording *rec, unsigned int run)
{
	rec->when[0] = '\0';
	if (rec->options->runs > 1)
		snprintf(rec->when, sizeof(rec->when), " in run %u", run);
	return rec->when;
}

/* Opened before anything runs; what is in the file stays until there is something new. */
static int open_output(struct recording *rec)
{
	const struct record_options *options = rec->options;

	rec->out.ops = options->format;
	if (!options->output) {
		rec->out.to = options->argv ? stderr : stdout;
		return 0;
	}
	if (!strcmp(options->output, "-")) {
		rec->out.to = stdout;
		return 0;
	}
	rec->out.to = output_file_open(options->output, false);
	if (rec->out.to)
		return 0;
	message_error(options->output, output_file_why(), "nothing was run");
	return -1;
}

struct out *record_out(struct recording *rec)
{
	struct stat status;
	int fd = fileno(rec->out.to);

	if (!rec->began && rec->out.to != stdout && rec->out.to != stderr &&
	    fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && ftruncate(fd, 0))
		message_error(rec->options->output, strerror(errno), "");
	rec->began = true;
	return &rec->out;
}

static int close_output(struct recording *rec)
{
	bool own = rec->out.to != stderr;
	int bad;

	if (!rec->out.to || rec->out.to == stdout)
		return 0; /* main() looks after stdout */
	errno = 0;
	bad = fflush(rec->out.to) || ferror(rec->out.to);
	if (own && fclose(rec->out.to))
		bad = 1;
	rec->out.to = NULL;
	if (bad)
		message_error(rec->options->output ? rec->options->output : "report",
			      errno ? strerror(errno) : "could not be written", "");
	return bad ? -1 : 0;
}

static int find_disks(struct recording *rec)
{
	int err;

	if (disk_find(rec->options->disk, &rec->found))
		return -1;
	err = record_room(rec, &rec->found, rec->options->runs);
	if (err)
		message_error(rec->options->disk, strerror(-err), "");
	return err;
}

int record_room(struct recording *rec, const struct disk_set *set, unsigned int runs)
{
	struct report *report = &rec->report;
	size_t i;

	memcpy(report->via, set->via, sizeof(report->via));
	report->disk = calloc(set->nr, sizeof(*report->disk));
	rec->member = calloc(set->nr, sizeof(*rec->member));
	report->run = calloc(runs, sizeof(*report->run));
	if (!report->disk || !rec->member || !report->run)
		return -ENOMEM;
	report->nr_disks = set->nr;
	report->wanted_runs = runs;
	for (i = 0; i < set->nr; i++) {
		report->disk[i].disk = set->disk[i];
		epochs_init(&report->disk[i].epochs, rec->options->settle_ns);
		report->disk[i].run = calloc(runs, sizeof(*report->disk[i].run));
		if (!report->disk[i].run)
			return -ENOMEM;
	}
	return 0;
}

void record_describe_source(struct recording *rec)
{
	struct report *report = &rec->report;
	size_t layer;

	report->source_name = source_kind_name(source_kind(rec->source));
	memcpy(report->module_version, source_module_version(rec->source),
	       sizeof(report->module_version));
	report->ata_hooks = source_sees_ata(rec->source);
	report->host = *source_host(rec->source);
	for (layer = 0; layer < LAYERS; layer++)
		report->missing[layer] = source_missing(rec->source, (enum layer)layer);
}

/* References on the disks go with the source, however we end. */
static int start_counting(struct recording *rec)
{
	struct disk_set set = { .nr = rec->report.nr_disks };
	size_t i, culprit = 0;
	int err;

	if (source_open(&rec->source, rec->options->source, NULL)) {
		message_error("fsbstat", source_error(rec->source), source_hint(rec->source));
		return -1;
	}
	set.disk = calloc(set.nr, sizeof(*set.disk));
	for (i = 0; set.disk && i < set.nr; i++)
		set.disk[i] = rec->report.disk[i].disk;
	if (rec->options->layers)
		source_want(rec->source, rec->options->layers);
	err = set.disk ? source_watch(rec->source, &set, &culprit) : -ENOMEM;
	disk_set_free(&set);
	if (err) {
		message_error(rec->report.disk[culprit].disk.name, source_error(rec->source),
			      source_hint(rec->source));
		return -1;
	}
	if (*source_notice(rec->source) && !rec->options->quiet)
		message_error("record", source_notice(rec->source),
			      source_notice_more(rec->source));
	record_describe_source(rec);
	return 0;
}

/* Until all requests that were in flight when the disk was added have ended. */
static void settle(struct recording *rec)
{
	const struct timespec step = { .tv_sec = 0, .tv_nsec = SETTLE_STEP_NS };
	long left;

	for (left = SETTLE_S * 1000000000L; !source_settled(rec->source); left -= SETTLE_STEP_NS) {
		if (left <= 0) {
			record_notice(rec, rec->options->disk,
				      "requests from before are still in flight after %d s; recording all the same",
				      SETTLE_S);
			return;
		}
		(void)nanosleep(&step, NULL);
	}
}

void record_note_start(struct report *report)
{
	timestamp_now(report->start);
}

/* Cleanup runs whenever prepare did, whatever came in between. */
static int one_run(struct recording *rec, unsigned int run)
{
	const struct record_options *options = rec->options;
	int status;

	if (options->prepare && phase_command(rec, "--prepare", options->prepare))
		return rec->signals ? EXIT_SIGNAL + rec->signal : EXIT_FSBCTL;
	status = window_run(rec, run);
	if (options->cleanup && phase_command(rec, "--cleanup", options->cleanup) && !status &&
	    !rec->signals)
		status = EXIT_FSBCTL;
	return status;
}

static void all_runs(struct recording *rec)
{
	unsigned int run;
	int status = 0;

	for (run = 1; run <= rec->options->runs && !status && !rec->stop; run++)
		status = one_run(rec, run);
	if (rec->report.nr_runs < rec->options->runs)
		rec->report.cut_short = true;
	if (status)
		rec->status = status;
}

/* That the report lacks something is no part of what was recorded. */
static void note_lost_intervals(struct recording *rec, struct report_disk *disk)
{
	if (!disk->intervals.err)
		return;
	disk->incomplete = true;
	warnings_add(&disk->warnings, "the intervals from %.2f s on are missing: %s: %s",
		     (double)disk->intervals.lost_ns / 1e9, intervals_folder(),
		     strerror(-disk->intervals.err));
	rec->status = EXIT_FSBCTL;
}

static void finish(struct recording *rec)
{
	struct report *report = &rec->report;
	size_t i, k;
	int err;

	if (!rec->options->from)
		report->have_dirty = host_dirty(&report->dirty_bytes) == 0;
	for (i = 0; i < report->nr_disks; i++) {
		if (!rec->options->from)
			elsewhere_warn(report, &report->disk[i]);
		owners_finish(rec, i);
		for (k = 0; k < report->disk[i].warnings.nr && rec->out.ops != &out_text; k++)
			record_notice(rec, report->disk[i].disk.name, "warning: %s",
				      report->disk[i].warnings.line[k]);
	}
	keep_end(rec);
	for (i = 0; i < report->nr_disks; i++)
		note_lost_intervals(rec, &report->disk[i]);
	err = rec->out.ops->report(record_out(rec), report);
	if (err) {
		message_error("report", strerror(-err), "");
		rec->status = EXIT_FSBCTL;
	}
}

void record_run_ended(struct recording *rec, const struct report_run *result)
{
	struct report *report = &rec->report;

	report->run[report->nr_runs] = *result;
	report->wall_ns += result->wall_ns;
	/* The first run that failed decides. */
	if (rec->status == EXIT_OK) {
		rec->status = result->signal ? EXIT_SIGNAL + result->signal : result->code;
		report->code = result->code;
		report->signal = result->signal;
	}
}

unsigned int record_look_every(double interval)
{
	return interval > 0 && interval < 1 ? (unsigned int)ceil(1 / interval) : 1;
}

static int start(struct recording *rec)
{
	const struct record_options *options = rec->options;
	struct report *report = &rec->report;

	report->baseline = options->baseline;
	report->rate = options->rate;

	if (options->from) {
		if (open_output(rec) || replay_head(rec))
			return -1;
		record_describe_source(rec);
		return 0;
	}
	if (find_disks(rec) || open_output(rec) || start_counting(rec))
		return -1;
	if (events_open(&rec->events)) {
		message_error("signals", strerror(errno), "");
		events_close(&rec->events);
		return -1;
	}
	if (descendants_adopt()) {
		message_error("PR_SET_CHILD_SUBREAPER", strerror(errno), "");
		return -1;
	}
	report->argv = options->argv;
	report->sync = options->sync;
	report->code = options->argv ? 0 : -1;
	rec->rows = options->interval > 0;
	rec->keep_rows = rec->rows && options->format->needs_intervals;
	rec->look_every = record_look_every(options->interval);
	rec->mounts = mount_watch_open();
	events_hear(&rec->events, mount_watch_fd(rec->mounts), source_fd(rec->source));
	settle(rec);
	record_note_start(report);
	if (options->snapshots) {
		int err = recorder_open(&rec->recorder, options->snapshots);

		if (err) {
			message_error(options->snapshots,
				      err == -ENOMEM ? strerror(ENOMEM) : output_file_why(),
				      "nothing was run");
			return -1;
		}
		keep_head(rec);
	}
	if (!options->argv && isatty(STDERR_FILENO))
		record_notice(rec, options->disk, "recording; Ctrl-C ends it");
	return 0;
}

int record_run(const struct record_options *options)
{
	struct recording rec = { .options = options, .status = EXIT_OK };
	size_t i;

	if (start(&rec)) {
		rec.status = EXIT_FSBCTL;
	} else {
		if (!options->from)
			all_runs(&rec);
		else if (replay_windows(&rec))
			rec.status = EXIT_FSBCTL;
		if (rec.report.nr_runs)
			finish(&rec);
		if (close_output(&rec))
			rec.status = EXIT_FSBCTL;
		if (!options->from)
			events_close(&rec.events);
	}
	(void)close_output(&rec);
	if (keep_close(&rec))
		rec.status = EXIT_FSBCTL;
	descendants_free(&rec.descendants);
	disk_set_free(&rec.found);
	mount_watch_close(rec.mounts);
	source_close(rec.source);
	for (i = 0; i < rec.report.nr_disks; i++)
		member_free(&rec.member[i]);
	free(rec.member);
	report_free(&rec.report);
	return rec.status;
}
