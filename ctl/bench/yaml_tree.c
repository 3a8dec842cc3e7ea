// SPDX-License-Identifier: GPL-2.0-or-later
/* yaml_tree: a YAML text with the line of each of its parts. */
#include "bench/yaml_tree.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#define SYNTAX_HINT                                                                    \
	"YAML is indented with blanks, never tabs; text with ': ', ' #' or a leading " \
	"'[', '{', '*', '&', '!', '%', '@' in it needs quotes"

struct yaml_tree {
	char *path;
	yaml_document_t document;
	bool have_document;
};

static int place_trouble(struct trouble *trouble, const char *path, unsigned int line,
			 const char *hint, const char *reason)
{
	char object[sizeof(trouble->object)];
	size_t len = strlen(path);
	const size_t most = 200; /* of a long path the end says more, and the line has to fit */
	const char *tail = len > most ? path + len - most : path;

	if (line)
		snprintf(object, sizeof(object), "%s%s:%u", tail == path ? "" : "...", tail, line);
	else
		snprintf(object, sizeof(object), "%s%s", tail == path ? "" : "...", tail);
	return trouble_set(trouble, TROUBLE_USAGE, object, hint, "%s", reason);
}

int yaml_tree_trouble(const struct yaml_tree *tree, struct trouble *trouble, unsigned int line,
		      const char *hint, const char *format, ...)
{
	char reason[sizeof(trouble->reason)];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	return place_trouble(trouble, tree->path, line, hint, reason);
}

/* What the library did not like, in its words. */
static int parser_trouble(const struct yaml_tree *tree, const yaml_parser_t *parser,
			  const char *text, struct trouble *trouble)
{
	const char *what = parser->problem;
	unsigned int line = (unsigned int)parser->problem_mark.line + 1;

	/* Some functions of the library say nothing at all when they get no memory. */
	if (parser->error == YAML_MEMORY_ERROR || !what)
		return trouble_memory(trouble, tree->path);
	if (parser->error == YAML_READER_ERROR) {
		line = 1;
		for (size_t i = 0; i < parser->problem_offset && text[i]; i++)
			line += text[i] == '\n';
		return yaml_tree_trouble(tree, trouble, line, "a file has to be UTF-8",
					 "no text: %s", what);
	}
	if (parser->context && parser->context_mark.line != parser->problem_mark.line)
		return yaml_tree_trouble(tree, trouble, line, SYNTAX_HINT,
					 "not YAML: %s (%s that begins in line %zu)", what,
					 parser->context, parser->context_mark.line + 1);
	return yaml_tree_trouble(tree, trouble, line, SYNTAX_HINT, "not YAML: %s", what);
}

/* Whether this event may be in a file at all; counts documents and depth. */
static int check_event(const struct yaml_tree *tree, const yaml_event_t *event,
		       unsigned int *documents, unsigned int *depth, struct trouble *trouble)
{
	unsigned int line = (unsigned int)event->start_mark.line + 1;

	switch (event->type) {
	case YAML_ALIAS_EVENT:
		return yaml_tree_trouble(tree, trouble, line,
					 "a '*' at the beginning of a text needs quotes",
					 "aliases (*name) are not supported: write it out");
	case YAML_DOCUMENT_START_EVENT:
		if (++*documents > 1)
			return yaml_tree_trouble(tree, trouble, line, "",
						 "a second document begins here: expected one");
		return 0;
	case YAML_SEQUENCE_START_EVENT:
	case YAML_MAPPING_START_EVENT:
		if (++*depth > YAML_TREE_DEPTH_MAX)
			return yaml_tree_trouble(tree, trouble, line, "",
						 "nested more than %d deep", YAML_TREE_DEPTH_MAX);
		return 0;
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		--*depth;
		return 0;
	case YAML_SCALAR_EVENT:
		if (strlen((const char *)event->data.scalar.value) != event->data.scalar.length)
			return yaml_tree_trouble(tree, trouble, line, "",
						 "a NUL character in a text");
		return 0;
	default:
		return 0;
	}
}

/* Reads it once without keeping anything, so that what is built later is known to be small. */
static int check_events(const struct yaml_tree *tree, const char *text, struct trouble *trouble)
{
	unsigned int documents = 0, depth = 0;
	yaml_parser_t parser;
	yaml_event_t event;
	bool end = false;
	int err = 0;

	if (!yaml_parser_initialize(&parser))
		return trouble_memory(trouble, tree->path);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
	while (!err && !end) {
		if (!yaml_parser_parse(&parser, &event)) {
			err = parser_trouble(tree, &parser, text, trouble);
			break;
		}
		err = check_event(tree, &event, &documents, &depth, trouble);
		end = event.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	if (!err && !documents)
		return yaml_tree_trouble(tree, trouble, 0, "", "has nothing in it");
	return err;
}

static int load_document(struct yaml_tree *tree, const char *text, struct trouble *trouble)
{
	yaml_parser_t parser;
	int err = 0;

	if (!yaml_parser_initialize(&parser))
		return trouble_memory(trouble, tree->path);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
	tree->have_document = yaml_parser_load(&parser, &tree->document);
	if (!tree->have_document)
		err = parser_trouble(tree, &parser, text, trouble);
	yaml_parser_delete(&parser);
	return err;
}

/* Keys can be anything in YAML; here they are text. */
static int check_keys(const struct yaml_tree *tree, struct trouble *trouble)
{
	const yaml_document_t *document = &tree->document;

	for (const yaml_node_t *node = document->nodes.start; node < document->nodes.top; node++) {
		if (node->type != YAML_MAPPING_NODE)
			continue;
		for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
		     pair < node->data.mapping.pairs.top; pair++)
			if (yaml_tree_kind(tree, pair->key) != YAML_IS_TEXT)
				return yaml_tree_trouble(tree, trouble,
							 yaml_tree_node_line(tree, pair->key), "",
							 "a list or a mapping for a key: "
							 "expected a word");
	}
	return 0;
}

