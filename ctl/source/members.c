// SPDX-License-Identifier: GPL-2.0-or-later
/* members: see members.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_text.h"
#include "message.h"
#include "source/members.h"

json_t *members_u64(uint64_t value)
{
	char digits[24];

	if (value <= INT64_MAX)
		return json_integer((json_int_t)value);
	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	return json_string(digits);
}

int members_get_u64(const json_t *value, uint64_t *into)
{
	const char *digits = json_string_value(value);
	char *end;

	if (json_is_integer(value) && json_integer_value(value) >= 0) {
		*into = (uint64_t)json_integer_value(value);
		return 0;
	}
	if (!digits || strspn(digits, "0123456789") != strlen(digits) || !*digits)
		return -EBADMSG;
	errno = 0;
	*into = strtoull(digits, &end, 10);
	return errno ? -EBADMSG : 0;
}

static json_t *row_json(const struct member_row *row, const char *at)
{
	switch (row->type) {
	case MEMBER_U64:
		return members_u64(*(const uint64_t *)at);
	case MEMBER_U32:
		return json_integer(*(const uint32_t *)at);
	case MEMBER_INT:
		return json_integer(*(const int *)at);
	case MEMBER_I64:
		return json_integer(*(const int64_t *)at);
	case MEMBER_BOOL:
		return json_boolean(*(const bool *)at);
	case MEMBER_TEXT:
		return json_text(at);
	}
	return NULL;
}

static bool is_nothing(const json_t *value)
{
	return (json_is_integer(value) && !json_integer_value(value)) || json_is_false(value) ||
	       (json_is_string(value) && !*json_string_value(value));
}

int members_set(json_t *object, const struct member_table *table, const void *from)
{
	size_t i;

	for (i = 0; i < table->nr; i++) {
		const struct member_row *row = &table->row[i];
		json_t *value = row_json(row, (const char *)from + row->offset);

		if (!value)
			return -1;
		if (is_nothing(value))
			json_decref(value);
		else if (json_object_set_new(object, row->key, value))
			return -1;
	}
	return 0;
}

json_t *members_json(const struct member_table *table, const void *from)
{
	json_t *object = json_object();

	if (object && members_set(object, table, from)) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static int get_text(const json_t *value, char *into, size_t size)
{
	const char *text = json_string_value(value);

	/* A text with \0 inside ends there; one that is too long was not written by us. */
	if (!text || strlen(text) >= size)
		return -EBADMSG;
	message_printable(into, size, text);
	return 0;
}

static int get_row(const json_t *value, const struct member_row *row, char *at)
{
	json_int_t number = json_integer_value(value);

	if (row->type == MEMBER_U64)
		return members_get_u64(value, (uint64_t *)at);
	if (row->type == MEMBER_TEXT)
		return get_text(value, at, row->size);
	if (row->type == MEMBER_BOOL) {
		*(bool *)at = json_is_true(value);
		return json_is_boolean(value) ? 0 : -EBADMSG;
	}
	if (!json_is_integer(value))
		return -EBADMSG;
	if (row->type == MEMBER_I64)
		*(int64_t *)at = number;
	else if (row->type == MEMBER_U32 && number >= 0 && number <= UINT32_MAX)
		*(uint32_t *)at = (uint32_t)number;
	else if (row->type == MEMBER_INT && number >= INT32_MIN && number <= INT32_MAX)
		*(int *)at = (int)number;
	else
		return -EBADMSG;
	return 0;
}

int members_get(const json_t *object, const struct member_table *table, void *into)
{
	size_t i;

	if (!json_is_object(object))
		return -EBADMSG;
	for (i = 0; i < table->nr; i++) {
		const struct member_row *row = &table->row[i];
		const json_t *value = json_object_get(object, row->key);

		if (value && get_row(value, row, (char *)into + row->offset))
			return -EBADMSG;
	}
	return 0;
}

json_t *members_sparse(const uint64_t *values, uint32_t nr)
{
	json_t *array = json_array();
	uint32_t i;

	for (i = 0; array && i < nr; i++) {
		json_t *pair;

		if (!values[i])
			continue;
		pair = json_pack("[I, o]", (json_int_t)i, members_u64(values[i]));
		if (json_array_append_new(array, pair)) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

int members_get_sparse(const json_t *array, uint64_t *values, uint32_t nr)
{
	const json_t *pair;
	size_t i;

	if (!array)
		return 0;
	if (!json_is_array(array))
		return -EBADMSG;
	json_array_foreach(array, i, pair) {
		const json_t *place = json_array_get(pair, 0);

		if (json_array_size(pair) != 2 || !json_is_integer(place) ||
		    json_integer_value(place) < 0 || json_integer_value(place) >= nr ||
		    members_get_u64(json_array_get(pair, 1), &values[json_integer_value(place)]))
			return -EBADMSG;
	}
	return 0;
}
