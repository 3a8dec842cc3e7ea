// SPDX-License-Identifier: GPL-2.0-or-later
/* watch, unwatch: keep counting a disk after the command has ended, or stop that. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "disk/disk.h"
#include "message.h"
#include "out/number.h"
#include "source/module.h"

/* The one argument; NULL when *status is to be returned. */
static const char *disk_argument(const struct cmd *cmd, int argc, char **argv, int *status)
{
	int option = cmd_getopt(cmd, argc, argv, "", NULL);

	*status = option == 'h' ? EXIT_OK : EXIT_USAGE;
	if (option != -1)
		return NULL;
	if (optind + 1 == argc)
		return argv[optind];
	cmd_error(cmd->name, "fsbctl list shows the disks", "%s",
		  optind == argc ? "no disk named" : "one disk only");
	return NULL;
}

static int module_failed(const struct module *module, const char *object)
{
	message_error(*object ? object : "fsbstat", module_error(module), module_hint(module));
	return EXIT_FSBCTL;
}

static bool is_watched(struct module *module, const struct disk *disk)
{
	struct watch watch;

	return module_disk(module, disk->major, disk->minor, &watch) == 0 && watch.permanent;
}

static int watch_one(struct module *module, const struct disk *disk)
{
	bool before = is_watched(module, disk);
	struct number memory;
	struct watch watch;

	if (module_add(module, disk, FSBSTAT_LAYERS_ALL, true, &watch))
		return module_failed(module, disk->name);
	printf("%s: %s (%s of kernel memory)\n", disk->name,
	       before ? "was being counted already" : "counted until fsbctl unwatch",
	       number_bytes(&memory, watch.memory));
	return EXIT_OK;
}

static int cmd_watch_run(int argc, char **argv)
{
	struct module *module = NULL;
	struct disk_set set;
	const char *disk;
	int status;
	size_t i;

	disk = disk_argument(&cmd_watch, argc, argv, &status);
	if (!disk)
		return status;
	if (disk_find(disk, &set))
		return EXIT_FSBCTL;
	status = module_open(&module) ? module_failed(module, "") : EXIT_OK;
	for (i = 0; i < set.nr && status == EXIT_OK; i++)
		status = watch_one(module, &set.disk[i]);
	module_close(module);
	disk_set_free(&set);
	return status;
}

static int unwatch_one(struct module *module, const char *name, uint32_t major, uint32_t minor)
{
	int err = module_del(module, major, minor, true);

	if (!err) {
		printf("%s: no longer counted for fsbctl watch\n", name);
		return EXIT_OK;
	}
	if (err != -ENOENT)
		return module_failed(module, name);
	message_error(name, "is not being watched", "fsbctl list shows what is");
	return EXIT_FSBCTL;
}

/* A device that has gone can be found only where it is still watched. */
static int unwatch_by_name(struct module *module, const char *name, bool *found)
{
	struct watch *watch;
	size_t i, nr;
	int status = EXIT_OK;

	if (!strncmp(name, "/dev/", 5))
		name += 5;
	if (module_disks(module, &watch, &nr))
		return module_failed(module, "");
	*found = false;
	for (i = 0; i < nr && !*found; i++) {
		if (strcmp(watch[i].name, name))
			continue;
		*found = true;
		status = unwatch_one(module, name, watch[i].major, watch[i].minor);
	}
	free(watch);
	return status;
}

static int unwatch_found(struct module *module, const char *name)
{
	struct disk_set set;
	int status = EXIT_OK;
	size_t i;

	if (disk_find(name, &set))
		return EXIT_FSBCTL;
	for (i = 0; i < set.nr; i++) {
		int failed = unwatch_one(module, set.disk[i].name, set.disk[i].major,
					 set.disk[i].minor);

		status = status == EXIT_OK ? failed : status;
	}
	disk_set_free(&set);
	return status;
}

static int cmd_unwatch_run(int argc, char **argv)
{
	struct module *module = NULL;
	const char *disk;
	bool found = true;
	int status;

	disk = disk_argument(&cmd_unwatch, argc, argv, &status);
	if (!disk)
		return status;
	if (module_open(&module))
		status = module_failed(module, "");
	else
		status = unwatch_by_name(module, disk, &found);
	if (!found)
		status = unwatch_found(module, disk);
	module_close(module);
	return status;
}

const struct cmd cmd_watch = {
	.name = "watch",
	.usage = "DISK",
	.summary = "keep counting a disk after this command ends",
	.help = "The counts of a watched disk go on until fsbctl unwatch, the end of the module\n"
		"or of the machine; fsbctl record then reads on without starting anew.\n",
	.run = cmd_watch_run,
};

const struct cmd cmd_unwatch = {
	.name = "unwatch",
	.usage = "DISK",
	.summary = "stop counting a watched disk",
	.help = "Whoever else counts the disk at the moment goes on undisturbed.\n",
	.run = cmd_unwatch_run,
};
