// SPDX-License-Identifier: GPL-2.0-or-later
/* matrix_name: names of configurations; see matrix_file.h. */
#include "bench/matrix_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 64

/* Separators of cells, and what a shell pattern or a table takes for something else. */
static bool fits_name(unsigned char c)
{
	return !iscntrl(c) && !isspace(c) && !strchr("/*?[]\\\"'", c);
}

int matrix_check_name(const struct matrix_reader *reader, const char *name, const char *what,
		      unsigned int line)
{
	const char *hint = "letters, digits and signs such as - _ . = : + , at most 64 bytes";
	size_t len = strlen(name);

	if (!len || len > NAME_MAX_BYTES || *name == '-')
		return matrix_wrong(reader, line, hint, "\"%.80s\" cannot be the name of %s", name,
				    what);
	for (size_t i = 0; i < len; i++)
		if (!fits_name((unsigned char)name[i]))
			return matrix_wrong(reader, line, hint,
					    "\"%s\" cannot be the name of %s: it has '%c' in it",
					    name, what, name[i]);
	return 0;
}

/* Whatever cannot be in a name becomes '-', one for several and none at the ends. */
static void make_fit(char *name)
{
	char *to = name;

	for (const char *from = name; *from; from++) {
		if (fits_name((unsigned char)*from) && *from != '-')
			*to++ = *from;
		else if (to > name && to[-1] != '-')
			*to++ = '-';
	}
	if (to > name && to[-1] == '-')
		to--;
	*to = '\0';
}

/* How a key begins its words; "" where the value says enough. */
static const char *axis_prefix(enum matrix_key key, const char *text)
{
	switch (key) {
	case KEY_FS:
	case KEY_CACHE:
		return "";
	case KEY_BARRIER:
		return matrix_switch(text) > 0 ? "" : "no";
	case KEY_EMULATE:
		return matrix_switch(text) > 0 ? "" : "no";
	case KEY_WRITE_CACHE:
		return !strcmp(text, "on") ? "" : "no";
	case KEY_SCHEDULER:
		return strcmp(text, "none") ? "" : "scheduler-";
	case KEY_PREPARATION:
		return strcmp(text, "none") ? "" : "preparation-";
	case KEY_MKFS:
		return *text ? "" : "mkfs-";
	case KEY_MOUNT:
		return *text ? "" : "mount-";
	case KEY_NCQ:
		return "ncq-";
	case KEY_NR_REQUESTS:
		return "nr_requests-";
	default:
		return "";
	}
}

static const char *axis_value(enum matrix_key key, const char *text)
{
	switch (key) {
	case KEY_BARRIER:
		return "barrier";
	case KEY_EMULATE:
		return "emulate";
	case KEY_WRITE_CACHE:
		return "cache";
	case KEY_MKFS:
	case KEY_MOUNT:
		return *text ? text : "default";
	default:
		return text;
	}
}

char *matrix_axis_word(enum matrix_key key, const char *text)
{
	char *word;

	if (asprintf(&word, "%s%s", axis_prefix(key, text), axis_value(key, text)) < 0)
		return NULL;
	make_fit(word);
	return word;
}

static int by_name(const void *a, const void *b)
{
	const struct configuration *const *one = a, *const *other = b;
	int order = strcmp((*one)->name, (*other)->name);

	if (!order)
		order = *one < *other ? -1 : 1;
	return order;
}

int matrix_check_unique(const struct matrix_reader *reader)
{
	const struct matrix *matrix = reader->matrix;
	const struct configuration **sorted;
	int err = 0;

	sorted = calloc(matrix->nr_configurations, sizeof(*sorted));
	if (!sorted)
		return trouble_memory(reader->trouble, matrix->path);
	for (size_t i = 0; i < matrix->nr_configurations; i++)
		sorted[i] = &matrix->configuration[i];
	qsort(sorted, matrix->nr_configurations, sizeof(*sorted), by_name);
	for (size_t i = 1; i < matrix->nr_configurations && !err; i++) {
		if (strcmp(sorted[i - 1]->name, sorted[i]->name))
			continue;
		err = matrix_wrong(reader, sorted[i]->line, "",
				   "two configurations have the name \"%.128s\", the first in "
				   "line %u",
				   sorted[i]->name, sorted[i - 1]->line);
	}
	free(sorted);
	return err;
}
