// SPDX-License-Identifier: GPL-2.0-or-later
/* matrix_key: what each key of a configuration may be; see matrix_file.h. */
#include "bench/matrix_file.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"

#define FS_NAME_MAX 32

struct key_rule {
	const char *name;
	const char *expected;
	/* False: no value for this.  A text that is NULL afterwards: out of memory. */
	bool (*put)(struct configuration *configuration, const char *text);
	enum setting setting; /* where there is no put() */
	const char *word[4]; /* all it may be, for the nearest; none: anything */
};

int matrix_switch(const char *text)
{
	static const char *const words[] = {"off", "on", "no", "yes", "false", "true"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(text, words[i]))
			return i % 2;
	return -1;
}

static bool put_fs(struct configuration *configuration, const char *text)
{
	size_t len = strlen(text);

	if (!isalnum((unsigned char)*text) || len > FS_NAME_MAX)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("-_.", text[i]))
			return false;
	configuration->fs = strdup(text);
	return true;
}

static bool is_one_line(const char *text)
{
	for (; *text; text++)
		if (iscntrl((unsigned char)*text))
			return false;
	return true;
}

static bool put_mkfs(struct configuration *configuration, const char *text)
{
	if (!is_one_line(text))
		return false;
	configuration->mkfs = strdup(text);
	return true;
}

static bool put_mount(struct configuration *configuration, const char *text)
{
	size_t len = strlen(text);

	if (!is_one_line(text) || strpbrk(text, " \"'\\") || strstr(text, ",,") || *text == ',' ||
	    (len && text[len - 1] == ',') || *text == '-')
		return false;
	configuration->mount = strdup(text);
	return true;
}

static bool put_barrier(struct configuration *configuration, const char *text)
{
	int on = matrix_switch(text);

	if (on < 0)
		return false;
	configuration->barrier = on ? ON : OFF;
	return true;
}

static bool put_emulate(struct configuration *configuration, const char *text)
{
	int on = matrix_switch(text);

	if (on < 0)
		return false;
	configuration->emulate = on;
	return true;
}

static bool put_cache(struct configuration *configuration, const char *text)
{
	bool warm = !strcmp(text, "warm");

	if (!warm && strcmp(text, "cold"))
		return false;
	configuration->cache = warm ? CACHE_WARM : CACHE_COLD;
	return true;
}

static const char *const preparations[] = {
	[PREPARATION_NONE] = "none",
	[PREPARATION_TRIM] = "trim",
	[PREPARATION_FILL] = "fill",
};

const char *matrix_preparation_name(enum matrix_preparation preparation)
{
	return preparations[preparation];
}

static bool put_preparation(struct configuration *configuration, const char *text)
{
	for (size_t i = 0; i < sizeof(preparations) / sizeof(*preparations); i++) {
		if (strcmp(text, preparations[i]))
			continue;
		configuration->preparation = (enum matrix_preparation)i;
		return true;
	}
	return false;
}

static const struct key_rule rules[MATRIX_KEYS] = {
	[KEY_FS] = {.name = "fs",
		    .put = put_fs,
		    .expected = "the name of a filesystem, such as ext4"},
	[KEY_MKFS] = {.name = "mkfs",
		      .put = put_mkfs,
		      .expected = "options for mkfs in one line, such as -O ^has_journal"},
	[KEY_MOUNT] = {.name = "mount",
		       .put = put_mount,
		       .expected = "mount options separated by commas, without blanks or quotes"},
	[KEY_BARRIER] = {.name = "barrier",
			 .put = put_barrier,
			 .expected = "on or off",
			 .word = {"on", "off"}},
	[KEY_EMULATE] = {.name = "emulate",
			 .put = put_emulate,
			 .expected = "yes or no",
			 .word = {"yes", "no"}},
	[KEY_WRITE_CACHE] = {.name = "write_cache",
			     .setting = SETTING_WRITE_CACHE,
			     .expected = "on or off",
			     .word = {"on", "off"}},
	[KEY_WRITE_CACHE_KERNEL] = {.name = "write_cache_kernel",
				    .setting = SETTING_WRITE_CACHE_KERNEL,
				    .expected = "write back or write through",
				    .word = {"write back", "write through"}},
	[KEY_NCQ] = {.name = "ncq",
		     .setting = SETTING_NCQ,
		     .word = {"max", "off"},
		     .expected = "a number from 1, max or off"},
	[KEY_SCHEDULER] = {.name = "scheduler",
			   .setting = SETTING_SCHEDULER,
			   .expected = "the name of a scheduler, such as mq-deadline"},
	[KEY_NR_REQUESTS] = {.name = "nr_requests",
			     .setting = SETTING_NR_REQUESTS,
			     .expected = "a number from 1"},
	[KEY_CACHE] = {.name = "cache",
		       .put = put_cache,
		       .expected = "cold or warm",
		       .word = {"cold", "warm"}},
	[KEY_PREPARATION] = {.name = "preparation",
			     .put = put_preparation,
			     .expected = "none, trim or fill",
			     .word = {"none", "trim", "fill"}},
};

const char *matrix_key_name(enum matrix_key key)
{
	return rules[key].name;
}

/* Through the code of `fsbctl set`, so that both take the same words. */
static bool put_setting(struct settings *settings, enum setting setting, const char *text)
{
	char word[SETTING_NAME_MAX + SETTING_VALUE_MAX];
	struct settings_error error;
	int len;

	settings->value[setting][0] = '\0';
	len = snprintf(word, sizeof(word), "%s=%s", settings_name(setting), text);
	return len < (int)sizeof(word) && !settings_parse(word, settings, &error);
}

static int refuse(const struct matrix_reader *reader, const struct key_rule *rule, const char *text,
		  unsigned int line)
{
	size_t nr = 0;
	const char *near;
	char hint[128] = "";

	while (nr < sizeof(rule->word) / sizeof(*rule->word) && rule->word[nr])
		nr++;
	near = nearest_word(text, rule->word, nr);
	if (near)
		snprintf(hint, sizeof(hint), "did you mean \"%s\"?", near);
	return matrix_wrong(reader, line, hint, "\"%s\": expected %s, found \"%.64s\"", rule->name,
			    rule->expected, text);
}

static void free_texts(struct configuration *configuration)
{
	free(configuration->fs);
	free(configuration->mkfs);
	free(configuration->mount);
}

int matrix_key_put(const struct matrix_reader *reader, struct configuration *configuration,
		   enum matrix_key key, const char *text, unsigned int line)
{
	const struct key_rule *rule = &rules[key];
	struct configuration only_checked = {0};
	struct configuration *to = configuration ? configuration : &only_checked;
	bool taken = rule->put ? rule->put(to, text)
			       : put_setting(&to->settings, rule->setting, text);

	free_texts(&only_checked);
	return taken ? 0 : refuse(reader, rule, text, line);
}
