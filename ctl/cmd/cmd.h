/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd: the table of commands.  One file a command in ctl/cmd/; help, completion
 * and dispatch derive from the record.  Commands may call model, source, disk and
 * out, never one another.
 */
#ifndef FSB_CMD_CMD_H
#define FSB_CMD_CMD_H

#include <stdio.h>

#include "disk/disk.h"
#include "source/source.h"

/* Exit statuses that are fsbctl's own. */
enum {
	EXIT_OK = 0,
	EXIT_CELL_FAILED = 1, /* of a workload matrix */
	EXIT_USAGE = 2,
	EXIT_REFUSED = 3,
	EXIT_CANNOT_RUN_HERE = 77,
	EXIT_FSBCTL = 125,
	EXIT_NOT_EXECUTABLE = 126,
	EXIT_NOT_FOUND = 127,
	EXIT_SIGNAL = 128,
};

struct cmd {
	const char *name;
	const char *usage; /* arguments after the name */
	const char *summary; /* one line */
	const char *help; /* the rest of --help */
	int (*run)(int argc, char **argv); /* argv[0] is the name; returns the exit status */
};

extern const struct cmd cmd_list, cmd_check, cmd_watch, cmd_unwatch, cmd_record, cmd_stat;
extern const struct cmd cmd_epochs, cmd_set, cmd_restore, cmd_top;
extern const struct cmd cmd_validate, cmd_presets, cmd_run;
extern const struct cmd cmd_report, cmd_runs, cmd_export, cmd_import;

/*
 * Runs the command that argv names, out of a table that ends with NULL, and answers
 * --help, --version and help itself.  Returns the exit status.
 */
int cmd_dispatch(const struct cmd *const *table, int argc, char **argv);

/* Prints the command's help. */
void cmd_help(const struct cmd *cmd, FILE *to);

/*
 * getopt_long() for all commands: -h/--help is handled, an unknown option is
 * refused with the nearest known one named.  Returns an option's val, -1 at the
 * end, '?' when the caller must return EXIT_USAGE, 'h' when help was printed.
 */
struct option;
int cmd_getopt(const struct cmd *cmd, int argc, char **argv, const char *optstring,
	       const struct option *options);

/* One line on stderr: "fsbctl: OBJECT: reason", and an indented hint when not "". */
void cmd_error(const char *object, const char *hint, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The value of --source.  0, or EXIT_USAGE (printed). */
int cmd_source_option(const char *text, enum source_kind *kind);
/* --layers: FSBSTAT_LAYER_BIO and so on, as source_want() takes them. */
int cmd_layers_option(const char *text, uint32_t *layers);

/*
 * Tells the module, if it counts the disk, the state of a drive's cache that has been
 * changed; what main() sets settings_cache_changed to.
 */
void cmd_tell_cache(const struct disk *disk, enum tristate is);

#endif /* FSB_CMD_CMD_H */
