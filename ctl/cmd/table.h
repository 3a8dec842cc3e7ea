/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table: columns of text that fit a terminal of 80.  Columns without content are
 * left out; the one that may shrink gives way first, then the last.  For commands.
 */
#ifndef FSB_CMD_TABLE_H
#define FSB_CMD_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct column {
	const char *title;
	bool right; /* numbers */
	size_t shrink_to; /* least width it may be cut to, 0: never cut */
};

/* cells: rows x columns of printable text, row by row; "" and "-" are no content. */
void table_print(const struct column *columns, size_t nr_columns, char *const *cells,
		 size_t nr_rows, FILE *to);

#endif /* FSB_CMD_TABLE_H */
