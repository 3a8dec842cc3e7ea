// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * store_document: a run as one JSON document, fsbstat-run/1, and back.  A document may come from
 * anywhere, so all of it is checked before any of it is believed.
 */
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/stats.h"
#include "bench/store_pieces.h"
#include "bench/store_private.h"
#include "json_bounded.h"
#include "json_text.h"
#include "message.h"

#define SCHEMA		"fsbstat-run/1"
#define NAME_MAX_LENGTH 200
/* Twenty runs of each of the 10000 cells that a matrix may have. */
#define TRIALS_MAX 200000

/* --- to JSON --- */

json_t *store_field_json(const struct field *field, const void *row)
{
	const void *at = (const char *)row + field->offset;
	const char *text;
	char digits[24];

	switch (field->kind) {
	case FIELD_TEXT:
		text = *field_text(field, row);
		return json_text(text ? text : "");
	case FIELD_JSON:
		text = *field_text(field, row);
		return text && *text ? json_bounded_text(text, NULL) : json_null();
	case FIELD_NUMBER:
		snprintf(digits, sizeof(digits), "%" PRIu64, *(const uint64_t *)at);
		return json_string(digits);
	case FIELD_BOOL:
		return json_boolean(*(const bool *)at);
	case FIELD_COUNT:
		return json_integer(*(const unsigned int *)at);
	case FIELD_REAL:
		return json_finite(*(const double *)at);
	case FIELD_STATE:
		return json_string(trial_state_name(*(const enum trial_state *)at));
	}
	return NULL;
}

/* Adds all fields of a row to @object; -1: no memory, or an object's text is none. */
static int add_fields(json_t *object, const struct store_table *table, const void *row)
{
	for (size_t i = 0; i < table->nr; i++)
		if (!table->field[i].local &&
		    json_object_set_new(object, table->field[i].name,
					store_field_json(&table->field[i], row)))
			return -1;
	return 0;
}

