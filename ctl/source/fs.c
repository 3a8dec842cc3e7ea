// SPDX-License-Identifier: GPL-2.0-or-later
/* fs: the filesystem layer of a snapshot, see fs.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/holds.h"
#include "source/fs.h"

#define JOURNAL_HOOK "jbd2_end_commit"
#define JOURNAL_BIT (1U << COUNTED)

/* By which function a type's calls are seen; ext4's code serves its elders too. */
static const struct {
	const char *type, *hook;
	bool journal;
} counted[] = {
	{ "ext4", "ext4_sync_file", true },
	{ "ext3", "ext4_sync_file", true },
	{ "ext2", "ext4_sync_file", false },
	{ "xfs", "xfs_file_fsync", false },
	{ "btrfs", "btrfs_sync_file", false },
	{ "f2fs", "f2fs_sync_file", false },
};

#define COUNTED (sizeof(counted) / sizeof(counted[0]))

static size_t type_index(const char *type)
{
	size_t i = 0;

	while (i < COUNTED && strcmp(counted[i].type, type))
		i++;
	return i;
}

bool fs_type_is_counted(const char *type)
{
	return type_index(type) < COUNTED;
}

static bool hook_found(const struct module_info *info, const char *name)
{
	for (size_t i = 0; i < info->nr_hooks; i++)
		if (!strcmp(info->hook[i].name, name))
			return info->hook[i].state != FSBSTAT_HOOK_MISSING;
	return false;
}

static bool is_mounted(const struct mounts *mounts, uint32_t major, uint32_t minor)
{
	for (size_t i = 0; i < mounts->nr; i++)
		if (mounts->mount[i].major == major && mounts->mount[i].minor == minor)
			return true;
	return false;
}

/*
 * A block device's number leads to its disks, mounted or not.  Other numbers (btrfs) say
 * nothing without the mount.
 */
static bool lies_on(uint32_t major, uint32_t minor, const struct disk *disk,
		    const struct mounts *mounts)
{
	struct blockdev dev;

	if (major && !blockdev_by_number(&dev, major, minor))
		return disk_holds(disk, &dev);
	return is_mounted(mounts, major, minor);
}

/* Bits of the hooks that count what is mounted. */
static uint32_t hooks_wanted(const struct mounts *mounts)
{
	uint32_t wanted = 0;

	for (size_t i = 0; i < mounts->nr; i++) {
		size_t type = type_index(mounts->mount[i].fstype);

		if (type < COUNTED)
			wanted |= 1U << type | (counted[type].journal ? JOURNAL_BIT : 0);
	}
	return wanted;
}

/* What could be counted although nothing was yet. */
static int look_at_hooks(struct fs_counts *fs, struct module *module, const struct mounts *mounts,
			 uint32_t *found)
{
	uint32_t wanted = hooks_wanted(mounts);
	struct module_info info;
	int err = 0;

	*found &= wanted;
	if (*found != wanted) {
		err = module_get(module, &info);
		for (size_t i = 0; i <= COUNTED && !err; i++)
			if (wanted & 1U << i &&
			    hook_found(&info, i == COUNTED ? JOURNAL_HOOK : counted[i].hook))
				*found |= 1U << i;
	}
	fs->calls = *found & ~JOURNAL_BIT;
	fs->journal = *found & JOURNAL_BIT;
	return err;
}

static void look_at_rows(struct fs_counts *fs, const struct disk *disk, const struct mounts *mounts)
{
	for (size_t i = 0; i < fs->nr; i++)
		fs->row[i].here = lies_on(fs->row[i].major, fs->row[i].minor, disk, mounts);
}

int fs_of_disk(struct module *module, const struct disk *disk, const struct mounts *mounts,
	       uint32_t *found, struct snapshot *snap)
{
	struct fs_counts *fs = calloc(1, sizeof(*fs));
	int err;

	if (!fs)
		return -ENOMEM;
	err = module_filesystems(module, fs);
	if (!err)
		err = look_at_hooks(fs, module, mounts, found);
	if (err) {
		fs_counts_free(fs);
		return err == -ENOMEM ? err : 0;
	}
	look_at_rows(fs, disk, mounts);
	snap->fs = fs;
	return 0;
}

void fs_keep_callers(struct owners *callers, const struct disk *disk, const struct mounts *before)
{
	struct mounts now = { 0 };
	size_t i, kept = 0;

	/* Without /proc nothing is known to be mounted. */
	(void)mounts_of_disk(disk, &now);
	memset(&callers->sum, 0, sizeof(callers->sum));
	memset(&callers->other, 0, sizeof(callers->other));
	for (i = 0; i < callers->nr; i++) {
		const struct owner *row = &callers->row[i];

		if (!lies_on(row->major, row->minor, disk, &now) &&
		    !is_mounted(before, row->major, row->minor))
			continue;
		callers->sum.fsyncs += row->counts.fsyncs;
		callers->row[kept++] = *row;
	}
	callers->nr = kept;
	mounts_free(&now);
}
