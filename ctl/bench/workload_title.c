// SPDX-License-Identifier: GPL-2.0-or-later
/* workload_title: parameters by name, by form and in a title; see workload_title.h. */
#include "bench/workload_title.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/workload_pattern.h"
#include "bench/workload_words.h"

size_t workload_parameter_index(const struct workload *workload, const char *name, size_t len)
{
	size_t i = 0;

	for (; i < workload->nr_parameters; i++) {
		const char *known = workload->parameter[i].name;

		if (!strncmp(known, name, len) && !known[len])
			break;
	}
	return i;
}

const struct workload_parameter *workload_parameter_find(const struct workload *workload,
							 const char *name)
{
	size_t i = workload_parameter_index(workload, name, strlen(name));

	return i < workload->nr_parameters ? &workload->parameter[i] : NULL;
}

bool workload_value_fits(const struct workload_parameter *parameter, const char *value)
{
	char *plain = words_plain(value);
	bool fits = plain && pattern_whole(parameter->form, plain);

	free(plain);
	return fits;
}

/*
 * At a '$': index of the parameter it names, -1 when it is "$$" (a plain one), -2 when it names
 * none.  *end is behind it.
 */
static long dollar(const struct workload *workload, const char *at, const char **end)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
	bool braces = at[1] == '{';
	const char *name = at + 1 + braces;
	size_t len = strspn(name, letters), i;

	*end = name + len + braces;
	if (at[1] == '$') {
		*end = at + 2;
		return -1;
	}
	if (braces && name[len] != '}')
		return -2;
	i = workload_parameter_index(workload, name, len);
	return i < workload->nr_parameters ? (long)i : -2;
}

const char *workload_title_unknown(const struct workload *workload)
{
	const char *end;

	for (const char *at = strchr(workload->title, '$'); at; at = strchr(end, '$'))
		if (dollar(workload, at, &end) == -2)
			return at;
	return NULL;
}

bool workload_title_names(const struct workload *workload, size_t i)
{
	const char *end;

	for (const char *at = strchr(workload->title, '$'); at; at = strchr(end, '$'))
		if (dollar(workload, at, &end) == (long)i)
			return true;
	return false;
}

char *workload_title_make(const struct workload *workload, char *const *value)
{
	char *title = NULL;
	size_t size = 0;
	FILE *to = open_memstream(&title, &size);
	const char *end;
	bool bad;

	if (!to)
		return NULL;
	for (const char *at = workload->title; *at; at = end) {
		long i = -1;

		end = at + 1;
		if (*at == '$')
			i = dollar(workload, at, &end);
		if (i >= 0)
			fputs(value[i], to);
		else
			fputc(*at, to);
	}
	bad = ferror(to);
	if (fclose(to) || bad) {
		free(title);
		return NULL;
	}
	return title;
}
