// SPDX-License-Identifier: GPL-2.0-or-later
/* top: the live view; its options. */
#include "cmd/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "duration.h"
#include "tui/session.h"

enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

enum {
	OPT_SOURCE = 256,
	OPT_FROM,
	OPT_ASCII,
	OPT_COLOR,
	OPT_SIZE,
	OPT_VIEW,
	OPT_SETTLE,
	OPT_CONTROL,
};

#define SIZE_MAX_CELLS 1000

static int usage(const char *option, const char *hint, const char *value)
{
	cmd_error("top", hint, "%s: %s", option, value);
	return EXIT_USAGE;
}

static int parse_size(struct session_options *options, const char *text)
{
	char end;

	if (sscanf(text, "%dx%d%c", &options->cols, &options->rows, &end) != 2 ||
	    options->cols < TOP_COLS_MIN || options->rows < TOP_ROWS_MIN ||
	    options->cols > SIZE_MAX_CELLS || options->rows > SIZE_MAX_CELLS)
		return usage("--size", "COLUMNSxROWS, 80x24 to 1000x1000", text);
	return 0;
}

static int parse_view(struct session_options *options, const char *text)
{
	static const char *const views[] = {
		[TAB_OVERVIEW] = "overview", [TAB_LATENCY] = "latency", [TAB_SETS] = "sets"};
	int tab;

	for (tab = TAB_OVERVIEW; tab < TABS; tab++)
		if (!strcmp(text, views[tab]))
			options->tab = (enum tab)tab;
	if (options->tab == TAB_LIST)
		return usage("--view", "overview, latency or sets", text);
	return 0;
}

static int parse_color(enum colour *colour, const char *text)
{
	static const char *const words[] = {"auto", "always", "never"};
	int i;

	for (i = COLOUR_AUTO; i <= COLOUR_NEVER; i++) {
		if (!strcmp(text, words[i])) {
			*colour = (enum colour)i;
			return 0;
		}
	}
	return usage("--color", "auto, always or never", text);
}

static int parse_interval(struct session_options *options, const char *text)
{
	if (duration_parse(text, &options->interval_s) ||
	    options->interval_s < INTERVAL_MIN_S || options->interval_s > INTERVAL_MAX_S)
		return usage("--interval", "a time from 100ms to 1h", text);
	return 0;
}

static int parse_frames(struct session_options *options, const char *text)
{
	char *end;

	errno = 0;
	options->frames = strtoul(text, &end, 10);
	if (errno || *end || *text == '-' || !options->frames)
		return usage("-n", "how many frames, from 1", text);
	return 0;
}

static int parse_settle(struct session_options *options, const char *text)
{
	if (!strcmp(text, "0"))
		options->settle_s = 0;
	else if (duration_parse(text, &options->settle_s) || options->settle_s > 3600)
		return usage("--settle", "a time from 0 to 1h", text);
	return 0;
}

static int parse_option(struct session_options *options, enum colour *colour, int c)
{
	switch (c) {
	case 'b':
		options->batch = true;
		return 0;
	case 'n':
		return parse_frames(options, optarg);
	case 'I':
		return parse_interval(options, optarg);
	case OPT_SOURCE:
		return cmd_source_option(optarg, &options->kind);
	case OPT_FROM:
		options->kind = SOURCE_FILE;
		options->from = optarg;
		return 0;
	case OPT_ASCII:
		options->ascii = true;
		return 0;
	case OPT_COLOR:
		return parse_color(colour, optarg);
	case OPT_SIZE:
		return parse_size(options, optarg);
	case OPT_VIEW:
		options->tab = TAB_LIST;
		return parse_view(options, optarg);
	case OPT_CONTROL:
		options->control = true;
		return 0;
	default:
		return parse_settle(options, optarg);
	}
}

static int parse(struct session_options *options, enum colour *colour, int argc, char **argv)
{
	static const struct option longs[] = {
		{"batch", no_argument, NULL, 'b'},
		{"frames", required_argument, NULL, 'n'},
		{"interval", required_argument, NULL, 'I'},
		{"source", required_argument, NULL, OPT_SOURCE},
		{"from", required_argument, NULL, OPT_FROM},
		{"ascii", no_argument, NULL, OPT_ASCII},
		{"color", required_argument, NULL, OPT_COLOR},
		{"size", required_argument, NULL, OPT_SIZE},
		{"view", required_argument, NULL, OPT_VIEW},
		{"settle", required_argument, NULL, OPT_SETTLE},
		{"control", no_argument, NULL, OPT_CONTROL},
		{0},
	};
	int c, status;

	while ((c = cmd_getopt(&cmd_top, argc, argv, "bn:I:", longs)) != -1) {
		if (c == 'h' || c == '?')
			return c == 'h' ? -1 : EXIT_USAGE;
		status = parse_option(options, colour, c);
		if (status)
			return status;
	}
	if (options->frames && !options->batch)
		return usage("-n", "it is for --batch", "without --batch the view has no end");
	if (options->control && (options->batch || options->from))
		return usage("--control", "it needs a terminal, and a disk that is there",
			     "nobody could confirm anything");
	if (options->from && argc - optind > 1)
		return usage("--from", "name one disk of the recording, or none",
			     "one disk is shown");
	return 0;
}

