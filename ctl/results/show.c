// SPDX-License-Identifier: GPL-2.0-or-later
/* show: see show.h. */
#include "results/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "width.h"

/* Longer words than any line has no need to be shown. */
#define TEXT_MAX 2048

size_t show_length(const char *text)
{
	char safe[TEXT_MAX];

	return (size_t)width_of(message_printable(safe, sizeof(safe), text));
}

void show_padded(FILE *to, const char *text, size_t width, char fill)
{
	char safe[TEXT_MAX], shown[TEXT_MAX];
	size_t length;

	message_printable(safe, sizeof(safe), text);
	width_cut_middle(shown, sizeof(shown), safe, (int)width, WIDTH_CUT);
	length = (size_t)width_of(shown);
	fputs(shown, to);
	/* A blank parts the name from what it is filled up with. */
	if (length++ < width)
		fputc(' ', to);
	for (; length < width; length++)
		fputc(fill, to);
}

void show_wrapped(FILE *to, const char *text, size_t column, size_t indent)
{
	char safe[TEXT_MAX];
	const char *word = message_printable(safe, sizeof(safe), text);
	bool first = true;

	while (*word) {
		size_t bytes = strcspn(word, " ,"), length;
		bool blank = word != safe && word[-1] == ' ';
		char piece[TEXT_MAX];

		/* Options of mounts have no blanks between them. */
		bytes += word[bytes] == ',';
		snprintf(piece, sizeof(piece), "%.*s", (int)bytes, word);
		length = (size_t)width_of(piece);
		/* What is too long for any line goes on in the next one. */
		if (length > SHOW_WIDTH - indent) {
			bytes = width_fitting(piece, (int)(SHOW_WIDTH - indent));
			piece[bytes] = '\0';
			length = (size_t)width_of(piece);
		}
		if (!first && column + blank + length > SHOW_WIDTH) {
			fprintf(to, "\n%*s", (int)indent, "");
			column = indent;
			blank = false;
		}
		fprintf(to, "%s%s", blank ? " " : "", piece);
		column += length + blank;
		first = false;
		word += bytes;
		word += strspn(word, " ");
	}
	fputc('\n', to);
}

void show_ends(FILE *to, const char *left, const char *right)
{
	size_t length = show_length(right);

	show_padded(to, left, length < SHOW_WIDTH - 2 ? SHOW_WIDTH - length - 1 : 1, ' ');
	fputc(' ', to);
	show_padded(to, right, length, ' ');
	fputc('\n', to);
}

void show_unit(char *buf, size_t size, const struct store_cell *cell)
{
	snprintf(buf, size, "%.30s, %s is better", cell->unit,
		 cell->more_is_better ? "more" : "less");
}

unsigned int show_digits(double largest)
{
	if (!(largest < 9999.5))
		return 0;
	return largest < 0.9995 ? 4 : largest < 999.95 ? 2 : 1;
}

const char *show_percent(struct number *number, double fraction)
{
	struct number plain;

	number_decimal(&plain, 100 * fraction, 1);
	snprintf(number->text, sizeof(number->text), "%s%.30s %%",
		 plain.text[0] == '-' || !strcmp(plain.text, "0.0") ? "" : "+", plain.text);
	return number->text;
}

bool show_opens_workload(const struct results *results, size_t cell)
{
	for (size_t i = 0; i < cell; i++)
		if (!strcmp(results->cell[i].cell->workload, results->cell[cell].cell->workload))
			return false;
	return true;
}

size_t show_next(const struct results *results, size_t cell)
{
	const char *workload = results->cell[cell].cell->workload;

	for (cell++; cell < results->nr_cells; cell++)
		if (!strcmp(results->cell[cell].cell->workload, workload))
			break;
	return cell;
}

size_t show_name_width(const struct results *results, size_t most)
{
	size_t width = 0;

	for (size_t i = 0; i < results->nr_cells; i++) {
		size_t length = show_length(results->cell[i].cell->configuration);

		if (length > width)
			width = length;
	}
	return width < most ? width : most;
}

double show_largest(const struct results *results, size_t first)
{
	double largest = 0;

	for (size_t i = first; i < results->nr_cells; i = show_next(results, i)) {
		const struct stats *stats = &results->cell[i].stats;

		if (stats->n)
			largest = fmax(largest, fmax(fabs(stats->min), fabs(stats->max)));
	}
	return largest;
}