/* Cells come in the order of their ids. */
static json_int_t index_of(const struct store_result *result, int64_t id)
{
	size_t low = 0, high = result->nr_cells;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (result->cell[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return (json_int_t)low;
}

static int add_rows(json_t *document, const struct store_result *result)
{
	json_t *cells = json_array(), *trials = json_array();

	if (json_object_set_new(document, "cells", cells) ||
	    json_object_set_new(document, "trials", trials))
		return -1;
	for (size_t i = 0; i < result->nr_cells; i++) {
		json_t *cell = json_object();

		if (json_array_append_new(cells, cell) ||
		    add_fields(cell, &store_cells, &result->cell[i]))
			return -1;
	}
	for (size_t i = 0; i < result->nr_trials; i++) {
		json_t *trial = json_object();

		if (json_array_append_new(trials, trial) ||
		    json_object_set_new(trial, "cell",
					json_integer(index_of(result, result->trial[i].cell))) ||
		    add_fields(trial, &store_trials, &result->trial[i]))
			return -1;
	}
	return 0;
}

json_t *store_document(const struct store_result *result, struct trouble *trouble)
{
	json_t *document = json_object();

	if (json_object_set_new(document, "schema", json_string(SCHEMA)) ||
	    add_fields(document, &store_runs, &result->run) || add_rows(document, result)) {
		json_decref(document);
		trouble_set(trouble, TROUBLE_FAILED, result->run.name, "",
			    "cannot be written as JSON: no memory, or a damaged store");
		return NULL;
	}
	return document;
}

/* --- from JSON --- */

struct reader {
	const char *path; /* of the file, for messages */
	struct trouble *trouble;
	char at[96]; /* "trials[3]." */
	json_t *seen; /* cells, and trials by cell and block, met so far */
};

static int refuse(const struct reader *reader, const char *key, const char *expected)
{
	return trouble_set(reader->trouble, TROUBLE_USAGE, reader->path,
			   "nothing of it has been stored", "%s%s: %s", reader->at, key, expected);
}

static int keep_text(char **text, json_t *value)
{
	*text = strdup(json_string_value(value));
	return *text ? 0 : -1;
}

static int keep_json(char **text, json_t *value)
{
	*text = json_is_null(value) ? strdup("") : json_put_text(value, JSON_COMPACT);
	return *text ? 0 : -1;
}

/* NULL, or what was expected. */
static const char *wrong_kind(enum field_kind kind, json_t *value)
{
	json_int_t number = json_integer_value(value);
	const char *text = json_string_value(value);
	enum trial_state state;

	switch (kind) {
	case FIELD_TEXT:
		return text ? NULL : "a string is expected";
	case FIELD_JSON:
		return json_is_object(value) || json_is_null(value)
			       ? NULL
			       : "an object or null is expected";
	case FIELD_NUMBER:
		return text && *text && strlen(text) < 21 &&
				       strspn(text, "0123456789") == strlen(text) &&
				       (strlen(text) < 20 ||
					strcmp(text, "18446744073709551615") <= 0)
			       ? NULL
			       : "digits of a 64-bit number are expected, as a string";
	case FIELD_BOOL:
		return json_is_boolean(value) ? NULL : "true or false is expected";
	case FIELD_COUNT:
		return json_is_integer(value) && number >= 1 && number <= UINT_MAX
			       ? NULL
			       : "a number from 1 is expected";
	case FIELD_REAL:
		return json_is_number(value) || json_is_null(value)
			       ? NULL
			       : "a number or null is expected";
	case FIELD_STATE:
		return text && trial_state_parse(text, &state)
			       ? NULL
			       : "ok, noisy, invalid or failed is expected";
	}
	return "of no known kind";
}

static int keep(const struct field *field, void *row, json_t *value)
{
	void *at = (char *)row + field->offset;

	switch (field->kind) {
	case FIELD_TEXT:
		return keep_text(at, value);
	case FIELD_JSON:
		return keep_json(at, value);
	case FIELD_NUMBER:
		*(uint64_t *)at = strtoull(json_string_value(value), NULL, 10);
		return 0;
	case FIELD_BOOL:
		*(bool *)at = json_is_true(value);
		return 0;
	case FIELD_COUNT:
		*(unsigned int *)at = (unsigned int)json_integer_value(value);
		return 0;
	case FIELD_REAL:
		*(double *)at = json_is_null(value) ? NAN : json_number_value(value);
		return 0;
	case FIELD_STATE:
		return trial_state_parse(json_string_value(value), at) ? 0 : -1;
	}
	return -1;
}

/* Every field once, and nothing but the fields and @others. */
static int read_fields(const struct reader *reader, const struct store_table *table, void *row,
		       json_t *object, const char *const *others)
{
	size_t nr = 0;

	if (!json_is_object(object))
		return refuse(reader, "", "an object is expected");
	for (size_t i = 0; i < table->nr; i++) {
		const struct field *field = &table->field[i];
		json_t *value = json_object_get(object, field->name);
		const char *expected = value ? wrong_kind(field->kind, value) : "is missing";

		if (field->local)
			continue;
		nr++;
		if (expected)
			return refuse(reader, field->name, expected);
		if (keep(field, row, value))
			return trouble_memory(reader->trouble, reader->path);
	}
	for (; *others; others++, nr++)
		if (!json_object_get(object, *others))
			return refuse(reader, *others, "is missing");
	return json_object_size(object) == nr
		       ? 0
		       : refuse(reader, "", "has keys that this fsbctl does not know");
}

/* Names end up on terminals and in later names; what is longer or hidden is no name. */
static bool is_name(const char *text)
{
	char safe[4 * NAME_MAX_LENGTH + 1];

	return *text && strlen(text) <= NAME_MAX_LENGTH &&
	       !strcmp(message_printable(safe, sizeof(safe), text), text);
}

/* 1 when it is new, 0 when it was there, -1 without memory. */
static int note(const struct reader *reader, const char *key)
{
	if (json_object_get(reader->seen, key))
		return 0;
	return json_object_set_new(reader->seen, key, json_true()) ? -1 : 1;
}

static int read_cell(const struct reader *reader, struct store_cell *cell, json_t *object)
{
	static const char *const others[] = {NULL};
	char key[2 * NAME_MAX_LENGTH + 8];
	enum stats_stop stop;
	int fresh;

	if (read_fields(reader, &store_cells, cell, object, others))
		return -1;
	if (!is_name(cell->configuration))
		return refuse(reader, "configuration", "a name is expected");
	if (!is_name(cell->workload))
		return refuse(reader, "workload", "a name is expected");
	if (!stats_stop_parse(cell->stop, &stop))
		return refuse(reader, "stop", "the word for why a cell ends is expected");
	snprintf(key, sizeof(key), "%s\n%s", cell->configuration, cell->workload);
	fresh = note(reader, key);
	if (fresh < 0)
		return trouble_memory(reader->trouble, reader->path);
	return fresh ? 0 : refuse(reader, "workload", "the configuration has it twice");
}

static int read_trial(const struct reader *reader, struct store_trial *trial, json_t *object,
		      size_t nr_cells)
{
	static const char *const others[] = {"cell", NULL};
	json_t *cell, *device = json_object_get(object, "device");
	const char *schema = json_string_value(json_object_get(device, "schema"));
	char key[64];
	int fresh;

	if (read_fields(reader, &store_trials, trial, object, others))
		return -1;
	cell = json_object_get(object, "cell");
	if (!json_is_integer(cell) || json_integer_value(cell) < 0 ||
	    (uint64_t)json_integer_value(cell) >= nr_cells)
		return refuse(reader, "cell", "the number of a cell is expected");
	if (json_is_object(device) && (!schema || strcmp(schema, "fsbstat/1")))
		return refuse(reader, "device", "a document fsbstat/1 is expected");
	trial->cell = json_integer_value(cell);
	snprintf(key, sizeof(key), "%" PRId64 " %u", trial->cell, trial->block);
	fresh = note(reader, key);
	if (fresh < 0)
		return trouble_memory(reader->trouble, reader->path);
	return fresh ? 0 : refuse(reader, "block", "the cell has it twice");
}

static int read_cells(struct reader *reader, struct store_result *result, json_t *cells)
{
	json_t *object;
	size_t i;

	if (!json_is_array(cells))
		return refuse(reader, "cells", "an array is expected");
	result->cell = calloc(json_array_size(cells) + 1, sizeof(*result->cell));
	if (!result->cell)
		return trouble_memory(reader->trouble, reader->path);
	json_array_foreach(cells, i, object) {
		snprintf(reader->at, sizeof(reader->at), "cells[%zu].", i);
		result->nr_cells++;
		if (read_cell(reader, &result->cell[i], object))
			return -1;
	}
	reader->at[0] = '\0';
	return 0;
}

/* One more, all 0; NULL: no memory. */
static struct store_trial *new_trial(struct store_result *result, size_t *allocated)
{
	struct store_trial *grown;

	if (result->nr_trials == *allocated) {
		*allocated = *allocated ? 2 * *allocated : 64;
		grown = realloc(result->trial, *allocated * sizeof(*grown));
		if (!grown)
			return NULL;
		result->trial = grown;
	}
	grown = &result->trial[result->nr_trials++];
	memset(grown, 0, sizeof(*grown));
	return grown;
}

/* The document without its trials, or a trial. */
static json_t *parse(const struct reader *reader, const char *text, size_t size)
{
	size_t space = 0;
	json_error_t error;
	json_t *json;

	while (space < size && isspace((unsigned char)text[space]))
		space++;
	if (*reader->at && (space == size || text[space] != '{')) {
		refuse(reader, "", "an object is expected");
		return NULL;
	}
	json = json_bounded(text, size, &error);
	if (!json && error.line < 0)
		refuse(reader, *reader->at ? "" : "the document", error.text);
	else if (!json)
		trouble_set(reader->trouble, TROUBLE_USAGE, reader->path,
			    "fsbctl export writes one", "no JSON document: %sline %d: %s",
			    reader->at, error.line, error.text);
	return json;
}

static int read_trials(struct reader *reader, struct store_result *result, struct pieces *pieces)
{
	size_t allocated = 0, len;
	const char *text;
	int err = 0;

	while (!err && pieces_next(pieces, &text, &len)) {
		struct store_trial *trial;
		json_t *object;

		snprintf(reader->at, sizeof(reader->at), "trials[%zu].", result->nr_trials);
		if (result->nr_trials == TRIALS_MAX)
			return refuse(reader, "", "too many: at most 200000 are possible");
		object = parse(reader, text, len);
		if (!object)
			return -1;
		trial = new_trial(result, &allocated);
		err = trial ? read_trial(reader, trial, object, result->nr_cells)
			    : trouble_memory(reader->trouble, reader->path);
		json_decref(object);
	}
	return err;
}

static int read_document(struct reader *reader, struct store_result *result, json_t *document)
{
	static const char *const others[] = {"schema", "cells", "trials", NULL};
	const char *schema = json_string_value(json_object_get(document, "schema"));
	json_t *trials;
	const char *state;

	if (!schema || strcmp(schema, SCHEMA))
		return refuse(reader, "schema", "no run of fsbctl: " SCHEMA " is expected");
	if (read_fields(reader, &store_runs, &result->run, document, others))
		return -1;
	if (!is_name(result->run.name))
		return refuse(reader, "name", "a name is expected");
	state = result->run.state;
	if (strcmp(state, "running") && strcmp(state, "complete") && strcmp(state, "stopped"))
		return refuse(reader, "state", "running, complete or stopped is expected");
	/* Its items are read one by one; here it is empty, unless its key is written in escapes. */
	trials = json_object_get(document, "trials");
	if (!json_is_array(trials) || json_array_size(trials))
		return refuse(reader, "trials", "an array is expected");
	return read_cells(reader, result, json_object_get(document, "cells"));
}

int store_undocument(struct store_result *result, const char *text, size_t size, const char *path,
		     struct trouble *trouble)
{
	struct reader reader = {.path = path, .trouble = trouble, .seen = json_object()};
	struct pieces pieces;
	json_t *document = NULL;
	char *rest;
	size_t len;
	int err;

	*result = (struct store_result){0};
	pieces_find(&pieces, text, size, "trials");
	rest = pieces_rest(&pieces, &len);
	if (reader.seen && rest)
		document = parse(&reader, rest, len);
	else
		trouble_memory(trouble, path);
	free(rest);
	err = document ? read_document(&reader, result, document) : -1;
	json_decref(document);
	if (!err)
		err = read_trials(&reader, result, &pieces);
	json_decref(reader.seen);
	return err;
}
