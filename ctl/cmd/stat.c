// SPDX-License-Identifier: GPL-2.0-or-later
/* stat: the command line of `fsbctl stat`; the work is in stat_run.c. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/stat.h"
#include "duration.h"
#include "nearest.h"

enum { OPT_JSON = 256, OPT_JSONL, OPT_CSV, OPT_COLUMNS, OPT_SOURCE, OPT_LAYERS, OPT_FROM };

static const struct option long_options[] = {
	{ "time", no_argument, NULL, 't' },
	{ "columns", required_argument, NULL, OPT_COLUMNS },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "jsonl", no_argument, NULL, OPT_JSONL },
	{ "csv", no_argument, NULL, OPT_CSV },
	{ "source", required_argument, NULL, OPT_SOURCE },
	{ "layers", required_argument, NULL, OPT_LAYERS },
	{ "from", required_argument, NULL, OPT_FROM },
	{ "quiet", no_argument, NULL, 'q' },
	{ NULL, 0, NULL, 0 },
};

/* Shorter ones would measure mostly themselves, longer ones are a slip. */
#define INTERVAL_MIN_S 0.01
#define INTERVAL_MAX_S 31536000.0

static int one_column(struct stat_out *out, const char *name)
{
	size_t column = stat_find_column(name);
	const char *words[2 * STAT_COLUMNS_MAX], *near;
	char hint[160] = "fsbctl stat --columns list shows them";
	size_t i;

	if (column < stat_nr_columns && out->nr_chosen < STAT_COLUMNS_MAX) {
		out->chosen[out->nr_chosen++] = column;
		return 0;
	}
	for (i = 0; i < stat_nr_columns; i++) {
		words[2 * i] = stat_columns[i].key;
		words[2 * i + 1] = stat_columns[i].title;
	}
	near = nearest_word(name, words, 2 * stat_nr_columns);
	if (near)
		snprintf(hint, sizeof(hint), "did you mean %s? --columns list shows all", near);
	cmd_error("--columns", hint, "%s: %s", name,
		  column < stat_nr_columns ? "too many" : "no such column");
	return EXIT_USAGE;
}

static int columns_option(struct stat_out *out, const char *text)
{
	char *copy = strdup(text), *at = copy, *name;
	int err = 0;

	while (copy && !err && (name = strsep(&at, ",")))
		err = one_column(out, name);
	if (!copy)
		cmd_error("--columns", "", "%s", strerror(ENOMEM));
	free(copy);
	return copy ? err : EXIT_FSBCTL;
}

static int list_columns(void)
{
	size_t i;

	for (i = 0; i < stat_nr_columns; i++)
		printf("%-8s %-20s %s\n", stat_columns[i].title, stat_columns[i].key,
		       stat_columns[i].meaning);
	return EXIT_OK;
}

static int form_option(struct stat_out *out, const struct stat_ops *ops)
{
	if (out->ops == &stat_text || out->ops == ops) {
		out->ops = ops;
		return 0;
	}
	cmd_error("stat", "", "--json, --jsonl and --csv exclude each other");
	return EXIT_USAGE;
}

static int one_option(struct stat_options *options, int option)
{
	switch (option) {
	case 't':
		options->out.times = true;
		return 0;
	case 'q':
		options->quiet = true;
		return 0;
	case OPT_COLUMNS:
		return columns_option(&options->out, optarg);
	case OPT_JSON:
		return form_option(&options->out, &stat_json);
	case OPT_JSONL:
		return form_option(&options->out, &stat_jsonl);
	case OPT_CSV:
		return form_option(&options->out, &stat_csv);
	case OPT_SOURCE:
		return cmd_source_option(optarg, &options->source);
	case OPT_LAYERS:
		return cmd_layers_option(optarg, &options->layers);
	case OPT_FROM:
		options->from = optarg;
		return 0;
	default:
		return EXIT_USAGE;
	}
}

/* No disk's name begins with a digit, but 8:0 and paths do, or a sign. */
static bool is_number(const char *word)
{
	return (isdigit((unsigned char)word[0]) || word[0] == '-' || word[0] == '+' ||
		word[0] == '.') && !strpbrk(word, ":/");
}

