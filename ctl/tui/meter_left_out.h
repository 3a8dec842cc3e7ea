/* SPDX-License-Identifier: GPL-2.0-or-later */
/* meter_left_out: what the live view does not show of a disk, and why.  For meter.c. */
#ifndef FSB_TUI_METER_LEFT_OUT_H
#define FSB_TUI_METER_LEFT_OUT_H

#include "source/source.h"
#include "tui/top.h"

struct meter_lost {
	char time[64]; /* what kept some time out of the counts, "": nothing */
	const char *counts; /* why there are no new ones, NULL: there are */
	const char *owners; /* why those who asked are not named, NULL: they are */
};

/* Fills disk->left_out; the rest of @disk is there. */
void meter_left_out(struct top_disk *disk, struct source *source, const struct meter_lost *lost);

#endif /* FSB_TUI_METER_LEFT_OUT_H */
