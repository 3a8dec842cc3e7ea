// SPDX-License-Identifier: GPL-2.0-or-later
/* again: a disk that was gone and is there again, perhaps under another name. */
#include "disk/describe.h"

#include <errno.h>
#include <string.h>

/* A disk without a serial number and a WWN is never recognised. */
static bool is_the_same(const struct disk_info *a, const struct disk_info *b)
{
	if (strcmp(a->model, b->model) || a->size_bytes != b->size_bytes ||
	    strcmp(a->serial, b->serial) || strcmp(a->wwn, b->wwn))
		return false;
	return *a->serial || *a->wwn;
}

int disk_again(const struct disk_info *lost, struct disk *found)
{
	struct disk_set all;
	struct disk_info info;
	size_t nr = 0;

	if (disk_all(&all))
		return -1;
	for (size_t i = 0; i < all.nr; i++) {
		if (disk_describe(&all.disk[i], &info) || !is_the_same(lost, &info))
			continue;
		*found = all.disk[i];
		nr++;
	}
	disk_set_free(&all);
	/* Two of one serial number cannot be told apart. */
	errno = nr ? ENOTUNIQ : ENODEV;
	return nr == 1 ? 0 : -1;
}