static int interval_word(struct stat_options *options, const char *word)
{
	if (!duration_parse(word, &options->interval) &&
	    options->interval >= INTERVAL_MIN_S && options->interval <= INTERVAL_MAX_S)
		return 0;
	cmd_error("stat", "a number of seconds, or with a unit: 0.5s, 200ms, 2m, 1h",
		  "'%s' is no interval of 10 ms or more", word);
	return EXIT_USAGE;
}

static int count_word(struct stat_options *options, const char *word)
{
	char *end;

	errno = 0;
	options->count = strtoull(word, &end, 10);
	if (isdigit((unsigned char)*word) && !*end && !errno && options->count)
		return 0;
	cmd_error("stat", "fsbctl stat DISK INTERVAL COUNT", "'%s' is no number of rows", word);
	return EXIT_USAGE;
}

/* DISK... [INTERVAL [COUNT]] */
static int words(struct stat_options *options, int argc, char **argv)
{
	int disks = 0, err = 0;

	while (disks < argc && !is_number(argv[disks]))
		disks++;
	options->disk = argv;
	options->nr_disks = (size_t)disks;
	if (!disks && !options->from) {
		cmd_error("stat", "fsbctl list shows the disks", "no disk named");
		return EXIT_USAGE;
	}
	if (disks < argc)
		err = interval_word(options, argv[disks]);
	if (!err && disks + 1 < argc)
		err = count_word(options, argv[disks + 1]);
	if (err || disks + 2 >= argc)
		return err;
	cmd_error(argv[disks + 2], "usage: fsbctl stat DISK... [INTERVAL [COUNT]]",
		  "nothing comes after interval and count");
	return EXIT_USAGE;
}

static int cmd_stat_run(int argc, char **argv)
{
	struct stat_options options = { .out = { .ops = &stat_text, .to = stdout } };
	int option, err;

	while ((option = cmd_getopt(&cmd_stat, argc, argv, "tqh", long_options)) != -1) {
		if (option == 'h')
			return EXIT_OK;
		if (option == OPT_COLUMNS && !strcmp(optarg, "list"))
			return list_columns();
		err = one_option(&options, option);
		if (err)
			return err;
	}
	err = words(&options, argc - optind, argv + optind);
	if (!err && options.from && options.source != SOURCE_AUTO) {
		cmd_error("stat", "", "--from is a source itself: leave --source away");
		err = EXIT_USAGE;
	}
	if (err)
		return err;
	if (options.interval <= 0 && !options.from)
		options.interval = 1;
	return stat_run(&options);
}

const struct cmd cmd_stat = {
	.name = "stat",
	.usage = "DISK... [INTERVAL [COUNT]] [-t] [--columns LIST] [--json|--jsonl|--csv]\n"
		 "              [--source SOURCE] [--layers LIST] [-q]\n"
		 "       fsbctl stat --from FILE [DISK...] [INTERVAL [COUNT]] ...",
	.summary = "a row every second of what a disk does",
	.help =
		"Each row is one INTERVAL (1 s; 0.5, 200ms, 2m are others) alone, also the first:\n"
		"nothing is told of the time before. Ends after COUNT rows, or with Ctrl-C.\n"
		"Columns that a disk cannot have are left out; a wider terminal shows more.\n"
		"\n"
		"  -t, --time           the time of day in front of each row\n"
		"      --columns LIST   these, with commas; --columns list shows all\n"
		"      --json           one document; a valid one, however it ends\n"
		"      --jsonl          a document a line: first what is counted, then the rows\n"
		"      --csv            in per second, bytes, ns and percent\n"
		"      --source SOURCE  module, diskstats, or auto: the module, else diskstats\n"
		"      --layers LIST    count these: request, bio, drive, fs, all; else those that\n"
		"                       the columns need\n"
		"      --from FILE      a recording of fsbctl record --snapshots instead of disks\n"
		"  -q, --quiet          nothing on stderr but errors\n",
	.run = cmd_stat_run,
};
