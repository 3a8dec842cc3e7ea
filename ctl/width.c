// SPDX-License-Identifier: GPL-2.0-or-later
/* width: see width.h. */
#include "width.h"

#include <locale.h>
#include <stdbool.h>
#include <string.h>
#include <wchar.h>

#include "utf8.h"

/* Kept for the life of the process; 0: there is none here. */
static locale_t unicode(void)
{
	static locale_t locale;
	static bool asked;

	if (!asked)
		locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	if (!asked && !locale)
		locale = newlocale(LC_CTYPE_MASK, "en_US.UTF-8", (locale_t)0);
	asked = true;
	return locale;
}

static int columns_of(uint32_t point)
{
	locale_t before;
	int columns;

	if (point < 0x80 || !unicode())
		return 1;
	before = uselocale(unicode());
	columns = wcwidth((wchar_t)point);
	uselocale(before);
	/* Not assigned in the library's version of Unicode, or a control character. */
	return columns < 0 ? 1 : columns;
}

/* One character, valid or not. */
static size_t character(const char *text, int *columns)
{
	uint32_t point;
	size_t len;

	*columns = 0;
	if (!*text)
		return 0;
	len = utf8_decode(text, &point);
	*columns = len ? columns_of(point) : 1;
	return len ? len : 1;
}

size_t width_next(const char *text, int *columns)
{
	size_t len = character(text, columns), more;
	int none;

	while (len && (more = character(text + len, &none)) && !none)
		len += more;
	return len;
}

int width_of_bytes(const char *text, size_t len)
{
	int columns, sum = 0;
	size_t at = 0, piece;

	while (at < len && (piece = character(text + at, &columns))) {
		sum += columns;
		at += piece;
	}
	return sum;
}

int width_of(const char *text)
{
	return width_of_bytes(text, strlen(text));
}

size_t width_fitting(const char *text, int columns)
{
	size_t used = 0, piece;
	int taken = 0, wide;

	while ((piece = width_next(text + used, &wide)) && taken + wide <= columns) {
		taken += wide;
		used += piece;
	}
	return used;
}

size_t width_line(const char *text, int columns)
{
	size_t most = width_fitting(text, columns), len = most;
	int wide;

	if (!text[most])
		return most;
	while (len && text[len] != ' ')
		len--;
	/* Something is taken in any case, or the rest would never end. */
	return len ? len : most ? most : width_next(text, &wide);
}

/* The end of @text that fits in @columns. */
static const char *tail(const char *text, int columns)
{
	int left = width_of(text), wide;

	while (left > columns) {
		text += width_next(text, &wide);
		left -= wide;
	}
	return text;
}

/* Of @columns so many stand in front of the mark, and the others behind it. */
static char *cut(char *dst, size_t size, const char *text, int columns, const char *mark,
		 bool middle)
{
	int room = columns - width_of(mark), behind = middle ? room / 2 : 0;

	if (width_of(text) <= columns)
		snprintf(dst, size, "%s", text);
	else if (room < 0)
		snprintf(dst, size, "%.*s", (int)width_fitting(text, columns), text);
	else
		snprintf(dst, size, "%.*s%s%s", (int)width_fitting(text, room - behind), text,
			 mark, behind ? tail(text, behind) : "");
	return dst;
}

char *width_cut_end(char *dst, size_t size, const char *text, int columns, const char *mark)
{
	return cut(dst, size, text, columns, mark, false);
}

char *width_cut_middle(char *dst, size_t size, const char *text, int columns, const char *mark)
{
	return cut(dst, size, text, columns, mark, true);
}

void width_print(FILE *to, const char *text, int columns, enum width_side side)
{
	int blanks = columns - width_of(text);

	blanks = blanks < 0 ? 0 : blanks;
	fprintf(to, "%*s%s%*s", side == WIDTH_RIGHT ? blanks : 0, "", text,
		side == WIDTH_LEFT ? blanks : 0, "");
}
