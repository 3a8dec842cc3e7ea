// SPDX-License-Identifier: GPL-2.0-or-later
/* frame: one screenful as data, see frame.h. */
#include "tui/frame.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

/* The next character's bytes, 1 and *point 0xfffd for what is not UTF-8. */
static size_t decode(const char *text, uint32_t *point)
{
	const unsigned char *byte = (const unsigned char *)text;
	size_t len = *byte < 0x80	? 1
		     : *byte >> 5 == 6	? 2
		     : *byte >> 4 == 14 ? 3
		     : *byte >> 3 == 30 ? 4
					: 0,
	       i;

	*point = len < 2 ? *byte : *byte & (0x7fU >> len);
	for (i = 1; i < len; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			break;
		*point = *point << 6 | (byte[i] & 0x3f);
	}
	if (len && i == len)
		return len;
	*point = 0xfffd;
	return 1;
}

/*
 * Columns of a character on a terminal, whatever the locale: frames are the same
 * everywhere.  Wide ones are those of East Asia and pictographs.
 */
static int columns_of(uint32_t point)
{
	static const struct {
		uint32_t first, last;
	} wide[] = {
		{0x1100, 0x115f}, {0x2e80, 0xa4cf},   {0xac00, 0xd7a3},
		{0xf900, 0xfaff}, {0xfe30, 0xfe6f},   {0xff00, 0xff60},
		{0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd},
	};

	if ((point >= 0x300 && point <= 0x36f) || (point >= 0x200b && point <= 0x200f) ||
	    (point >= 0x202a && point <= 0x202e) || (point >= 0xfe00 && point <= 0xfe0f))
		return 0;
	for (size_t i = 0; i < sizeof(wide) / sizeof(*wide); i++)
		if (point >= wide[i].first && point <= wide[i].last)
			return 2;
	return 1;
}

static bool is_control(uint32_t point)
{
	return point < 0x20 || (point >= 0x7f && point < 0xa0);
}

int frame_columns(const char *text)
{
	uint32_t point;
	int columns = 0;

	while (*text) {
		text += decode(text, &point);
		columns += columns_of(point);
	}
	return columns;
}

static void set_cell(struct frame *frame, int row, int col, const char *text, size_t len,
		     enum style style)
{
	struct cell *cell = &frame->cell[(size_t)row * (size_t)frame->cols + (size_t)col];

	memset(cell->text, 0, sizeof(cell->text));
	memcpy(cell->text, text, len);
	cell->style = (unsigned char)style;
}

int frame_clip(struct frame *frame, int row, int col, int end, enum style style, const char *text)
{
	uint32_t point;

	if (end > frame->cols)
		end = frame->cols;
	if (row < 0 || row >= frame->rows || col < 0)
		return col;
	while (*text) {
		size_t len = decode(text, &point);
		int columns = columns_of(point);
		bool plain = point != 0xfffd && !is_control(point) &&
			     (!frame->ascii || point < 0x80);

		if (col + columns > end)
			break;
		if (columns)
			set_cell(frame, row, col, plain ? text : "?", plain ? len : 1, style);
		if (columns == 2)
			set_cell(frame, row, col + 1, plain ? "" : "?", !plain, style);
		col += columns;
		text += len;
	}
	return col;
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
	int col = end - frame_columns(text);

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
