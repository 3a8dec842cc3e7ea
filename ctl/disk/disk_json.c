// SPDX-License-Identifier: GPL-2.0-or-later
/* disk_json: see disk_json.h. */
#include "disk/disk_json.h"

#include <stdio.h>

#include "json_text.h"

static json_t *text(const char *value)
{
	return *value ? json_text(value) : json_null();
}

static json_t *number(int64_t value)
{
	return value < 0 ? json_null() : json_integer(value);
}

static json_t *truth(int value)
{
	return value < 0 ? json_null() : json_boolean(value);
}

static json_t *on_off(enum tristate value)
{
	return value == UNKNOWN ? json_null() : json_string(value == ON ? "on" : "off");
}

json_t *disk_json_device(const struct disk_info *info)
{
	char majmin[32];

	snprintf(majmin, sizeof(majmin), "%u:%u", info->disk.major, info->disk.minor);
	return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o,"
			 " s:o, s:o}",
			 "name", json_text(info->disk.name), "majmin", majmin,
			 "by_id", text(info->by_id), "serial", text(info->serial),
			 "wwn", text(info->wwn), "model", text(info->model),
			 "firmware", text(info->firmware), "transport", text(info->transport),
			 "rotational", truth(info->rotational),
			 "size_bytes", number(info->size_bytes), "ncq", number(info->ncq),
			 "nr_requests", number(info->nr_requests),
			 "scheduler", text(info->scheduler),
			 "write_cache", on_off(info->write_cache),
			 "write_cache_kernel", text(info->write_cache_kernel),
			 "fua", truth(info->fua));
}

json_t *disk_json_mounts(const struct mounts *mounts)
{
	json_t *array = *mounts->unknown ? json_null() : json_array();

	for (size_t i = 0; i < mounts->nr && array; i++) {
		const struct mount *mount = &mounts->mount[i];
		json_t *entry = json_pack("{s:o, s:o, s:o}", "target", json_text(mount->target),
					  "fstype", json_text(mount->fstype),
					  "options", json_text(mount->options));

		if (json_array_append_new(array, entry)) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}
