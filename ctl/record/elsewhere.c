// SPDX-License-Identifier: GPL-2.0-or-later
/* elsewhere: the usual mistake, a command whose files lie on another disk. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "out/number.h"
#include "record/record.h"

/* Below this a disk did nothing that the command could have been meant for. */
#define IDLE_BYTES 1000000U
#define IDLE_FLUSHES 10U

static uint64_t bytes_of(const struct report_disk *disk)
{
	uint64_t bytes = 0;
	unsigned int class;

	for (class = 0; class < FSBSTAT_CLASSES; class++)
		bytes += disk->figures.class[class].counts.bytes;
	return bytes;
}

static bool was_idle(const struct report_disk *disk)
{
	return bytes_of(disk) < IDLE_BYTES &&
	       disk->figures.class[FSBSTAT_CLASS_FLUSH].counts.ios < IDLE_FLUSHES;
}

enum place { ON_DISK, ON_OTHER, NOWHERE, NOT_KNOWN };

/* Where a path lies, as seen from the recorded disks; the other disk's name in @name. */
static enum place place_of(const char *path, const struct report *report, char *name, size_t size)
{
	struct disk_set set = { .disk = NULL, .nr = 0 };
	enum place place = NOWHERE;
	struct stat status;
	size_t i, k;

	if (stat(path, &status))
		return NOWHERE;
	if (S_ISBLK(status.st_mode) || disks_of_path(path, &set))
		return NOT_KNOWN;
	for (i = 0; i < set.nr && place != ON_DISK; i++) {
		place = ON_OTHER;
		snprintf(name, size, "%s", set.disk[i].name);
		for (k = 0; k < report->nr_disks; k++)
			if (disk_same(&set.disk[i], &report->disk[k].disk))
				place = ON_DISK;
	}
	disk_set_free(&set);
	return place;
}

/* The part of an argument that may be a path: "/x", "of=/x", "--dir=/x". */
static const char *path_in(const char *argument)
{
	const char *equal = strchr(argument, '=');

	if (strchr(argument, '/') == argument || !equal)
		return strchr(argument, '/') ? argument : NULL;
	return strchr(equal, '/') ? equal + 1 : NULL;
}

static void where_to_go(char *hint, size_t size, const struct report_disk *disk)
{
	if (disk->begin.mounts.nr)
		snprintf(hint, size,
			 "cd to one of its mounts (%s), or give the command a path there",
			 disk->begin.mounts.mount[0].target);
	else
		snprintf(hint, size, "mount a filesystem of it and cd there");
}

void elsewhere_warn(const struct report *report, struct report_disk *disk)
{
	char name[DISK_NAME_MAX] = "", other[DISK_NAME_MAX], hint[512], *cwd;
	struct number bytes;
	enum place place;
	size_t i;

	if (!report->argv || !disk->delta.windows || !was_idle(disk))
		return;
	cwd = getcwd(NULL, 0);
	if (!cwd)
		return;
	place = place_of(cwd, report, name, sizeof(name));
	for (i = 1; report->argv[i] && (place == ON_OTHER || place == NOWHERE); i++) {
		const char *path = path_in(report->argv[i]);

		if (!path)
			continue;
		place = place_of(path, report, other, sizeof(other));
		if (place == NOWHERE)
			place = ON_OTHER;
	}
	if (place == ON_OTHER || place == NOWHERE) {
		where_to_go(hint, sizeof(hint), disk);
		warnings_add(&disk->warnings,
			     "%s ran in %s (%s%s), %s saw only %s. To measure %s: %s",
			     report->argv[0], cwd, *name ? "disk " : "on no disk", name,
			     disk->disk.name, number_bytes(&bytes, bytes_of(disk)),
			     disk->disk.name, hint);
	}
	free(cwd);
}
