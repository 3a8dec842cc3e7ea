// SPDX-License-Identifier: GPL-2.0-or-later
/* list: the disks that can be watched, how they are set and who watches them. */
#include "cmd/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/hooks.h"
#include "cmd/list.h"
#include "cmd/table.h"
#include "disk/disk_json.h"
#include "json_text.h"
#include "message.h"

enum { COL_DISK, COL_MODEL, COL_SIZE, COL_LINK, COL_CACHE, COL_NCQ, COL_SCHED, COL_MOUNTS, COLS };

static const struct column list_columns[COLS] = {
	[COL_DISK] = { "disk", false, 0 },  [COL_MODEL] = { "model", false, 12 },
	[COL_SIZE] = { "size", true, 0 },   [COL_LINK] = { "link", false, 0 },
	[COL_CACHE] = { "cache", false, 0 }, [COL_NCQ] = { "ncq", true, 0 },
	[COL_SCHED] = { "sched", false, 0 }, [COL_MOUNTS] = { "mounts", false, 8 },
};

#define CELL_SIZE 512

/* Three digits at most, powers of ten as on the drive's label. */
static void format_size(char *buf, size_t size, int64_t bytes)
{
	double value = (double)bytes;
	const char *unit = " kMGTPE";

	if (bytes < 0)
		return;
	for (; value >= 999.5 && unit[1]; unit++)
		value /= 1000;
	snprintf(buf, size, "%.*f %c", value < 9.95 && *unit != ' ' ? 1 : 0, value,
		 *unit == ' ' ? 'B' : *unit);
}

/* The drive's own cache / how the kernel treats it. */
static void format_cache(char *buf, size_t size, const struct disk_info *info)
{
	static const char *const drive[] = { "?", "off", "on" };
	const char *kernel = "?", *mark = "";

	if (disk_loses_writes(info)) {
		kernel = "THRU";
		mark = " !";
	} else if (disk_drops_flushes(info)) {
		kernel = "thru";
	} else if (!strcmp(info->write_cache_kernel, "write back")) {
		kernel = "back";
	}
	snprintf(buf, size, "%s/%s%s", drive[info->write_cache + 1], kernel, mark);
}

static void format_mounts(char *buf, size_t size, const struct mounts *mounts)
{
	size_t used = 0;

	snprintf(buf, size, "%s", *mounts->unknown ? "n/a" : "-");
	for (size_t i = 0; i < mounts->nr && used + 2 < size; i++) {
		if (i)
			buf[used++] = ' ';
		message_printable(buf + used, size - used, mounts->mount[i].target);
		used += strlen(buf + used);
	}
}

static void fill_row(char **cell, const struct list_disk *entry)
{
	const struct disk_info *info = &entry->info;

	message_printable(cell[COL_DISK], CELL_SIZE, info->disk.name);
	message_printable(cell[COL_MODEL], CELL_SIZE, *info->model ? info->model : "-");
	format_size(cell[COL_SIZE], CELL_SIZE, info->size_bytes);
	snprintf(cell[COL_LINK], CELL_SIZE, "%s", *info->transport ? info->transport : "-");
	format_cache(cell[COL_CACHE], CELL_SIZE, info);
	if (info->ncq >= 0)
		snprintf(cell[COL_NCQ], CELL_SIZE, "%d", info->ncq);
	message_printable(cell[COL_SCHED], CELL_SIZE, *info->scheduler ? info->scheduler : "-");
	format_mounts(cell[COL_MOUNTS], CELL_SIZE, &entry->mounts);
}

static int print_disks(const struct list *list)
{
	char *text = calloc(list->nr ? list->nr * COLS : 1, CELL_SIZE);
	char **cells = calloc(list->nr ? list->nr * COLS : 1, sizeof(*cells));

	if (text && cells) {
		for (size_t i = 0; i < list->nr * COLS; i++)
			cells[i] = text + i * CELL_SIZE;
		for (size_t i = 0; i < list->nr; i++)
			fill_row(cells + i * COLS, &list->disk[i]);
		table_print(list_columns, COLS, cells, list->nr, stdout);
	}
	free(cells);
	free(text);
	return text && cells ? 0 : -1;
}

static void print_warnings(const struct list *list)
{
	if (list->nr && *list->disk[0].mounts.unknown)
		printf("! mounts cannot be told: %s\n", list->disk[0].mounts.unknown);
	for (size_t i = 0; i < list->nr; i++)
		if (disk_loses_writes(&list->disk[i].info))
			printf("! %s: the drive caches writes and the kernel sends no flush:\n"
			       "  data can be lost\n",
			       list->disk[i].info.disk.name);
	for (size_t i = 0; i < list->unreachable.nr; i++)
		printf("! %s: its requests take hidden paths of NVMe multipath and cannot be\n"
		       "  counted (fsbctl check %s)\n",
		       list->unreachable.disk[i].name, list->unreachable.disk[i].name);
}

