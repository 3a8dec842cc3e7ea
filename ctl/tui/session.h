/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * session: the live view from begin to end, on a terminal or as frames of text.  For
 * cmd/top.c.
 */
#ifndef FSB_TUI_SESSION_H
#define FSB_TUI_SESSION_H

#include "source/source.h"
#include "tui/top.h"

#define INTERVAL_MIN_S 0.1
#define INTERVAL_MAX_S 3600.0

struct session_options {
	enum source_kind kind;
	const char *from; /* a recording, NULL: live */
	const char *name; /* of the disk in the recording, NULL: the first */
	const struct disk_set *disks; /* NULL: none was named */
	double interval_s; /* of a recording 0: as it was recorded */
	double settle_s;
	enum tab tab;
	bool ascii;
	bool colour;
	bool batch;
	bool control; /* settings may be changed */
	unsigned long frames; /* of batch; 0: no end */
	int cols, rows; /* of batch */
	int (*parse_interval)(const char *text, double *seconds);
};

/* Both print what goes wrong and return the exit status. */
int session_batch(const struct session_options *options);
int session_screen(const struct session_options *options);

#endif /* FSB_TUI_SESSION_H */
