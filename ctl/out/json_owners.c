// SPDX-License-Identifier: GPL-2.0-or-later
/* json_owners: key `owners` of a document. */
#include "json_text.h"
#include "out/json_figures.h"

/* @group is NULL for those that found no room in the module's table. */
static json_t *owner_json(const struct report_disk *disk, const struct owner_group *group,
			  const struct owner_counts *counts)
{
	const struct bio_counts *bio = &counts->bio;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "comm", group ? json_text(group->comm) : json_null(),
			 "tasks", json_count_if(group && group->tasks, group ? group->tasks : 0),
			 "device", group ? json_text(group->device) : json_null(),
			 "bios", json_count(owner_bios(counts)),
			 "bytes", json_count(owner_bytes(counts)),
			 "write_ios", json_count(bio->write_ios),
			 "write_bytes", json_count(bio->write_bytes),
			 "preflush", json_count(bio->preflush), "fua", json_count(bio->fua),
			 "empty_flush", json_count(bio->empty_flush),
			 "fsync", json_count_if(group && !disk->callers_lost, counts->fsyncs));
}

json_t *json_owners(const struct report_disk *disk)
{
	json_t *array;
	size_t i;
	int err = 0;

	if (*disk->owners_unknown)
		return json_null();
	array = json_array();
	for (i = 0; !err && i < disk->groups.nr; i++)
		err = json_array_append_new(array, owner_json(disk, &disk->groups.group[i],
							      &disk->groups.group[i].counts));
	if (!err && owner_bios(&disk->owners.other))
		err = json_array_append_new(array, owner_json(disk, NULL, &disk->owners.other));
	if (!err)
		return array;
	json_decref(array);
	return NULL;
}
