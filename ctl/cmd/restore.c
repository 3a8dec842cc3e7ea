// SPDX-License-Identifier: GPL-2.0-or-later
/* restore: puts back what set (or anything else of fsbctl) has changed on disks. */
#include "bench/leftover.h"
#include "cmd/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/settings_out.h"
#include "message.h"

struct restore_options {
	struct settings_restore_options how;
	const char *disk; /* NULL: all */
	bool all, forget, json;
	json_t *disks;
	size_t nr; /* disks that had something saved */
};

static int parse_options(struct restore_options *options, int argc, char **argv)
{
	enum { FORGET = 256, FORCE };
	static const struct option long_options[] = {
		{"all", no_argument, NULL, 'a'},       {"force", no_argument, NULL, FORCE},
		{"forget", no_argument, NULL, FORGET}, {"json", no_argument, NULL, 'j'},
		{"dry-run", no_argument, NULL, 'n'},   {NULL, 0, NULL, 0},
	};
	int c;

	while ((c = cmd_getopt(&cmd_restore, argc, argv, "ajn", long_options)) != -1) {
		switch (c) {
		case 'a':
			options->all = true;
			break;
		case 'j':
			options->json = true;
			break;
		case 'n':
			options->how.dry_run = true;
			break;
		case FORCE:
			options->how.force = true;
			break;
		case FORGET:
			options->forget = true;
			break;
		default:
			return c;
		}
	}
	return 0;
}

static int parse_arguments(struct restore_options *options, int argc, char **argv)
{
	const char *wrong = NULL;

	if (optind < argc)
		options->disk = argv[optind];
	if (argc - optind > 1)
		wrong = "one disk only";
	else if (options->disk && options->all)
		wrong = "a disk and --all exclude each other";
	else if (options->forget && (options->how.force || options->how.dry_run || options->json))
		wrong = "--forget takes no other option";
	else if (options->forget && !options->disk && !options->all)
		wrong = "--forget needs a disk, or --all";
	if (!wrong)
		return 0;
	cmd_error("restore", "usage: fsbctl restore [--force] [DISK | --all]", "%s", wrong);
	return EXIT_USAGE;
}

static bool has_kept(const struct settings_result *result)
{
	for (size_t i = 0; i < result->nr_returned; i++)
		if (result->returned[i].fate == SETTINGS_KEPT)
			return true;
	return false;
}

/* It needs them set as they are, and the old values to put them back. */
static int refuse_at_work(const struct disk *disk)
{
	cmd_error(disk->name, "it puts them back itself; Ctrl-C ends it",
		  "fsbctl run is at work on it, and has set them");
	return EXIT_REFUSED;
}

static int restore_disk(struct restore_options *options, const struct disk *disk)
{
	struct settings_result result;
	struct settings_error error;
	int status = EXIT_OK;

	if (!options->how.dry_run && leftover_is_locked(disk->name)) {
		options->nr++;
		return refuse_at_work(disk);
	}
	if (settings_restore(disk, &options->how, &result, &error)) {
		status = settings_out_error(&error);
	} else if (options->json) {
		if (json_array_append_new(options->disks, settings_out_json(disk, &result)))
			status = EXIT_FSBCTL;
	} else {
		settings_out_returned(disk, &result, options->how.dry_run);
	}
	options->nr += result.nr_returned != 0;
	if (status == EXIT_OK && has_kept(&result)) {
		status = EXIT_REFUSED;
		cmd_error(disk->name,
			  "fsbctl restore --force puts the old values back all the same;\n"
			  "fsbctl restore --forget leaves things as they are",
			  "not all was put back: somebody else has changed it since");
	}
	settings_result_free(&result);
	return status;
}

static int forget(const struct settings_waiting *waiting)
{
	struct settings_error error;

	if (waiting->present && leftover_is_locked(waiting->disk.name))
		return refuse_at_work(&waiting->disk);
	if (settings_forget(waiting, &error))
		return settings_out_error(&error);
	printf("%s: the old values are forgotten, the disk stays as it is\n",
	       waiting->present ? waiting->disk.name : waiting->name);
	return EXIT_OK;
}

