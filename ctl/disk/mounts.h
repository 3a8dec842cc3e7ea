/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mounts: filesystems that lie on a disk, each superblock once (bind mounts and
 * further mounts of it are left out), through partitions, dm and md, by libmount.
 *
 * They are those of the initial mount namespace: what a container, or a service with a
 * namespace of its own, mounts for itself is nobody else's setting.  Where that one may
 * not be read they are those of our own.
 */
#ifndef FSB_DISK_MOUNTS_H
#define FSB_DISK_MOUNTS_H

#include "disk/disk.h"

/* As the kernel has them: to be made printable (message.h) before they are shown. */
struct mount {
	char *source; /* device as the kernel names it, e.g. "sda1" */
	char *target; /* in that namespace */
	char *fstype;
	char *options; /* effective: VFS and filesystem options joined */
	uint32_t major, minor; /* of the superblock, as mountinfo has it */
};

struct mounts {
	struct mount *mount;
	size_t nr;
	char unknown[128]; /* why they cannot be told: nr 0 says nothing then; "" otherwise */
};

/* Returns 0, or -1 with errno and mounts->unknown; mounts_free() in either case. */
int mounts_of_disk(const struct disk *disk, struct mounts *mounts);

/* Read once for many disks; what fails is said of each disk, as by mounts_of_disk(). */
struct mount_table;
struct mount_table *mount_table_read(void); /* NULL: out of memory, and may be passed on */
int mount_table_of_disk(const struct mount_table *table, const struct disk *disk,
			struct mounts *mounts);
void mount_table_free(struct mount_table *table);
/* A copy into @to, which is empty; 0 or -ENOMEM, mounts_free() in either case. */
int mounts_copy(struct mounts *to, const struct mounts *from);
void mounts_free(struct mounts *mounts);

/*
 * The disks a path lies on (through partition, dm, md, btrfs members).
 * Returns 0 (set->nr is 0 for filesystems without a disk) or -1 with errno.
 */
int disks_of_path(const char *path, struct disk_set *set);

/* Where a path lies: its mount, and the block devices below that. */
struct blockdev;
struct mount_place {
	char *target; /* "" when mountinfo does not tell */
	char *fstype;
	struct blockdev *dev;
	size_t nr; /* 0 for filesystems without a block device */
};

/* Returns 0 or -1 with errno; free with mount_place_free() in either case. */
int mount_place_of_path(const char *path, struct mount_place *place);
void mount_place_free(struct mount_place *place);

#endif /* FSB_DISK_MOUNTS_H */
