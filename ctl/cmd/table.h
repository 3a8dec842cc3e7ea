/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table: columns of text that fit a terminal of 80.  Columns without content are
 * left out; those that may shrink give way first, the left one before the right one, and
 * are cut at their end.  If that is not enough the other texts are cut in their middle, so
 * that names that differ at their end only are still told apart.  For commands.
 */
#ifndef FSB_CMD_TABLE_H
#define FSB_CMD_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct column {
	const char *title;
	bool right; /* numbers */
	int shrink_to; /* least width; 0: a name, cut after all others */
};

/* cells: rows x columns of printable text, row by row; "" and "-" are no content. */
void table_print(const struct column *columns, size_t nr_columns, char *const *cells,
		 size_t nr_rows, FILE *to);

#endif /* FSB_CMD_TABLE_H */
