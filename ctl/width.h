/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * width: the columns that a text takes on a terminal, and cutting it to so many.  The only
 * place that knows: all tables, screens and filled lines of the tool come here.
 *
 * The measure is wcwidth() of the C library in a UTF-8 locale, whatever the locale of the
 * caller: ncursesw asks the same function, and terminals use the same tables of Unicode (East
 * Asian wide and emoji 2, combining marks 0).  Where there is no such locale every character
 * counts as one column.  Texts are UTF-8; a byte that is no valid UTF-8 and a control
 * character count as one column (message_printable() leaves neither).  Selectors of a glyph's
 * variant (U+FE0E, U+FE0F) count as 0; terminals differ in whether they widen what is before.
 */
#ifndef FSB_WIDTH_H
#define FSB_WIDTH_H

#include <stddef.h>
#include <stdio.h>

/* What stands for the part that is cut off, where only ASCII is certain to be shown. */
#define WIDTH_CUT ".."

/*
 * Bytes of the next character together with the combining marks behind it, and its columns (0
 * only for marks that follow nothing).  0 at the end of the text.
 */
size_t width_next(const char *text, int *columns);

/* Columns of the whole text, and of its first @len bytes. */
int width_of(const char *text);
int width_of_bytes(const char *text, size_t len);

/* Bytes of as many whole characters as fit in @columns. */
size_t width_fitting(const char *text, int columns);

/* The same for a line of a text that goes on in the next one: whole words where it can. */
size_t width_line(const char *text, int columns);

/*
 * A copy of @text in at most @columns, cut with @mark at the end or in the middle where it is
 * longer; the end of a name tells more than its middle ("loop1..01").  Returns dst; what does
 * not fit in @size bytes is cut off there.
 */
char *width_cut_end(char *dst, size_t size, const char *text, int columns, const char *mark);
char *width_cut_middle(char *dst, size_t size, const char *text, int columns, const char *mark);

enum width_side { WIDTH_LEFT, WIDTH_RIGHT };

/* @text on that side of @columns, filled up with blanks; a longer one is printed in full. */
void width_print(FILE *to, const char *text, int columns, enum width_side side);

#endif /* FSB_WIDTH_H */
