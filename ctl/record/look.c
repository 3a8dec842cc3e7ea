// SPDX-License-Identifier: GPL-2.0-or-later
/* look: a disk's settings and mounts as they are now; what changed is model/epochs' to say. */
#include <string.h>

#include "record/record.h"

/* The report's end is where it was seen last; the mounts become its. */
static void take_info(struct report_disk *disk, struct source_look *now)
{
	struct report_end *end = disk->begin.have_info ? &disk->end : &disk->begin;

	mounts_free(&end->mounts);
	end->info = now->info;
	end->mounts = now->mounts;
	end->have_info = true;
	memset(&now->mounts, 0, sizeof(now->mounts));
}

/* True when they are others than before. */
static bool take_options(struct member *member, const struct source_look *now)
{
	struct option_set options;
	bool changed;

	if (option_set_of(&options, &now->info, &now->mounts)) {
		option_set_free(&options);
		return false;
	}
	changed = !member->have_options || !option_set_equal(&options, &member->options);
	option_set_free(&member->options);
	member->options = options;
	member->have_options = true;
	return changed;
}

static bool take(struct recording *rec, size_t i, struct source_look *now)
{
	struct report_disk *disk = &rec->report.disk[i];
	bool changed = false;

	keep_look(rec, i, now);
	/* What lies on a disk that has gone, or was not to be read, is nothing that changed. */
	if (now->have_info && (now->have_mounts || !rec->member[i].have_options)) {
		changed = take_options(&rec->member[i], now);
		disk->iostats_on = disk->iostats_on || now->info.iostats == 1;
		disk->iostats_off = disk->iostats_off || now->info.iostats == 0;
		take_info(disk, now);
	}
	source_look_free(now);
	return changed;
}

void look_again(struct recording *rec, size_t i)
{
	struct source_look now;

	if (source_look(rec->source, i, &now) == 0)
		(void)take(rec, i, &now);
}

bool look_noticed(struct recording *rec, size_t i, enum noticed what)
{
	const struct report_disk *disk = &rec->report.disk[i];
	struct source_look now;

	if (source_look(rec->source, i, &now))
		return false;
	if (disk->begin.have_info)
		now.info = disk->end.have_info ? disk->end.info : disk->begin.info;
	if (what == NOTICED_DRIVE)
		now.info.write_cache = UNKNOWN;
	return take(rec, i, &now);
}

void look_below(struct recording *rec)
{
	struct disk_set added;
	size_t i, k;

	if (disk_find_added(&rec->found, &added) == 0) {
		for (i = 0; i < added.nr * rec->report.nr_disks; i++) {
			struct report_disk *disk = &rec->report.disk[i / added.nr];

			k = i % added.nr;
			disk->incomplete = true;
			warnings_add(&disk->warnings,
				     "%s was added below %s during the recording and is not counted",
				     added.disk[k].name, rec->options->disk);
		}
		/* Known from now on; without memory it is said again. */
		(void)disk_set_join(&rec->found, &added);
	}
	disk_set_free(&added);
}

/* Once, when all has been seen. */
static void warn_of_silence(struct recording *rec, size_t i)
{
	struct report_disk *disk = &rec->report.disk[i];
	const char *iostats = report_iostats(disk);

	if (rec->member[i].silence_told)
		return;
	if (disk->silent)
		warnings_add(&disk->warnings,
			     "%s: /proc/diskstats did not count %s, so nothing is shown; to count: echo 1 > /sys/block/%s/queue/iostats",
			     report_nothing(disk), disk->disk.name, disk->disk.name);
	else if (iostats && disk->iostats_on)
		warnings_add(&disk->warnings, "%s: not compared with diskstats", iostats);
	else
		return;
	rec->member[i].silence_told = true;
}

void look(struct recording *rec, size_t i)
{
	struct report_disk *disk = &rec->report.disk[i];
	struct source_look now;

	if (source_look(rec->source, i, &now))
		return;
	if (now.have_info && !now.have_mounts)
		warnings_add(&disk->warnings, "the mounts of %s could not be read: %s",
			     disk->disk.name, now.mounts.unknown);
	(void)take(rec, i, &now);
	warn_of_silence(rec, i);
}
