/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * option_list: options as text: NAME or NAME=VALUE, separated by commas (as mount takes them) or by
 * blanks (as filesystems.yaml lists those it knows), and whether a value has the form that is
 * known of it.  For bench/ alone.
 */
#ifndef FSB_BENCH_OPTION_LIST_H
#define FSB_BENCH_OPTION_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* One option, as part of a list. */
struct option_word {
	const char *at;
	size_t len, name; /* of all; up to '=' */
};

/* The next one; false: there is none.  *list moves behind it. */
bool option_next(const char **list, struct option_word *word);
/* @text as a word of a list. */
struct option_word option_word(const char *text);
bool option_is_named(const struct option_word *word, const char *name);
bool option_is(const struct option_word *word, const char *text);
bool option_same_name(const struct option_word *a, const struct option_word *b);
/* The last option of this name in a list; false: there is none. */
bool option_find(const char *list, const char *name, size_t len, struct option_word *found);
/* Whether a list has just this option: "data" and "data=journal" are two. */
bool option_listed(const char *list, const struct option_word *word);

enum option_fit {
	OPTION_FITS,
	OPTION_UNKNOWN, /* no option of this name */
	OPTION_VALUE, /* known by name, not with this value (or with or without one at all) */
};

/*
 * Against a list of known options, "acl commit=number data=journal|ordered compress=zstd*".  A
 * value is one of the words after '=', any that begins so (zstd*), or of a form: "number", "size"
 * (with a unit), "word" (letters, digits, _ . : + - %), "list" (words separated by commas, each
 * perhaps with ^ before it).  No form takes a '/', a blank, a quote or a leading '-'.
 * @entry: what is known of that name, NULL allowed.
 */
enum option_fit option_fit(const char *known, const struct option_word *word,
			   struct option_word *entry);
/* Whether a value is of such a form: "size", "0|1", ... */
bool option_value_fits(const char *form, size_t form_len, const char *value, size_t len);
/* The known name (NUL-terminated in @name) that was probably meant; false: none is near. */
bool option_nearest(const char *known, const struct option_word *word, char *name, size_t size);

#endif /* FSB_BENCH_OPTION_LIST_H */
