/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * glyph: the signs that panels draw with, each with an ASCII twin, and small numbers
 * as they fit into a column of a frame.  For tui/ only.
 */
#ifndef FSB_TUI_GLYPH_H
#define FSB_TUI_GLYPH_H

#include "tui/frame.h"

enum glyph {
	GLYPH_RULE, /* of a horizontal line */
	GLYPH_QUEUED, /* parts of the disk's time */
	GLYPH_DRAIN,
	GLYPH_ALONE,
	GLYPH_ERROR,
	GLYPH_HERE, /* the row that holds now */
	GLYPH_LEADS_TO,
	GLYPH_PLUS_MINUS,
	GLYPH_DOWN, /* sorted: the largest first */
	GLYPH_UP,
	GLYPH_CUT, /* there is more of the text */
	GLYPHS,
};

const char *glyph(const struct frame *frame, enum glyph glyph);

/* A bar of one character: @value of @most; blank only for 0. */
const char *glyph_level(const struct frame *frame, double value, double most);
/* The same over several rows: of @rows rows the one @row from the bottom. */
const char *glyph_level_row(const struct frame *frame, double value, double most, int rows,
			    int row);

void frame_rule(struct frame *frame, int row, const char *title);

/* Texts for a column; each fills and returns @text. */
struct short_text {
	char text[48];
};

/* 0.4 81.2 294 12345 123k; "-" when it is no number */
const char *short_rate(struct short_text *text, double value);
/* 0, 85 us, 0.3 ms, 14 ms, 2.2 s */
const char *short_time(struct short_text *text, double ns);
/* 12s 2m41s 1h02m 3d04h */
const char *short_held(struct short_text *text, double ns);
/* 92k 18.3M: bytes without their unit */
const char *short_bytes(struct short_text *text, double bytes);

#endif /* FSB_TUI_GLYPH_H */
