// SPDX-License-Identifier: GPL-2.0-or-later
/* import: a run from a file that fsbctl export wrote. */
#include "cmd/cmd.h"

#include <getopt.h>
#include <stdlib.h>

#include "cmd/store_option.h"
#include "cmd/trouble_out.h"
#include "message.h"

enum { OPT_DB = 256 };

static int run(int argc, char **argv)
{
	static const struct option options[] = {{"db", required_argument, NULL, OPT_DB}, {0}};
	char *name = NULL, safe[1024];
	bool new;
	const char *db = NULL;
	struct trouble trouble;
	struct store *store;
	int option, err;

	while ((option = cmd_getopt(&cmd_import, argc, argv, "", options)) != -1) {
		if (option == 'h')
			return EXIT_OK;
		if (option == '?')
			return EXIT_USAGE;
		db = optarg;
	}
	if (argc - optind != 1) {
		cmd_error("import", "usage: fsbctl import FILE",
			  "needs one file, \"-\" for standard input");
		return EXIT_USAGE;
	}
	err = store_option_open(&store, db, STORE_WRITE);
	if (err)
		return err;
	err = store_import(store, argv[optind], &name, &new, &trouble);
	store_close(store);
	if (err)
		return trouble_out(&trouble);
	if (!new)
		cmd_error(argv[optind], "", "already here, as %s: nothing was added",
			  message_printable(safe, sizeof(safe), name));
	puts(message_printable(safe, sizeof(safe), name));
	free(name);
	return EXIT_OK;
}

const struct cmd cmd_import = {
	.name = "import",
	.usage = "FILE [--db FILE]",
	.summary = "takes in a run that fsbctl export wrote",
	.help = "Prints the name of the run: the one it had, or the next number where that is "
		"taken.\n"
		"A run that is stored already is not added again; that one's name is printed.\n"
		"The document is checked in full before anything is stored; \"-\" is standard "
		"input.\n"
		"\n"
		"      --db FILE   store it there (~/.local/share/fsbctl/runs.db)\n",
	.run = run,
};
