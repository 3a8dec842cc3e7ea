// SPDX-License-Identifier: GPL-2.0-or-later
/* record: the command line of `fsbctl record`; the work is in ctl/record/. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "duration.h"
#include "record/record.h"

enum {
	OPT_PREPARE = 256,
	OPT_CLEANUP,
	OPT_SYNC,
	OPT_SETTLE,
	OPT_JSON,
	OPT_CSV,
	OPT_SOURCE,
	OPT_LAYERS,
	OPT_SNAPSHOTS,
	OPT_FROM,
};

static const struct option long_options[] = {
	{ "wait", required_argument, NULL, 'w' },
	{ "interval", required_argument, NULL, 'I' },
	{ "repeat", required_argument, NULL, 'r' },
	{ "prepare", required_argument, NULL, OPT_PREPARE },
	{ "cleanup", required_argument, NULL, OPT_CLEANUP },
	{ "sync", no_argument, NULL, OPT_SYNC },
	{ "output", required_argument, NULL, 'o' },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "csv", no_argument, NULL, OPT_CSV },
	{ "quiet", no_argument, NULL, 'q' },
	{ "source", required_argument, NULL, OPT_SOURCE },
	{ "layers", required_argument, NULL, OPT_LAYERS },
	{ "settle", required_argument, NULL, OPT_SETTLE },
	{ "snapshots", required_argument, NULL, OPT_SNAPSHOTS },
	{ "from", required_argument, NULL, OPT_FROM },
	{ NULL, 0, NULL, 0 },
};

/* Shorter intervals would measure mostly themselves, longer ones are a slip. */
#define INTERVAL_MIN_S 0.01
#define SECONDS_MAX 31536000.0

static int usage_error(const char *object, const char *reason, const char *hint)
{
	cmd_error(object, hint, "%s", reason);
	return EXIT_USAGE;
}

static int seconds_option(const char *option, const char *text, double least, double *seconds)
{
	if (!duration_parse(text, seconds) && *seconds >= least && *seconds <= SECONDS_MAX)
		return 0;
	cmd_error(option, "a number of seconds, or with a unit: 0.5s, 200ms, 2m, 1h",
		  "'%s' is not a time%s", text, least > 0 ? " of 10 ms or more" : "");
	return EXIT_USAGE;
}

static int settle_option(const char *text, uint64_t *settle_ns)
{
	double seconds;
	int err = seconds_option("--settle", text, 0, &seconds);

	if (!err)
		*settle_ns = (uint64_t)(seconds * 1e9);
	return err;
}

static int runs_option(const char *text, unsigned int *runs)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (*text && !*end && value >= 1 && value <= RUNS_MAX) {
		*runs = (unsigned int)value;
		return 0;
	}
	cmd_error("-r", "", "'%s' is no number from 1 to %d", text, RUNS_MAX);
	return EXIT_USAGE;
}

static int format_option(struct record_options *options, const struct out_ops *format)
{
	if (options->format != &out_text && options->format != format)
		return usage_error("record", "--json and --csv exclude each other", "");
	options->format = format;
	return 0;
}

static int one_option(struct record_options *options, int option)
{
	switch (option) {
	case 'w':
		return seconds_option("-w", optarg, 0, &options->seconds);
	case 'I':
		return seconds_option("-I", optarg, INTERVAL_MIN_S, &options->interval);
	case 'r':
		return runs_option(optarg, &options->runs);
	case OPT_PREPARE:
		options->prepare = optarg;
		return 0;
	case OPT_CLEANUP:
		options->cleanup = optarg;
		return 0;
	case OPT_SYNC:
		options->sync = true;
		return 0;
	case OPT_JSON:
		return format_option(options, &out_json);
	case OPT_CSV:
		return format_option(options, &out_csv);
	case 'o':
		options->output = optarg;
		return 0;
	case 'q':
		options->quiet = true;
		return 0;
	case OPT_SOURCE:
		return cmd_source_option(optarg, &options->source);
	case OPT_LAYERS:
		return cmd_layers_option(optarg, &options->layers);
	case OPT_SETTLE:
		return settle_option(optarg, &options->settle_ns);
	case OPT_SNAPSHOTS:
		options->snapshots = optarg;
		return 0;
	case OPT_FROM:
		options->from = optarg;
		return 0;
	default:
		return EXIT_USAGE;
	}
}

