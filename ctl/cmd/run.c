// SPDX-License-Identifier: GPL-2.0-or-later
/* run: the command line of the workload matrix; see run.h. */
#include "cmd/run.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "duration.h"
#include "size.h"

#define RUNS_MOST 10000
#define SETTLE_S  2
#define MIB	  0x100000U

enum {
	OPT_DESTROY = 256,
	OPT_PLAN,
	OPT_JSON,
	OPT_FILE,
	OPT_SIZE,
	OPT_RESUME,
	OPT_ONLY,
	OPT_MAX_RUNS,
	OPT_MAX_TIME,
	OPT_SEED,
	OPT_SCALE,
	OPT_DB,
	OPT_JSONL,
	OPT_SOURCE,
	OPT_SETTLE,
	OPT_SKIP_MISSING,
	OPT_VERBOSE,
};

static const struct option long_options[] = {
	{"destroy", required_argument, NULL, OPT_DESTROY},
	{"plan", no_argument, NULL, OPT_PLAN},
	{"json", no_argument, NULL, OPT_JSON},
	{"file", required_argument, NULL, OPT_FILE},
	{"size", required_argument, NULL, OPT_SIZE},
	{"resume", no_argument, NULL, OPT_RESUME},
	{"only", required_argument, NULL, OPT_ONLY},
	{"max-runs", required_argument, NULL, OPT_MAX_RUNS},
	{"max-time", required_argument, NULL, OPT_MAX_TIME},
	{"seed", required_argument, NULL, OPT_SEED},
	{"scale", required_argument, NULL, OPT_SCALE},
	{"db", required_argument, NULL, OPT_DB},
	{"jsonl", required_argument, NULL, OPT_JSONL},
	{"source", required_argument, NULL, OPT_SOURCE},
	{"settle", required_argument, NULL, OPT_SETTLE},
	{"skip-missing", no_argument, NULL, OPT_SKIP_MISSING},
	{"quiet", no_argument, NULL, 'q'},
	{"verbose", no_argument, NULL, OPT_VERBOSE},
	{NULL, 0, NULL, 0},
};

static int usage_error(const char *object, const char *reason, const char *hint)
{
	cmd_error(object, hint, "%s", reason);
	return EXIT_USAGE;
}

static int number_option(const char *name, const char *text, uint64_t most, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno && *value <= most)
		return 0;
	cmd_error(name, "", "'%s' is no number from 0 to %llu", text, (unsigned long long)most);
	return EXIT_USAGE;
}

static int runs_option(const char *text, unsigned int *runs)
{
	uint64_t value;
	int err = number_option("--max-runs", text, RUNS_MOST, &value);

	if (!err && !value)
		return usage_error("--max-runs", "none at all is no experiment", "");
	*runs = (unsigned int)value;
	return err;
}

static int time_option(const char *name, const char *text, double *seconds)
{
	if (duration_parse(text, seconds) == 0)
		return 0;
	cmd_error(name, "such as 30s, 10m, 2h", "'%s' is no length of time", text);
	return EXIT_USAGE;
}

static int size_option(const char *text, uint64_t *size)
{
	/* Whole MiB, as the matrix's own. */
	if (size_parse(text, size) == 0 && *size >= MIB) {
		*size -= *size % MIB;
		return 0;
	}
	cmd_error("--size", "such as 512MiB or 4GiB", "'%s' is no size", text);
	return EXIT_USAGE;
}

static int number_options(struct run_options *options, int option)
{
	int err;

	switch (option) {
	case OPT_SIZE:
		return size_option(optarg, &options->size);
	case OPT_MAX_RUNS:
		return runs_option(optarg, &options->max_runs);
	case OPT_MAX_TIME:
		return time_option("--max-time", optarg, &options->max_seconds);
	case OPT_SEED:
		options->have_seed = true;
		return number_option("--seed", optarg, UINT64_MAX, &options->seed);
	case OPT_SOURCE:
		err = cmd_source_option(optarg, &options->source);
		options->have_source = true;
		return err;
	case OPT_SETTLE:
		options->have_settle = true;
		return time_option("--settle", optarg, &options->settle_s);
	default:
		return EXIT_USAGE;
	}
}

static int one_option(struct run_options *options, int option)
{
	switch (option) {
	case OPT_DESTROY:
		options->destroy = optarg;
		return 0;
	case OPT_PLAN:
		options->plan = true;
		return 0;
	case OPT_JSON:
		options->json = true;
		return 0;
	case OPT_FILE:
		options->file = optarg;
		return 0;
	case OPT_RESUME:
		options->resume = true;
		return 0;
	case OPT_ONLY:
		options->only = optarg;
		return 0;
	case OPT_SCALE:
		options->scale = optarg;
		return 0;
	case OPT_DB:
		options->db = optarg;
		return 0;
	case OPT_JSONL:
		options->jsonl = optarg;
		return 0;
	case OPT_SKIP_MISSING:
		options->skip_missing = true;
		return 0;
	case OPT_VERBOSE:
		options->verbose = true;
		return 0;
	case 'q':
		options->quiet = true;
		return 0;
	default:
		return number_options(options, option);
	}
}

