// SPDX-License-Identifier: GPL-2.0-or-later
/* session_screen: the live view on a terminal: waits for time, keys and events. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "deadline.h"
#include "message.h"
#include "tui/keys.h"
#include "tui/save.h"
#include "tui/screen.h"
#include "tui/session_parts.h"

struct loop {
	struct session session;
	double next_s; /* when to count again */
	bool anew; /* everything is to be drawn */
	bool quit;
};

static void draw(struct loop *loop)
{
	struct frame frame;
	int cols, rows;

	screen_size(&cols, &rows);
	if (frame_init(&frame, cols, rows, loop->session.options->ascii))
		return;
	top_draw(&loop->session.top, &loop->session.ui, &frame);
	screen_show(&frame, loop->anew);
	loop->anew = false;
	frame_free(&frame);
}

static void say(struct loop *loop, const char *what, const char *more)
{
	struct ui *ui = &loop->session.ui;

	snprintf(ui->message, sizeof(ui->message), "%.60s%.90s", what, more);
}

static void open_selected(struct loop *loop)
{
	struct session *session = &loop->session;
	const struct list_row *row = keys_selected_disk(&session->ui, &session->top);
	const char *why, *hint;
	struct disk disk;

	if (!row)
		return;
	disk = row->info.disk;
	session->ui.filter[0] = '\0';
	/* The pause is over, or nothing of the disk would be seen. */
	session->ui.paused = false;
	if (session_open(session, &disk, &why, &hint))
		say(loop, "", why);
	else if (*meter_notice(session->meter))
		say(loop, "", meter_notice(session->meter));
	loop->next_s = session_now_s();
}

static void new_interval(struct loop *loop)
{
	struct session *session = &loop->session;

	if (session->options->from) {
		say(loop, "a recording has an interval of its own", "");
		return;
	}
	if (session->meter)
		meter_pace(session->meter, session->ui.interval_s);
	loop->next_s = session_now_s() + session->ui.interval_s;
}

static void typed_interval(struct loop *loop)
{
	struct ui *ui = &loop->session.ui;
	double seconds;

	if (loop->session.options->parse_interval(ui->typed, &seconds) ||
	    seconds < INTERVAL_MIN_S || seconds > INTERVAL_MAX_S) {
		say(loop, "an interval is 100ms to 1h, not ", ui->typed);
		return;
	}
	ui->interval_s = seconds;
	new_interval(loop);
}

static void save(struct loop *loop)
{
	char name[128];

	if (save_screen(&loop->session.top, &loop->session.ui, name, sizeof(name)))
		snprintf(loop->session.ui.message, sizeof(loop->session.ui.message), "%s: %s", name,
			 strerror(errno));
	else
		say(loop, "saved as ", name);
}

static void ask_control(struct loop *loop)
{
	struct session *session = &loop->session;
	struct ui *ui = &session->ui;
	char text[sizeof(ui->typed)];

	if (!control_ask(session->control, ui->control, session->top.disk, text, sizeof(text))) {
		say(loop, "", text);
		return;
	}
	memcpy(ui->typed, text, sizeof(ui->typed));
	ui->prompt = PROMPT_CONFIRM;
}

/* The disk is looked at now, so that the epoch ends where it was changed. */
static void do_control(struct loop *loop)
{
	char text[150];

	control_do(loop->session.control, text, sizeof(text));
	say(loop, "", text);
	loop->next_s = session_now_s();
}

static void obey(struct loop *loop, enum ui_request request)
{
	switch (request) {
	case UI_QUIT:
		loop->quit = true;
		break;
	case UI_REDRAW:
		loop->anew = true;
		break;
	case UI_OPEN:
		open_selected(loop);
		break;
	case UI_LEAVE:
		session_leave(&loop->session);
		loop->next_s = session_now_s();
		break;
	case UI_SAVE:
		save(loop);
		break;
	case UI_INTERVAL:
		new_interval(loop);
		break;
	case UI_TYPED_INTERVAL:
		typed_interval(loop);
		break;
	case UI_BASELINE:
		(void)session_show(&loop->session);
		break;
	case UI_CONTROL:
		ask_control(loop);
		break;
	case UI_CONFIRMED:
		do_control(loop);
		break;
	case UI_NOTHING:
		break;
	}
}

static bool take_keys(struct loop *loop)
{
	struct session *session = &loop->session;
	bool any = false;
	int key;

	while (!loop->quit && (key = screen_key()) != SCREEN_NO_KEY) {
		bool was_paused = session->ui.paused;

		any = true;
		if (key == SCREEN_GONE)
			loop->quit = true;
		else if (key == SCREEN_RESIZED)
			loop->anew = true;
		else
			obey(loop, keys_take(&session->ui, &session->top, key));
		if (was_paused && !session->ui.paused)
			(void)session_show(session);
	}
	return any;
}

/* Counts when it is time; missed times are left out, as after being stopped. */
static int count(struct loop *loop)
{
	struct session *session = &loop->session;
	double now = session_now_s(), pace_s;

	if (now < loop->next_s || session->ended)
		return 0;
	if (session_step(session, true))
		return -1;
	if (session->ended && meter_failed(session->meter))
		say(loop, "", meter_error(session->meter));
	else if (session->ended && *meter_notice(session->meter))
		say(loop, "", meter_notice(session->meter));
	pace_s = session->ui.interval_s;
	if (session->options->from && session->options->interval_s > 0)
		pace_s = session->options->interval_s;
	loop->next_s = deadline_next(loop->next_s, pace_s, now);
	draw(loop);
	return 0;
}

static int run(struct loop *loop)
{
	while (!loop->quit && !screen_signal()) {
		if (count(loop))
			return -1;
		/* At the end of a recording only keys are waited for. */
		if (session_wait(&loop->session, STDIN_FILENO,
				 loop->session.ended ? session_now_s() + 60 : loop->next_s))
			return -1;
		if (screen_continued())
			loop->anew = true;
		if (take_keys(loop) || loop->anew)
			draw(loop);
	}
	return 0;
}

int session_screen(const struct session_options *options)
{
	struct loop loop = {.anew = true};
	int status = EXIT_OK, ended_by;
	const char *why;

	if (session_begin(&loop.session, options)) {
		session_end(&loop.session);
		return EXIT_FSBCTL;
	}
	if (screen_open(options->colour, &why)) {
		message_error("top", why, "fsbctl top --batch prints frames as text");
		session_end(&loop.session);
		return EXIT_FSBCTL;
	}
	loop.next_s = session_now_s();
	if (run(&loop))
		status = EXIT_FSBCTL;
	ended_by = screen_signal();
	screen_close();
	if (status)
		message_error("top", strerror(ENOMEM), "");
	else if (session_failed(&loop.session))
		status = EXIT_FSBCTL;
	session_end(&loop.session);
	/* Ctrl-C is a way to quit. */
	return status || !ended_by || ended_by == SIGINT ? status : EXIT_SIGNAL + ended_by;
}
