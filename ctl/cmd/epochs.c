// SPDX-License-Identifier: GPL-2.0-or-later
/* epochs: `fsbctl epochs`, which settings held when, from a recording. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "duration.h"
#include "record/record.h"

enum { OPT_BASELINE = 256, OPT_SETTLE, OPT_RATE, OPT_JSON };

static const struct option long_options[] = {
	{ "baseline", required_argument, NULL, OPT_BASELINE },
	{ "settle", required_argument, NULL, OPT_SETTLE },
	{ "rate", required_argument, NULL, OPT_RATE },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static int baseline_option(const char *text, unsigned int *baseline)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (*text && !*end && value >= 1 && value <= 1000000) {
		*baseline = (unsigned int)value;
		return 0;
	}
	cmd_error("--baseline", "the report numbers the option sets from 1",
		  "'%s' is no number of an option set", text);
	return EXIT_USAGE;
}

/* By the words of JSON, which end in "_per_s". */
static int rate_option(const char *text, const struct rate **rate)
{
	size_t i, len = strlen(text);

	for (i = 0; i < RATES; i++) {
		if (strncmp(rates[i].key, text, len) || strcmp(rates[i].key + len, "_per_s"))
			continue;
		*rate = &rates[i];
		return 0;
	}
	cmd_error("--rate", "read, read_bytes, write, write_bytes, flush or fsync",
		  "there is no rate '%s'", text);
	return EXIT_USAGE;
}

static int one_option(struct record_options *options, int option)
{
	double seconds;

	switch (option) {
	case OPT_BASELINE:
		return baseline_option(optarg, &options->baseline);
	case OPT_RATE:
		return rate_option(optarg, &options->rate);
	case OPT_JSON:
		options->format = &out_json;
		return 0;
	case OPT_SETTLE:
		if (duration_parse(optarg, &seconds)) {
			cmd_error("--settle", "a number of seconds, or with a unit: 0.5s, 2m",
				  "'%s' is not a time", optarg);
			return EXIT_USAGE;
		}
		options->settle_ns = (uint64_t)(seconds * 1e9);
		return 0;
	default:
		return EXIT_USAGE;
	}
}

static int cmd_epochs_run(int argc, char **argv);

const struct cmd cmd_epochs = {
	.name = "epochs",
	.usage = "FILE [--baseline N] [--rate RATE] [--settle TIME] [--json]",
	.summary = "which settings held when in a recording, and how they compare",
	.help =
		"FILE is what record --snapshots wrote.\n"
		"\n"
		"Each row is one option set, with all epochs in which it held; n is their number.\n"
		"A change comes with its 95 % interval, which needs two epochs of either set; 'each'\n"
		"is what was written per fsync, or else moved per operation, and where that differs by\n"
		"more than 10 % the load changed.\n"
		"\n"
		"      --baseline N   compare with option set N (1)\n"
		"      --rate RATE    what is compared: read, read_bytes, write, write_bytes, flush or\n"
		"                     fsync (if not given: fsync where there were any, else write)\n"
		"      --settle TIME  belongs to no epoch when a setting or mount changed (2s)\n"
		"      --json         the whole report, as record --from FILE --json\n",
	.run = cmd_epochs_run,
};

static int cmd_epochs_run(int argc, char **argv)
{
	struct record_options options = { .runs = 1, .format = &out_epochs, .quiet = true,
					  .settle_ns = EPOCHS_SETTLE_NS, .baseline = 1 };
	int option, err;

	while ((option = cmd_getopt(&cmd_epochs, argc, argv, "h", long_options)) != -1) {
		if (option == 'h')
			return EXIT_OK;
		err = one_option(&options, option);
		if (err)
			return err;
	}
	if (optind + 1 != argc) {
		cmd_error("epochs", "record --snapshots FILE writes one",
			  optind < argc ? "one recording only" : "no recording named");
		return EXIT_USAGE;
	}
	options.from = argv[optind];
	return record_run(&options);
}
