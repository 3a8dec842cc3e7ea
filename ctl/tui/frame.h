/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame: one screenful as data: a grid of characters with a style each.  The panels
 * fill it; screen.c shows it, and frame_print() writes it as text.  Pure.
 *
 * Whatever is put into a frame is cut at its edges, and no control character gets into
 * one.  With @ascii every character that is not ASCII becomes '?': the glyphs that the
 * panels draw with have ASCII twins (glyph.h).
 */
#ifndef FSB_TUI_FRAME_H
#define FSB_TUI_FRAME_H

#include <stdbool.h>
#include <stdio.h>

/* What a piece of text is; a style never says anything that the text does not. */
enum style {
	STYLE_PLAIN,
	STYLE_TITLE,
	STYLE_HEADER, /* of a column */
	STYLE_DIM,
	STYLE_GOOD,
	STYLE_WARN,
	STYLE_QUEUED,
	STYLE_DRAIN,
	STYLE_ALONE,
	STYLE_KEY,
	STYLE_SELECTED,
	STYLES,
};

#define FRAME_CELL_BYTES 16

/* One column; the second one of a wide character has an empty text. */
struct cell {
	char text[FRAME_CELL_BYTES]; /* UTF-8: a character and its combining marks */
	unsigned char style;
};

struct frame {
	int cols, rows;
	bool ascii;
	struct cell *cell; /* rows x cols, owned */
};

/* Blank.  0 or -1 with ENOMEM; frame_free() in either case. */
int frame_init(struct frame *frame, int cols, int rows, bool ascii);
void frame_free(struct frame *frame);

/* Each returns the column after the text. */
int frame_put(struct frame *frame, int row, int col, enum style style, const char *text);
int frame_printf(struct frame *frame, int row, int col, enum style style, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
/* Ends before column @end; what does not fit between @begin and there is cut off. */
void frame_right(struct frame *frame, int row, int begin, int end, enum style style,
		 const char *text);
/* At most to column @end. */
int frame_clip(struct frame *frame, int row, int col, int end, enum style style, const char *text);
/* The same, and a mark (GLYPH_CUT) where there is more of the text. */
int frame_cut(struct frame *frame, int row, int col, int end, enum style style, const char *text);
/* Gives what stands there a style. */
void frame_style(struct frame *frame, int row, int col, int end, enum style style);

/* The rows as lines, without the white space at their ends; @colour: with SGR sequences. */
void frame_print(const struct frame *frame, FILE *to, bool colour);

#endif /* FSB_TUI_FRAME_H */
