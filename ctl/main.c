// SPDX-License-Identifier: GPL-2.0-or-later
/* main: which commands there are. */
#include "cmd/cmd.h"
#include "disk/settings.h"

#include <stddef.h>

static const struct cmd *const commands[] = {
	&cmd_list, &cmd_check, &cmd_watch, &cmd_unwatch, &cmd_record, &cmd_stat, &cmd_epochs,
	&cmd_top, &cmd_set, &cmd_restore, &cmd_validate, &cmd_presets, &cmd_run, &cmd_report,
	&cmd_runs, &cmd_export, &cmd_import, NULL,
};

int main(int argc, char **argv)
{
	settings_cache_changed = cmd_tell_cache;
	return cmd_dispatch(commands, argc, argv);
}
