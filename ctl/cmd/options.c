// SPDX-License-Identifier: GPL-2.0-or-later
/* options: getopt_long() with --help and plain words about mistakes.  For every command. */
#include "cmd/cmd.h"
#include "nearest.h"

#include <getopt.h>
#include <stdbool.h>
#include <string.h>

#define OPTIONS_MAX 32

/* argv still has the mistaken option as it was typed, in front of optind. */
static void unknown_long_option(const struct cmd *cmd, const char *typed,
				const struct option *options)
{
	const char *words[OPTIONS_MAX + 1], *near;
	size_t len = strcspn(typed + 2, "="), nr;
	char word[64], hint[128];

	for (nr = 0; options[nr].name; nr++)
		words[nr] = options[nr].name;
	snprintf(word, sizeof(word), "%.*s", (int)(len < sizeof(word) ? len : sizeof(word)),
		 typed + 2);
	near = nearest_word(word, words, nr);
	if (near)
		snprintf(hint, sizeof(hint), "did you mean --%s?", near);
	else
		snprintf(hint, sizeof(hint), "fsbctl %s --help lists its options", cmd->name);
	cmd_error(cmd->name, hint, "unknown option --%s", word);
}

static bool begins_several(const char *typed, const struct option *options)
{
	size_t len = strcspn(typed, "=");
	int nr = 0;

	for (; options->name; options++)
		nr += !strncmp(options->name, typed, len);
	return nr > 1;
}

/*
 * Whether the mistake is the long option in front of optind.  In the middle of "-xy"
 * optind has not moved and another option stands there, but optopt tells: it is 0
 * for an unknown long option, and else the value of the one at fault.
 */
static bool is_long_option(const char *typed, const struct option *options)
{
	size_t len = strcspn(typed, "=");

	if (strncmp(typed, "--", 2) || !optopt)
		return !optopt;
	for (; options->name; options++)
		if (options->val == optopt && !strncmp(options->name, typed + 2, len - 2))
			return true;
	return false;
}

static void explain_mistake(const struct cmd *cmd, int result, const char *typed,
			    const struct option *options)
{
	bool is_long = is_long_option(typed, options);
	char hint[256];

	snprintf(hint, sizeof(hint), "usage: fsbctl %s %s", cmd->name, cmd->usage);
	if (result == ':' && is_long)
		cmd_error(cmd->name, hint, "option %s needs a value", typed);
	else if (result == ':')
		cmd_error(cmd->name, hint, "option -%c needs a value", optopt);
	else if (is_long && optopt)
		cmd_error(cmd->name, hint, "option %s takes no value", typed);
	else if (is_long && begins_several(typed + 2, options))
		cmd_error(cmd->name, hint, "option %s is short for more than one", typed);
	else if (is_long)
		unknown_long_option(cmd, typed, options);
	else
		cmd_error(cmd->name, hint, "unknown option -%c", optopt);
}

int cmd_getopt(const struct cmd *cmd, int argc, char **argv, const char *optstring,
	       const struct option *options)
{
	static const struct option help = { "help", no_argument, NULL, 'h' };
	struct option all[OPTIONS_MAX + 2] = { 0 };
	char shorts[OPTIONS_MAX * 3 + 4];
	size_t nr = 0;
	int result;

	for (; options && options[nr].name && nr < OPTIONS_MAX; nr++)
		all[nr] = options[nr];
	all[nr] = help;
	/* ':' after a leading '+' or '-' tells a missing value from an unknown option. */
	snprintf(shorts, sizeof(shorts), "%.*s:h%s", optstring[0] == '+' || optstring[0] == '-',
		 optstring, optstring + (optstring[0] == '+' || optstring[0] == '-'));

	opterr = 0;
	result = getopt_long(argc, argv, shorts, all, NULL);
	if (result == 'h') {
		cmd_help(cmd, stdout);
	} else if (result == '?' || result == ':') {
		explain_mistake(cmd, result, argv[optind - 1], all);
		result = '?';
	}
	return result;
}
