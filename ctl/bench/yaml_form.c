// SPDX-License-Identifier: GPL-2.0-or-later
/* yaml_form: a YAML text held against a schema, then read by it. */
#include "bench/yaml_form.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"

#define KEYS_MAX 64 /* of one mapping */

struct check {
	const struct yaml_form *form;
	const struct yaml_tree *tree;
	struct trouble *trouble;
};

static int check_value(const struct check *check, const struct cyaml_schema_value *schema,
		       const char *name, int node, unsigned int line);

static const char *kind_name(enum yaml_kind kind)
{
	return kind == YAML_IS_LIST ? "a list" : kind == YAML_IS_KEYS ? "keys with values" : "text";
}

static int wrong_kind(const struct check *check, const char *name, int node, unsigned int line,
		      const char *expected, const char *hint)
{
	const char *text = yaml_tree_text(check->tree, node);
	enum yaml_kind kind = yaml_tree_kind(check->tree, node);
	char found[64];

	if (kind != YAML_IS_TEXT)
		snprintf(found, sizeof(found), "%s", kind_name(kind));
	else if (!*text)
		snprintf(found, sizeof(found), "nothing");
	else
		snprintf(found, sizeof(found), "\"%.40s\"", text);
	if (!*name)
		return yaml_tree_trouble(check->tree, check->trouble, line, hint,
					 "expected %s, found %s", expected, found);
	return yaml_tree_trouble(check->tree, check->trouble, line, hint,
				 "\"%s\": expected %s, found %s", name, expected, found);
}

static const struct cyaml_schema_field *field_of(const struct cyaml_schema_value *schema,
						 const char *key)
{
	const struct cyaml_schema_field *field = schema->mapping.fields;

	while (field->key && strcmp(field->key, key))
		field++;
	return field->key ? field : NULL;
}

/*
 * @alone: the key has no value, as "discard" in {mount: noatime,discard}, which is a second key to
 * YAML.
 */
static int unknown_key(const struct check *check, const struct cyaml_schema_value *schema,
		       const char *in, const char *key, bool alone, unsigned int line)
{
	const char *words[KEYS_MAX], *near, *more;
	char hint[sizeof(check->trouble->hint)];
	size_t nr = 0, len = 0;

	for (const struct cyaml_schema_field *field = schema->mapping.fields;
	     field->key && nr < KEYS_MAX; field++)
		words[nr++] = field->key;
	near = nearest_word(key, words, nr);
	more = check->form->hint ? check->form->hint(in, key) : NULL;
	if (more) {
		snprintf(hint, sizeof(hint), "%s", more);
	} else if (alone) {
		snprintf(hint, sizeof(hint), "a value with a comma in it needs quotes");
	} else if (near) {
		snprintf(hint, sizeof(hint), "did you mean \"%s\"?", near);
	} else {
		len = (size_t)snprintf(hint, sizeof(hint), "expected one of:");
		for (size_t i = 0; i < nr && len < sizeof(hint); i++)
			len += (size_t)snprintf(hint + len, sizeof(hint) - len, "%s %s",
						i ? "," : "", words[i]);
	}
	return yaml_tree_trouble(check->tree, check->trouble, line, hint,
				 "unknown key \"%.64s\"%s%s", key, *in ? " in " : "", in);
}

static bool is_nothing(const struct yaml_tree *tree, int node)
{
	return yaml_tree_kind(tree, node) == YAML_IS_TEXT && !*yaml_tree_text(tree, node);
}

static bool is_repeated(const struct yaml_tree *tree, int node, size_t i)
{
	const char *key = yaml_tree_text(tree, yaml_tree_key(tree, node, i));

	while (i--)
		if (!strcmp(yaml_tree_text(tree, yaml_tree_key(tree, node, i)), key))
			return true;
	return false;
}

static int check_missing(const struct check *check, const struct cyaml_schema_value *schema,
			 const char *name, int node, unsigned int line)
{
	const struct yaml_tree *tree = check->tree;

	for (const struct cyaml_schema_field *field = schema->mapping.fields; field->key; field++) {
		size_t i = 0, size = yaml_tree_size(tree, node);

		if (field->value.flags & CYAML_FLAG_OPTIONAL)
			continue;
		while (i < size &&
		       strcmp(yaml_tree_text(tree, yaml_tree_key(tree, node, i)), field->key))
			i++;
		if (i < size)
			continue;
		return yaml_tree_trouble(tree, check->trouble, line, "", "\"%s\" is missing%s%s",
					 field->key, *name ? " in " : "", name);
	}
	return 0;
}

static int check_mapping(const struct check *check, const struct cyaml_schema_value *schema,
			 const char *name, int node, unsigned int line)
{
	const struct yaml_tree *tree = check->tree;

	if (yaml_tree_kind(tree, node) != YAML_IS_KEYS)
		return wrong_kind(check, name, node, line, "keys with values",
				  "as in {key: value, key: value}");
	for (size_t i = 0; i < yaml_tree_size(tree, node); i++) {
		int key = yaml_tree_key(tree, node, i);
		unsigned int at = yaml_tree_node_line(tree, key);
		const char *text = yaml_tree_text(tree, key);
		const struct cyaml_schema_field *field = field_of(schema, text);

		if (!field)
			return unknown_key(check, schema, name, text,
					   is_nothing(tree, yaml_tree_item(tree, node, i)), at);
		if (is_repeated(tree, node, i))
			return yaml_tree_trouble(tree, check->trouble, at, "",
						 "\"%s\" is given twice", text);
		if (check_value(check, &field->value, text, yaml_tree_item(tree, node, i), at))
			return -1;
	}
	return check_missing(check, schema, name, node, line);
}

