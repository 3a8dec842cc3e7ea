// SPDX-License-Identifier: GPL-2.0-or-later
/* table: see table.h. */
#include "cmd/table.h"

#include <string.h>

#include "width.h"

#define LINE_WIDTH 80
#define GAP 2
#define COLUMNS_MAX 16
#define CUT_MAX 512 /* bytes of a cell that is cut */
#define NAME_LEAST 10 /* a name is cut to no less */

struct table {
	const struct column *columns;
	char *const *cells;
	size_t nr_columns, nr_rows;
	int width[COLUMNS_MAX]; /* 0: the column is left out */
};

static const char *cell(const struct table *table, size_t row, size_t column)
{
	return table->cells[row * table->nr_columns + column];
}

static void measure(struct table *table)
{
	for (size_t c = 0; c < table->nr_columns; c++) {
		bool content = false;
		int width = width_of(table->columns[c].title);

		for (size_t r = 0; r < table->nr_rows; r++) {
			const char *text = cell(table, r, c);
			int len = width_of(text);

			content |= *text && strcmp(text, "-");
			if (len > width)
				width = len;
		}
		table->width[c] = content || !table->nr_rows ? width : 0;
	}
}

/* What the columns take more than a line has, once each has given what it can. */
static int shrink(struct table *table, int excess, bool names)
{
	for (size_t c = 0; c < table->nr_columns && excess > 0; c++) {
		const struct column *column = &table->columns[c];
		int least = names ? NAME_LEAST : column->shrink_to, room;

		/* Half a number is another number. */
		if (names ? column->right : !least)
			continue;
		room = table->width[c] - least;
		room = room < 0 ? 0 : room < excess ? room : excess;
		table->width[c] -= room;
		excess -= room;
	}
	return excess;
}

static void fit(struct table *table)
{
	int total = 0;

	for (size_t c = 0; c < table->nr_columns; c++)
		if (table->width[c])
			total += table->width[c] + GAP;
	total -= total ? GAP : 0;
	(void)shrink(table, shrink(table, total - LINE_WIDTH, false), true);
}

/* The last column gets no blanks behind it. */
static void print_cell(const char *text, const struct column *column, int width, bool last,
		       FILE *to)
{
	char shown[CUT_MAX];

	if (column->shrink_to)
		width_cut_end(shown, sizeof(shown), text, width, WIDTH_CUT);
	else
		width_cut_middle(shown, sizeof(shown), text, width, WIDTH_CUT);
	if (last && !column->right)
		fputs(shown, to);
	else
		width_print(to, shown, width, column->right ? WIDTH_RIGHT : WIDTH_LEFT);
	if (!last)
		fprintf(to, "%*s", GAP, "");
}

static void print_row(const struct table *table, size_t row, FILE *to)
{
	size_t last = table->nr_columns;

	while (last && !table->width[last - 1])
		last--;
	for (size_t c = 0; c < last; c++) {
		const struct column *column = &table->columns[c];
		const char *text = row ? cell(table, row - 1, c) : column->title;

		if (table->width[c])
			print_cell(text, column, table->width[c], c == last - 1, to);
	}
	fputc('\n', to);
}

void table_print(const struct column *columns, size_t nr_columns, char *const *cells,
		 size_t nr_rows, FILE *to)
{
	struct table table = {
		.columns = columns, .cells = cells, .nr_columns = nr_columns, .nr_rows = nr_rows,
	};

	measure(&table);
	fit(&table);
	for (size_t row = 0; row <= nr_rows; row++)
		print_row(&table, row, to);
}
