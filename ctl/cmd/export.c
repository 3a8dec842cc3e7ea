// SPDX-License-Identifier: GPL-2.0-or-later
/* export: a run with all that is known of it, as a file. */
#include "cmd/cmd.h"

#include <getopt.h>

#include "cmd/store_option.h"
#include "cmd/trouble_out.h"

enum { OPT_DB = 256 };

static int run(int argc, char **argv)
{
	static const struct option options[] = {{"db", required_argument, NULL, OPT_DB}, {0}};
	const char *db = NULL;
	struct trouble trouble;
	struct store *store;
	int option, err;

	while ((option = cmd_getopt(&cmd_export, argc, argv, "", options)) != -1) {
		if (option == 'h')
			return EXIT_OK;
		if (option == '?')
			return EXIT_USAGE;
		db = optarg;
	}
	if (argc - optind != 2) {
		cmd_error("export", "usage: fsbctl export RUN FILE",
			  "needs a run and a file, \"-\" for standard output");
		return EXIT_USAGE;
	}
	err = store_option_open(&store, db, STORE_READ);
	if (err)
		return err;
	err = store_export(store, argv[optind], argv[optind + 1], &trouble);
	store_close(store);
	return err ? trouble_out(&trouble) : EXIT_OK;
}

const struct cmd cmd_export = {
	.name = "export",
	.usage = "RUN FILE [--db FILE]",
	.summary = "writes a run with all its trials to a file",
	.help = "FILE gets one JSON document (schema fsbstat-run/1), \"-\" is standard output; an\n"
		"older file of that name is replaced when the new one is complete.  fsbctl import\n"
		"takes it in on another machine.\n"
		"\n"
		"      --db FILE   the runs are there (~/.local/share/fsbctl/runs.db)\n",
	.run = run,
};
