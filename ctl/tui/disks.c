// SPDX-License-Identifier: GPL-2.0-or-later
/* disks: the rows of the list, see disks.h. */
#include "tui/disks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock_ns.h"
#include "message.h"
#include "source/diskstats.h"

/* Descriptions are read anew every so many seconds: hundreds of disks have thousands of files. */
#define DESCRIBE_S 10

struct counted {
	struct diskstats stats;
	double at_s;
	bool have;
};

struct disks {
	bool all; /* disks may come and go */
	struct disk_set set;
	struct list_row *row; /* of set.disk[i], as far as it is there */
	struct counted *counted;
	size_t nr;
	double described_s;
};

static double now_s(void)
{
	return (double)clock_ns(CLOCK_MONOTONIC) / 1e9;
}

static void mounts_text(struct list_row *row, const struct mount_table *table)
{
	size_t used = 0, room = sizeof(row->mounts);
	struct mounts mounts;

	row->mounts[0] = '\0';
	if (mount_table_of_disk(table, &row->info.disk, &mounts) == 0) {
		for (size_t i = 0; i < mounts.nr && used + 2 < room; i++) {
			if (i)
				row->mounts[used++] = ' ';
			message_printable(row->mounts + used, room - used, mounts.mount[i].target);
			used += strlen(row->mounts + used);
		}
	}
	mounts_free(&mounts);
}

/* Counts of disks that stay are kept. */
static int describe(struct disks *disks)
{
	size_t room = disks->set.nr ? disks->set.nr : 1, nr = 0;
	struct list_row *row = calloc(room, sizeof(*row));
	struct counted *counted = calloc(room, sizeof(*counted));
	struct mount_table *table;

	if (!row || !counted) {
		free(row);
		free(counted);
		return -1;
	}
	table = mount_table_read();
	for (size_t i = 0; i < disks->set.nr; i++) {
		if (disk_describe(&disks->set.disk[i], &row[nr].info))
			continue;
		mounts_text(&row[nr], table);
		row[nr].ios_s = NAN;
		row[nr].flush_s = NAN;
		for (size_t k = 0; k < disks->nr; k++) {
			const struct disk *old = &disks->row[k].info.disk;

			if (old->major != row[nr].info.disk.major ||
			    old->minor != row[nr].info.disk.minor)
				continue;
			counted[nr] = disks->counted[k];
			row[nr].ios_s = disks->row[k].ios_s;
			row[nr].flush_s = disks->row[k].flush_s;
		}
		nr++;
	}
	mount_table_free(table);
	free(disks->row);
	free(disks->counted);
	disks->row = row;
	disks->counted = counted;
	disks->nr = nr;
	disks->described_s = now_s();
	return 0;
}

static int copy_set(struct disk_set *to, const struct disk_set *from)
{
	to->disk = calloc(from->nr ? from->nr : 1, sizeof(*to->disk));
	if (!to->disk)
		return -1;
	memcpy(to->disk, from->disk, from->nr * sizeof(*to->disk));
	to->nr = from->nr;
	return 0;
}

struct disks *disks_open(const struct disk_set *only)
{
	struct disks *disks = calloc(1, sizeof(*disks));

	if (!disks)
		return NULL;
	disks->all = !only;
	if ((only ? copy_set(&disks->set, only) : disk_all(&disks->set)) || describe(disks)) {
		disks_close(disks);
		return NULL;
	}
	return disks;
}

void disks_close(struct disks *disks)
{
	if (!disks)
		return;
	disk_set_free(&disks->set);
	free(disks->row);
	free(disks->counted);
	free(disks);
}

static void count(struct list_row *row, struct counted *counted)
{
	double at_s = now_s(), seconds = at_s - counted->at_s;
	struct diskstats stats, since;

	row->ios_s = NAN;
	row->flush_s = NAN;
	if (disk_stats(&row->info.disk, &stats)) {
		counted->have = false;
		return;
	}
	/* With queue/iostats at 0 nothing is counted, whatever the disk does. */
	if (counted->have && seconds > 0 && row->info.iostats != 0 &&
	    !diskstats_subtract(&since, &stats, &counted->stats)) {
		row->ios_s = (double)(since.read_ios + since.write_ios) / seconds;
		row->flush_s = (double)since.flush_ios / seconds;
	}
	*counted = (struct counted){stats, at_s, true};
}

int disks_step(struct disks *disks)
{
	struct disk_set found = {0};

	if (now_s() - disks->described_s >= DESCRIBE_S) {
		if (disks->all && disk_all(&found) == 0) {
			disk_set_free(&disks->set);
			disks->set = found;
		}
		if (describe(disks))
			return -1;
	}
	for (size_t i = 0; i < disks->nr; i++)
		count(&disks->row[i], &disks->counted[i]);
	return 0;
}

const struct list_row *disks_rows(const struct disks *disks, size_t *nr)
{
	*nr = disks->nr;
	return disks->row;
}

const struct disk *disks_candidate(const struct disks *disks)
{
	const struct disk *candidate = NULL;

	if (disks->nr == 1)
		return &disks->row[0].info.disk;
	for (size_t i = 0; i < disks->nr; i++) {
		if (!*disks->row[i].mounts)
			continue;
		if (candidate)
			return NULL;
		candidate = &disks->row[i].info.disk;
	}
	return candidate;
}
