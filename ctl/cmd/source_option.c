// SPDX-License-Identifier: GPL-2.0-or-later
/* source_option: --source and --layers, for the commands that count. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"

static const struct {
	const char *name;
	uint32_t layers;
} layers_by_name[] = {
	{ "request", FSBSTAT_LAYER_REQUEST }, { "bio", FSBSTAT_LAYER_BIO },
	{ "drive", FSBSTAT_LAYER_DRIVE },     { "fs", FSBSTAT_LAYER_FS },
	{ "all", FSBSTAT_LAYERS_ALL },
};

static uint32_t layers_of(const char *name)
{
	for (size_t i = 0; i < sizeof(layers_by_name) / sizeof(layers_by_name[0]); i++)
		if (!strcmp(layers_by_name[i].name, name))
			return layers_by_name[i].layers;
	return 0;
}

int cmd_layers_option(const char *text, uint32_t *layers)
{
	char *copy = strdup(text), *at = copy, *name;
	uint32_t found = FSBSTAT_LAYER_REQUEST;

	if (!copy) {
		cmd_error("--layers", "", "%s", strerror(ENOMEM));
		return EXIT_FSBCTL;
	}
	*layers = 0;
	while (found && (name = strsep(&at, ","))) {
		found = layers_of(name);
		*layers |= found;
		if (!found)
			cmd_error("--layers", "request, bio, drive, fs or all, with commas",
				  "'%s' is no layer", name);
	}
	free(copy);
	return found ? 0 : EXIT_USAGE;
}

int cmd_source_option(const char *text, enum source_kind *kind)
{
	if (source_kind_parse(text, kind) == 0)
		return 0;
	cmd_error("--source", "auto, module or diskstats", "'%s' is no source", text);
	return EXIT_USAGE;
}