int yaml_tree_parse(struct yaml_tree **tree, const char *path, const char *text,
		    struct trouble *trouble)
{
	struct yaml_tree *new = calloc(1, sizeof(*new));

	*tree = NULL;
	if (!new)
		return trouble_memory(trouble, path);
	new->path = strdup(path);
	if (!new->path) {
		free(new);
		return trouble_memory(trouble, path);
	}
	if (check_events(new, text, trouble) || load_document(new, text, trouble) ||
	    check_keys(new, trouble)) {
		yaml_tree_free(new);
		return -1;
	}
	*tree = new;
	return 0;
}

void yaml_tree_free(struct yaml_tree *tree)
{
	if (!tree)
		return;
	if (tree->have_document)
		yaml_document_delete(&tree->document);
	free(tree->path);
	free(tree);
}

/* The library numbers its nodes from 1, the root first. */
static const yaml_node_t *node_of(const struct yaml_tree *tree, int node)
{
	return tree->document.nodes.start + node - 1;
}

int yaml_tree_root(const struct yaml_tree *tree)
{
	(void)tree;
	return 1;
}

enum yaml_kind yaml_tree_kind(const struct yaml_tree *tree, int node)
{
	switch (node_of(tree, node)->type) {
	case YAML_SEQUENCE_NODE:
		return YAML_IS_LIST;
	case YAML_MAPPING_NODE:
		return YAML_IS_KEYS;
	default:
		return YAML_IS_TEXT;
	}
}

const char *yaml_tree_text(const struct yaml_tree *tree, int node)
{
	const yaml_node_t *is = node_of(tree, node);

	return is->type == YAML_SCALAR_NODE ? (const char *)is->data.scalar.value : "";
}

size_t yaml_tree_size(const struct yaml_tree *tree, int node)
{
	const yaml_node_t *is = node_of(tree, node);

	if (is->type == YAML_SEQUENCE_NODE)
		return (size_t)(is->data.sequence.items.top - is->data.sequence.items.start);
	if (is->type == YAML_MAPPING_NODE)
		return (size_t)(is->data.mapping.pairs.top - is->data.mapping.pairs.start);
	return 0;
}

int yaml_tree_item(const struct yaml_tree *tree, int node, size_t i)
{
	const yaml_node_t *is = node_of(tree, node);

	if (is->type == YAML_SEQUENCE_NODE)
		return is->data.sequence.items.start[i];
	return is->data.mapping.pairs.start[i].value;
}

int yaml_tree_key(const struct yaml_tree *tree, int node, size_t i)
{
	return node_of(tree, node)->data.mapping.pairs.start[i].key;
}

unsigned int yaml_tree_node_line(const struct yaml_tree *tree, int node)
{
	return (unsigned int)node_of(tree, node)->start_mark.line + 1;
}

/* What a part of a place names in a node: its value (0: nothing) and the line of it. */
static int step_into(const struct yaml_tree *tree, int node, const char *part, size_t len,
		     unsigned int *line)
{
	size_t size = yaml_tree_size(tree, node);

	if (yaml_tree_kind(tree, node) == YAML_IS_LIST) {
		size_t i = strtoul(part, NULL, 10);

		if (i >= size)
			return 0;
		*line = yaml_tree_node_line(tree, yaml_tree_item(tree, node, i));
		return yaml_tree_item(tree, node, i);
	}
	for (size_t i = 0; i < size; i++) {
		int key = yaml_tree_key(tree, node, i);
		const char *text = yaml_tree_text(tree, key);

		if (strncmp(text, part, len) || text[len])
			continue;
		*line = yaml_tree_node_line(tree, key);
		return yaml_tree_item(tree, node, i);
	}
	return 0;
}

unsigned int yaml_tree_line(const struct yaml_tree *tree, const char *format, ...)
{
	int node = yaml_tree_root(tree);
	unsigned int line = yaml_tree_node_line(tree, node);
	char place[256];
	va_list args;

	va_start(args, format);
	vsnprintf(place, sizeof(place), format, args);
	va_end(args);
	for (const char *part = place; *part;) {
		size_t len = strcspn(part, "/");

		node = step_into(tree, node, part, len, &line);
		if (!node)
			break;
		part += len + (part[len] == '/');
	}
	return line;
}
