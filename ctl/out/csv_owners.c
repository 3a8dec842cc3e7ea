// SPDX-License-Identifier: GPL-2.0-or-later
/* csv_owners: rows of owners, see csv.c. */
#include <inttypes.h>

#include "out/csv.h"

/* @group is NULL for those that found no room in the module's table. */
static void owner_row(FILE *to, const struct report_disk *disk, size_t empty,
		      const struct owner_group *group, const struct owner_counts *counts)
{
	const struct bio_counts *bio = &counts->bio;

	csv_field(to, disk->disk.name);
	fputs(",owner", to);
	for (; empty; empty--)
		fputc(',', to);
	fputc(',', to);
	csv_field(to, group ? group->comm : "");
	fputc(',', to);
	if (group && group->tasks)
		fprintf(to, "%" PRIu64, group->tasks);
	fputc(',', to);
	csv_field(to, group ? group->device : "");
	fprintf(to, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, owner_bios(counts),
		owner_bytes(counts), bio->write_ios, bio->write_bytes);
	fprintf(to, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", bio->preflush, bio->fua,
		bio->empty_flush);
	if (group && !disk->callers_lost)
		fprintf(to, "%" PRIu64, counts->fsyncs);
	fputs(CSV_END, to);
}

void csv_owner_rows(FILE *to, const struct report_disk *disk, size_t empty)
{
	size_t i;

	for (i = 0; i < disk->groups.nr; i++)
		owner_row(to, disk, empty, &disk->groups.group[i], &disk->groups.group[i].counts);
	if (owner_bios(&disk->owners.other))
		owner_row(to, disk, empty, NULL, &disk->owners.other);
}
