// SPDX-License-Identifier: GPL-2.0-or-later
/* holds: see holds.h. */
#include "disk/holds.h"

bool disk_holds(const struct disk *disk, const struct blockdev *dev)
{
	char culprit[DISK_NAME_MAX];
	struct disk_set set = { 0 };
	bool found = false;

	/* One member may be missing: the others still count. */
	(void)blockdev_leaves(dev, &set, culprit);
	for (size_t i = 0; i < set.nr; i++)
		found |= disk_same(&set.disk[i], disk);
	disk_set_free(&set);
	return found;
}
