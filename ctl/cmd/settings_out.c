// SPDX-License-Identifier: GPL-2.0-or-later
/* settings_out: see settings_out.h. */
#include "cmd/settings_out.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fsbstat_version.h>

#include "bench/leftover.h"
#include "cmd/cmd.h"
#include "disk/disk_json.h"
#include "json_text.h"
#include "message.h"
#include "width.h"

#define TEXT_MAX (4 * SETTING_VALUE_MAX)

static const char *const fates[] = {
	[SETTINGS_PUT_BACK] = "put back",
	[SETTINGS_WAS_BACK] = "unchanged",
	[SETTINGS_KEPT] = "kept",
	[SETTINGS_GONE] = "gone",
};

int settings_out_error(const struct settings_error *error)
{
	message_error(error->object, error->reason, error->hint);
	switch (error->status) {
	case SETTINGS_USAGE:
		return EXIT_USAGE;
	case SETTINGS_REFUSED:
		return EXIT_REFUSED;
	default:
		return EXIT_FSBCTL;
	}
}

static void print_name(const struct disk *disk, const char *name)
{
	char safe[4 * SETTING_NAME_MAX];

	printf("%s: ", message_printable(safe, sizeof(safe), disk->name));
	width_print(stdout, message_printable(safe, sizeof(safe), name), 20, WIDTH_LEFT);
}

static const char *shown(char safe[TEXT_MAX], const char *value)
{
	return message_printable(safe, TEXT_MAX, *value ? value : "n/a");
}

void settings_out_changes(const struct disk *disk, const struct settings_result *result, bool dry)
{
	char was[TEXT_MAX], is[TEXT_MAX];

	for (size_t i = 0; i < result->nr_changes; i++) {
		const struct settings_change *change = &result->change[i];

		print_name(disk, change->name);
		if (!strcmp(change->was, change->is))
			printf("%s already", shown(is, change->is));
		else
			printf("%s -> %s%s", shown(was, change->was), shown(is, change->is),
			       change->asked ? "" : "   (along with it)");
		putchar('\n');
	}
	if (dry)
		printf("%s: nothing was changed\n", disk->name);
	else if (*result->state_file)
		printf("%s: fsbctl restore %s puts the old values back\n", disk->name, disk->name);
}

void settings_out_returned(const struct disk *disk, const struct settings_result *result, bool dry)
{
	char old[TEXT_MAX], set[TEXT_MAX], found[TEXT_MAX];

	for (size_t i = 0; i < result->nr_returned; i++) {
		const struct settings_returned *item = &result->returned[i];

		print_name(disk, item->name);
		switch (item->fate) {
		case SETTINGS_PUT_BACK:
			printf("%s -> %s\n", shown(found, item->found), shown(old, item->old));
			break;
		case SETTINGS_WAS_BACK:
			printf("%s already\n", shown(old, item->old));
			break;
		case SETTINGS_KEPT:
			printf("%s stays: somebody changed it since (%s -> %s)\n",
			       shown(found, item->found), shown(old, item->old),
			       shown(set, item->set));
			break;
		case SETTINGS_GONE:
			printf("not mounted any more, nothing to put back\n");
			break;
		}
	}
	if (dry)
		printf("%s: nothing was changed\n", disk->name);
}

static json_t *text(const char *value)
{
	char safe[TEXT_MAX];

	if (!*value)
		return json_null();
	/* Whatever is no UTF-8 cannot be held by JSON as it is. */
	return json_string(message_printable(safe, sizeof(safe), value));
}

static json_t *json_changes(const struct settings_result *result)
{
	json_t *array = json_array();

	for (size_t i = 0; i < result->nr_changes && array; i++) {
		const struct settings_change *change = &result->change[i];
		json_t *item = json_pack("{s:o, s:o, s:o, s:b}", "name", text(change->name), "was",
					 text(change->was), "is", text(change->is), "asked",
					 change->asked);

		if (json_array_append_new(array, item)) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

static json_t *json_returned(const struct settings_result *result)
{
	json_t *array = json_array();

	for (size_t i = 0; i < result->nr_returned && array; i++) {
		const struct settings_returned *returned = &result->returned[i];
		json_t *item = json_pack("{s:o, s:o, s:o, s:o, s:s}", "name", text(returned->name),
					 "old", text(returned->old), "set", text(returned->set),
					 "found", text(returned->found), "fate",
					 fates[returned->fate]);

		if (json_array_append_new(array, item)) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

json_t *settings_out_json(const struct disk *disk, const struct settings_result *result)
{
	struct disk_info info;

	if (disk_describe(disk, &info)) {
		memset(&info, 0, sizeof(info));
		info.disk = *disk;
	}
	return json_pack("{s:o, s:o, s:o, s:o}", "device", disk_json_device(&info), "changes",
			 json_changes(result), "returned", json_returned(result), "state_file",
			 text(result->state_file));
}

int settings_out_document(const char *command, bool dry, json_t *disks)
{
	json_t *document = json_pack("{s:s, s:s, s:{s:s}, s:s, s:b, s:o}", "schema", "fsbstat/1",
				     "kind", "settings", "tool", "version", FSBSTAT_VERSION,
				     "command", command, "dry_run", dry, "disks", disks);
	int ret = document ? json_put(document, stdout, JSON_INDENT(2)) : -1;

	putchar('\n');
	json_decref(document);
	return ret;
}

/* A run that is at work puts back itself what it has set. */
static int drop_at_work(struct settings_waiting *waiting, int nr)
{
	int kept = 0;

	for (int i = 0; i < nr; i++)
		if (!waiting[i].present || !leftover_is_locked(waiting[i].disk.name))
			waiting[kept++] = waiting[i];
	return kept;
}

void settings_out_waiting(void)
{
	struct settings_waiting *waiting;
	int nr = settings_waiting(&waiting), left = nr > 0 ? drop_at_work(waiting, nr) : 0;
	char name[4 * DISK_NAME_MAX];

	if (nr <= 0)
		return;
	if (left)
		fputs("fsbctl: settings of ", stderr);
	for (int i = 0; i < left; i++) {
		const struct settings_waiting *one = &waiting[i];

		message_printable(name, sizeof(name), one->present ? one->disk.name : one->name);
		fprintf(stderr, "%s%s%s", i ? ", " : "", *name ? name : "a disk",
			one->present ? "" : " (not here)");
	}
	if (left)
		fputs(" wait to be put back: fsbctl restore --all\n", stderr);
	free(waiting);
}
