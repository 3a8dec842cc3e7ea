// SPDX-License-Identifier: GPL-2.0-or-later
/* json_text: see json_text.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json_text.h"
#include "message.h"

/* Names of mounts may be no UTF-8: for them jansson returns NULL. */
json_t *json_text(const char *text)
{
	json_t *string = json_string(text);
	size_t size = 4 * strlen(text) + 1;
	char *safe;

	if (string)
		return string;
	safe = malloc(size);
	if (!safe)
		return NULL;
	string = json_string(message_printable(safe, size, text));
	free(safe);
	return string;
}

json_t *json_finite(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/*
 * Such characters are in strings only, and jansson hands over whole characters.  All of them are
 * in the basic plane.
 */
static int put_escaped(const char *text, size_t size, void *to)
{
	size_t i = 0, plain = 0;

	while (i < size) {
		uint32_t harmful = 0;
		/* The newlines of an indented document are not in strings. */
		size_t len = text[i] == '\n' ? 1 : message_character(text + i, &harmful);

		if (!len || text[i] == '\n' || !harmful) {
			i += len ? len : 1;
			continue;
		}
		if (fwrite(text + plain, 1, i - plain, to) != i - plain ||
		    fprintf(to, "\\u%04X", harmful) < 0)
			return -1;
		i += len;
		plain = i;
	}
	return fwrite(text + plain, 1, size - plain, to) == size - plain ? 0 : -1;
}

int json_put(const json_t *json, FILE *to, size_t flags)
{
	return json_dump_callback(json, put_escaped, to, flags);
}

char *json_put_text(const json_t *json, size_t flags)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	int err;

	if (!to)
		return NULL;
	err = json_put(json, to, flags);
	if (fclose(to) || err) {
		free(text);
		return NULL;
	}
	return text;
}