static int check_list(const struct check *check, const struct cyaml_schema_value *schema,
		      const char *name, int node, unsigned int line)
{
	const struct yaml_tree *tree = check->tree;
	size_t size = yaml_tree_size(tree, node);

	if (yaml_tree_kind(tree, node) != YAML_IS_LIST)
		return wrong_kind(check, name, node, line, "a list",
				  "as in [a, b], or a line beginning with '- ' for each");
	if (size < schema->sequence.min)
		return yaml_tree_trouble(tree, check->trouble, line, "",
					 "\"%s\": the list is empty, expected one or more", name);
	if (size > schema->sequence.max)
		return yaml_tree_trouble(tree, check->trouble, line, "",
					 "\"%s\": a list of %zu, at most %u are possible", name,
					 size, (unsigned int)schema->sequence.max);
	for (size_t i = 0; i < size; i++) {
		int item = yaml_tree_item(tree, node, i);

		if (check_value(check, schema->sequence.entry, name, item,
				yaml_tree_node_line(tree, item)))
			return -1;
	}
	return 0;
}

static int check_text(const struct check *check, const struct cyaml_schema_value *schema,
		      const char *name, int node, unsigned int line)
{
	size_t len = strlen(yaml_tree_text(check->tree, node));

	if (yaml_tree_kind(check->tree, node) != YAML_IS_TEXT)
		return wrong_kind(check, name, node, line, "one value", "");
	if (len < schema->string.min)
		return yaml_tree_trouble(check->tree, check->trouble, line, "",
					 "\"%s\": expected a value, found nothing", name);
	if (len > schema->string.max)
		return yaml_tree_trouble(check->tree, check->trouble, line, "",
					 "\"%s\": a text of %zu bytes, at most %u are possible",
					 name, len, (unsigned int)schema->string.max);
	return 0;
}

static int check_value(const struct check *check, const struct cyaml_schema_value *schema,
		       const char *name, int node, unsigned int line)
{
	switch (schema->type) {
	case CYAML_MAPPING:
		return check_mapping(check, schema, name, node, line);
	case CYAML_SEQUENCE:
		return check_list(check, schema, name, node, line);
	default:
		return check_text(check, schema, name, node, line);
	}
}

/* A file of another kind would only give mistakes that are none. */
static int check_identity(const struct check *check)
{
	const struct yaml_tree *tree = check->tree;
	int root = yaml_tree_root(tree);
	char hint[128];

	snprintf(hint, sizeof(hint), "expected the line  schema: %s", check->form->identity);
	if (yaml_tree_kind(tree, root) != YAML_IS_KEYS)
		return wrong_kind(check, "", root, yaml_tree_node_line(tree, root),
				  "keys with values", hint);
	for (size_t i = 0; i < yaml_tree_size(tree, root); i++) {
		int key = yaml_tree_key(tree, root, i);
		const char *value = yaml_tree_text(tree, yaml_tree_item(tree, root, i));

		if (strcmp(yaml_tree_text(tree, key), "schema"))
			continue;
		if (!strcmp(value, check->form->identity))
			return 0;
		return yaml_tree_trouble(tree, check->trouble, yaml_tree_node_line(tree, key), hint,
					 "the schema \"%.64s\" is not one for this", value);
	}
	return yaml_tree_trouble(tree, check->trouble, yaml_tree_node_line(tree, root), hint,
				 "\"schema\" is missing");
}

static const struct cyaml_config config = {
	.mem_fn = cyaml_mem,
	.flags = CYAML_CFG_NO_ALIAS,
};

int yaml_form_read(const struct yaml_form *form, const char *path, const char *text, void **data,
		   struct yaml_tree **tree, struct trouble *trouble)
{
	struct check check = {.form = form, .trouble = trouble};
	enum cyaml_err err;

	*data = NULL;
	if (yaml_tree_parse(tree, path, text, trouble))
		return -1;
	check.tree = *tree;
	if (check_identity(&check) ||
	    check_mapping(&check, form->schema, "", yaml_tree_root(*tree), 1))
		goto fail;
	err = cyaml_load_data((const uint8_t *)text, strlen(text), &config, form->schema, data,
			      NULL);
	if (!err)
		return 0;
	/* The text has been read by libyaml and fits the schema, so little else is possible. */
	if (err == CYAML_ERR_OOM || err == CYAML_ERR_LIBYAML_PARSER ||
	    err == CYAML_ERR_LIBYAML_PARSER_INIT || err == CYAML_ERR_LIBYAML_EVENT_INIT)
		trouble_memory(trouble, path);
	else
		trouble_set(trouble, TROUBLE_FAILED, path, "", "cannot be read: %s",
			    cyaml_strerror(err));
fail:
	yaml_tree_free(*tree);
	*tree = NULL;
	return -1;
}

void yaml_form_free(const struct yaml_form *form, void *data)
{
	/* Without a configuration or schema alone it could fail. */
	(void)cyaml_free(&config, form->schema, data, 0);
}
