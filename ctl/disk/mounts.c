// SPDX-License-Identifier: GPL-2.0-or-later
/* mounts: the filesystems of a disk, see mounts.h. */
#include "disk/mounts.h"

#include <errno.h>
#include <libmount.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "disk/blockdev.h"
#include "disk/mount_parts.h"

/* A copy of list without what it says twice; NULL when memory ran out. */
static char *without_repeats(const char *list)
{
	char *result = calloc(1, strlen(list) + 1), *copy = strdup(list);
	char *option, *state = NULL, *end = result;

	if (!result || !copy) {
		free(result);
		result = NULL;
		goto out;
	}
	for (option = strtok_r(copy, ",", &state); option; option = strtok_r(NULL, ",", &state)) {
		size_t len = strlen(option);
		const char *at = result;

		while (*at && !(!strncmp(at, option, len) && (at[len] == ',' || !at[len]))) {
			at += strcspn(at, ",");
			at += *at == ',';
		}
		if (*at)
			continue;
		if (end != result)
			*end++ = ',';
		memcpy(end, option, len);
		end += len;
	}
out:
	free(copy);
	return result;
}

static void mount_free(struct mount *mount)
{
	free(mount->source);
	free(mount->target);
	free(mount->fstype);
	free(mount->options);
}

static int add_mount(struct mounts *mounts, struct libmnt_fs *fs, const char *source)
{
	/* libmount has joined the options, with "ro" where either of them is. */
	const char *target = mnt_fs_get_target(fs), *fstype = mnt_fs_get_fstype(fs);
	const char *options = mnt_fs_get_options(fs);
	struct mount *more = realloc(mounts->mount, (mounts->nr + 1) * sizeof(*more));
	struct mount *mount;

	if (!more)
		return -1;
	mounts->mount = more;
	mount = &more[mounts->nr];
	mount->major = major(mnt_fs_get_devno(fs));
	mount->minor = minor(mnt_fs_get_devno(fs));
	mount->source = strdup(source);
	mount->target = strdup(target ? target : "");
	mount->fstype = strdup(fstype ? fstype : "");
	mount->options = without_repeats(options ? options : "");
	if (mount->source && mount->target && mount->fstype && mount->options) {
		mounts->nr++;
		return 0;
	}
	mount_free(mount);
	errno = ENOMEM;
	return -1;
}

/* A mount that stands for its superblock, or would. */
struct candidate {
	struct libmnt_fs *fs;
	dev_t number; /* a superblock has one, however often and wherever it is mounted */
	bool part; /* of a directory in it only: a bind mount, or a subvolume */
	int id; /* in the order of mounting, near enough */
};

static int by_id(const void *a, const void *b)
{
	const struct candidate *left = a, *right = b;

	return left->id < right->id ? -1 : left->id > right->id;
}

/* Those of a superblock together, the one that stands for it first. */
static int by_superblock(const void *a, const void *b)
{
	const struct candidate *left = a, *right = b;

	if (left->number != right->number)
		return left->number < right->number ? -1 : 1;
	return left->part != right->part ? left->part - right->part : by_id(a, b);
}

/*
 * One mount of each superblock: the earliest of the whole of it, so that no bind mount
 * that comes, goes or gets flags of its own makes a difference.  NULL without memory.
 */
static struct candidate *superblocks(struct libmnt_table *table, size_t *nr)
{
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct candidate *list = calloc((size_t)mnt_table_get_nents(table) + 1, sizeof(*list));
	struct libmnt_fs *fs;
	size_t all = 0, i;

	*nr = 0;
	while (iter && list && !mnt_table_next_fs(table, iter, &fs)) {
		const char *root = mnt_fs_get_root(fs);

		list[all++] = (struct candidate){ fs, mnt_fs_get_devno(fs),
						  root && strcmp(root, "/"), mnt_fs_get_id(fs) };
	}
	if (!iter) {
		free(list);
		return NULL;
	}
	mnt_free_iter(iter);
	if (!list)
		return NULL;
	qsort(list, all, sizeof(*list), by_superblock);
	for (i = 0; i < all; i++)
		if (!*nr || list[i].number != list[*nr - 1].number)
			list[(*nr)++] = list[i];
	qsort(list, *nr, sizeof(*list), by_id);
	return list;
}

/* A device of a filesystem, and the disks at its bottom. */
struct mounted_device {
	char name[DISK_NAME_MAX];
	struct disk_set disks;
};

struct superblock {
	struct libmnt_fs *fs;
	struct mounted_device *device;
	size_t nr;
};

struct mount_table {
	struct libmnt_table *mountinfo;
	struct superblock *superblock;
	size_t nr;
	int err; /* of reading it */
};

