// SPDX-License-Identifier: GPL-2.0-or-later
/* list_collect: gathers what `fsbctl list` shows, and as JSON; see list.h. */
#include "cmd/list.h"

#include <stdlib.h>
#include <string.h>

#include <fsbstat_version.h>

#include "disk/disk_json.h"
#include "message.h"

static const struct watch *watch_of(const struct list *list, const struct disk *disk)
{
	for (size_t i = 0; i < list->nr_watches; i++)
		if (list->watch[i].major == disk->major && list->watch[i].minor == disk->minor &&
		    list->watch[i].state == FSBSTAT_DISK_LIVE)
			return &list->watch[i];
	return NULL;
}

static void collect_module(struct list *list)
{
	struct module *module;
	int ret = module_open(&module);

	if (!ret)
		ret = module_get(module, &list->module);
	if (!ret)
		ret = module_disks(module, &list->watch, &list->nr_watches);
	list->have_module = !ret;
	if (ret)
		message_printable(list->reason, sizeof(list->reason), module_error(module));
	module_close(module);
}

int list_collect(struct list *list)
{
	struct mount_table *table;
	struct disk_set set = { 0 };

	memset(list, 0, sizeof(*list));
	if (disk_all(&set) || disk_unreachable(&list->unreachable))
		goto failed;
	list->disk = calloc(set.nr ? set.nr : 1, sizeof(*list->disk));
	if (!list->disk)
		goto failed;
	collect_module(list);
	table = mount_table_read();
	for (size_t i = 0; i < set.nr; i++) {
		struct list_disk *entry = &list->disk[list->nr];

		/* A disk may be unplugged at any moment; without /proc it has no mounts. */
		if (disk_describe(&set.disk[i], &entry->info))
			continue;
		(void)mount_table_of_disk(table, &set.disk[i], &entry->mounts);
		entry->watch = watch_of(list, &set.disk[i]);
		list->nr++;
	}
	mount_table_free(table);
	disk_set_free(&set);
	return 0;
failed:
	disk_set_free(&set);
	return -1;
}

void list_free(struct list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		mounts_free(&list->disk[i].mounts);
	free(list->disk);
	free(list->watch);
	disk_set_free(&list->unreachable);
	memset(list, 0, sizeof(*list));
}

const char *list_hook_state(enum fsbstat_hook_state state)
{
	switch (state) {
	case FSBSTAT_HOOK_ATTACHED:
		return "attached";
	case FSBSTAT_HOOK_IDLE:
		return "idle";
	default:
		return "missing";
	}
}

static json_t *json_hooks(const struct module_info *info)
{
	json_t *array = json_array();

	for (size_t i = 0; i < info->nr_hooks && array; i++) {
		json_t *hook = json_pack("{s:s, s:s, s:b}", "name", info->hook[i].name, "state",
					 list_hook_state(info->hook[i].state), "required",
					 info->hook[i].required);

		if (json_array_append_new(array, hook)) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

static json_t *json_module(const struct list *list)
{
	const struct module_info *info = &list->module;

	if (!list->have_module)
		return json_null();
	return json_pack("{s:s, s:I, s:I, s:I, s:b, s:o}", "version", info->version, "abi",
			 (json_int_t)info->abi, "disks", (json_int_t)info->disks, "memory_bytes",
			 (json_int_t)info->memory, "unprivileged_read", info->unprivileged_read,
			 "hooks", json_hooks(info));
}

static json_t *json_watch(const struct watch *watch)
{
	if (!watch)
		return json_null();
	return json_pack("{s:I, s:b, s:I, s:b, s:I, s:I, s:I}", "references",
			 (json_int_t)watch->references, "permanent", watch->permanent,
			 "memory_bytes", (json_int_t)watch->memory, "settling", watch->settling,
			 "restarts", (json_int_t)watch->restarts, "queues",
			 (json_int_t)watch->queues, "depth_limit", (json_int_t)watch->depth_limit);
}

static json_t *json_disks(const struct list *list)
{
	json_t *array = json_array();

	for (size_t i = 0; i < list->nr && array; i++) {
		const struct list_disk *entry = &list->disk[i];
		json_t *disk = json_pack("{s:o, s:o, s:o, s:b}", "device",
					 disk_json_device(&entry->info), "mounts",
					 disk_json_mounts(&entry->mounts), "watch",
					 json_watch(entry->watch), "loses_writes",
					 disk_loses_writes(&entry->info));

		if (json_array_append_new(array, disk)) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

static json_t *json_names(const struct disk_set *set)
{
	json_t *array = json_array();

	for (size_t i = 0; i < set->nr && array; i++) {
		if (json_array_append_new(array, json_string(set->disk[i].name))) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

json_t *list_json(const struct list *list)
{
	return json_pack("{s:s, s:s, s:{s:s}, s:o, s:o, s:o, s:o}", "schema", "fsbstat/1", "kind",
			 "list", "tool", "version", FSBSTAT_VERSION, "module", json_module(list),
			 "module_reason",
			 list->have_module ? json_null() : json_string(list->reason), "disks",
			 json_disks(list), "unreachable", json_names(&list->unreachable));
}
