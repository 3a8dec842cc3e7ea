/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * document: a report as JSON, checked against docs/fsbstat-1.schema.json and looked
 * into by path.  load_schema() and drop_schema() are a group's setup and teardown.
 */
#ifndef FSB_TESTS_DOCUMENT_H
#define FSB_TESTS_DOCUMENT_H

#include <jansson.h>

#include "sample_report.h"

static json_t *schema;

/* --- as much of JSON Schema as the file uses, and closed: unknown keys are errors --- */

static inline bool valid(json_t *value, json_t *rule, char *path);

static inline bool is_type(json_t *value, const char *type)
{
	if (!strcmp(type, "number"))
		return json_is_number(value);
	return (!strcmp(type, "object") && json_is_object(value)) ||
	       (!strcmp(type, "array") && json_is_array(value)) ||
	       (!strcmp(type, "string") && json_is_string(value)) ||
	       (!strcmp(type, "integer") && json_is_integer(value)) ||
	       (!strcmp(type, "boolean") && json_is_boolean(value)) ||
	       (!strcmp(type, "null") && json_is_null(value));
}

static inline bool type_fits(json_t *value, json_t *types)
{
	json_t *type;
	size_t i;

	if (json_is_string(types))
		return is_type(value, json_string_value(types));
	json_array_foreach(types, i, type)
		if (is_type(value, json_string_value(type)))
			return true;
	return false;
}

static inline bool one_of(json_t *value, json_t *choices)
{
	json_t *choice;
	size_t i;

	json_array_foreach(choices, i, choice)
		if (json_equal(value, choice))
			return true;
	return false;
}

static inline bool object_valid(json_t *object, json_t *rule, char *path)
{
	json_t *properties = json_object_get(rule, "properties"), *required, *member;
	size_t len = strlen(path), i;
	const char *key;

	json_array_foreach(json_object_get(rule, "required"), i, required) {
		if (!json_object_get(object, json_string_value(required))) {
			sprintf(path + len, ".%s is missing", json_string_value(required));
			return false;
		}
	}
	json_object_foreach(object, key, member) {
		sprintf(path + len, ".%.60s", key);
		/* source_reason has free keys, and so no properties. */
		if (properties && !json_object_get(properties, key))
			return false;
		if (properties && !valid(member, json_object_get(properties, key), path))
			return false;
		path[len] = '\0';
	}
	return true;
}

static inline bool valid(json_t *value, json_t *rule, char *path)
{
	const char *ref = json_string_value(json_object_get(rule, "$ref"));
	json_t *types = json_object_get(rule, "type"), *items = json_object_get(rule, "items");
	size_t len = strlen(path), i;
	json_t *item;

	if (ref)
		return valid(value, json_object_get(json_object_get(schema, "$defs"),
						    ref + strlen("#/$defs/")), path);
	if (types && !type_fits(value, types))
		return false;
	if (json_object_get(rule, "const") && !json_equal(value, json_object_get(rule, "const")))
		return false;
	if (json_object_get(rule, "enum") && !one_of(value, json_object_get(rule, "enum")))
		return false;
	if (json_object_get(rule, "minimum") && json_is_number(value) &&
	    json_number_value(value) < json_number_value(json_object_get(rule, "minimum")))
		return false;
	if (json_is_object(value) && !object_valid(value, rule, path))
		return false;
	if (!items)
		return true;
	json_array_foreach(value, i, item) {
		sprintf(path + len, "[%zu]", i);
		if (!valid(item, items, path))
			return false;
		path[len] = '\0';
	}
	return true;
}

static inline bool document_valid(json_t *document, char *path)
{
	json_t *choices = json_object_get(schema, "oneOf"), *choice;
	bool set = !!json_object_get(document, "members");
	size_t i;

	path[0] = '\0';
	json_array_foreach(choices, i, choice)
		if (!!strstr(json_string_value(json_object_get(choice, "$ref")), "set") == set)
			return valid(document, choice, path);
	return false;
}

/* --- documents --- */

static inline json_t *check_report(const struct report *report)
{
	char *text = sample_output(&out_json, report), path[512];
	json_error_t error;
	json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	if (!document)
		print_error("%s\n", error.text);
	assert_non_null(document);
	/* One document, one line. */
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
	if (!document_valid(document, path)) {
		print_error("schema: %s\n", path);
		fail();
	}
	free(text);
	return document;
}

static inline json_t *at(json_t *document, const char *path)
{
	char part[64];

	while (*path && document) {
		size_t len = strcspn(path, "/");

		snprintf(part, sizeof(part), "%.*s", (int)len, path);
		document = json_is_array(document) ?
				   json_array_get(document, (size_t)atoi(part)) :
				   json_object_get(document, part);
		path += len + (path[len] == '/');
	}
	return document;
}

static inline void expect_count(json_t *document, const char *path, json_int_t value)
{
	assert_true(json_is_integer(at(document, path)));
	assert_int_equal(json_integer_value(at(document, path)), value);
}

static inline void expect_null(json_t *document, const char *path)
{
	assert_non_null(at(document, path));
	assert_true(json_is_null(at(document, path)));
}

/* A reason stands for a null, and each null layer has one. */
static inline void expect_reason(json_t *document, const char *key)
{
	json_t *reasons = json_object_get(document, "source_reason");

	if (!json_is_string(json_object_get(reasons, key)))
		print_error("no reason for %s\n", key);
	assert_true(json_is_string(json_object_get(reasons, key)));
}

static inline int load_schema(void **state)
{
	json_error_t error;

	(void)state;
	schema = json_load_file("docs/fsbstat-1.schema.json", 0, &error);
	if (!schema)
		print_error("docs/fsbstat-1.schema.json: %s (run from the top directory)\n",
			    error.text);
	return schema ? 0 : -1;
}

static inline int drop_schema(void **state)
{
	(void)state;
	json_decref(schema);
	return 0;
}

#endif /* FSB_TESTS_DOCUMENT_H */
