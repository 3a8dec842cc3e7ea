// SPDX-License-Identifier: GPL-2.0-or-later
/* check: what works on this machine and what to do about the rest. */
#include "cmd/check.h"

#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <fsbstat_version.h>

#include "cmd/cmd.h"
#include "json_text.h"
#include "message.h"
#include "width.h"

#define LINE_WIDTH 80

static const char *const state_names[] = { "ok", "no", "n/a" };

void check_add(struct check *check, const char *name, const char *disk, enum check_state state,
	       bool needed, const char *format, ...)
{
	struct check_item *item = realloc(check->item, (check->nr + 1) * sizeof(*item));
	va_list args;

	if (!item) {
		check->failed = true;
		return;
	}
	check->item = item;
	item += check->nr++;
	memset(item, 0, sizeof(*item));
	message_printable(item->name, sizeof(item->name), name);
	message_printable(item->disk, sizeof(item->disk), disk);
	item->state = state;
	item->needed = needed;
	va_start(args, format);
	vsnprintf(item->text, sizeof(item->text), format, args);
	va_end(args);
}

void check_todo(struct check *check, const char *format, ...)
{
	struct check_item *item = check->nr ? &check->item[check->nr - 1] : NULL;
	va_list args;

	if (!item)
		return;
	va_start(args, format);
	vsnprintf(item->todo, sizeof(item->todo), format, args);
	va_end(args);
}

/* The first thing that stands in the way of recording, NULL when nothing does. */
static const struct check_item *obstacle(const struct check *check)
{
	for (size_t i = 0; i < check->nr; i++)
		if (check->item[i].needed && check->item[i].state != CHECK_OK)
			return &check->item[i];
	return NULL;
}

/* Prints text from a column on, broken between words at the end of the line. */
static void print_wrapped(const char *text, size_t column)
{
	size_t width = column + 20 < LINE_WIDTH ? LINE_WIDTH - column : 20;

	for (;;) {
		size_t len = width_line(text, (int)width);

		printf("%.*s\n", (int)len, text);
		text += len + (text[len] == ' ');
		if (!*text)
			break;
		printf("%*s", (int)column, "");
	}
}

static size_t label_width(const struct check *check)
{
	size_t widest = 0;

	for (size_t i = 0; i < check->nr; i++) {
		const struct check_item *item = &check->item[i];
		size_t width = (size_t)width_of(item->name) + (size_t)width_of(item->disk) +
			       (*item->disk != '\0');

		widest = width > widest ? width : widest;
	}
	return widest;
}

static void print_item(const struct check_item *item, size_t width)
{
	char label[sizeof(item->name) + sizeof(item->disk) + 1], safe[4 * sizeof(item->text)];
	const char *line = item->todo;

	snprintf(label, sizeof(label), "%s%s%s", item->disk, *item->disk ? " " : "", item->name);
	printf("%-4s ", state_names[item->state]);
	width_print(stdout, label, (int)width + 2, WIDTH_LEFT);
	print_wrapped(message_printable(safe, sizeof(safe), item->text), 5 + width + 2);
	while (*line) {
		size_t len = strcspn(line, "\n");

		printf("       %.*s\n", (int)len, line);
		line += len + (line[len] == '\n');
	}
}

static void print_text(const struct check *check, const struct disk_set *set, const char *release)
{
	const struct check_item *first = obstacle(check);

	printf("fsbctl %s, kernel %s\n", FSBSTAT_VERSION, release);
	if (*set->via)
		printf("%s: disk%s", set->via, set->nr == 1 ? "" : "s");
	for (size_t i = 0; i < set->nr && *set->via; i++)
		printf(" %s", set->disk[i].name);
	if (*set->via)
		putchar('\n');
	putchar('\n');
	for (size_t i = 0; i < check->nr; i++)
		print_item(&check->item[i], label_width(check));
	if (first)
		printf("\nrecording does not work here: %s\n", first->name);
	else
		puts("\nrecording works here");
}

static json_t *json_items(const struct check *check)
{
	json_t *array = json_array();

	for (size_t i = 0; i < check->nr && array; i++) {
		const struct check_item *item = &check->item[i];
		char safe[4 * sizeof(item->text)];
		json_t *value =
			json_pack("{s:s, s:o, s:s, s:b, s:s, s:o}", "name", item->name, "disk",
				  *item->disk ? json_string(item->disk) : json_null(), "state",
				  state_names[item->state], "needed", item->needed, "text",
				  message_printable(safe, sizeof(safe), item->text), "todo",
				  *item->todo ? json_string(item->todo) : json_null());

		if (json_array_append_new(array, value)) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

static int print_json(const struct check *check, const char *release)
{
	json_t *document = json_pack("{s:s, s:s, s:{s:s}, s:s, s:b, s:o}", "schema", "fsbstat/1",
				     "kind", "check", "tool", "version", FSBSTAT_VERSION, "kernel",
				     release, "can_record", !obstacle(check), "items",
				     json_items(check));
	int ret = document ? json_put(document, stdout, JSON_INDENT(2)) : -1;

	json_decref(document);
	putchar('\n');
	return ret;
}

static int show(struct check *check, const struct disk_set *set, bool json)
{
	struct utsname system;
	int ret = 0;

	if (uname(&system))
		return -1;
	check_module(check, system.release);
	for (size_t i = 0; i < set->nr; i++)
		check_disk(check, &set->disk[i]);
	if (check->failed) {
		errno = ENOMEM;
		return -1;
	}
	if (json)
		ret = print_json(check, system.release);
	else
		print_text(check, set, system.release);
	return ret;
}

static int check_disks(const char *arg, bool json)
{
	struct check check = { 0 };
	struct disk_set set;
	int status = EXIT_FSBCTL;

	if (arg && disk_find(arg, &set))
		return EXIT_FSBCTL;
	if (!arg && disk_all(&set))
		cmd_error("check", DISK_FOLDER_HINT, DISK_FOLDER ": %s", strerror(errno));
	else if (show(&check, &set, json))
		cmd_error("check", "", "%s", strerror(errno));
	else
		status = obstacle(&check) ? EXIT_CANNOT_RUN_HERE : EXIT_OK;
	disk_set_free(&set);
	free(check.item);
	return status;
}

static int run(int argc, char **argv)
{
	static const struct option options[] = { { "json", no_argument, NULL, 'j' }, { 0 } };
	bool json = false;
	int c;

	while ((c = cmd_getopt(&cmd_check, argc, argv, "j", options)) != -1) {
		if (c == 'h')
			return EXIT_OK;
		if (c == '?')
			return EXIT_USAGE;
		json = true;
	}
	if (argc - optind > 1) {
		cmd_error("check", "usage: fsbctl check [--json] [DISK]", "takes one disk, not %d",
			  argc - optind);
		return EXIT_USAGE;
	}
	return check_disks(argv[optind], json);
}

const struct cmd cmd_check = {
	.name = "check",
	.usage = "[--json] [DISK]",
	.summary = "what works on this machine, and what to do about the rest",
	.help = "Looks at the module, the permission to use it, the kernel's tracepoints and\n"
		"the settings of DISK (of every disk without it).  Changes nothing and asks no\n"
		"drive anything.\n"
		"\n"
		"  -j, --json   one JSON document (schema fsbstat/1, kind \"check\")\n"
		"\n"
		"Exit status: 0 when recording works here, 77 when it does not.",
	.run = run,
};
