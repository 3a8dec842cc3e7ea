// SPDX-License-Identifier: GPL-2.0-or-later
/* mounts: see mounts.h.  Beside mount_watch.c the only file that knows libmount. */
#include "disk/mounts.h"

#include <errno.h>
#include <libmount.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "disk/blockdev.h"
#include "disk/holds.h"
#include "disk/kfile.h"

/* Of a process: "self", or "1" for the initial mount namespace. */
static struct libmnt_table *read_table(const char *process)
{
	struct libmnt_table *table = mnt_new_table();
	char path[PATH_MAX];
	int ret;

	if (!table) {
		errno = ENOMEM;
		return NULL;
	}
	if (kfile_path(path, sizeof(path), "/proc/%s/mountinfo", process))
		goto failed;
	ret = mnt_table_parse_file(table, path);
	if (ret) {
		errno = ret < 0 ? -ret : EINVAL;
		goto failed;
	}
	return table;
failed:
	mnt_unref_table(table);
	return NULL;
}

static int add_device(struct mount_place *place, const struct blockdev *dev)
{
	struct blockdev *more = realloc(place->dev, (place->nr + 1) * sizeof(*more));

	if (!more)
		return -1;
	place->dev = more;
	place->dev[place->nr++] = *dev;
	return 0;
}

/* All members of the btrfs that has one device as a member; none found is no error. */
static int add_btrfs_members(struct mount_place *place, const struct blockdev *member)
{
	char **names, **members;
	int nr = kfile_names(&names, "/sys/fs/btrfs"), ret = 0;

	for (int i = 0; i < nr && !ret; i++) {
		struct blockdev dev;
		int nr_members;

		if (!kfile_exists("/sys/fs/btrfs/%s/devices/%s", names[i], member->name))
			continue;
		nr_members = kfile_names(&members, "/sys/fs/btrfs/%s/devices", names[i]);
		for (int j = 0; j < nr_members && !ret; j++)
			if (!blockdev_by_name(&dev, members[j]))
				ret = add_device(place, &dev);
		kfile_names_free(members, nr_members > 0 ? nr_members : 0);
		break;
	}
	kfile_names_free(names, nr > 0 ? nr : 0);
	return ret;
}

/*
 * Filesystems with an anonymous device number (btrfs, bcachefs) name a device, or
 * several with ':' between them, as their source.
 */
static int add_source(struct mount_place *place, const char *source, const char *fstype)
{
	bool btrfs = !strcmp(fstype, "btrfs");
	char *copy, *part, *state = NULL;
	struct blockdev dev;
	int ret = 0;

	if (!source || strncmp(source, "/dev/", 5))
		return 0;
	copy = strdup(source);
	if (!copy)
		return -1;
	for (part = strtok_r(copy, ":", &state); part && !ret;
	     part = strtok_r(NULL, ":", &state)) {
		if (blockdev_by_node(&dev, part))
			continue;
		if (btrfs)
			ret = add_btrfs_members(place, &dev);
		if (!ret && (!btrfs || !place->nr))
			ret = add_device(place, &dev);
	}
	free(copy);
	return ret;
}

static int add_devices_of_fs(struct mount_place *place, struct libmnt_fs *fs)
{
	dev_t number = mnt_fs_get_devno(fs);
	const char *fstype = mnt_fs_get_fstype(fs);
	struct blockdev dev;

	if (major(number) && !blockdev_by_number(&dev, major(number), minor(number)))
		return add_device(place, &dev);
	return add_source(place, mnt_fs_get_srcpath(fs), fstype ? fstype : "");
}

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

