// SPDX-License-Identifier: GPL-2.0-or-later
/* recording: a recording, replayed by each command that takes one; the first byte says by which. */
#include <getopt.h>

#include "cmd/cmd.h"
#include "fuzz.h"

#define ARGS_MAX 8

static const struct {
	const struct cmd *cmd;
	const char *arg[ARGS_MAX];
} uses[] = {
	{ &cmd_record, { "record" } },
	{ &cmd_record, { "record", "--json" } },
	{ &cmd_record, { "record", "--csv" } },
	{ &cmd_stat, { "stat" } },
	{ &cmd_stat, { "stat", "--json" } },
	{ &cmd_stat, { "stat", "--csv" } },
	{ &cmd_epochs, { "epochs" } },
	{ &cmd_top, { "top", "--batch", "--size", "80x24" } },
	{ &cmd_top, { "top", "--batch", "--size", "132x43", "--view", "latency" } },
};

#define USES (sizeof(uses) / sizeof(uses[0]))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char from[PATH_MAX + 16], *argv[ARGS_MAX + 2] = { NULL };
	size_t use;
	int argc;

	if (!size)
		return 0;
	use = data[0] % USES;
	snprintf(from, sizeof(from), uses[use].cmd == &cmd_epochs ? "%s" : "--from=%s",
		 fuzz_file(data + 1, size - 1));
	for (argc = 0; argc < ARGS_MAX && uses[use].arg[argc]; argc++)
		argv[argc] = (char *)uses[use].arg[argc];
	argv[argc++] = from;
	optind = 0;
	uses[use].cmd->run(argc, argv);
	return 0;
}
