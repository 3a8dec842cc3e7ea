// SPDX-License-Identifier: GPL-2.0-or-later
/* frame: one screenful as data, see frame.h. */
#include "tui/frame.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tui/glyph.h"
#include "utf8.h"
#include "width.h"

#define LINE_MAX_BYTES 2048

int frame_init(struct frame *frame, int cols, int rows, bool ascii)
{
	size_t cells;

	memset(frame, 0, sizeof(*frame));
	if (cols < 1 || rows < 1) {
		errno = EINVAL;
		return -1;
	}
	cells = (size_t)cols * (size_t)rows;
	frame->cell = calloc(cells, sizeof(*frame->cell));
	if (!frame->cell)
		return -1;
	frame->cols = cols;
	frame->rows = rows;
	frame->ascii = ascii;
	for (size_t i = 0; i < cells; i++)
		frame->cell[i].text[0] = ' ';
	return 0;
}

void frame_free(struct frame *frame)
{
	free(frame->cell);
	memset(frame, 0, sizeof(*frame));
}

static bool is_control(uint32_t point)
{
	return point < 0x20 || (point >= 0x7f && point < 0xa0);
}

static void set_cell(struct frame *frame, int row, int col, const char *text, size_t len,
		     enum style style)
{
	struct cell *cell = &frame->cell[(size_t)row * (size_t)frame->cols + (size_t)col];

	/* Half a wide character is none: the other half goes with the one written over. */
	if (!*cell->text && *text && col)
		strcpy(cell[-1].text, " ");
	if (*text && col + 1 < frame->cols && !*cell[1].text)
		strcpy(cell[1].text, " ");
	memset(cell->text, 0, sizeof(cell->text));
	memcpy(cell->text, text, len);
	cell->style = (unsigned char)style;
}

/*
 * What is shown of a character with its marks, @len bytes: as many marks as a cell holds, and
 * no selector of a variant, which some terminals take for another width.
 */
static size_t shown_piece(char shown[FRAME_CELL_BYTES], const char *text, size_t len)
{
	size_t used = 0, at, bytes;
	uint32_t point;

	for (at = 0; at < len; at += bytes) {
		bytes = utf8_decode(text + at, &point);
		if (!bytes || is_control(point))
			return 0;
		if (point == 0xfe0e || point == 0xfe0f || used + bytes >= FRAME_CELL_BYTES)
			continue;
		memcpy(shown + used, text + at, bytes);
		used += bytes;
	}
	return used;
}

int frame_clip(struct frame *frame, int row, int col, int end, enum style style, const char *text)
{
	char shown[FRAME_CELL_BYTES];
	size_t len, used;
	int columns;

	if (end > frame->cols)
		end = frame->cols;
	if (row < 0 || row >= frame->rows || col < 0)
		return col;
	while ((len = width_next(text, &columns)) && col + columns <= end) {
		used = shown_piece(shown, text, len);
		if (!used || (frame->ascii && (used > 1 || (unsigned char)*shown >= 0x80))) {
			strcpy(shown, "?");
			used = 0;
		}
		if (columns)
			set_cell(frame, row, col, shown, used ? used : 1, style);
		/* The terminal fills the second half of a wide character itself. */
		if (columns == 2)
			set_cell(frame, row, col + 1, used ? "" : "?", !used, style);
		col += columns;
		text += len;
	}
	return col;
}

int frame_cut(struct frame *frame, int row, int col, int end, enum style style, const char *text)
{
	char shown[LINE_MAX_BYTES];

	width_cut_end(shown, sizeof(shown), text, end - col, glyph(frame, GLYPH_CUT));
	return frame_clip(frame, row, col, end, style, shown);
}

int frame_put(struct frame *frame, int row, int col, enum style style, const char *text)
{
	return frame_clip(frame, row, col, frame->cols, style, text);
}

int frame_printf(struct frame *frame, int row, int col, enum style style, const char *format, ...)
{
	char text[LINE_MAX_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return frame_put(frame, row, col, style, text);
}

void frame_right(struct frame *frame, int row, int begin, int end, enum style style,
		 const char *text)
{
	int col = end - width_of(text);

	frame_clip(frame, row, col < begin ? begin : col, end, style, text);
}

void frame_style(struct frame *frame, int row, int col, int end, enum style style)
{
	if (row < 0 || row >= frame->rows)
		return;
	for (col = col < 0 ? 0 : col; col < end && col < frame->cols; col++)
		frame->cell[(size_t)row * (size_t)frame->cols + (size_t)col].style =
			(unsigned char)style;
}

static const char *const sgr[STYLES] = {
	[STYLE_PLAIN] = "0",	 [STYLE_TITLE] = "0;1",	   [STYLE_HEADER] = "0;1",
	[STYLE_DIM] = "0;2",	 [STYLE_GOOD] = "0;32",	   [STYLE_WARN] = "0;1;31",
	[STYLE_QUEUED] = "0;32", [STYLE_DRAIN] = "0;33",   [STYLE_ALONE] = "0;31",
	[STYLE_KEY] = "0;7",	 [STYLE_SELECTED] = "0;7",
};

static void print_row(const struct cell *cell, int cols, FILE *to, bool colour)
{
	unsigned char style = STYLE_PLAIN;
	int col, used = cols;

	while (used && !strcmp(cell[used - 1].text, " "))
		used--;
	for (col = 0; col < used; col++) {
		if (colour && cell[col].style != style && *cell[col].text) {
			style = cell[col].style;
			fprintf(to, "\033[%sm", sgr[style]);
		}
		fputs(cell[col].text, to);
	}
	if (style != STYLE_PLAIN)
		fputs("\033[0m", to);
	fputc('\n', to);
}

void frame_print(const struct frame *frame, FILE *to, bool colour)
{
	for (int row = 0; row < frame->rows; row++)
		print_row(frame->cell + (size_t)row * (size_t)frame->cols, frame->cols, to, colour);
}
