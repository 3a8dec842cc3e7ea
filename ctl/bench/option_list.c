// SPDX-License-Identifier: GPL-2.0-or-later
/* option_list: see option_list.h. */
#include "bench/option_list.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "nearest.h"

#define SEPARATORS ", \t\n"
/* More names than any filesystem has options. */
#define NAMES_MAX 256
#define NAME_MAX  64

bool option_next(const char **list, struct option_word *word)
{
	*list += strspn(*list, SEPARATORS);
	word->at = *list;
	word->len = strcspn(*list, SEPARATORS);
	word->name = 0;
	while (word->name < word->len && word->at[word->name] != '=')
		word->name++;
	*list += word->len;
	return word->len;
}

struct option_word option_word(const char *text)
{
	return (struct option_word){.at = text, .len = strlen(text), .name = strcspn(text, "=")};
}

bool option_is_named(const struct option_word *word, const char *name)
{
	return word->name == strlen(name) && !strncmp(word->at, name, word->name);
}

bool option_is(const struct option_word *word, const char *text)
{
	return word->len == strlen(text) && !strncmp(word->at, text, word->len);
}

bool option_same_name(const struct option_word *a, const struct option_word *b)
{
	return a->name == b->name && !strncmp(a->at, b->at, a->name);
}

bool option_find(const char *list, const char *name, size_t len, struct option_word *found)
{
	const struct option_word wanted = {.at = name, .len = len, .name = len};
	struct option_word word;
	bool is = false;

	while (option_next(&list, &word))
		if (option_same_name(&word, &wanted)) {
			*found = word;
			is = true;
		}
	return is;
}

bool option_listed(const char *list, const struct option_word *word)
{
	struct option_word other;

	while (option_next(&list, &other))
		if (other.len == word->len && !strncmp(other.at, word->at, word->len))
			return true;
	return false;
}

/* ---- values ---- */

static bool is_number(const char *value, size_t len)
{
	size_t dots = 0;

	for (size_t i = 0; i < len; i++) {
		dots += value[i] == '.';
		if (!isdigit((unsigned char)value[i]) && value[i] != '.')
			return false;
	}
	return len && dots <= 1 && isdigit((unsigned char)*value);
}

/* "4096", "64k", "16MiB", "50%" */
static bool is_size(const char *value, size_t len)
{
	size_t unit = 0;

	if (len && value[len - 1] == '%')
		return is_number(value, len - 1);
	while (unit < 3 && unit < len && isalpha((unsigned char)value[len - 1 - unit]))
		unit++;
	return is_number(value, len - unit);
}

static bool is_word(const char *value, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)value[i]) && value[i] != '_' &&
		    (!i || !strchr(".:+-%", value[i])))
			return false;
	return len;
}

static bool is_list(const char *value, size_t len)
{
	for (size_t i = 0, part; i <= len; i += part + 1) {
		size_t sign = i < len && value[i] == '^';
		const char *comma = memchr(value + i, ',', len - i);

		part = comma ? (size_t)(comma - value) - i : len - i;
		if (part < sign || !is_word(value + i + sign, part - sign))
			return false;
	}
	return true;
}

static bool fits_one(const char *form, size_t form_len, const char *value, size_t len)
{
	static const struct {
		const char *name;
		bool (*fits)(const char *value, size_t len);
	} forms[] = {
		{"number", is_number}, {"size", is_size}, {"word", is_word}, {"list", is_list}};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (form_len == strlen(forms[i].name) && !strncmp(form, forms[i].name, form_len))
			return forms[i].fits(value, len);
	if (form_len && form[form_len - 1] == '*')
		return len >= form_len - 1 && !strncmp(form, value, form_len - 1) &&
		       is_word(value, len);
	return form_len == len && !strncmp(form, value, len);
}

bool option_value_fits(const char *form, size_t form_len, const char *value, size_t len)
{
	for (size_t i = 0, part; i <= form_len; i += part + 1) {
		const char *bar = memchr(form + i, '|', form_len - i);

		part = bar ? (size_t)(bar - form) - i : form_len - i;
		if (fits_one(form + i, part, value, len))
			return true;
	}
	return false;
}

enum option_fit option_fit(const char *known, const struct option_word *word,
			   struct option_word *entry)
{
	enum option_fit fit = OPTION_UNKNOWN;
	bool has_value = word->name < word->len, takes_value;
	struct option_word is;

	while (option_next(&known, &is)) {
		if (!option_same_name(&is, word))
			continue;
		if (entry)
			*entry = is;
		fit = OPTION_VALUE;
		takes_value = is.name < is.len;
		if (has_value != takes_value)
			continue;
		if (!has_value ||
		    option_value_fits(is.at + is.name + 1, is.len - is.name - 1,
				      word->at + word->name + 1, word->len - word->name - 1))
			return OPTION_FITS;
	}
	return fit;
}

bool option_nearest(const char *known, const struct option_word *word, char *name, size_t size)
{
	char names[NAMES_MAX][NAME_MAX], wanted[NAME_MAX];
	const char *list[NAMES_MAX], *near;
	struct option_word is;
	size_t nr = 0;

	while (nr < NAMES_MAX && option_next(&known, &is)) {
		snprintf(names[nr], NAME_MAX, "%.*s", (int)is.name, is.at);
		list[nr] = names[nr];
		nr++;
	}
	snprintf(wanted, sizeof(wanted), "%.*s", (int)word->name, word->at);
	near = nearest_word(wanted, list, nr);
	if (near)
		snprintf(name, size, "%s", near);
	return near;
}
