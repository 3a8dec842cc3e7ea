// SPDX-License-Identifier: GPL-2.0-or-later
/* set: changes settings of a disk, keeping the old values for restore. */
#include "cmd/cmd.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "bench/leftover.h"
#include "cmd/settings_out.h"

struct set_options {
	struct settings_request request;
	const char *disk;
	bool json;
};

static int parse_options(struct set_options *options, int argc, char **argv)
{
	enum { UNSAFE = 256, DRY_RUN };
	static const struct option long_options[] = {
		{"json", no_argument, NULL, 'j'},
		{"unsafe", no_argument, NULL, UNSAFE},
		{"dry-run", no_argument, NULL, 'n'},
		{NULL, 0, NULL, 0},
	};
	int c;

	while ((c = cmd_getopt(&cmd_set, argc, argv, "jn", long_options)) != -1) {
		switch (c) {
		case 'j':
			options->json = true;
			break;
		case 'n':
			options->request.dry_run = true;
			break;
		case UNSAFE:
			options->request.unsafe = true;
			break;
		default:
			return c;
		}
	}
	return 0;
}

/* DISK KEY=VALUE ...  Returns 0 or the exit status, words printed. */
static int parse_arguments(struct set_options *options, int argc, char **argv)
{
	struct settings_error error;

	if (optind >= argc) {
		cmd_error("set", "fsbctl list shows the disks", "no disk named");
		return EXIT_USAGE;
	}
	options->disk = argv[optind++];
	if (optind >= argc) {
		cmd_error("set", "usage: fsbctl set DISK KEY=VALUE ...", "nothing to set");
		return EXIT_USAGE;
	}
	for (; optind < argc; optind++)
		if (settings_parse(argv[optind], &options->request.wanted, &error))
			return settings_out_error(&error);
	if (settings_find(options->disk, &options->request.target, &error))
		return settings_out_error(&error);
	return 0;
}

static int print(const struct set_options *options, const struct settings_result *result)
{
	const struct disk *disk = &options->request.target.disk;
	json_t *disks;

	if (!options->json) {
		settings_out_changes(disk, result, options->request.dry_run);
		return EXIT_OK;
	}
	disks = json_pack("[o]", settings_out_json(disk, result));
	if (disks && !settings_out_document("set", options->request.dry_run, disks))
		return EXIT_OK;
	cmd_error("set", "", "the report could not be written");
	return EXIT_FSBCTL;
}

static int run(int argc, char **argv)
{
	struct set_options options = {0};
	struct settings_result result;
	struct settings_error error;
	int status = parse_options(&options, argc, argv);

	if (status)
		return status == 'h' ? EXIT_OK : EXIT_USAGE;
	status = parse_arguments(&options, argc, argv);
	if (status)
		return status;
	if (!options.request.dry_run && leftover_is_locked(options.request.target.disk.name)) {
		cmd_error(options.request.target.disk.name, "Ctrl-C ends it",
			  "fsbctl run is at work on it: its trials would not count any more");
		return EXIT_REFUSED;
	}
	if (settings_apply(&options.request, &result, &error))
		status = settings_out_error(&error);
	else
		status = print(&options, &result);
	settings_result_free(&result);
	return status;
}

const struct cmd cmd_set = {
	.name = "set",
	.usage = "[OPTION]... DISK KEY=VALUE ...",
	.summary = "change settings of a disk; restore puts them back",
	.help = "  write_cache=on|off         the drive's own volatile write cache, until its "
		"next\n"
		"                             power cycle; the kernel's view follows\n"
		"  write_cache_kernel=\"write back\"|\"write through\"\n"
		"                             whether the kernel sends flushes\n"
		"  ncq=N|max|off              commands the drive may be given at once; 1 or off\n"
		"                             turns queueing off on SATA\n"
		"  scheduler=NAME             none, mq-deadline, bfq, ...\n"
		"  nr_requests=N              requests that may wait\n"
		"\n"
		"  -n, --dry-run   say what would change, and change nothing\n"
		"      --unsafe    let the kernel send no flush to a drive that caches, under a\n"
		"                  mounted filesystem\n"
		"  -j, --json      one JSON document (schema fsbstat/1, kind \"settings\")\n"
		"\n"
		"DISK is a block device named as such (sda, /dev/disk/by-id/..., 8:0). Old values\n"
		"are saved before the first write, and all is read back; if a value does not "
		"take,\n"
		"what the command had changed is put back. Needs root, not the module.\n",
	.run = run,
};