/* NO_COLOR counts when it is not empty; --color is stronger. */
static bool in_colour(const struct session_options *options, enum colour colour)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (colour != COLOUR_AUTO)
		return colour == COLOUR_ALWAYS;
	if ((no_color && *no_color) || (term && !strcmp(term, "dumb")))
		return false;
	return !options->batch || isatty(STDOUT_FILENO);
}

/* All disks that the arguments lead to, each once. */
static int find_disks(struct disk_set *all, char **argv, int nr)
{
	struct disk_set found;
	struct disk *grown;
	int i;

	for (i = 0; i < nr; i++) {
		if (disk_find(argv[i], &found))
			return EXIT_USAGE;
		grown = realloc(all->disk, (all->nr + found.nr) * sizeof(*grown));
		if (!grown) {
			disk_set_free(&found);
			cmd_error("top", "", "%s", strerror(ENOMEM));
			return EXIT_FSBCTL;
		}
		all->disk = grown;
		for (size_t k = 0; k < found.nr; k++) {
			size_t at = 0;

			while (at < all->nr && !disk_same(&all->disk[at], &found.disk[k]))
				at++;
			all->disk[at] = found.disk[k];
			all->nr += at == all->nr;
		}
		disk_set_free(&found);
	}
	return 0;
}

static int run(int argc, char **argv)
{
	struct session_options options = {.kind = SOURCE_AUTO,
					  .settle_s = 2,
					  .tab = TAB_OVERVIEW,
					  .cols = TOP_COLS_MIN,
					  .rows = TOP_ROWS_MIN,
					  .parse_interval = duration_parse};
	enum colour colour = COLOUR_AUTO;
	struct disk_set disks = {0};
	int status = parse(&options, &colour, argc, argv);

	if (status)
		return status < 0 ? EXIT_OK : status;
	if (!options.from && options.interval_s <= 0)
		options.interval_s = 1;
	/* For what is text and what it is shown on; numbers stay as they are. */
	setlocale(LC_CTYPE, "");
	options.ascii = options.ascii || strcmp(nl_langinfo(CODESET), "UTF-8");
	options.colour = in_colour(&options, colour);
	if (options.from)
		options.name = argv[optind];
	else
		status = find_disks(&disks, argv + optind, argc - optind);
	if (disks.nr)
		options.disks = &disks;
	if (!status)
		status = options.batch ? session_batch(&options) : session_screen(&options);
	disk_set_free(&disks);
	return status;
}

const struct cmd cmd_top = {
	.name = "top",
	.usage = "[OPTION]... [DISK]...",
	.summary = "live view of a disk: rates, latency, NCQ, what each option set did",
	.help = "  -I, --interval TIME    from one count to the next: 500ms, 1s (default), 1m; of\n"
		"                         a recording from one frame to the next; as recorded\n"
		"      --source WHICH     auto (default), module or diskstats\n"
		"      --from FILE        replays a recording; DISK is then one of its disks\n"
		"      --view WHICH       overview (default), latency or sets\n"
		"      --settle TIME      after a change of settings, belongs to no option set;\n"
		"                         2s\n"
		"      --ascii            no character beyond ASCII; so in locales without UTF-8\n"
		"      --color WHEN       auto (default), always or never; auto obeys NO_COLOR\n"
		"      --control          keys that change settings, each confirmed, all put back "
		"at\n"
		"                         exit: drive cache, NCQ, scheduler, barrier\n"
		"  -b, --batch            prints frames as text\n"
		"  -n, --frames N         with --batch: so many, then ends\n"
		"      --size COLSxROWS   of a frame with --batch; 80x24\n"
		"\n"
		"With one DISK, or if just one disk has a mounted filesystem, that disk is\n"
		"opened; else a list of disks, which measures nothing. h lists the keys. Nothing\n"
		"in this view changes a disk or its settings, except with --control.",
	.run = run,
};
