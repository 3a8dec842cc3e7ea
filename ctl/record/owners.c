// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * owners: who did what on a recorded disk.  The tables are read just outside the counts of the
 * disk, so that nobody is missing who is in those.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "record/record.h"
#include "source/file.h"
#include "source/fs.h"
#include "source/module.h"

static void unknown(struct report_disk *disk, const char *reason)
{
	snprintf(disk->owners_unknown, sizeof(disk->owners_unknown), "%s", reason);
}

static int take(struct recording *rec, size_t i, struct owners *owners)
{
	struct report_disk *disk = &rec->report.disk[i];
	int err = source_owners(rec->source, i, owners);

	keep_owners(rec, i, err ? NULL : owners);
	if (err)
		unknown(disk, source_error(rec->source));
	return err;
}

void owners_begin(struct recording *rec, size_t i)
{
	struct member *member = &rec->member[i];

	owners_free(&member->owners);
	owners_free(&member->callers);
	(void)take(rec, i, &member->owners);
	member->have_callers = source_module(rec->source) &&
			       module_callers(source_module(rec->source), &member->callers) == 0;
}

/* A recording has what add_callers() found. */
static int add_recorded_callers(struct recording *rec, size_t i)
{
	struct report_disk *disk = &rec->report.disk[i];
	struct owners delta;
	int err = file_callers(rec->source, i, &delta);

	disk->callers_lost |= err == -ENODATA;
	if (err)
		return err == -ENODATA ? 0 : err;
	err = owners_add(&disk->owners, &delta);
	owners_free(&delta);
	return err;
}

/* Calls of fsync during the window, on filesystems of the disk; they are counted apart from it. */
static int add_callers(struct recording *rec, size_t i)
{
	static const struct owners none;
	const struct member *member = &rec->member[i];
	struct report_disk *disk = &rec->report.disk[i];
	struct owners now, delta;
	int err;

	if (rec->options->from)
		return add_recorded_callers(rec, i);
	disk->callers_lost |= !member->have_callers ||
			      module_callers(source_module(rec->source), &now);
	if (disk->callers_lost)
		return 0;
	err = owners_subtract(&delta, &now, &member->callers);
	if (err == -ERANGE)
		err = owners_subtract(&delta, &now, &none);
	owners_free(&now);
	if (err)
		return err;
	fs_keep_callers(&delta, &disk->disk, &disk->begin.mounts);
	keep_callers(rec, i, &delta);
	err = owners_add(&disk->owners, &delta);
	owners_free(&delta);
	return err;
}

void owners_end(struct recording *rec, size_t i, bool same)
{
	static const struct owners none;
	struct report_disk *disk = &rec->report.disk[i];
	struct owners now, delta;
	int err;

	if (*disk->owners_unknown || take(rec, i, &now))
		return;
	err = owners_subtract(&delta, &now, same ? &rec->member[i].owners : &none);
	owners_free(&now);
	if (!err) {
		err = owners_add(&disk->owners, &delta);
		owners_free(&delta);
	}
	if (!err)
		err = add_callers(rec, i);
	if (err)
		unknown(disk, err == -ERANGE ? "a counter went back" : strerror(-err));
}

void owners_lost(struct report_disk *disk)
{
	if (!*disk->owners_unknown)
		unknown(disk, "their last counts could not be read");
}

void owners_finish(struct recording *rec, size_t k)
{
	struct report_disk *disk = &rec->report.disk[k];
	size_t i;

	if (!*disk->owners_unknown && !disk->delta.windows)
		unknown(disk, "the counters could not be read at the end");
	if (*disk->owners_unknown)
		return;
	if (owners_group(&disk->groups, &disk->owners, disk->begin.info.fua == 0)) {
		unknown(disk, strerror(ENOMEM));
		return;
	}
	for (i = 0; i < disk->groups.nr; i++) {
		struct owner_group *group = &disk->groups.group[i];

		source_device_name(rec->source, group->major, group->minor, group->device);
	}
}