static int restore_waiting(struct restore_options *options, const struct settings_waiting *waiting)
{
	if (options->forget)
		return forget(waiting);
	if (waiting->present)
		return restore_disk(options, &waiting->disk);
	options->nr++;
	if (*waiting->perhaps) /* says what is not certain, and what can be done */
		return restore_disk(options, &waiting->disk);
	if (!*waiting->name)
		cmd_error(waiting->path,
			  "look at it and remove it; the disk's settings then stay as they are",
			  "is no saved state that this fsbctl could read");
	else
		cmd_error(waiting->id,
			  "they wait until it is back; fsbctl restore --forget drops them",
			  "this disk (it was %s) is not here, its settings (%s) cannot be put back",
			  waiting->name, waiting->settings);
	return EXIT_FSBCTL;
}

static bool is_named(const struct settings_waiting *waiting, const char *name)
{
	if (!strncmp(name, "/dev/", 5))
		name += 5;
	return !waiting->present && (!strcmp(waiting->name, name) || !strcmp(waiting->id, name));
}

/* What is saved of a disk that is here, or may be of it. */
static int forget_of(const struct disk *disk, struct settings_waiting *waiting, int nr)
{
	for (int i = 0; i < nr; i++) {
		struct settings_waiting *one = &waiting[i];
		char hint[100];

		if (!settings_same_id(one, disk))
			continue;
		if (!one->present || disk_same(&one->disk, disk)) {
			one->disk = *disk;
			one->present = true;
			return forget(one);
		}
		snprintf(hint, sizeof(hint), "fsbctl restore --forget %s drops them",
			 one->disk.name);
		cmd_error(disk->name, hint,
			  "%s has the same identity, and the old values are of %s",
			  one->disk.name, one->disk.name);
		return EXIT_REFUSED;
	}
	printf("%s: no old values are saved\n", disk->name);
	return EXIT_OK;
}

/* One disk: one that is here, else one that is remembered by its name. */
static int restore_named(struct restore_options *options, struct settings_waiting *waiting, int nr)
{
	struct settings_target target;
	struct settings_error error;

	if (!settings_find(options->disk, &target, &error))
		return options->forget ? forget_of(&target.disk, waiting, nr)
				       : restore_disk(options, &target.disk);
	for (int i = 0; i < nr; i++)
		if (is_named(&waiting[i], options->disk))
			return restore_waiting(options, &waiting[i]);
	return settings_out_error(&error);
}

static int restore(struct restore_options *options)
{
	struct settings_waiting *waiting;
	int nr = settings_waiting(&waiting), status = EXIT_OK, one;

	if (nr < 0) {
		cmd_error("restore", "", "%s", strerror(errno));
		return EXIT_FSBCTL;
	}
	if (options->disk) {
		status = restore_named(options, waiting, nr);
	} else {
		for (int i = 0; i < nr; i++) {
			one = restore_waiting(options, &waiting[i]);
			status = one > status ? one : status;
		}
	}
	free(waiting);
	return status;
}

static int run(int argc, char **argv)
{
	struct restore_options options = {0};
	int status = parse_options(&options, argc, argv);

	if (status)
		return status == 'h' ? EXIT_OK : EXIT_USAGE;
	status = parse_arguments(&options, argc, argv);
	if (status)
		return status;
	options.disks = json_array();
	status = restore(&options);
	if (options.json) {
		if (settings_out_document("restore", options.how.dry_run, options.disks))
			status = EXIT_FSBCTL;
	} else {
		json_decref(options.disks);
		if (!options.nr && !options.forget && status == EXIT_OK)
			puts("nothing to put back");
	}
	return status;
}

const struct cmd cmd_restore = {
	.name = "restore",
	.usage = "[OPTION]... [DISK | --all]",
	.summary = "put back the settings that fsbctl has changed",
	.help = "Without DISK: those of all disks. A disk is known by its WWN and serial number,\n"
		"whatever its name is now. What somebody else has changed since stays as it is.\n"
		"\n"
		"  -a, --all       all disks (the same as no DISK)\n"
		"      --force     put back also what somebody else has changed since\n"
		"      --forget    drop the old values and leave the disk as it is\n"
		"  -n, --dry-run   say what would be put back, and change nothing\n"
		"  -j, --json      one JSON document (schema fsbstat/1, kind \"settings\")\n"
		"\n"
		"Status 3: something was left alone because somebody else has changed it, or because\n"
		"fsbctl run is at work on the disk.\n",
	.run = run,
};