static int add_devices(struct superblock *superblock, const struct mount_place *place)
{
	char culprit[DISK_NAME_MAX];

	superblock->device = calloc(place->nr ? place->nr : 1, sizeof(*superblock->device));
	if (!superblock->device)
		return -1;
	for (size_t i = 0; i < place->nr; i++) {
		struct mounted_device *device = &superblock->device[superblock->nr++];

		memcpy(device->name, place->dev[i].name, sizeof(device->name));
		/* One member may be missing: the others still count. */
		(void)blockdev_leaves(&place->dev[i], &device->disks, culprit);
	}
	return 0;
}

static int fill(struct mount_table *table)
{
	struct candidate *list;
	size_t nr, i;
	int ret = 0;

	list = superblocks(table->mountinfo, &nr);
	table->superblock = calloc(nr ? nr : 1, sizeof(*table->superblock));
	if (!list || !table->superblock) {
		free(list);
		errno = ENOMEM;
		return -1;
	}
	for (i = 0; i < nr && !ret; i++) {
		struct superblock *superblock = &table->superblock[table->nr++];
		struct mount_place place = { 0 };

		superblock->fs = list[i].fs;
		ret = mount_place_of_fs(table->mountinfo, list[i].fs, &place);
		if (!ret)
			ret = add_devices(superblock, &place);
		mount_place_free(&place);
	}
	free(list);
	return ret;
}

struct mount_table *mount_table_read(void)
{
	struct mount_table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->mountinfo = mountinfo_read("1");
	if (!table->mountinfo)
		table->mountinfo = mountinfo_read("self");
	if (!table->mountinfo || fill(table))
		table->err = errno;
	return table;
}

void mount_table_free(struct mount_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->nr; i++) {
		for (size_t k = 0; k < table->superblock[i].nr; k++)
			disk_set_free(&table->superblock[i].device[k].disks);
		free(table->superblock[i].device);
	}
	free(table->superblock);
	mnt_unref_table(table->mountinfo);
	free(table);
}

static int cannot_tell(struct mounts *mounts, int err)
{
	mounts_free(mounts);
	snprintf(mounts->unknown, sizeof(mounts->unknown), "%s%s",
		 err == ENOMEM ? "" : "/proc/self/mountinfo: ", strerror(err));
	errno = err;
	return -1;
}

/* The device of the filesystem that has disk at its bottom, NULL for none. */
static const char *device_on_disk(const struct superblock *superblock, const struct disk *disk)
{
	for (size_t i = 0; i < superblock->nr; i++)
		for (size_t k = 0; k < superblock->device[i].disks.nr; k++)
			if (disk_same(&superblock->device[i].disks.disk[k], disk))
				return superblock->device[i].name;
	return NULL;
}

int mount_table_of_disk(const struct mount_table *table, const struct disk *disk,
			struct mounts *mounts)
{
	memset(mounts, 0, sizeof(*mounts));
	if (!table || table->err)
		return cannot_tell(mounts, table ? table->err : ENOMEM);
	for (size_t i = 0; i < table->nr; i++) {
		const char *name = device_on_disk(&table->superblock[i], disk);

		if (name && add_mount(mounts, table->superblock[i].fs, name))
			return cannot_tell(mounts, ENOMEM);
	}
	return 0;
}

int mounts_of_disk(const struct disk *disk, struct mounts *mounts)
{
	struct mount_table *table = mount_table_read();
	int ret = mount_table_of_disk(table, disk, mounts), saved = errno;

	mount_table_free(table);
	errno = saved;
	return ret;
}

int mounts_copy(struct mounts *to, const struct mounts *from)
{
	memcpy(to->unknown, from->unknown, sizeof(to->unknown));
	if (!from->nr)
		return 0;
	to->mount = calloc(from->nr, sizeof(*to->mount));
	if (!to->mount)
		return -ENOMEM;
	for (; to->nr < from->nr; to->nr++) {
		const struct mount *mount = &from->mount[to->nr];
		struct mount *copy = &to->mount[to->nr];

		*copy = (struct mount){
			.source = strdup(mount->source),
			.target = strdup(mount->target),
			.fstype = strdup(mount->fstype),
			.options = strdup(mount->options),
			.major = mount->major,
			.minor = mount->minor,
		};
		if (!copy->source || !copy->target || !copy->fstype || !copy->options) {
			to->nr++;
			return -ENOMEM;
		}
	}
	return 0;
}

void mounts_free(struct mounts *mounts)
{
	for (size_t i = 0; i < mounts->nr; i++)
		mount_free(&mounts->mount[i]);
	free(mounts->mount);
	memset(mounts, 0, sizeof(*mounts));
}
