// SPDX-License-Identifier: GPL-2.0-or-later
/* settings_text: a state file's contents; see settings_state.h. */
#include "disk/settings_job.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "json_bounded.h"
#include "json_text.h"

#define SCHEMA "fsbctl-settings/1"
#define CAUSE_MOUNT	"mount"
#define HINT_UNREADABLE "look at it and remove it; the disk's settings then stay as they are"

static json_t *json_values(const struct values *values)
{
	json_t *object = json_object();

	for (size_t i = 0; i < values->nr && object; i++) {
		if (json_object_set_new(object, values->item[i].name,
					json_string(values->item[i].text))) {
			json_decref(object);
			object = NULL;
		}
	}
	return object;
}

static const char *cause_text(enum setting cause)
{
	return cause == SETTINGS ? CAUSE_MOUNT : settings_name(cause);
}

static json_t *json_saved(const struct settings_state *state)
{
	json_t *array = json_array();

	for (size_t i = 0; i < state->nr && array; i++) {
		const struct saved *saved = &state->saved[i];
		json_t *item = json_pack("{s:s, s:s, s:s, s:s, s:b}", "name", saved->name, "was",
					 saved->was, "now", saved->now, "cause",
					 cause_text(saved->cause), "kept", saved->kept);

		if (json_array_append_new(array, item)) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

static json_t *json_pending(const struct settings_state *state)
{
	if (!state->pending)
		return json_null();
	return json_pack("{s:s, s:s, s:o}", "setting", settings_name(state->pending_setting), "to",
			 state->pending_to, "before", json_values(&state->before));
}

char *state_text(const struct settings_state *state)
{
	json_t *document = json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:b, s:o, s:o}", "schema",
				     SCHEMA, "key", state->key, "name", state->name, "boot",
				     state->boot, "port", state->place.port, "size",
				     (json_int_t)state->place.size, "diskseq",
				     (json_int_t)state->place.diskseq, "restoring",
				     state->restoring, "saved", json_saved(state), "pending",
				     json_pending(state));
	char *text = document ? json_put_text(document, JSON_INDENT(1)) : NULL;

	json_decref(document);
	return text;
}

/* Copies a string that fits; false otherwise. */
static bool take(char *dst, size_t size, const char *src)
{
	size_t len = strlen(src);

	if (len >= size)
		return false;
	memcpy(dst, src, len + 1);
	return true;
}

/* A name becomes part of a path, a value of a mount one of mount(8). */
static bool is_sound(const struct saved *saved)
{
	if (!is_mount_name(saved->name))
		return value_name_is_known(saved->name);
	return !strcmp(saved->was, "barrier") || !strcmp(saved->was, "nobarrier");
}

static bool parse_saved(struct settings_state *state, json_t *array)
{
	size_t nr = json_array_size(array);

	state->saved = calloc(nr ? nr : 1, sizeof(*state->saved));
	if (!state->saved)
		return false;
	for (size_t i = 0; i < nr; i++) {
		struct saved *saved = &state->saved[i];
		const char *name, *was, *now, *cause;
		int kept;

		if (json_unpack(json_array_get(array, i), "{s:s, s:s, s:s, s:s, s:b}", "name",
				&name, "was", &was, "now", &now, "cause", &cause, "kept", &kept))
			return false;
		saved->cause = settings_by_name(cause);
		saved->kept = kept;
		if ((saved->cause == SETTINGS && strcmp(cause, CAUSE_MOUNT)) ||
		    !take(saved->name, sizeof(saved->name), name) ||
		    !take(saved->was, sizeof(saved->was), was) ||
		    !take(saved->now, sizeof(saved->now), now) || !is_sound(saved))
			return false;
		state->nr++;
	}
	return true;
}

static bool parse_pending(struct settings_state *state, json_t *pending)
{
	const char *setting, *to, *name;
	json_t *before, *value;

	if (json_is_null(pending))
		return true;
	if (json_unpack(pending, "{s:s, s:s, s:o}", "setting", &setting, "to", &to, "before",
			&before) ||
	    !json_is_object(before))
		return false;
	state->pending = true;
	state->pending_setting = settings_by_name(setting);
	if (state->pending_setting == SETTINGS ||
	    !take(state->pending_to, sizeof(state->pending_to), to))
		return false;
	json_object_foreach(before, name, value) {
		if (strlen(name) >= SETTING_NAME_MAX || !value_name_is_known(name) ||
		    !json_is_string(value) ||
		    json_string_length(value) >= SETTING_VALUE_MAX ||
		    values_put(&state->before, name, json_string_value(value)))
			return false;
	}
	return true;
}

static bool parse_document(struct settings_state *state, json_t *document)
{
	const char *schema, *key, *name, *boot, *port = "";
	json_int_t size = 0, diskseq = -1;
	json_t *saved, *pending;
	int restoring;

	if (json_unpack(document, "{s:s, s:s, s:s, s:s, s?s, s?I, s?I, s:b, s:o, s:o}", "schema",
			&schema, "key", &key, "name", &name, "boot", &boot, "port", &port, "size",
			&size, "diskseq", &diskseq, "restoring", &restoring, "saved",
			&saved, "pending", &pending) ||
	    strcmp(schema, SCHEMA) || !json_is_array(saved))
		return false;
	state->restoring = restoring;
	state->place.size = size;
	state->place.diskseq = diskseq;
	return take(state->key, sizeof(state->key), key) &&
	       take(state->name, sizeof(state->name), name) &&
	       take(state->boot, sizeof(state->boot), boot) &&
	       take(state->place.port, sizeof(state->place.port), port) &&
	       parse_saved(state, saved) && parse_pending(state, pending);
}

int state_parse(struct settings_state *state, const char *text, size_t len,
		struct settings_error *error)
{
	json_error_t where;
	json_t *document = json_bounded(text, len, &where);
	bool good = document && parse_document(state, document);

	if (!document)
		settings_fail(error, SETTINGS_FAILED, state->path, HINT_UNREADABLE,
			      "is no saved state: line %d: %s", where.line, where.text);
	else if (!good)
		settings_fail(error, SETTINGS_FAILED, state->path, HINT_UNREADABLE,
			      "is no saved state that this fsbctl could read");
	json_decref(document);
	return good ? 0 : -1;
}
