/* SPDX-License-Identifier: GPL-2.0-or-later */
/* session_parts: what the live view is made of, for the files session*.c. */
#ifndef FSB_TUI_SESSION_PARTS_H
#define FSB_TUI_SESSION_PARTS_H

#include "tui/control.h"
#include "tui/disks.h"
#include "tui/meter.h"
#include "tui/session.h"

struct session {
	const struct session_options *options;
	struct ui ui;
	struct top top;
	struct disks *disks; /* NULL: there is no list */
	struct meter *meter; /* NULL: no disk is open */
	struct control *control; /* NULL: nothing may be changed */
	bool ended; /* the recording */
};

/* 0, or -1 (printed). */
int session_begin(struct session *session, const struct session_options *options);
void session_end(struct session *session);

/* Opens a disk: 0, or -1 with the reason and a hint (""), both static. */
int session_open(struct session *session, const struct disk *disk, const char **why,
		 const char **hint);
void session_leave(struct session *session);

/*
 * Counts (@regular: an interval is over), and unless the screen is paused shows it: 0 or -1
 * when memory ran out.
 */
int session_step(struct session *session, bool regular);
int session_show(struct session *session);
/* The recording could not be read to its end (printed). */
bool session_failed(const struct session *session);

/* By CLOCK_MONOTONIC. */
double session_now_s(void);
/*
 * Waits until then, or until @fd (-1: none) is readable, a signal comes, or something is
 * heard of the disk, which is counted at once then.  0 or -1 when memory ran out.
 */
int session_wait(struct session *session, int fd, double until_s);

#endif /* FSB_TUI_SESSION_PARTS_H */
