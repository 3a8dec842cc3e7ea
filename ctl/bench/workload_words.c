// SPDX-License-Identifier: GPL-2.0-or-later
/* workload_words: a line of a matrix taken apart; see workload_words.h. */
#include "bench/workload_words.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY "out of memory"

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Copies what one character or pair of quotes holds; NULL: a quote without its end. */
static const char *take(const char *at, char **to)
{
	char quote = *at;

	if (quote == '\\' && at[1]) {
		*(*to)++ = at[1];
		return at + 2;
	}
	if (quote != '\'' && quote != '"') {
		*(*to)++ = *at;
		return at + 1;
	}
	for (at++; *at && *at != quote; at++) {
		if (quote == '"' && *at == '\\' && at[1])
			at++;
		*(*to)++ = *at;
	}
	return *at ? at + 1 : NULL;
}

/* Takes a word up to a blank or, outside quotes, one of @stop. */
static const char *take_word(const char **text, const char *stop, char **word)
{
	const char *at = *text;
	char *to;

	*word = malloc(strlen(at) + 1);
	to = *word;
	if (!to)
		return MEMORY;
	while (*at && !blank(*at) && !strchr(stop, *at)) {
		at = take(at, &to);
		if (!at)
			break;
	}
	*to = '\0';
	if (!at) {
		free(*word);
		*word = NULL;
		return "a quote without its end";
	}
	*text = at;
	return NULL;
}

static const char *add_value(struct words_item *item, char *value)
{
	char **grown = realloc(item->value, (item->nr_values + 1) * sizeof(*grown));

	if (!grown) {
		free(value);
		return MEMORY;
	}
	item->value = grown;
	item->value[item->nr_values++] = value;
	return NULL;
}

static const char *take_values(const char **text, struct words_item *item)
{
	const char *wrong;
	char *value;

	do {
		(*text)++; /* over '=' or ',' */
		wrong = take_word(text, ",", &value);
		if (!wrong)
			wrong = add_value(item, value);
	} while (!wrong && **text == ',');
	return wrong;
}

static const char *take_item(struct words *words, const char **text)
{
	struct words_item *grown, *item;
	const char *wrong;

	grown = realloc(words->item, (words->nr_items + 1) * sizeof(*grown));
	if (!grown)
		return MEMORY;
	words->item = grown;
	item = &words->item[words->nr_items++];
	memset(item, 0, sizeof(*item));
	wrong = take_word(text, "=", &item->key);
	if (wrong)
		return wrong;
	if (**text != '=' || !item->key[0])
		return "expected KEY=VALUE[,VALUE...]";
	for (size_t i = 0; i + 1 < words->nr_items; i++)
		if (!strcmp(words->item[i].key, item->key))
			return "a parameter that is given twice";
	return take_values(text, item);
}

const char *words_parse(struct words *words, const char *text, bool named)
{
	const char *wrong = NULL;

	memset(words, 0, sizeof(*words));
	while (blank(*text))
		text++;
	if (named && !*text)
		return "expected the name of a workload";
	if (named)
		wrong = take_word(&text, "=", &words->name);
	if (!wrong && *text == '=' && named)
		return "expected the name of a workload first";
	while (!wrong) {
		while (blank(*text))
			text++;
		if (!*text)
			break;
		wrong = take_item(words, &text);
	}
	return wrong;
}

void words_free(struct words *words)
{
	for (size_t i = 0; i < words->nr_items; i++) {
		struct words_item *item = &words->item[i];

		for (size_t v = 0; v < item->nr_values; v++)
			free(item->value[v]);
		free(item->value);
		free(item->key);
	}
	free(words->item);
	free(words->name);
	memset(words, 0, sizeof(*words));
}

/* What a unit multiplies by; 0: it is none. */
static unsigned int unit_shift(const char *unit)
{
	static const char letters[] = "kKMGT";
	static const unsigned int shift[] = {10, 10, 20, 30, 40};
	const char *letter = *unit ? strchr(letters, *unit) : NULL;

	if (!letter || (unit[1] && strcmp(unit + 1, "iB") && strcmp(unit + 1, "B")))
		return 0;
	return shift[letter - letters];
}

char *words_plain(const char *value)
{
	unsigned long long number;
	unsigned int shift;
	char *end, *text;

	if (*value < '0' || *value > '9')
		return strdup(value);
	errno = 0;
	number = strtoull(value, &end, 10);
	shift = unit_shift(end);
	if (!shift || errno || number > (UINT64_MAX >> shift))
		return strdup(value);
	return asprintf(&text, "%llu", number << shift) < 0 ? NULL : text;
}
