// SPDX-License-Identifier: GPL-2.0-or-later
/* find_added: what has come below a DISK since it was found, see disk.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/blockdev.h"
#include "disk/kfile.h"

/* All disks of the btrfs that has a device called @member. */
static int add_pool(struct disk_set *now, const char *member)
{
	char **pools, **names, culprit[DISK_NAME_MAX];
	int nr = kfile_names(&pools, "/sys/fs/btrfs"), ret = 0;

	for (int i = 0; i < nr && !ret; i++) {
		int nr_names;

		if (!kfile_exists("/sys/fs/btrfs/%s/devices/%s", pools[i], member))
			continue;
		nr_names = kfile_names(&names, "/sys/fs/btrfs/%s/devices", pools[i]);
		for (int k = 0; k < nr_names && !ret; k++) {
			struct blockdev dev;

			if (!blockdev_by_name(&dev, names[k]) &&
			    blockdev_leaves(&dev, now, culprit) && errno == ENOMEM)
				ret = -1;
		}
		kfile_names_free(names, nr_names > 0 ? nr_names : 0);
	}
	kfile_names_free(pools, nr > 0 ? nr : 0);
	return ret;
}

static bool has(const struct disk_set *set, const struct disk *disk)
{
	for (size_t i = 0; i < set->nr; i++)
		if (disk_same(&set->disk[i], disk))
			return true;
	return false;
}

int disk_set_join(struct disk_set *into, const struct disk_set *from)
{
	struct disk *disk = realloc(into->disk, (into->nr + from->nr + 1) * sizeof(*disk));
	struct disk_top *top;

	if (!disk)
		return -1;
	into->disk = disk;
	for (size_t i = 0; i < from->nr; i++)
		if (!has(into, &from->disk[i]))
			into->disk[into->nr++] = from->disk[i];
	top = realloc(into->top, (into->nr_tops + from->nr_tops + 1) * sizeof(*top));
	if (!top)
		return -1;
	into->top = top;
	for (size_t i = 0; i < from->nr_tops; i++)
		into->top[into->nr_tops++] = from->top[i];
	return 0;
}

int disk_find_added(const struct disk_set *set, struct disk_set *added)
{
	char culprit[DISK_NAME_MAX];
	size_t i, kept = 0;
	int ret = 0;

	memset(added, 0, sizeof(*added));
	for (i = 0; i < set->nr_tops && !ret; i++) {
		const struct disk_top *top = &set->top[i];
		struct blockdev dev;

		if (blockdev_by_number(&dev, top->major, top->minor))
			continue;
		if (blockdev_leaves(&dev, added, culprit) && errno == ENOMEM)
			ret = -1;
		if (!ret && top->pool)
			ret = add_pool(added, dev.name);
	}
	for (i = 0; i < added->nr; i++)
		if (!has(set, &added->disk[i]))
			added->disk[kept++] = added->disk[i];
	added->nr = kept;
	return ret;
}
