// SPDX-License-Identifier: GPL-2.0-or-later
/* store_pieces: see store_pieces.h. */
#include "bench/store_pieces.h"

#include <stdlib.h>
#include <string.h>

/* Behind a string that begins at @at. */
static size_t skip_string(const char *text, size_t size, size_t at)
{
	for (at++; at < size && text[at] != '"'; at++)
		at += text[at] == '\\';
	return at < size ? at + 1 : size;
}

static size_t skip_space(const char *text, size_t size, size_t at)
{
	while (at < size && strchr(" \t\r\n", text[at]) && text[at])
		at++;
	return at;
}

/*
 * From @at to the first byte at depth 0 that is one of @ends, which may be the end of a bracket
 * opened before.
 */
static size_t skip_to(const char *text, size_t size, size_t at, const char *ends)
{
	size_t depth = 0;

	while (at < size) {
		char c = text[at];

		if (!depth && c && strchr(ends, c))
			break;
		if (c == '"') {
			at = skip_string(text, size, at);
			continue;
		}
		if (c == '[' || c == '{')
			depth++;
		else if ((c == ']' || c == '}') && depth)
			depth--;
		at++;
	}
	return at;
}

/* Whether the string at @at is @key and an array is its value; *value is where that begins. */
static bool opens(const struct pieces *pieces, size_t at, const char *key, size_t *value)
{
	size_t end = skip_string(pieces->text, pieces->size, at), len = strlen(key);

	*value = skip_space(pieces->text, pieces->size, end);
	if (*value >= pieces->size || pieces->text[*value] != ':')
		return false;
	*value = skip_space(pieces->text, pieces->size, *value + 1);
	return *value < pieces->size && pieces->text[*value] == '[' && end - at == len + 2 &&
	       !memcmp(pieces->text + at + 1, key, len);
}

void pieces_find(struct pieces *pieces, const char *text, size_t size, const char *key)
{
	size_t at = skip_space(text, size, 0), value;

	*pieces = (struct pieces){.text = text, .size = size, .over = true};
	if (at == size || text[at] != '{')
		return;
	for (at = skip_space(text, size, at + 1); at < size && text[at] == '"';
	     at = skip_space(text, size, at + 1)) {
		if (opens(pieces, at, key, &value)) {
			pieces->from = value + 1;
			pieces->next = value + 1;
			pieces->to = skip_to(text, size, value + 1, "]");
			pieces->over = skip_space(text, pieces->to, value + 1) == pieces->to;
			return;
		}
		at = skip_to(text, size, at, ",}");
		if (at == size || text[at] == '}')
			return;
	}
}

char *pieces_rest(const struct pieces *pieces, size_t *size)
{
	size_t behind = pieces->size - pieces->to;
	char *rest = malloc(pieces->from + behind + 1);

	if (!rest)
		return NULL;
	memcpy(rest, pieces->text, pieces->from);
	memcpy(rest + pieces->from, pieces->text + pieces->to, behind);
	*size = pieces->from + behind;
	rest[*size] = '\0';
	return rest;
}

bool pieces_next(struct pieces *pieces, const char **item, size_t *len)
{
	size_t end;

	if (pieces->over)
		return false;
	end = skip_to(pieces->text, pieces->to, pieces->next, ",");
	*item = pieces->text + pieces->next;
	*len = end - pieces->next;
	pieces->over = end == pieces->to;
	pieces->next = end + 1;
	return true;
}
