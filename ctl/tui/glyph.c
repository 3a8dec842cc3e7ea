// SPDX-License-Identifier: GPL-2.0-or-later
/* glyph: signs and small numbers, see glyph.h. */
#include "tui/glyph.h"

#include <math.h>
#include <string.h>

#include "out/number.h"

#define LEVELS 8

/* clang-format off */
static const char *const glyphs[GLYPHS][2] = {
	[GLYPH_RULE] = { "─", "-" },
	[GLYPH_QUEUED] = { "▒", "=" },
	[GLYPH_DRAIN] = { "░", "." },
	[GLYPH_ALONE] = { "█", "#" },
	[GLYPH_ERROR] = { "×", "x" },
	[GLYPH_HERE] = { "▶", ">" },
	[GLYPH_LEADS_TO] = { "→", ">" },
	[GLYPH_PLUS_MINUS] = { "±", "+-" },
	[GLYPH_DOWN] = { "▾", "-" },
	[GLYPH_UP] = { "▴", "+" },
	[GLYPH_CUT] = { "…", "~" },
};

/* clang-format on */

static const char *const levels[LEVELS + 1][2] = {
	{" ", " "}, {"▁", "."}, {"▂", ":"}, {"▃", "-"}, {"▄", "="},
	{"▅", "+"}, {"▆", "*"}, {"▇", "%"}, {"█", "#"},
};

const char *glyph(const struct frame *frame, enum glyph which)
{
	return glyphs[which][frame->ascii];
}

const char *glyph_level(const struct frame *frame, double value, double most)
{
	return glyph_level_row(frame, value, most, 1, 0);
}

const char *glyph_level_row(const struct frame *frame, double value, double most, int rows, int row)
{
	long level = 0;

	if (value > 0 && most > 0) {
		level = lround(value / most * LEVELS * rows);
		/* Something is never shown as nothing. */
		level = (level < 1 ? 1 : level) - (long)row * LEVELS;
		level = level < 0 ? 0 : level > LEVELS ? LEVELS : level;
	}
	return levels[level][frame->ascii];
}

void frame_rule(struct frame *frame, int row, const char *title)
{
	int col;

	for (col = 0; col < frame->cols; col++)
		frame_put(frame, row, col, STYLE_DIM, glyph(frame, GLYPH_RULE));
	if (*title) {
		col = frame_cut(frame, row, 3, frame->cols - 3, STYLE_TITLE, title);
		frame_put(frame, row, 2, STYLE_TITLE, " ");
		frame_put(frame, row, col, STYLE_TITLE, " ");
	}
}

/* 10.0 says no more than 10. */
static void drop_zero(char *digits)
{
	size_t len = strlen(digits);

	if (len > 2 && !strcmp(digits + len - 2, ".0"))
		digits[len - 2] = '\0';
}

const char *short_rate(struct short_text *text, double value)
{
	static const char *const units[] = {"", "k", "M", "G", "T", "P"};
	struct number number;
	size_t unit = 0;

	if (!isfinite(value)) {
		snprintf(text->text, sizeof(text->text), "-");
		return text->text;
	}
	if (fabs(value) >= 99999.5)
		for (; fabs(value) >= 999.5 && unit < 5; unit++)
			value /= 1000;
	snprintf(text->text, sizeof(text->text), "%s%s",
		 number_decimal(&number, value, fabs(value) < 99.95 ? 1 : 0), units[unit]);
	return text->text;
}

const char *short_bytes(struct short_text *text, double bytes)
{
	static const char *const units[] = {"", "k", "M", "G", "T", "P"};
	struct number number;
	size_t unit = 0;

	for (; bytes >= 999.5 && unit < 5; unit++)
		bytes /= 1000;
	number_decimal(&number, bytes, unit && bytes < 99.95 ? 1 : 0);
	drop_zero(number.text);
	snprintf(text->text, sizeof(text->text), "%s%s", number.text, units[unit]);
	return text->text;
}

const char *short_time(struct short_text *text, double ns)
{
	static const struct {
		double below, unit;
		unsigned int digits;
		const char *name;
	} scale[] = {
		{9.95e3, 1e3, 1, "us"},	 {99.5e3, 1e3, 0, "us"}, {9.95e6, 1e6, 1, "ms"},
		{999.5e6, 1e6, 0, "ms"}, {99.5e9, 1e9, 1, "s"},	 {INFINITY, 1e9, 0, "s"},
	};
	struct number number;
	size_t i = 0;

	while (ns >= scale[i].below)
		i++;
	number_decimal(&number, ns / scale[i].unit, scale[i].digits);
	snprintf(text->text, sizeof(text->text), "%s%s%s", ns > 0 ? number.text : "0",
		 ns > 0 ? " " : "", ns > 0 ? scale[i].name : "");
	return text->text;
}

const char *short_held(struct short_text *text, double ns)
{
	unsigned long long s = (unsigned long long)(ns / 1e9);

	if (s < 60)
		snprintf(text->text, sizeof(text->text), "%llus", s);
	else if (s < 3600)
		snprintf(text->text, sizeof(text->text), "%llum%02llus", s / 60, s % 60);
	else if (s < 86400)
		snprintf(text->text, sizeof(text->text), "%lluh%02llum", s / 3600, s / 60 % 60);
	else
		snprintf(text->text, sizeof(text->text), "%llud%02lluh", s / 86400, s / 3600 % 24);
	return text->text;
}
