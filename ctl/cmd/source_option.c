// SPDX-License-Identifier: GPL-2.0-or-later
/* source_option: --source, for the commands that count. */
#include "cmd/cmd.h"

int cmd_source_option(const char *text, enum source_kind *kind)
{
	if (source_kind_parse(text, kind) == 0)
		return 0;
	cmd_error("--source", "auto, module or diskstats", "'%s' is no source", text);
	return EXIT_USAGE;
}
