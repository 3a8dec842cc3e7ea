// SPDX-License-Identifier: GPL-2.0-or-later
/* meter_owners: who asked for flushes, see meter_owners.h. */
#include "tui/meter_owners.h"

#include <errno.h>
#include <string.h>

#include "message.h"

void meter_owners_free(struct meter_owners *owners)
{
	unsigned int i;

	for (i = 0; i < METER_RING; i++)
		owners_free(&owners->ring[i]);
	owners_free(&owners->last);
	owners_free(&owners->total);
}

void meter_owners_begin(struct meter_owners *owners, struct source *source, size_t disk)
{
	owners_free(&owners->last);
	owners->known = source_owners(source, disk, &owners->last) == 0;
}

/* Between two tables; one whose counts went back began anew. */
static int since(struct owners *delta, const struct owners *now, const struct owners *last)
{
	static const struct owners none;
	int err = owners_subtract(delta, now, last);

	return err == -ERANGE ? owners_subtract(delta, now, &none) : err;
}

int meter_owners_take(struct meter_owners *owners, struct source *source, size_t disk,
		      unsigned int place)
{
	struct owners now, delta;
	bool known = owners->known;
	int err = 0;

	owners_free(&owners->ring[place]);
	owners->known = source_owners(source, disk, &now) == 0;
	if (!owners->known)
		return 0;
	memset(&delta, 0, sizeof(delta));
	if (known)
		err = since(&delta, &now, &owners->last);
	owners_free(&owners->last);
	owners->last = now;
	if (err || !known)
		return err;
	err = owners_add(&owners->total, &delta);
	owners->any = owners->any || owner_bios(&delta.sum);
	if (source_kind(source) == SOURCE_FILE)
		owners_free(&delta);
	else
		owners->ring[place] = delta;
	return err;
}

static uint64_t asked_by(const struct owner_counts *counts, bool no_fua)
{
	const struct bio_counts *bio = &counts->bio;

	return bio->preflush + bio->empty_flush + (no_fua ? bio->fua : 0);
}

/* Some names say where (jbd2/sda1-8); one that is on several devices does not. */
static bool elsewhere_too(const struct owner_groups *groups, const struct owner_group *group)
{
	size_t i;

	for (i = 0; i < groups->nr; i++)
		if (&groups->group[i] != group &&
		    !strncmp(groups->group[i].comm, group->comm, sizeof(group->comm)))
			return true;
	return false;
}

/* "dbench (12 tasks)" */
static void name_of(char *name, size_t size, struct source *source,
		    const struct owner_groups *groups, const struct owner_group *group)
{
	char comm[64], device[DISK_NAME_MAX] = "", tasks[32] = "";
	int used;
	bool where = elsewhere_too(groups, group);

	message_printable(comm, sizeof(comm), group->comm);
	if (where)
		source_device_name(source, group->major, group->minor, device);
	if (group->tasks > 1)
		snprintf(tasks, sizeof(tasks), " (%llu tasks)", (unsigned long long)group->tasks);
	used = snprintf(name, size, "%.20s%s%.20s", comm, where ? " on " : "", device);
	if (used > 0 && (size_t)used < size)
		snprintf(name + used, size - (size_t)used, "%s", tasks);
}

static void add_name(struct why *why, const char *name, uint64_t asked, double seconds)
{
	if (why->nr_owners == OWNERS_SHOWN || !asked)
		return;
	snprintf(why->owner[why->nr_owners].name, sizeof(why->owner[0].name), "%s", name);
	why->owner[why->nr_owners++].flush_s = (double)asked / seconds;
}

static int name_all(struct why *why, struct source *source, const struct owners *owners,
		    bool no_fua, double seconds)
{
	struct owner_groups groups = {0};
	char name[sizeof(why->owner[0].name)];
	size_t i;

	if (owners_group(&groups, owners, no_fua))
		return -ENOMEM;
	for (i = 0; i < groups.nr; i++) {
		name_of(name, sizeof(name), source, &groups, &groups.group[i]);
		add_name(why, name, asked_by(&groups.group[i].counts, no_fua), seconds);
	}
	owner_groups_free(&groups);
	/* Those that found no room in the module's table. */
	add_name(why, "others", asked_by(&owners->other, no_fua), seconds);
	return 0;
}

int meter_owners_why(const struct meter_owners *owners, struct source *source,
		     const struct disk_info *info, struct stretch *stretch, unsigned int newest,
		     unsigned int nr)
{
	double seconds = (double)stretch->figures->elapsed_ns / 1e9;
	struct owners sum = {0};
	unsigned int back;
	int err = 0;

	stretch->why.nr_owners = 0;
	if (stretch->why.asked_unknown || seconds <= 0)
		return 0;
	for (back = 0; back < nr && !err; back++)
		err = owners_add(&sum, &owners->ring[(newest + METER_RING - back) % METER_RING]);
	if (!err)
		err = name_all(&stretch->why, source, nr ? &sum : &owners->total, info->fua == 0,
			       seconds);
	owners_free(&sum);
	return err;
}

const char *meter_owners_missing(const struct meter_owners *owners, struct source *source)
{
	const char *why = source_missing(source, LAYER_OWNERS);

	if (why)
		return why;
	if (source_kind(source) == SOURCE_FILE)
		return owners->any ? "a recording tells at its end alone (key a)" :
				     "not recorded up to here";
	return owners->known ? NULL : "the module is of an earlier release";
}
