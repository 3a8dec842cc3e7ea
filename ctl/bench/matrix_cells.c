// SPDX-License-Identifier: GPL-2.0-or-later
/* matrix_cells: lines of workloads, and how many cells a matrix has; see matrix_file.h. */
#include "bench/matrix_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers beyond this are all the same: too many. */
#define MANY 1000000000

static size_t times(size_t a, size_t b)
{
	return b && a > MANY / b ? MANY : a * b;
}

/* Letters, digits, '-', '_', '.'. */
static size_t word_length(const char *text)
{
	size_t len = 0;

	while (isalnum((unsigned char)text[len]) || (text[len] && strchr("-_.", text[len])))
		len++;
	return len;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Bytes of one character of a value, or of what stands in quotes; 0: a quote without its end. */
static size_t quoted_length(const char *text)
{
	size_t i = 1;

	if (*text == '\\')
		return text[1] ? 2 : 0;
	if (*text != '\'' && *text != '"')
		return 1;
	while (text[i] && text[i] != *text)
		i += *text == '"' && text[i] == '\\' && text[i + 1] ? 2 : 1;
	return text[i] ? i + 1 : 0;
}

/* A "key=value,value" at @text, *len bytes: how many values; 0: it is none. */
static size_t parameter_values(const char *text, size_t *len)
{
	size_t values = 0, i = word_length(text), part;

	*len = strcspn(text, " \t");
	if (!i || text[i] != '=')
		return 0;
	do {
		size_t begin = ++i; /* over '=' or ',' */

		while (text[i] && text[i] != ',' && !is_blank(text[i])) {
			part = quoted_length(text + i);
			if (!part)
				return 0;
			i += part;
		}
		if (i == begin)
			return 0;
		values++;
	} while (text[i] == ',');
	*len = i;
	return values;
}

/* "[dbench clients=1,12]" is a list of two, the second of which is "12". */
static int bad_workload(const struct matrix_reader *reader, unsigned int line, const char *text,
			size_t len)
{
	return matrix_wrong(reader, line,
			    isdigit((unsigned char)*text)
				    ? "within [ ] a text with commas needs quotes: "
				      "[\"dbench clients=1,12\"]"
				    : "as in  dbench clients=1,12 time=60",
			    "\"workloads\": expected NAME KEY=VALUE,VALUE ..., found \"%.*s\"",
			    (int)(len < 64 ? len : 64), text);
}

/* The next "key=value" after one that is right. */
static const char *after(const char *parameter)
{
	size_t len;

	(void)parameter_values(parameter, &len);
	parameter += len;
	return parameter + strspn(parameter, " \t");
}

/* Whether a parameter's key is that of one between @first and it. */
static bool is_repeated(const char *first, const char *parameter)
{
	size_t key = word_length(parameter) + 1;

	while (first < parameter && strncmp(first, parameter, key))
		first = after(first);
	return first < parameter;
}

/* *uses: how many workloads the line stands for; *once: they are not run per configuration. */
static int read_workload(const struct matrix_reader *reader, const char *text, unsigned int line,
			 size_t *uses, bool *once)
{
	size_t len = word_length(text);
	const char *first = text + len + strspn(text + len, " \t");

	*uses = 1;
	*once = false;
	if (!len || !isalpha((unsigned char)*text) || (text[len] && !is_blank(text[len])))
		return bad_workload(reader, line, text, strlen(text));
	for (const char *at = first; *at; at = after(at)) {
		size_t values = parameter_values(at, &len);

		if (!values)
			return bad_workload(reader, line, at, len);
		if (is_repeated(first, at))
			return matrix_wrong(reader, line, "several values are separated by commas",
					    "\"workloads\": \"%.*s\" is given twice",
					    (int)word_length(at), at);
		*once |= !strncmp(at, "once=", 5);
		*uses = times(*uses, values);
	}
	return 0;
}

static int workload_repeated(const struct matrix_reader *reader, unsigned int i, unsigned int line)
{
	const struct matrix_file *file = reader->file;

	for (unsigned int j = 0; j < i; j++)
		if (!strcmp(file->workload[i], file->workload[j]))
			return matrix_wrong(reader, line, "",
					    "\"workloads\": \"%.64s\" is in line %u already",
					    file->workload[i],
					    yaml_tree_line(reader->tree, "workloads/%u", j));
	return 0;
}

static size_t count_configurations(const struct matrix_file *file)
{
	size_t nr = file->nr_configurations ? file->nr_configurations : 1;

	for (unsigned int a = 0; a < file->nr_axes; a++) {
		size_t values = 0;

		for (enum matrix_key key = 0; key < MATRIX_KEYS; key++)
			values += file->axis[a].nr[key];
		nr = times(nr, values);
	}
	return nr;
}

int matrix_cells(const struct matrix_reader *reader, size_t *nr_configurations)
{
	const struct matrix_file *file = reader->file;
	const char *most = file->nr_axes ? "axes" : "workloads";
	size_t configurations = count_configurations(file), all = 0, cells = 0;

	if (file->nr_workloads > MATRIX_CELLS_MAX)
		cells = MANY;
	for (unsigned int i = 0; i < file->nr_workloads && cells <= MATRIX_CELLS_MAX; i++) {
		unsigned int line = yaml_tree_line(reader->tree, "workloads/%u", i);
		size_t uses;
		bool once;

		if (read_workload(reader, file->workload[i], line, &uses, &once) ||
		    workload_repeated(reader, i, line))
			return -1;
		all += uses;
		cells += once ? uses : times(uses, configurations);
	}
	if (configurations > MATRIX_CELLS_MAX || cells > MATRIX_CELLS_MAX)
		return matrix_wrong(reader, yaml_tree_line(reader->tree, "%s", most),
				    "fewer values on the axes or of the workloads' parameters",
				    "more than %d cells (configurations x workloads)",
				    MATRIX_CELLS_MAX);
	reader->matrix->nr_uses = all;
	reader->matrix->nr_cells = cells;
	*nr_configurations = configurations;
	return 0;
}
