// SPDX-License-Identifier: GPL-2.0-or-later
/* session: what both ways of showing have in common, and frames of text. */
#include "tui/session.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock_ns.h"
#include "cmd/cmd.h"
#include "deadline.h"
#include "message.h"
#include "tui/session_parts.h"

double session_now_s(void)
{
	return (double)clock_ns(CLOCK_MONOTONIC) / 1e9;
}

void session_leave(struct session *session)
{
	control_close(session->control, NULL);
	session->control = NULL;
	session->ui.may_control = false;
	meter_close(session->meter);
	session->meter = NULL;
	session->top.disk = NULL;
	session->ui.tab = TAB_LIST;
	session->ui.baseline = 0;
	session->ui.selected = 0;
	session->ui.cumulative = false;
	session->ended = false;
}

int session_open(struct session *session, const struct disk *disk, const char **why,
		 const char **hint)
{
	const struct session_options *options = session->options;
	struct meter_options how = {options->kind, options->from, options->settle_s};
	static char reason[512], what_to_do[512];

	if (meter_open(&session->meter, &how, disk, options->name)) {
		snprintf(reason, sizeof(reason), "%s", meter_error(session->meter));
		snprintf(what_to_do, sizeof(what_to_do), "%s", meter_hint(session->meter));
		*why = reason;
		*hint = what_to_do;
		session_leave(session);
		return -1;
	}
	if (disk)
		meter_pace(session->meter, session->ui.interval_s);
	session->ui.tab = options->tab;
	session->ui.selected = 0;
	/* What is found when it is opened; b and B change that. */
	session->ui.baseline = 1;
	session->ended = false;
	if (options->control && disk)
		session->control = control_open(disk);
	session->ui.may_control = session->control;
	return 0;
}

static int open_or_say(struct session *session, const struct disk *disk)
{
	const char *why, *hint;

	if (!session_open(session, disk, &why, &hint)) {
		if (*meter_notice(session->meter))
			message_error(disk ? disk->name : "", meter_notice(session->meter), "");
		return 0;
	}
	message_error(disk ? disk->name : session->options->from, why, hint);
	return -1;
}

int session_begin(struct session *session, const struct session_options *options)
{
	const struct disk_set *named = options->disks;
	const struct disk *disk = named && named->nr == 1 ? &named->disk[0] : NULL;

	memset(session, 0, sizeof(*session));
	session->options = options;
	session->ui.tab = TAB_LIST;
	session->ui.batch = options->batch;
	session->ui.kind = FSBSTAT_HIST_DEVICE;
	/* That of a recording is known after two counts. */
	session->ui.interval_s = options->from ? 0 : options->interval_s;
	if (options->from)
		return open_or_say(session, NULL);
	if (!disk) {
		session->disks = disks_open(named);
		if (!session->disks) {
			message_error(DISK_FOLDER, strerror(errno), DISK_FOLDER_HINT);
			return -1;
		}
		session->ui.has_list = true;
		disk = named ? NULL : disks_candidate(session->disks);
	}
	return disk ? open_or_say(session, disk) : 0;
}

void session_end(struct session *session)
{
	control_close(session->control, stderr);
	meter_close(session->meter);
	disks_close(session->disks);
}

static void clock_now(struct session *session)
{
	time_t now = time(NULL);
	struct tm tm;

	if (!localtime_r(&now, &tm) ||
	    !strftime(session->top.clock, sizeof(session->top.clock), "%H:%M:%S", &tm))
		snprintf(session->top.clock, sizeof(session->top.clock), "-");
}

int session_show(struct session *session)
{
	struct top *top = &session->top;

	top->list = NULL;
	top->nr_list = 0;
	if (session->disks)
		top->list = disks_rows(session->disks, &top->nr_list);
	if (!session->meter) {
		clock_now(session);
		return 0;
	}
	meter_clock(session->meter, top->clock, sizeof(top->clock));
	top->disk = meter_show(session->meter, session->ui.baseline);
	return top->disk ? 0 : -1;
}

