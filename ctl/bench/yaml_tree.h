/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * yaml_tree: a YAML text as it was written, each part with its line, so that a mistake can be
 * told with its place.  yaml_tree.c is the only file that knows libyaml.  For bench/ alone.
 *
 * One document of text, lists and keys with values.  Aliases are refused: they let a few
 * lines stand for gigabytes.
 */
#ifndef FSB_BENCH_YAML_TREE_H
#define FSB_BENCH_YAML_TREE_H

#include <stddef.h>

#include "bench/trouble.h"

/* Deeper than this nothing is nested on purpose. */
#define YAML_TREE_DEPTH_MAX 16

enum yaml_kind { YAML_IS_TEXT, YAML_IS_LIST, YAML_IS_KEYS };

struct yaml_tree;

/* 0, or -1 with *trouble: FILE:LINE and what is wrong.  @path is for messages. */
int yaml_tree_parse(struct yaml_tree **tree, const char *path, const char *text,
		    struct trouble *trouble);
void yaml_tree_free(struct yaml_tree *tree);

/*
 * A node is a number that only its tree knows.  yaml_tree_item() is an item of a list, or the
 * value of a pair; yaml_tree_key() that pair's key, which is text.
 */
int yaml_tree_root(const struct yaml_tree *tree);
enum yaml_kind yaml_tree_kind(const struct yaml_tree *tree, int node);
const char *yaml_tree_text(const struct yaml_tree *tree, int node); /* "" unless it is text */
size_t yaml_tree_size(const struct yaml_tree *tree, int node); /* items or pairs */
int yaml_tree_item(const struct yaml_tree *tree, int node, size_t i);
int yaml_tree_key(const struct yaml_tree *tree, int node, size_t i);
unsigned int yaml_tree_node_line(const struct yaml_tree *tree, int node);

/*
 * Line of what lies at a place such as "axes/2/fs" (items are counted from 0): that of its key
 * or item.  Where there is nothing, the line of what is nearest above.
 */
unsigned int yaml_tree_line(const struct yaml_tree *tree, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A mistake in line @line (0: of the file as a whole); returns -1. */
int yaml_tree_trouble(const struct yaml_tree *tree, struct trouble *trouble, unsigned int line,
		      const char *hint, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

#endif /* FSB_BENCH_YAML_TREE_H */
