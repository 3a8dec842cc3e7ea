// SPDX-License-Identifier: GPL-2.0-or-later
/* experiment_disk: the disk that a stored run was begun on, among those here; see experiment.h. */
#include "bench/experiment.h"

#include <string.h>

#include "disk/place.h"

/* How well a disk of that identity fits; each is more certain. */
enum fit { FIT_NONE, FIT_MOVED, FIT_WWN, FIT_PORT };

static bool has_id(const struct disk_info *info, const char *id)
{
	return *id && (!strcmp(info->serial, id) || !strcmp(info->wwn, id) ||
		       !strcmp(info->by_id, id));
}

static bool differs(const char *was, const char *now)
{
	return *was && *now && strcmp(was, now);
}

const char *experiment_other_disk(const struct experiment_disk *was, const struct disk_info *now)
{
	if (differs(was->wwn, now->wwn))
		return "WWN";
	if (differs(was->serial, now->serial))
		return "serial number";
	if (differs(was->model, now->model))
		return "model";
	return was->size > 0 && now->size_bytes > 0 && was->size != now->size_bytes ? "size" : NULL;
}

static enum fit fit_of(const struct experiment_disk *was, const struct disk_info *info)
{
	struct disk_place place;

	disk_place(info, &place);
	if (*was->port && !strcmp(was->port, place.port))
		return FIT_PORT;
	/* A WWN is no other disk's, so that it may have moved; serial numbers repeat. */
	return *was->wwn || !*was->port ? FIT_WWN : FIT_MOVED;
}

int experiment_find_disk(const struct experiment_disk *was, char name[DISK_NAME_MAX], bool *moved,
			 struct trouble *trouble)
{
	char other[DISK_NAME_MAX] = "";
	const char *by = NULL, *why;
	enum fit best = FIT_NONE, fit;
	struct disk_info info;
	struct disk_set all;
	size_t same = 0; /* that fit as well as the best */

	*name = '\0';
	*moved = false;
	if (disk_all(&all))
		return 0;
	for (size_t i = 0; i < all.nr; i++) {
		if (disk_describe(&all.disk[i], &info) || !has_id(&info, was->id))
			continue;
		why = experiment_other_disk(was, &info);
		fit = why ? FIT_NONE : fit_of(was, &info);
		if (why) {
			by = why;
			memcpy(other, info.disk.name, sizeof(other));
		}
		if (why || fit < best)
			continue;
		same = fit > best ? 1 : same + 1;
		best = fit;
		memcpy(name, info.disk.name, DISK_NAME_MAX);
	}
	disk_set_free(&all);
	*moved = best == FIT_MOVED;
	if (same > 1)
		return trouble_set(trouble, TROUBLE_REFUSED, was->id,
				   "unplug the one that is not meant",
				   "%s and another disk have this identity, and which of them the run "
				   "was begun on cannot be told",
				   name);
	if (!*name && by)
		return trouble_set(trouble, TROUBLE_REFUSED, was->id, "",
				   "%s has this identity and is another disk than the run was begun "
				   "on: its %s is another one",
				   other, by);
	return 0;
}
