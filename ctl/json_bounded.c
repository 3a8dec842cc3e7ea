// SPDX-License-Identifier: GPL-2.0-or-later
/* json_bounded: see json_bounded.h. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "json_bounded.h"

size_t json_bounded_values(const char *text, size_t len)
{
	bool quoted = false;
	size_t nr = 1;

	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (c == '"')
			quoted = !quoted;
		else if (quoted)
			i += c == '\\';
		else
			nr += c == ',' || c == '[' || c == '{';
	}
	return nr;
}

json_t *json_bounded(const char *text, size_t len, json_error_t *error)
{
	if (json_bounded_values(text, len) <= JSON_VALUES_MAX)
		return json_loadb(text, len, JSON_REJECT_DUPLICATES, error);
	if (error) {
		*error = (json_error_t){ .line = -1 };
		snprintf(error->text, sizeof(error->text), "more than %d values", JSON_VALUES_MAX);
	}
	return NULL;
}

json_t *json_bounded_text(const char *text, json_error_t *error)
{
	return json_bounded(text ? text : "", text ? strlen(text) : 0, error);
}
