/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload_words: "name key=value,value key=value" taken apart.  Values may be quoted as in a
 * shell: 'a b', "a b", a\ b.  Pure.
 */
#ifndef FSB_BENCH_WORKLOAD_WORDS_H
#define FSB_BENCH_WORKLOAD_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct words_item {
	char *key;
	char **value;
	size_t nr_values; /* at least 1; "key=" is one that is empty */
};

struct words {
	char *name; /* NULL without one */
	struct words_item *item;
	size_t nr_items;
};

/*
 * @named: the first word is a name.  NULL, or what is wrong with @text (a constant);
 * words_free() in either case.
 */
const char *words_parse(struct words *words, const char *text, bool named);
void words_free(struct words *words);

/*
 * The number that a value like "64k" or "1MiB" stands for, in plain digits, else the value as it
 * is; NULL: out of memory.
 */
char *words_plain(const char *value);

#endif /* FSB_BENCH_WORKLOAD_WORDS_H */
