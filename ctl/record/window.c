// SPDX-License-Identifier: GPL-2.0-or-later
/* window: one run: first counts, the command, last counts. */
#include <errno.h>
#include <string.h>

#include "clock_ns.h"
#include "cmd/cmd.h"
#include "message.h"
#include "record/record.h"

/* From -w's SIGTERM to SIGKILL. */
#define KILL_AFTER_S 5
/* From then on until what will not end is left alone. */
#define GIVE_UP_AFTER_S 60
/* How often it is looked whether all that the command has left has ended. */
#define REST_TICK_S 0.05
/* How often it is asked whether the disks are still there. */
#define TICK_S 1
/* How often counters and settings are looked at when no rows are asked for. */
#define LOOK_S 1

static void warn_all(struct recording *rec, const char *text)
{
	size_t i;

	for (i = 0; i < rec->report.nr_disks; i++)
		warnings_add(&rec->report.disk[i].warnings, "%s", text);
}

/* To the command and all it has started, in sessions of their own too. */
static void signal_all(struct recording *rec, const struct child *child, int signal)
{
	rec->told_to_end = true;
	if (!descendants_signal(&rec->descendants, signal, NULL, 0))
		child_kill(child, signal);
}

/* Passed on once; a second one ends the command at once. */
static void pass_on(struct recording *rec, struct child *child, const struct event *event)
{
	rec->report.cut_short = true;
	rec->stop = true;
	if (rec->signals > 1)
		signal_all(rec, child, SIGKILL);
	else if (!event->from_terminal || child->apart)
		signal_all(rec, child, event->signal);
}

static void time_is_over(struct recording *rec, struct child *child, bool *again)
{
	if (*again) {
		signal_all(rec, child, SIGKILL);
		warn_all(rec, "the command did not end on SIGTERM and was killed");
		return;
	}
	*again = true;
	signal_all(rec, child, SIGTERM);
	(void)events_arm(&rec->events, EVENT_DEADLINE, KILL_AFTER_S, 0);
	warn_all(rec, "-w: the time was over before the command ended; it was sent SIGTERM");
}

static bool all_gone(struct recording *rec)
{
	bool gone = true;
	size_t i;

	for (i = 0; i < rec->report.nr_disks; i++) {
		struct report_disk *disk = &rec->report.disk[i];

		if (!rec->member[i].vanished) {
			const char *why = member_vanished(rec, i);

			rec->member[i].vanished = !!why;
			if (why)
				record_notice(rec, disk->disk.name, "%s", why);
		}
		gone = gone && rec->member[i].vanished;
	}
	return gone;
}

static void intervals(struct recording *rec)
{
	size_t i;

	for (i = 0; i < rec->report.nr_disks; i++)
		member_interval(rec, i, rec->report.nr_runs + 1);
}

void window_notices(struct recording *rec, bool in_window)
{
	bool mounts = mount_watch_take(rec->mounts), changed = false;
	struct source_event event;
	size_t i;

	for (i = 0; mounts && in_window && i < rec->report.nr_disks; i++)
		changed = look_noticed(rec, i, NOTICED_MOUNTS) || changed;
	while (source_event(rec->source, &event) > 0) {
		for (i = 0; in_window && i < rec->report.nr_disks; i++) {
			const struct disk *disk = &rec->report.disk[i].disk;

			if (event.kind == SOURCE_DISK_SETTINGS && event.major == disk->major &&
			    event.minor == disk->minor)
				changed = look_noticed(rec, i, NOTICED_DRIVE) || changed;
		}
	}
	/* Every disk has counts at every instant of a recording. */
	for (i = 0; changed && i < rec->report.nr_disks; i++)
		member_noticed(rec, i);
}

enum wait_end window_wait(struct recording *rec, struct child *child, bool in_window)
{
	bool terminated = false;
	struct event event;

	for (;;) {
		if (child && child_ended(child))
			return WAIT_CHILD;
		child_reap_others(child);
		if (events_wait(&rec->events, &event))
			return WAIT_FAILED;
		if (event.kind == EVENT_SIGNAL) {
			rec->signals++;
			rec->signal = event.signal;
			if (!child)
				return WAIT_SIGNAL;
			pass_on(rec, child, &event);
		}
		if (event.kind == EVENT_NOTICE)
			window_notices(rec, in_window);
		if (!in_window)
			continue;
		if (event.kind == EVENT_CONTINUED)
			warn_all(rec, "fsbctl was stopped for a while; the window went on");
		if (event.kind == EVENT_DEADLINE && !child)
			return WAIT_TIME;
		if (event.kind == EVENT_DEADLINE)
			time_is_over(rec, child, &terminated);
		if (event.kind == EVENT_INTERVAL)
			intervals(rec);
		if (event.kind == EVENT_TICK)
			look_below(rec);
		/* Nobody reads the rows any more. */
		if (!child && ferror(rec->out.to))
			return WAIT_FAILED;
		if (event.kind == EVENT_TICK && all_gone(rec) && !child)
			return WAIT_DISKS_GONE;
	}
}

/* One that the kernel cannot end (a disk that hangs) is not waited for. */
static bool rest_event(struct recording *rec, const struct event *event, bool in_window,
		       bool *kill)
{
	if (event->kind == EVENT_SIGNAL) {
		rec->signals++;
		rec->signal = event->signal;
		rec->report.cut_short = true;
		rec->stop = true;
		*kill = *kill || rec->signals > 1;
	} else if (event->kind == EVENT_NOTICE) {
		window_notices(rec, in_window);
	} else if (event->kind == EVENT_INTERVAL && in_window) {
		intervals(rec);
	} else if (event->kind == EVENT_DEADLINE) {
		if (*kill)
			return false;
		*kill = true;
		(void)events_arm(&rec->events, EVENT_DEADLINE, GIVE_UP_AFTER_S, 0);
	}
	return true;
}