/* The keys that change settings are of the disk under its new name, too. */
static void come_back(struct session *session)
{
	char text[sizeof(session->ui.message)];

	if (!meter_word(session->meter, text, sizeof(text)))
		return;
	if (session->ui.batch)
		message_error("top", text, "");
	else
		memcpy(session->ui.message, text, sizeof(text));
	if (!session->control)
		return;
	control_close(session->control, NULL);
	session->control = control_open(meter_disk(session->meter));
	session->ui.may_control = session->control;
}

int session_step(struct session *session, bool regular)
{
	int more;

	if (session->meter) {
		more = meter_step(session->meter, regular);
		if (more < 0)
			return -1;
		session->ended = !more;
		come_back(session);
		if (meter_interval_s(session->meter) > 0)
			session->ui.interval_s = meter_interval_s(session->meter);
	} else if (disks_step(session->disks)) {
		return -1;
	}
	return session->ui.paused ? 0 : session_show(session);
}

bool session_failed(const struct session *session)
{
	if (!session->meter || !meter_failed(session->meter))
		return false;
	message_error(session->options->from, meter_error(session->meter),
		      meter_hint(session->meter));
	return true;
}

int session_wait(struct session *session, int fd, double until_s)
{
	double left = until_s - session_now_s();
	struct pollfd fds[1 + METER_FDS] = {{.fd = fd, .events = POLLIN}};
	int heard[METER_FDS] = {-1, -1}, i;

	if (left <= 0)
		return 0;
	if (session->meter)
		meter_fds(session->meter, heard);
	for (i = 0; i < METER_FDS; i++)
		fds[i + 1] = (struct pollfd){.fd = heard[i], .events = POLLIN};
	if (poll(fds, 1 + METER_FDS, (int)(left * 1000) + 1) <= 0)
		return 0;
	if (!fds[1].revents && !fds[2].revents)
		return 0;
	return meter_hear(session->meter) ? session_step(session, false) : 0;
}

/* --- frames of text --- */

/* Without the blank rows at the end. */
static int print_frame(const struct session *session, bool first)
{
	const struct session_options *options = session->options;
	struct frame frame;

	if (frame_init(&frame, options->cols, options->rows, options->ascii))
		return -1;
	top_draw(&session->top, &session->ui, &frame);
	if (!first)
		putchar('\n');
	frame_print(&frame, stdout, options->colour);
	frame_free(&frame);
	return fflush(stdout) ? -1 : 0;
}

/* There is something to show: two counts. */
static bool countable(const struct session *session)
{
	return !session->meter || session->top.disk->all.delta || session->top.disk->bad;
}

int session_batch(const struct session_options *options)
{
	unsigned long frames = 0;
	struct session session;
	double next_s;
	int err = session_begin(&session, options) ? EXIT_FSBCTL : 0;

	next_s = session_now_s();
	while (!err && (!options->frames || frames < options->frames)) {
		if (session_step(&session, true)) {
			message_error("", strerror(ENOMEM), "");
			err = EXIT_FSBCTL;
		} else if (session.ended) {
			/* A recording that breaks off is known to do so at its end. */
			err = session_failed(&session) ? EXIT_FSBCTL : 0;
			if (*meter_notice(session.meter))
				message_error("top", meter_notice(session.meter), "");
			break;
		} else if (countable(&session) && next_s > 0 && print_frame(&session, !frames++)) {
			/* Nobody reads any more: the end, and no error. */
			break;
		}
		if (options->from)
			continue;
		next_s = deadline_next(next_s, options->interval_s, session_now_s());
		while (!err && session_now_s() < next_s &&
		       (!options->frames || frames < options->frames))
			err = session_wait(&session, -1, next_s) ? EXIT_FSBCTL : 0;
	}
	session_end(&session);
	return err;
}
