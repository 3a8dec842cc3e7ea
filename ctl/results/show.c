// SPDX-License-Identifier: GPL-2.0-or-later
/* show: see show.h. */
#include "results/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

/* Longer words than any line has no need to be shown. */
#define TEXT_MAX 2048
#define CUT_MARK ".."

static bool begins_character(char c)
{
	return (c & 0xc0) != 0x80;
}

static size_t characters(const char *text)
{
	size_t nr = 0;

	for (; *text; text++)
		nr += begins_character(*text);
	return nr;
}

size_t show_length(const char *text)
{
	char safe[TEXT_MAX];

	return characters(message_printable(safe, sizeof(safe), text));
}

/* Bytes of the first @nr characters. */
static size_t bytes_of(const char *text, size_t nr)
{
	size_t i;

	for (i = 0; text[i]; i++)
		if (begins_character(text[i]) && !nr--)
			break;
	return i;
}

void show_padded(FILE *to, const char *text, size_t width, char fill)
{
	char safe[TEXT_MAX];
	size_t length = characters(message_printable(safe, sizeof(safe), text));

	if (length > width) {
		fprintf(to, "%.*s%s", (int)bytes_of(safe, width - strlen(CUT_MARK)), safe,
			CUT_MARK);
		return;
	}
	fputs(safe, to);
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
		length = characters(piece);
		/* What is too long for any line goes on in the next one. */
		if (length > SHOW_WIDTH - indent) {
			bytes = bytes_of(piece, SHOW_WIDTH - indent);
			piece[bytes] = '\0';
			length = SHOW_WIDTH - indent;
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
