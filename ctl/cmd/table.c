// SPDX-License-Identifier: GPL-2.0-or-later
/* table: see table.h. */
#include "cmd/table.h"

#include <string.h>

#define LINE_WIDTH 80
#define GAP 2
#define COLUMNS_MAX 16
#define CUT_MARK ".."

struct table {
	const struct column *columns;
	char *const *cells;
	size_t nr_columns, nr_rows;
	size_t width[COLUMNS_MAX]; /* 0: the column is left out */
};

/* Characters, not bytes: of each UTF-8 character only the first byte counts. */
static size_t characters(const char *text)
{
	size_t nr = 0;

	for (; *text; text++)
		nr += (*text & 0xc0) != 0x80;
	return nr;
}

static size_t bytes_of(const char *text, size_t nr)
{
	size_t i = 0;

	for (; text[i]; i++)
		if ((text[i] & 0xc0) != 0x80 && !nr--)
			break;
	return i;
}

static const char *cell(const struct table *table, size_t row, size_t column)
{
	return table->cells[row * table->nr_columns + column];
}

static void measure(struct table *table)
{
	for (size_t c = 0; c < table->nr_columns; c++) {
		bool content = false;
		size_t width = characters(table->columns[c].title);

		for (size_t r = 0; r < table->nr_rows; r++) {
			const char *text = cell(table, r, c);
			size_t len = characters(text);

			content |= *text && strcmp(text, "-");
			if (len > width)
				width = len;
		}
		table->width[c] = content || !table->nr_rows ? width : 0;
	}
}

static void fit(struct table *table)
{
	size_t total = 0;

	for (size_t c = 0; c < table->nr_columns; c++)
		if (table->width[c])
			total += table->width[c] + GAP;
	total -= total ? GAP : 0;
	for (size_t c = 0; c < table->nr_columns && total > LINE_WIDTH; c++) {
		size_t least = table->columns[c].shrink_to, excess = total - LINE_WIDTH, room;

		if (!least || table->width[c] <= least)
			continue;
		room = table->width[c] - least;
		room = room < excess ? room : excess;
		table->width[c] -= room;
		total -= room;
	}
}

/* The last column gets no blanks behind it. */
static void print_cell(const char *text, const struct column *column, size_t width, bool last,
		       FILE *to)
{
	size_t len = characters(text), blanks = len < width ? width - len : 0;

	if (column->right)
		fprintf(to, "%*s", (int)blanks, "");
	if (len <= width)
		fputs(text, to);
	else
		fprintf(to, "%.*s%s", (int)bytes_of(text, width - strlen(CUT_MARK)), text,
			CUT_MARK);
	if (!last)
		fprintf(to, "%*s", (int)(GAP + (column->right ? 0 : blanks)), "");
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
