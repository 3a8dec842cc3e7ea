// SPDX-License-Identifier: GPL-2.0-or-later
/* report: what a stored run found out. */
#include "cmd/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <string.h>

#include "cmd/store_option.h"
#include "cmd/trouble_out.h"
#include "output_file.h"
#include "results/results.h"

enum { OPT_DB = 256, OPT_FORMAT, OPT_BASELINE };

static const struct option long_options[] = {
	{"db", required_argument, NULL, OPT_DB},
	{"format", required_argument, NULL, OPT_FORMAT},
	{"baseline", required_argument, NULL, OPT_BASELINE},
	{"output", required_argument, NULL, 'o'},
	{"quiet", no_argument, NULL, 'q'},
	{NULL, 0, NULL, 0},
};

struct report_options {
	const char *run, *db, *output, *baseline;
	const struct results_ops *format;
	bool quiet;
};

static int format_option(const char *name, const struct results_ops **format)
{
	static const struct results_ops *const formats[] = {
		&results_text,
		&results_table,
		&results_csv,
		&results_json,
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (strcmp(formats[i]->name, name))
			continue;
		*format = formats[i];
		return 0;
	}
	cmd_error("--format", "text, table, csv or json", "there is no format '%s'", name);
	return EXIT_USAGE;
}

static int one_option(struct report_options *options, int option)
{
	switch (option) {
	case OPT_DB:
		options->db = optarg;
		return 0;
	case OPT_FORMAT:
		return format_option(optarg, &options->format);
	case OPT_BASELINE:
		options->baseline = optarg;
		return 0;
	case 'o':
		options->output = optarg;
		return 0;
	case 'q':
		options->quiet = true;
		return 0;
	default:
		return EXIT_USAGE;
	}
}

/* Standard output is closed, and looked after, by whoever dispatches commands. */
static int show(const struct results *results, const struct report_options *options)
{
	bool standard = !options->output || !strcmp(options->output, "-");
	FILE *to = standard ? stdout : output_file_open(options->output, true);
	int err, failed;

	if (!to) {
		cmd_error(options->output, "", "cannot be written: %s", output_file_why());
		return EXIT_FSBCTL;
	}
	err = options->format->show(to, results);
	if (err)
		cmd_error("report", "", "%s", strerror(-err));
	if (!standard) {
		errno = 0;
		failed = fflush(to) || ferror(to);
		if (fclose(to) || failed) {
			cmd_error(options->output, "", "cannot be written: %s",
				  errno ? strerror(errno) : "write failed");
			err = -EIO;
		}
	}
	return err ? EXIT_FSBCTL : EXIT_OK;
}

static bool has_configuration(const struct store_result *stored, const char *name)
{
	for (size_t i = 0; i < stored->nr_cells; i++)
		if (!strcmp(stored->cell[i].configuration, name))
			return true;
	return false;
}

static int report(const struct store_result *stored, const struct report_options *options)
{
	struct results results;
	int err;

	if (options->baseline && !has_configuration(stored, options->baseline)) {
		cmd_error("--baseline", "fsbctl report without it shows their names",
			  "%s has no configuration '%s'", stored->run.name, options->baseline);
		return EXIT_USAGE;
	}
	err = results_make(&results, stored, options->baseline);
	if (err) {
		cmd_error("report", "", "%s", strerror(-err));
		err = EXIT_FSBCTL;
	} else {
		results.quiet = options->quiet;
		err = show(&results, options);
	}
	results_free(&results);
	return err;
}

static int run(int argc, char **argv)
{
	struct report_options options = {.format = &results_text};
	struct store_result stored;
	struct trouble trouble;
	struct store *store;
	int option, err;

	while ((option = cmd_getopt(&cmd_report, argc, argv, "o:q", long_options)) != -1) {
		if (option == 'h')
			return EXIT_OK;
		err = one_option(&options, option);
		if (err)
			return err;
	}
	if (argc - optind > 1) {
		cmd_error("report", "fsbctl runs lists the runs there are", "one run only");
		return EXIT_USAGE;
	}
	options.run = argv[optind]; /* NULL: the latest */
	err = store_option_open(&store, options.db, STORE_READ);
	if (err)
		return err;
	err = store_load(store, options.run, &stored, &trouble);
	store_close(store);
	if (err)
		return trouble_out(&trouble);
	err = report(&stored, &options);
	store_result_free(&stored);
	return err;
}

const struct cmd cmd_report = {
	.name = "report",
	.usage = "[RUN] [--format FORMAT] [--baseline NAME] [-o FILE] [-q] [--db FILE]",
	.summary = "what a run found out: scores, what the disk did, changes",
	.help = "RUN is a name that fsbctl runs lists; the latest one if there is none.\n"
		"\n"
		"      --format FORMAT   text   bars, the disk's figures, changes against the "
		"baseline\n"
		"                        table  least, quartiles and most of every cell\n"
		"                        csv, json\n"
		"      --baseline NAME   compare with this configuration\n"
		"  -o, --output FILE     write there\n"
		"  -q, --quiet           no notes on outliers\n"
		"      --db FILE         the runs are there (~/.local/share/fsbctl/runs.db)\n"
		"\n"
		"A change comes with its 95 % interval, which needs two runs of either; every run\n"
		"counts, outliers too.",
	.run = run,
};