static void print_watch(const struct watch *watch, const char *lead)
{
	char name[4 * sizeof(watch->name)];

	printf("%-8s  %s: ", lead, message_printable(name, sizeof(name), watch->name));
	if (watch->permanent)
		printf("kept by watch, ");
	if (watch->references)
		printf("%u reader%s, ", watch->references, watch->references == 1 ? "" : "s");
	printf("%llu KiB%s\n", (unsigned long long)(watch->memory + 1023) / 1024,
	       watch->state == FSBSTAT_DISK_GONE ? ", device gone" : "");
}

static void print_missing(const struct module_info *info)
{
	char name[4 * sizeof(info->hook[0].name)];
	size_t lines = 0, of_libata = 0, of_scsi = 0, of_others = 0;

	for (size_t i = 0; i < info->nr_hooks; i++) {
		if (info->hook[i].state != FSBSTAT_HOOK_MISSING)
			continue;
		if (hook_awaits(&info->hook[i])) {
			if (hook_is_of_libata(info->hook[i].name))
				of_libata++;
			else if (!strcmp(hook_awaits(&info->hook[i]), "scsi_mod"))
				of_scsi++;
			else
				of_others++;
			continue;
		}
		printf("%-8s  %s%s\n", lines++ ? "" : "missing",
		       message_printable(name, sizeof(name), info->hook[i].name),
		       info->hook[i].required ? " (required)" : "");
	}
	if (of_libata)
		printf("%-8s  %zu of libata, which is not loaded; attached when it comes\n",
		       lines++ ? "" : "missing", of_libata);
	if (of_scsi)
		printf("%-8s  %zu of SCSI, which is not loaded; attached when it comes\n",
		       lines++ ? "" : "missing", of_scsi);
	if (of_others)
		printf("%-8s  %zu of filesystems that are not loaded; attached when they come\n",
		       lines ? "" : "missing", of_others);
}

static void print_hooks(const struct module_info *info)
{
	size_t nr[FSBSTAT_HOOK_ATTACHED + 1] = { 0 };

	for (size_t i = 0; i < info->nr_hooks; i++)
		if ((unsigned int)info->hook[i].state <= FSBSTAT_HOOK_ATTACHED)
			nr[info->hook[i].state]++;
	printf("%-8s  %zu attached, %zu idle, %zu missing\n", "hooks", nr[FSBSTAT_HOOK_ATTACHED],
	       nr[FSBSTAT_HOOK_IDLE], nr[FSBSTAT_HOOK_MISSING]);
	print_missing(info);
}

static void print_module(const struct list *list)
{
	char version[4 * sizeof(list->module.version)];

	if (!list->have_module) {
		printf("%-8s  %s\n", "module", list->reason);
		return;
	}
	printf("%-8s  %s, %u disk%s watched, %llu KiB%s\n", "module",
	       message_printable(version, sizeof(version), list->module.version),
	       list->module.disks, list->module.disks == 1 ? "" : "s",
	       (unsigned long long)(list->module.memory + 1023) / 1024,
	       list->module.unprivileged_read ? ", readable by everybody" : "");
	for (size_t i = 0; i < list->nr_watches; i++)
		print_watch(&list->watch[i], i ? "" : "watched");
	print_hooks(&list->module);
}

static int print_text(const struct list *list)
{
	if (list->nr && print_disks(list))
		return -1;
	if (!list->nr)
		puts("no disk here can be watched: none has requests of its own");
	print_warnings(list);
	putchar('\n');
	print_module(list);
	return 0;
}

static int print_json(const struct list *list)
{
	json_t *document = list_json(list);

	if (!document || json_put(document, stdout, JSON_INDENT(2))) {
		json_decref(document);
		return -1;
	}
	putchar('\n');
	json_decref(document);
	return 0;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = { { "json", no_argument, NULL, 'j' }, { 0 } };
	bool json = false;
	struct list list;
	int c, ret;

	while ((c = cmd_getopt(&cmd_list, argc, argv, "j", options)) != -1) {
		if (c == 'h')
			return EXIT_OK;
		if (c == '?')
			return EXIT_USAGE;
		json = true;
	}
	if (optind < argc) {
		cmd_error("list", "usage: fsbctl list [--json]", "takes no argument: %s",
			  argv[optind]);
		return EXIT_USAGE;
	}
	ret = list_collect(&list);
	if (ret) {
		cmd_error("list", DISK_FOLDER_HINT, DISK_FOLDER ": %s", strerror(errno));
	} else {
		ret = json ? print_json(&list) : print_text(&list);
		if (ret)
			cmd_error("list", "", "%s", strerror(errno));
	}
	list_free(&list);
	return ret ? EXIT_FSBCTL : EXIT_OK;
}

const struct cmd cmd_list = {
	.name = "list",
	.usage = "[--json]",
	.summary = "disks that can be watched, their settings and who watches them",
	.help = "  -j, --json   one JSON document (schema fsbstat/1, kind \"list\")\n"
		"\n"
		"cache   the drive's own write cache / how the kernel treats the drive:\n"
		"        on, off or ? (cannot be told without asking the drive) / back\n"
		"        (flushes are sent) or thru (flushes are dropped); \"on/THRU !\" loses\n"
		"        data on a power cut\n"
		"ncq     commands a drive behind libata may queue\n"
		"\n"
		"Needs neither root nor the module; without them the lines on the module say\n"
		"what is missing.",
	.run = run,
};
