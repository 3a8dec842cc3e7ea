// SPDX-License-Identifier: GPL-2.0-or-later
/* dispatch: from the command line to a command, and help about both.  For main(). */
#include "cmd/cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include <fsbstat_version.h>

#include "cmd/settings_out.h"
#include "message.h"
#include "nearest.h"

#define COMMANDS_MAX 32

void cmd_error(const char *object, const char *hint, const char *format, ...)
{
	char reason[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	message_error(object, reason, hint);
}

void cmd_help(const struct cmd *cmd, FILE *to)
{
	fprintf(to, "usage: fsbctl %s%s%s\n\n%s\n", cmd->name, *cmd->usage ? " " : "", cmd->usage,
		cmd->summary);
	if (*cmd->help)
		fprintf(to, "\n%s%s", cmd->help,
			cmd->help[strlen(cmd->help) - 1] == '\n' ? "" : "\n");
}

static void usage(const struct cmd *const *table, FILE *to)
{
	fputs("usage: fsbctl COMMAND [ARGUMENTS]\n\n"
	      "Counts what a disk is really asked to do: requests, cache flushes, FUA writes,\n"
	      "how long each took and how deep the queue was.\n\n",
	      to);
	for (; *table; table++)
		fprintf(to, "  %-9s %s\n", (*table)->name, (*table)->summary);
	fputs("\n"
	      "  fsbctl help COMMAND    what a command does, and its options\n"
	      "  fsbctl --version       version of this tool\n",
	      to);
}

static const struct cmd *find_command(const struct cmd *const *table, const char *name)
{
	const char *words[COMMANDS_MAX], *near;
	char hint[128] = "fsbctl --help lists the commands";
	size_t nr = 0;

	for (; table[nr] && nr < COMMANDS_MAX; nr++) {
		words[nr] = table[nr]->name;
		if (!strcmp(table[nr]->name, name))
			return table[nr];
	}
	near = nearest_word(name, words, nr);
	if (near)
		snprintf(hint, sizeof(hint), "did you mean %s?", near);
	cmd_error(name, hint, "unknown %s", name[0] == '-' ? "option" : "command");
	return NULL;
}

static int help(const struct cmd *const *table, const char *name)
{
	const struct cmd *cmd = NULL;

	if (name) {
		cmd = find_command(table, name);
		if (!cmd)
			return EXIT_USAGE;
		cmd_help(cmd, stdout);
	} else {
		usage(table, stdout);
	}
	return EXIT_OK;
}

/* A report that did not get out in full is no success. */
static int close_stdout(int status)
{
	bool failed = ferror(stdout);

	errno = 0;
	if (fflush(stdout))
		failed = true;
	if (!failed)
		return status;
	cmd_error("standard output", "", "%s", errno ? strerror(errno) : "write failed");
	return status == EXIT_OK ? EXIT_FSBCTL : status;
}

static int run(const struct cmd *const *table, int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : NULL;
	const struct cmd *cmd;

	if (!word) {
		usage(table, stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(word, "-h") || !strcmp(word, "--help") || !strcmp(word, "help"))
		return help(table, argc > 2 ? argv[2] : NULL);
	if (!strcmp(word, "-V") || !strcmp(word, "--version")) {
		printf("fsbctl %s\n", FSBSTAT_VERSION);
		return EXIT_OK;
	}
	cmd = find_command(table, word);
	if (!cmd)
		return EXIT_USAGE;
	/* The commands that deal with these settings say more about them. */
	if (cmd != &cmd_set && cmd != &cmd_restore && cmd != &cmd_run)
		settings_out_waiting();
	optind = 0; /* the C library's way to say: a new argument vector */
	return cmd->run(argc - 1, argv + 1);
}

/*
 * Nothing that is opened later may stand where messages go: a disk, a store.  Opened the wrong
 * way round, so that who reads or writes there is refused as before.
 */
static int fill_standard(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", (fd ? O_RDONLY : O_WRONLY) | O_CLOEXEC) != fd)
			return -1;
	return 0;
}

int cmd_dispatch(const struct cmd *const *table, int argc, char **argv)
{
	if (fill_standard())
		return EXIT_FSBCTL;
	return close_stdout(run(table, argc, argv));
}
