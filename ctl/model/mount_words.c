// SPDX-License-Identifier: GPL-2.0-or-later
/* mount_words: see mount_words.h. */
#include "model/mount_words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One option within a list; it does not end in '\0'. */
struct word {
	const char *at;
	size_t len;
};

/* Which subvolume is mounted is a place, as a directory is, and no option. */
static bool is_place(const struct word *word)
{
	static const char *const places[] = { "subvol=", "subvolid=" };

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (word->len >= strlen(places[i]) &&
		    !memcmp(word->at, places[i], strlen(places[i])))
			return true;
	return false;
}

/* The next option behind *list; false at the end.  A quoted value may hold commas. */
static bool next_word(const char **list, struct word *word)
{
	bool quoted = false;

	do {
		while (**list == ',')
			(*list)++;
		word->at = *list;
		for (; **list && (quoted || **list != ','); (*list)++)
			if (**list == '"')
				quoted = !quoted;
		word->len = (size_t)(*list - word->at);
	} while (is_place(word));
	return word->len > 0;
}

static bool same(const struct word *a, const struct word *b)
{
	return a->len == b->len && !memcmp(a->at, b->at, a->len);
}

static bool is(const struct word *word, const char *text)
{
	return strlen(text) == word->len && !memcmp(word->at, text, word->len);
}

static bool has(const char *list, const struct word *word)
{
	struct word other;

	while (next_word(&list, &other))
		if (same(&other, word))
			return true;
	return false;
}

bool mount_options_name(const char *options, const char *name)
{
	size_t len = strlen(name);
	struct word word;

	while (next_word(&options, &word)) {
		bool no = word.len > 2 && !memcmp(word.at, "no", 2);
		const char *at = word.at + (no ? 2 : 0);
		size_t left = word.len - (no ? 2 : 0);

		if (left >= len && !memcmp(at, name, len) && (left == len || at[len] == '='))
			return true;
	}
	return false;
}

/* Options of which one holds at a time; the first holds where none is shown. */
static const char *const groups[][3] = {
	{ "strictatime", "relatime", "noatime" },
	{ "async", "sync", "" },
	{ "rw", "ro", "" },
};

static const char *const *group_of(const struct word *word)
{
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		for (size_t k = 0; k < 3; k++)
			if (is(word, groups[i][k]))
				return groups[i];
	return NULL;
}

/* What an option is about: without its value and its "no". */
static struct word subject(const struct word *word)
{
	const char *equal = memchr(word->at, '=', word->len);
	struct word about = { word->at, equal ? (size_t)(equal - word->at) : word->len };

	if (about.len > 2 && !memcmp(about.at, "no", 2)) {
		about.at += 2;
		about.len -= 2;
	}
	return about;
}

/* Both say what one and the same thing is set to. */
static bool about_the_same(const struct word *a, const struct word *b)
{
	struct word of_a = subject(a), of_b = subject(b);

	return same(&of_a, &of_b) || (group_of(a) && group_of(a) == group_of(b));
}

/* What holds while an option is not there. */
static void write_opposite(FILE *to, const struct word *word)
{
	const char *const *group = group_of(word);
	struct word about = subject(word);

	if (group)
		fprintf(to, "%s", group[0]);
	else if (memchr(word->at, '=', word->len))
		fprintf(to, "default %.*s", (int)about.len, about.at);
	else
		fprintf(to, "%s%.*s", about.at == word->at ? "no" : "", (int)about.len, about.at);
}

static void write_comma(FILE *to)
{
	if (ftell(to) > 0)
		fputc(',', to);
}

/* What @list has of its own, and the opposites of what only @other has. */
static void write_side(FILE *to, const char *list, const char *other)
{
	const char *rest = list;
	struct word word, counter;

	while (next_word(&rest, &word)) {
		if (has(other, &word))
			continue;
		write_comma(to);
		fprintf(to, "%.*s", (int)word.len, word.at);
	}
	for (rest = other; next_word(&rest, &word);) {
		const char *mine = list;
		bool said = has(list, &word);

		while (!said && next_word(&mine, &counter))
			said = !has(other, &counter) && about_the_same(&word, &counter);
		if (said)
			continue;
		write_comma(to);
		write_opposite(to, &word);
	}
}

static char *side(const char *list, const char *other)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	write_side(to, list, other);
	if (!fclose(to))
		return text;
	free(text);
	return NULL;
}

int mount_words(const char *from, const char *to, char **from_words, char **to_words)
{
	*from_words = side(from, to);
	*to_words = side(to, from);
	if (*from_words && *to_words)
		return 0;
	free(*from_words);
	free(*to_words);
	*from_words = NULL;
	*to_words = NULL;
	return -ENOMEM;
}

static bool all_in(const char *list, const char *other)
{
	struct word word;

	while (next_word(&list, &word))
		if (!has(other, &word))
			return false;
	return true;
}

bool mount_options_same(const char *a, const char *b)
{
	return !strcmp(a, b) || (all_in(a, b) && all_in(b, a));
}