/* The device of the filesystem that has disk at its bottom, NULL for none. */
static const struct blockdev *device_on_disk(const struct mount_place *place,
					     const struct disk *disk)
{
	for (size_t i = 0; i < place->nr; i++)
		if (disk_holds(disk, &place->dev[i]))
			return &place->dev[i];
	return NULL;
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

int mounts_of_disk(const struct disk *disk, struct mounts *mounts)
{
	struct libmnt_table *table;
	struct candidate *list;
	size_t nr, i;
	int ret = 0;

	memset(mounts, 0, sizeof(*mounts));
	table = read_table("1");
	if (!table)
		table = read_table("self");
	if (!table)
		return -1;
	list = superblocks(table, &nr);
	if (!list) {
		errno = ENOMEM;
		ret = -1;
	}
	for (i = 0; list && i < nr && !ret; i++) {
		struct mount_place place = { 0 };
		const struct blockdev *dev;

		ret = add_devices_of_fs(&place, list[i].fs);
		dev = device_on_disk(&place, disk);
		if (!ret && dev)
			ret = add_mount(mounts, list[i].fs, dev->name);
		mount_place_free(&place);
	}
	free(list);
	mnt_unref_table(table);
	return ret;
}

void mounts_free(struct mounts *mounts)
{
	for (size_t i = 0; i < mounts->nr; i++)
		mount_free(&mounts->mount[i]);
	free(mounts->mount);
	memset(mounts, 0, sizeof(*mounts));
}

static bool is_below(const char *path, const char *target)
{
	size_t len = strlen(target);

	if (!strcmp(target, "/"))
		return true;
	return !strncmp(path, target, len) && (path[len] == '/' || !path[len]);
}

/* The nearest mount above a real path: the longest target, the last of several there. */
static struct libmnt_fs *nearest_mount(struct libmnt_table *table, const char *real)
{
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs, *best = NULL;
	size_t longest = 0;

	while (iter && !mnt_table_next_fs(table, iter, &fs)) {
		const char *target = mnt_fs_get_target(fs);

		if (target && is_below(real, target) && strlen(target) >= longest) {
			longest = strlen(target);
			best = fs;
		}
	}
	mnt_free_iter(iter);
	return best;
}

static struct libmnt_fs *mount_above(struct libmnt_table *table, const char *path)
{
	char rooted[PATH_MAX], *real, *root = NULL;
	struct libmnt_fs *fs = NULL;
	size_t skip = 0;

	if (kfile_path(rooted, sizeof(rooted), "%s", path))
		return NULL;
	real = realpath(*path == '/' ? rooted : path, NULL);
	if (*disk_root)
		root = realpath(disk_root, NULL);
	if (real && root && !strncmp(real, root, strlen(root)))
		skip = strlen(root);
	if (real)
		fs = nearest_mount(table, real + skip);
	free(root);
	free(real);
	return fs;
}

int mount_place_of_path(const char *path, struct mount_place *place)
{
	struct libmnt_table *table;
	struct libmnt_fs *fs;
	struct blockdev dev;
	char rooted[PATH_MAX];
	struct stat st;
	int ret = 0;

	memset(place, 0, sizeof(*place));
	if (kfile_path(rooted, sizeof(rooted), "%s", path) ||
	    stat(*path == '/' ? rooted : path, &st))
		return -1;
	if (S_ISBLK(st.st_mode))
		st.st_dev = st.st_rdev;
	table = read_table("self");
	fs = table ? mount_above(table, path) : NULL;
	place->target = strdup(fs && mnt_fs_get_target(fs) ? mnt_fs_get_target(fs) : "");
	place->fstype = strdup(fs && mnt_fs_get_fstype(fs) ? mnt_fs_get_fstype(fs) : "");
	if (!place->target || !place->fstype)
		ret = -1;
	else if (!blockdev_by_number(&dev, major(st.st_dev), minor(st.st_dev)))
		ret = add_device(place, &dev);
	else if (fs && !S_ISBLK(st.st_mode))
		ret = add_devices_of_fs(place, fs);
	mnt_unref_table(table);
	return ret;
}

void mount_place_free(struct mount_place *place)
{
	free(place->target);
	free(place->fstype);
	free(place->dev);
	memset(place, 0, sizeof(*place));
}

int disks_of_path(const char *path, struct disk_set *set)
{
	struct mount_place place;
	char culprit[DISK_NAME_MAX];
	int ret = mount_place_of_path(path, &place);

	memset(set, 0, sizeof(*set));
	for (size_t i = 0; i < place.nr && !ret; i++) {
		ret = blockdev_leaves(&place.dev[i], set, culprit);
		/* zram and the like: a block device, but no disk that could be counted. */
		if (ret && (errno == EOPNOTSUPP || errno == ENXIO))
			ret = 0;
	}
	mount_place_free(&place);
	return ret;
}
