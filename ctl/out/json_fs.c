// SPDX-License-Identifier: GPL-2.0-or-later
/* json_fs: the filesystem layer of a document, see json_figures.h. */
#include "json_text.h"
#include "out/json_figures.h"

static json_t *fsync_json(const struct fs_sums *sums, json_t *latency)
{
	return json_pack("{s:o, s:o, s:o}", "calls", json_count(sums->fsyncs), "errors",
			 json_count(sums->errors), "latency", latency);
}

static json_t *row_json(const struct report_disk *disk, const struct fs_row *row)
{
	const struct mount *mount = report_mount_of(disk, row);
	struct latency latency;
	char device[32];

	snprintf(device, sizeof(device), "%u:%u", row->major, row->minor);
	latency_of(&latency, row->latency);
	return json_pack("{s:o, s:o, s:o, s:o, s:o}",
			 "device", mount ? json_text(mount->source) : json_string(device),
			 "target", mount ? json_text(mount->target) : json_null(),
			 "fstype", json_text(row->type),
			 "fsync", fsync_json(&row->sums, json_latency(&latency, false, NULL)),
			 "commits", json_count_if(row->sums.commits, row->sums.commits));
}

static json_t *rows_json(const struct report_disk *disk, const struct fs_delta *fs)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && i < fs->nr; i++)
		if (json_array_append_new(array, row_json(disk, &fs->row[i]))) {
			json_decref(array);
			array = NULL;
		}
	return array;
}

json_t *json_fs(const struct report_disk *disk, const struct figures *figures,
		const struct delta *delta)
{
	const struct fs_figures *fs = &figures->fs;
	json_t *object, *latency;

	if (!fs->calls)
		return json_null();
	latency = json_latency(&fs->latency, delta, delta ? delta->fs->latency : NULL);
	object = json_pack("{s:o, s:o}", "fsync", fsync_json(&fs->sums, latency), "commits",
			   json_count_if(fs->journal, fs->sums.commits));
	if (object && delta &&
	    json_object_set_new(object, "filesystems", rows_json(disk, delta->fs))) {
		json_decref(object);
		return NULL;
	}
	return object;
}
