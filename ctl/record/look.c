// SPDX-License-Identifier: GPL-2.0-or-later
/* look: a disk's settings and mounts, and what changed since the last look. */
#include <inttypes.h>
#include <string.h>

#include "record/record.h"

static const char *shown(const char *text)
{
	return *text ? text : "unknown";
}

static const char *state(int value)
{
	return value > 0 ? "on" : value == 0 ? "off" : "unknown";
}

static void note_text(struct report_disk *disk, const char *when, const char *what,
		      const char *before, const char *now)
{
	if (strcmp(before, now))
		warnings_add(&disk->warnings, "%s changed%s: %s -> %s", what, when, shown(before),
			     shown(now));
}

static void note_number(struct report_disk *disk, const char *when, const char *what,
			int64_t before, int64_t now)
{
	if (before != now)
		warnings_add(&disk->warnings, "%s changed%s: %" PRId64 " -> %" PRId64, what, when,
			     before, now);
}

static void compare_settings(struct report_disk *disk, const char *when,
			     const struct disk_info *before, const struct disk_info *now)
{
	note_text(disk, when, "the drive's write cache", state(before->write_cache),
		  state(now->write_cache));
	note_text(disk, when, "the kernel's view of the write cache", before->write_cache_kernel,
		  now->write_cache_kernel);
	note_text(disk, when, "FUA", state(before->fua), state(now->fua));
	note_text(disk, when, "scheduler", before->scheduler, now->scheduler);
	note_number(disk, when, "queue depth", before->queue_depth, now->queue_depth);
	note_number(disk, when, "nr_requests", before->nr_requests, now->nr_requests);
	note_text(disk, when, "iostats", state(before->iostats), state(now->iostats));
}

static const struct mount *find_mount(const struct mounts *mounts, const struct mount *like)
{
	size_t i;

	for (i = 0; i < mounts->nr; i++)
		if (!strcmp(mounts->mount[i].source, like->source) &&
		    !strcmp(mounts->mount[i].target, like->target))
			return &mounts->mount[i];
	return NULL;
}

static void compare_mounts(struct report_disk *disk, const char *when,
			   const struct mounts *before, const struct mounts *now)
{
	size_t i;

	for (i = 0; i < before->nr; i++) {
		const struct mount *mount = &before->mount[i], *same = find_mount(now, mount);

		if (!same)
			warnings_add(&disk->warnings, "%s was unmounted%s", mount->target, when);
		else
			note_text(disk, when, mount->target, mount->options, same->options);
	}
	for (i = 0; i < now->nr; i++)
		if (!find_mount(before, &now->mount[i]))
			warnings_add(&disk->warnings, "%s was mounted%s", now->mount[i].target,
				     when);
}

/* Settings are looked at where a recording keeps them, even if nothing is said of them. */
void look_again(struct recording *rec, size_t i)
{
	struct source_look seen;

	if (!rec->recorder || source_look(rec->source, i, &seen))
		return;
	keep_look(rec, i, &seen);
	source_look_free(&seen);
}

void look(struct recording *rec, size_t i, const char *when)
{
	struct report_disk *disk = &rec->report.disk[i];
	const struct report_end *before = disk->end.have_info ? &disk->end : &disk->begin;
	struct source_look now;

	if (source_look(rec->source, i, &now))
		return;
	keep_look(rec, i, &now);
	/* What lies on a disk that has gone is nothing that changed. */
	if (!now.have_info)
		return;
	if (!now.have_mounts)
		warnings_add(&disk->warnings, "the mounts of %s could not be read",
			     disk->disk.name);
	if (!before->have_info) {
		disk->begin.info = now.info;
		disk->begin.mounts = now.mounts;
		disk->begin.have_info = true;
		return;
	}
	compare_settings(disk, when, &before->info, &now.info);
	compare_mounts(disk, when, &before->mounts, &now.mounts);
	mounts_free(&disk->end.mounts);
	disk->end.info = now.info;
	disk->end.mounts = now.mounts;
	disk->end.have_info = true;
}