/* What the options mean together. */
static int check_options(const struct record_options *options)
{
	if (options->argv && !options->argv[0])
		return usage_error("record", "no command behind --", "");
	if (options->argv && options->format != &out_text && !options->output)
		return usage_error("record",
				   "with a command --json and --csv need -o FILE, or they would mix with its output",
				   "-o - writes to stdout all the same");
	if (!options->argv && options->runs > 1 && options->seconds <= 0)
		return usage_error("record", "-r without a command needs -w",
				   "say how long each run lasts");
	return 0;
}

/* Of a recording all is decided but what the report looks like. */
static int check_replay(const struct record_options *options, bool more)
{
	if (!more && !options->seconds && options->interval <= 0 && options->runs == 1 &&
	    !options->prepare && !options->cleanup && !options->sync && !options->snapshots &&
	    options->source == SOURCE_AUTO && !options->layers)
		return 0;
	return usage_error("record",
			   "--from goes with --settle, -o, --json, --csv and -q only: disks, times and command are those of the recording",
			   "");
}

static int cmd_record_run(int argc, char **argv);

const struct cmd cmd_record = {
	.name = "record",
	.usage = "DISK [-w TIME] [-I TIME] [-r N] [--prepare CMD] [--cleanup CMD]\n"
		 "              [--sync] [--settle TIME] [-o FILE] [--json|--csv] [-q]\n"
		 "              [--source SOURCE] [--layers LIST] [--snapshots FILE] [-- COMMAND ...]\n"
		 "       fsbctl record --from FILE [--settle TIME] [-o FILE] [--json|--csv] [-q]",
	.summary = "what a disk did while a command ran, or until Ctrl-C",
	.help =
		"DISK is a /dev path, bare name, MAJ:MIN, link, partition, mount point or file; the\n"
		"whole disk it lies on is counted, of dm and md all disks below.\n"
		"\n"
		"The command's input and output stay as they are, the report goes to stderr, the\n"
		"exit status is the command's. Without a command it goes to stdout.\n"
		"\n"
		"  -w, --wait TIME      end after TIME; a command is sent SIGTERM then\n"
		"  -I, --interval TIME  a row every TIME as well\n"
		"  -r, --repeat N       N runs; their mean and standard error as well\n"
		"      --prepare CMD    run by sh before each run, not counted\n"
		"      --cleanup CMD    run by sh after each run, not counted\n"
		"      --settle TIME    belongs to no epoch when a setting or mount changed (2s)\n"
		"      --sync           write out what is dirty when the command has ended, counted\n"
		"  -o, --output FILE    where the report goes; - is stdout\n"
		"      --json, --csv    instead of text; with a command they need -o\n"
		"  -q, --quiet          nothing on stderr but errors and the report\n"
		"      --source SOURCE  module, diskstats, or auto: the module, else diskstats\n"
		"      --layers LIST    count these only: request, bio, drive, fs, with commas\n"
		"      --snapshots FILE write all counters there every second (or -I), to replay\n"
		"      --from FILE      the report of such a file again\n",
	.run = cmd_record_run,
};

static int cmd_record_run(int argc, char **argv)
{
	struct record_options options = { .runs = 1, .format = &out_text,
					  .settle_ns = EPOCHS_SETTLE_NS, .baseline = 1 };
	int own, option, err;

	/* The command's options are none of ours. */
	for (own = 1; own < argc && strcmp(argv[own], "--"); own++)
		;
	if (own < argc)
		options.argv = argv + own + 1;
	while ((option = cmd_getopt(&cmd_record, own, argv, "w:I:r:o:q", long_options)) != -1) {
		if (option == 'h')
			return EXIT_OK;
		err = one_option(&options, option);
		if (err)
			return err;
	}
	if (options.from)
		return check_replay(&options, optind < argc) ? EXIT_USAGE : record_run(&options);
	if (optind >= own)
		return usage_error("record", "no disk named", "fsbctl list shows the disks");
	if (optind + 1 < own)
		return usage_error(argv[optind + 1], "one disk only",
				   "a command goes behind --: fsbctl record DISK -- COMMAND ...");
	options.disk = argv[optind];
	err = check_options(&options);
	return err ? err : record_run(&options);
}
