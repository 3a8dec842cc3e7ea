// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * filesystem_command: the commands that make and mount one, word by word; see filesystem.h.  A
 * matrix gives options only, and only those that the filesystem's entry in the table has.
 */
#include "bench/filesystem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/option_list.h"

/* Options of a matrix on their way to a command. */
struct make {
	const struct filesystem *fs;
	struct tool_words *words;
	struct trouble *trouble;
};

static int refuse(const struct make *make, const char *hint, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int refuse(const struct make *make, const char *hint, const char *format, ...)
{
	char reason[sizeof(make->trouble->reason)];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	return trouble_set(make->trouble, TROUBLE_USAGE, make->fs->name, hint, "%s", reason);
}

static int refuse_unknown(const struct make *make, const char *option)
{
	const struct filesystem *fs = make->fs;
	char hint[400];
	size_t used = (size_t)snprintf(hint, sizeof(hint), "allowed for %s are", fs->name);

	for (size_t i = 0; i < fs->nr_mkfs_options && used < sizeof(hint); i++)
		if (!*fs->mkfs_option[i].refused)
			used += (size_t)snprintf(hint + used, sizeof(hint) - used, " %s",
						 fs->mkfs_option[i].name);
	if (!fs->nr_mkfs_options)
		snprintf(hint, sizeof(hint), "mkfs_options in %.300s would list them", fs->source);
	return refuse(make, hint, "mkfs option %.64s: not one of those that are known for %s",
		      option, fs->name);
}

/* The row of an option; "-d --data" is one of two names. */
static const struct filesystem_switch *find_switch(const struct filesystem *fs, const char *text,
						   size_t len)
{
	const struct option_word wanted = {.at = text, .len = len, .name = len};

	for (size_t i = 0; i < fs->nr_mkfs_options; i++)
		if (option_listed(fs->mkfs_option[i].name, &wanted))
			return &fs->mkfs_option[i];
	return NULL;
}

static int check_parts(const struct make *make, const char *option,
		       const struct filesystem_switch *is, const char *value)
{
	struct option_word part, entry;
	const char *list = value;
	char hint[320], near[64];

	if (!*value || *value == ',' || strstr(value, ",,") || value[strlen(value) - 1] == ',' ||
	    strpbrk(value, " \t"))
		return refuse(make, "", "mkfs option %s: expected NAME or NAME=VALUE, ... found %s",
			      option, *value ? value : "nothing");
	while (option_next(&list, &part)) {
		switch (option_fit(is->parts, &part, &entry)) {
		case OPTION_FITS:
			break;
		case OPTION_VALUE:
			return refuse(make, "", "mkfs option %s: expected %.*s, found %.*s", option,
				      (int)entry.len, entry.at, (int)part.len, part.at);
		default:
			if (option_nearest(is->parts, &part, near, sizeof(near)))
				snprintf(hint, sizeof(hint), "did you mean %s?", near);
			else
				snprintf(hint, sizeof(hint), "allowed are: %.280s", is->parts);
			return refuse(make, hint, "mkfs option %s %.*s: not one that is allowed",
				      option, (int)part.name, part.at);
		}
	}
	return 0;
}

static int check_value(const struct make *make, const char *option,
		       const struct filesystem_switch *is, const char *value)
{
	if (*is->parts)
		return check_parts(make, option, is, value);
	if (option_value_fits(is->value, strlen(is->value), value, strlen(value)))
		return 0;
	return refuse(make, "", "mkfs option %s: expected a value of the form %s, found \"%.64s\"",
		      option, is->value, value);
}

/*
 * Of an option that is given twice some mkfs take the last alone (mke2fs -E): parts are joined to
 * those that are there, of the table's own command as well.  1: done; 0: there is none.
 */
static int join_parts(const struct make *make, const struct filesystem_switch *is,
		      const char *value)
{
	struct tool_words *words = make->words;

	for (size_t i = 1; *is->parts && i + 1 < words->nr; i++) {
		const struct option_word word = option_word(words->word[i]);
		char *joined;

		if (!option_listed(is->name, &word))
			continue;
		if (asprintf(&joined, "%s,%s", words->word[i + 1], value) < 0)
			return trouble_memory(make->trouble, make->fs->name);
		free(words->word[i + 1]);
		words->word[i + 1] = joined;
		return 1;
	}
	return 0;
}

static int add_with_value(const struct make *make, const char *option,
			  const struct filesystem_switch *is, const char *value)
{
	int joined;

	if (!value)
		return refuse(make, "", "mkfs option %s: its value is missing", option);
	if (check_value(make, option, is, value))
		return -1;
	joined = join_parts(make, is, value);
	if (joined)
		return joined < 0 ? -1 : 0;
	return tool_words_add_each(make->words, make->fs->name, make->trouble, option, value, NULL);
}

/* An option at @given: "-b", "-b4096", "--nodesize", "--nodesize=16k"; *taken: words of it. */
static int add_option(const struct make *make, char *const *given, size_t *taken)
{
	const char *text = given[0];
	bool is_long = !strncmp(text, "--", 2);
	size_t len = is_long ? strcspn(text, "=") : 2;
	const struct filesystem_switch *is;
	char option[64];

	*taken = 1;
	if (*text != '-' || strlen(text) < 2 || !strcmp(text, "--"))
		return refuse(make, "fsbctl gives the device and its size",
			      "mkfs: \"%.64s\" is not an option", text);
	snprintf(option, sizeof(option), "%.*s", (int)len, text);
	is = find_switch(make->fs, text, len);
	if (!is)
		return refuse_unknown(make, option);
	if (*is->refused)
		return refuse(make, "", "mkfs option %s is not allowed: it %s", option,
			      is->refused);
	if (*is->value || *is->parts) {
		*taken = text[len] ? 1 : 2;
		return add_with_value(make, option, is,
				      text[len] ? text + len + is_long : given[1]);
	}
	if (text[len])
		return refuse(make, "write each option by itself", "mkfs option %s takes no value",
			      option);
	return tool_words_add_each(make->words, make->fs->name, make->trouble, option, NULL);
}

static int add_given(const struct make *make, const char *arguments)
{
	struct tool_words given = {.nr = 0};
	int ret = tool_words_add(&given, arguments, make->fs->name, make->trouble);

	for (size_t i = 0, taken; !ret && i < given.nr; i += taken)
		ret = add_option(make, &given.word[i], &taken);
	tool_words_free(&given);
	return ret;
}

/* "-d size=%llu" with the number in it. */
static int add_size(const struct make *make, uint64_t bytes)
{
	const struct filesystem *fs = make->fs;
	const char *at = strstr(fs->mkfs_size, "%llu");
	char text[256];

	if (!at)
		return trouble_set(make->trouble, TROUBLE_MISSING, fs->name,
				   "give it the whole of a partition, or a part of a whole disk",
				   "its mkfs cannot be told a size");
	snprintf(text, sizeof(text), "%.*s%llu%.64s", (int)(at - fs->mkfs_size), fs->mkfs_size,
		 (unsigned long long)(bytes / fs->mkfs_size_unit), at + strlen("%llu"));
	return tool_words_add(make->words, text, fs->name, make->trouble);
}

int filesystem_make_words(const struct filesystem *fs, const char *node, uint64_t bytes,
			  const char *arguments, struct tool_words *words, struct trouble *trouble)
{
	const struct make make = {.fs = fs, .words = words, .trouble = trouble};
	bool size_is_option = *fs->mkfs_size == '-';

	if (tool_words_add(words, fs->mkfs, fs->name, trouble) || add_given(&make, arguments))
		return -1;
	if (bytes && size_is_option && add_size(&make, bytes))
		return -1;
	if (fs->mkfs_dashes && tool_words_add_each(words, fs->name, trouble, "--", NULL))
		return -1;
	if (tool_words_add_each(words, fs->name, trouble, node, NULL))
		return -1;
	return bytes && !size_is_option ? add_size(&make, bytes) : 0;
}

int filesystem_mount_words(const struct filesystem *fs, const char *node, const char *options,
			   const char *at, struct tool_words *words, struct trouble *trouble)
{
	if (tool_words_add_each(words, fs->name, trouble, "mount", "-t", fs->mount_type, NULL))
		return -1;
	if (*options && tool_words_add_each(words, fs->name, trouble, "-o", options, NULL))
		return -1;
	return tool_words_add_each(words, fs->name, trouble, "--", node, at, NULL);
}
