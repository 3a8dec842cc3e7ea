/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * meter: the opened disk, counted again and again, and what the live view shows of it:
 * the last seconds, everything since it was opened, the history, option sets and epochs.
 * For cmd/top.c.
 *
 * Counting and showing are apart: while the screen is paused meter_step() goes on, and
 * nothing is missing when meter_show() is called again.
 */
#ifndef FSB_TUI_METER_H
#define FSB_TUI_METER_H

#include "source/source.h"
#include "tui/top.h"

#define METER_WINDOW_S 10 /* the last seconds that are shown */

struct meter;

struct meter_options {
	enum source_kind kind;
	const char *path; /* of a recording */
	double settle_s;
};

/*
 * Opens the source and begins to count @disk; NULL: the first disk of a recording, or the
 * one called @name.  0 or -1; meter_error() has the reason and meter_hint() how to go on.
 * *meter is set even on failure; close it in any case.
 */
int meter_open(struct meter **meter, const struct meter_options *options, const struct disk *disk,
	       const char *name);
void meter_close(struct meter *meter);
const char *meter_error(const struct meter *meter);
const char *meter_hint(const struct meter *meter);
/* One line to be said once, "" if there is none. */
const char *meter_notice(const struct meter *meter);

/*
 * The next instant: 1, 0 at the end of a recording, -1 when memory ran out.  @regular: an
 * interval is over; else something was heard in between.
 */
int meter_step(struct meter *meter, bool regular);
/* What came last in the recording could not be read: meter_error() says why. */
bool meter_failed(const struct meter *meter);
/*
 * How long intervals are: of a recording as it was asked for, or else the last one; 0 when
 * that is not known.
 */
double meter_interval_s(const struct meter *meter);
/* The time of day of the last instant. */
void meter_clock(const struct meter *meter, char *text, size_t size);

#define METER_FDS 2

/* One of them is readable when something may have changed; -1: never. */
void meter_fds(const struct meter *meter, int fd[METER_FDS]);
/* Takes what has come there; true when the disk is to be counted and looked at now. */
bool meter_hear(struct meter *meter);

/* Once, after a disk that was gone has come back: true and a line that says so. */
bool meter_word(struct meter *meter, char *text, size_t size);
/* What is counted now. */
const struct disk *meter_disk(const struct meter *meter);

/* How long intervals are from now on; the strips are of one length, and so begin again. */
void meter_pace(struct meter *meter, double seconds);

/*
 * Makes what is shown anew, compared with option set @baseline.  It belongs to the meter and
 * is valid until the next call.  NULL when memory ran out.
 */
const struct top_disk *meter_show(struct meter *meter, unsigned int baseline);

#endif /* FSB_TUI_METER_H */