/* MATRIX DISK, MATRIX with --file, or [RUN] with --resume. */
static int take_words(struct run_options *options, int nr, char **words)
{
	int wanted = options->file ? 1 : 2;

	if (options->resume) {
		options->run = nr ? words[0] : NULL;
		return nr > 1 ? usage_error(words[1], "--resume takes one run at most",
					    "fsbctl runs lists them")
			      : 0;
	}
	if (nr < 1)
		return usage_error("run", "no matrix named",
				   "as in: fsbctl run barrier sdb; fsbctl presets lists them");
	if (nr < wanted)
		return usage_error("run", "no disk named",
				   "fsbctl list shows the disks; --file IMAGE needs none");
	if (nr > wanted)
		return usage_error(words[wanted],
				   options->file ? "with --file no disk is named" : "one disk only",
				   "");
	options->matrix = words[0];
	options->disk = options->file ? NULL : words[1];
	return 0;
}

static int check_options(const struct run_options *options)
{
	if (options->resume && (options->file || options->size || options->only || options->scale ||
				options->have_seed))
		return usage_error("--resume", "a run goes on as it began",
				   "without --file, --size, --only, --scale, --seed");
	if (options->json && !options->plan)
		return usage_error("--json", "goes with --plan",
				   "fsbctl report --format json has the results");
	if (options->verbose && !options->plan)
		return usage_error("--verbose", "goes with --plan", "");
	if (options->destroy && options->file)
		return usage_error("--destroy", "an image that is to be made holds no data yet",
				   "leave it out");
	return 0;
}

static int parse(struct run_options *options, int argc, char **argv)
{
	int option, err;

	while ((option = cmd_getopt(&cmd_run, argc, argv, "q", long_options)) != -1) {
		if (option == 'h')
			return 'h';
		err = one_option(options, option);
		if (err)
			return err;
	}
	err = take_words(options, argc - optind, argv + optind);
	if (err)
		return err;
	return check_options(options);
}

static int plan_only(const struct run *run)
{
	if (!run->options.json) {
		plan_text(stdout, run);
		return EXIT_OK;
	}
	if (plan_json(stdout, run) == 0)
		return EXIT_OK;
	cmd_error("plan", "", "out of memory");
	return EXIT_FSBCTL;
}

static int go(struct run *run)
{
	int status = run_begin(run);

	if (!status && run->options.plan) {
		status = plan_only(run);
	} else if (!status) {
		status = run_consent(run);
		if (!status)
			status = run_go(run);
	}
	run_end(run);
	return status;
}

static int cmd_run_run(int argc, char **argv)
{
	struct run run = {.options = {.settle_s = SETTLE_S}};
	/* getopt() will change their order. */
	char **words = calloc((size_t)argc + 1, sizeof(*words));
	int status;

	if (!words) {
		cmd_error("run", "", "out of memory");
		return EXIT_FSBCTL;
	}
	memcpy(words, argv, (size_t)argc * sizeof(*words));
	run.options.words = words;
	status = parse(&run.options, argc, argv);
	if (!status)
		status = go(&run);
	free(words);
	return status == 'h' ? EXIT_OK : status;
}

const struct cmd cmd_run = {
	.name = "run",
	.usage = "[OPTION]... MATRIX|PRESET DISK\n"
		 "       fsbctl run [OPTION]... MATRIX|PRESET --file IMAGE\n"
		 "       fsbctl run --resume [RUN] [--plan | --destroy ID]",
	.summary = "the workload matrix: filesystems, options, settings, workloads",
	.help = "Runs each workload on each configuration of a matrix (man 5 fsbctl-matrix), "
		"again\n"
		"until the means are precise, counts what the disk was given, and reports. ALL "
		"DATA\n"
		"in the target range of DISK IS LOST. On a terminal the plan is shown and the "
		"serial\n"
		"number asked for; elsewhere --destroy has to name it.\n"
		"\n"
		"      --plan           say what would be done, and do nothing\n"
		"      --verbose        with --plan: every cell and command, not the first of "
		"them\n"
		"      --json           with --plan: all of it as JSON\n"
		"      --destroy ID     the data of the disk with this serial number, WWN, by-id\n"
		"                       name or PARTUUID may be lost\n"
		"      --file IMAGE     make this file and use it instead of a disk (a first try)\n"
		"      --size SIZE      overwrite so much of the disk, or make the file so large,\n"
		"                       instead of what the matrix says\n"
		"      --resume [RUN]   go on with a run that was interrupted (the latest)\n"
		"      --only PATTERN   cells (CONFIGURATION/WORKLOAD) like this shell pattern\n"
		"      --skip-missing   without the cells whose programs are not installed\n"
		"      --max-runs N     of each cell\n"
		"      --max-time TIME  of the whole, in whole rounds of all cells\n"
		"      --seed N         for the order; printed and stored otherwise\n"
		"      --scale NAME     of the workloads: small, published\n"
		"      --settle TIME    the disk has to be idle so long before a trial (2s)\n"
		"      --db FILE        where results are stored (~/.local/share/fsbctl/runs.db)\n"
		"      --jsonl FILE     events as lines of JSON; - is stdout\n"
		"      --source SOURCE  module, diskstats, or auto: the module, else diskstats\n"
		"  -q, --quiet          nothing on stderr but errors\n"
		"\n"
		"Ctrl-C ends the trial that runs, puts everything back and keeps what is stored.\n"
		"Exit status: 0 ok, 1 a cell failed, 2 usage, 3 refused, 77 cannot run here.\n",
	.run = cmd_run_run,
};