void window_end_rest(struct recording *rec, bool in_window)
{
	bool kill = rec->signals > 1;
	char names[128], text[256];
	struct event event;
	size_t nr;

	child_reap_others(NULL);
	nr = descendants_signal(&rec->descendants, SIGTERM, names, sizeof(names));
	if (!nr)
		return;
	snprintf(text, sizeof(text),
		 "the command left %zu process%s running, which fsbctl ended: %s", nr,
		 nr == 1 ? "" : "es", names);
	if (!rec->told_to_end)
		warn_all(rec, text);
	(void)events_arm(&rec->events, EVENT_DEADLINE, KILL_AFTER_S, 0);
	(void)events_arm(&rec->events, EVENT_TICK, REST_TICK_S, REST_TICK_S);
	while (descendants_signal(&rec->descendants, kill ? SIGKILL : 0, names, sizeof(names))) {
		if (events_wait(&rec->events, &event) ||
		    !rest_event(rec, &event, in_window, &kill)) {
			snprintf(text, sizeof(text), "still running after SIGKILL: %s", names);
			warn_all(rec, text);
			break;
		}
		child_reap_others(NULL);
	}
	(void)events_arm(&rec->events, EVENT_DEADLINE, 0, 0);
	(void)events_arm(&rec->events, EVENT_TICK, 0, 0);
}

int window_hold(struct recording *rec, struct child *child, const struct child_plan *plan)
{
	descendants_free(&rec->descendants);
	rec->told_to_end = false;
	if (descendants_begin(&rec->descendants) || child_hold(child, plan))
		return -1;
	rec->descendants.guard = child->pid;
	return 0;
}

static int arm(struct recording *rec)
{
	const struct record_options *options = rec->options;
	double interval = options->interval > 0 ? options->interval : LOOK_S;

	return events_arm(&rec->events, EVENT_DEADLINE, options->seconds, 0) ||
	       events_arm(&rec->events, EVENT_INTERVAL, interval, interval) ||
	       events_arm(&rec->events, EVENT_TICK, TICK_S, TICK_S);
}

static void disarm(struct recording *rec)
{
	int timer;

	for (timer = EVENT_DEADLINE; timer <= EVENT_TICK; timer++)
		(void)events_arm(&rec->events, (enum event_kind)timer, 0, 0);
}

static int exec_failed(const char *command, int err)
{
	message_error(command, err == ENOENT ? "not found" : strerror(err), "");
	return err == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

static void note_run(struct recording *rec, const struct child *child, uint64_t wall_ns)
{
	struct report_run result = { .code = child ? child_code(child) : 0,
				     .signal = child ? child_signal(child) : 0,
				     .wall_ns = wall_ns };

	record_run_ended(rec, &result);
}

static void end_window(struct recording *rec, unsigned int run)
{
	struct report *report = &rec->report;
	size_t i;

	for (i = 0; i < report->nr_disks; i++)
		member_end(rec, i, run);
	report->nr_runs++;
	look_below(rec);
	for (i = 0; i < report->nr_disks; i++)
		look(rec, i);
	for (i = 0; i < report->nr_disks; i++)
		epoch_end(rec, i);
	keep_run(rec, &report->run[run - 1]);
}

/* Forks the command and reads the first counts while it is held. */
static int begin_window(struct recording *rec, struct child *child)
{
	const struct record_options *options = rec->options;
	struct child_plan plan = { .argv = options->argv, .events = &rec->events };
	size_t i;

	for (i = 0; i < rec->report.nr_disks; i++) {
		look(rec, i);
		member_tell_cache(rec, i);
	}
	if (options->argv && window_hold(rec, child, &plan)) {
		message_error(options->argv[0], strerror(errno), "");
		return -1;
	}
	for (i = 0; i < rec->report.nr_disks; i++) {
		if (member_begin(rec, i) == 0)
			continue;
		message_error(rec->report.disk[i].disk.name, source_error(rec->source),
			      source_hint(rec->source));
		if (options->argv)
			child_drop(child);
		return -1;
	}
	return 0;
}

int window_run(struct recording *rec, unsigned int run)
{
	struct child child, *command = rec->options->argv ? &child : NULL;
	uint64_t begin_ns;
	enum wait_end end;
	int err;

	if (begin_window(rec, &child))
		return EXIT_FSBCTL;
	begin_ns = clock_ns(CLOCK_MONOTONIC);
	if (arm(rec)) {
		message_error("timer", strerror(errno), "");
		if (command)
			child_drop(command);
		return EXIT_FSBCTL;
	}
	err = command ? child_release(command) : 0;
	if (err)
		return exec_failed(rec->options->argv[0], err);
	end = window_wait(rec, command, true);
	if (end == WAIT_SIGNAL)
		rec->stop = true;
	note_run(rec, command, clock_ns(CLOCK_MONOTONIC) - begin_ns);
	if (command)
		window_end_rest(rec, true);
	disarm(rec);
	if (rec->options->sync && rec->signals < 2)
		phase_sync(rec);
	end_window(rec, run);
	return end == WAIT_DISKS_GONE || end == WAIT_FAILED ? EXIT_FSBCTL : 0;
}
