// SPDX-License-Identifier: GPL-2.0-or-later
/* settings_word: KEY=VALUE as a person types it; see settings.h. */
#include "disk/settings_state.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *const values_hint[SETTINGS] = {
	[SETTING_WRITE_CACHE] = "write_cache=on or write_cache=off",
	[SETTING_WRITE_CACHE_KERNEL] =
		"write_cache_kernel=\"write back\" or write_cache_kernel=\"write through\"",
	[SETTING_NCQ] = "ncq=NUMBER, ncq=off (one command at a time) or ncq=max",
	[SETTING_SCHEDULER] = "scheduler=NAME, such as none, mq-deadline, bfq",
	[SETTING_NR_REQUESTS] = "nr_requests=NUMBER",
};

static bool is_number(const char *text)
{
	size_t len = strlen(text);

	return len && len <= 7 && strspn(text, "0123456789") == len && *text != '0';
}

/* The words of sysfs have a blank in them; "write-back" and "write_back" do as well. */
static bool take_kernel_view(char *value)
{
	for (char *c = value; *c; c++)
		if (*c == '-' || *c == '_')
			*c = ' ';
	return !strcmp(value, "write back") || !strcmp(value, "write through");
}

/* Makes value the word that is used from here on; false when it makes no sense. */
static bool take_value(enum setting setting, char *value)
{
	switch (setting) {
	case SETTING_WRITE_CACHE:
		return !strcmp(value, "on") || !strcmp(value, "off");
	case SETTING_WRITE_CACHE_KERNEL:
		return take_kernel_view(value);
	case SETTING_NCQ:
		if (!strcmp(value, "off"))
			strcpy(value, "1");
		return !strcmp(value, "max") || is_number(value);
	case SETTING_NR_REQUESTS:
		return is_number(value);
	case SETTING_SCHEDULER:
		for (const char *c = value; *c; c++)
			if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_')
				return false;
		return *value;
	default:
		return false;
	}
}

int settings_parse(const char *word, struct settings *settings, struct settings_error *error)
{
	char name[SETTING_NAME_MAX], value[SETTING_VALUE_MAX];
	size_t len = strcspn(word, "=");
	enum setting setting;

	snprintf(name, sizeof(name), "%.*s", len < sizeof(name) ? (int)len : (int)sizeof(name),
		 word);
	if (!word[len])
		return settings_fail(error, SETTINGS_USAGE, word,
				     "fsbctl set --help lists the settings", "is not KEY=VALUE");
	setting = settings_by_name(name);
	if (setting == SETTINGS)
		return settings_fail(error, SETTINGS_USAGE, name,
				     "the settings are write_cache, write_cache_kernel, ncq,\n"
				     "scheduler and nr_requests",
				     "no such setting");
	if (*settings->value[setting])
		return settings_fail(error, SETTINGS_USAGE, name, "", "is given twice");
	snprintf(value, sizeof(value), "%.*s", (int)sizeof(value) - 1, word + len + 1);
	if (strlen(word + len + 1) >= sizeof(value) || !take_value(setting, value))
		return settings_fail(error, SETTINGS_USAGE, name, values_hint[setting],
				     "takes no value \"%.64s\"", word + len + 1);
	strcpy(settings->value[setting], value);
	return 0;
}

bool settings_any(const struct settings *settings)
{
	for (int i = 0; i < SETTINGS; i++)
		if (*settings->value[i])
			return true;
	return false;
}

bool settings_same(const struct settings *a, const struct settings *b)
{
	for (int i = 0; i < SETTINGS; i++)
		if (strcmp(a->value[i], b->value[i]))
			return false;
	return true;
}
