// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mount_place: the block devices that a mount, or a path, lies on; see mounts.h.  Beside mounts.c,
 * mount_watch.c and remount.c the only file that knows libmount.
 */
#include <errno.h>
#include <libmount.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "disk/blockdev.h"
#include "disk/kfile.h"
#include "disk/mount_parts.h"

struct libmnt_table *mountinfo_read(const char *process)
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

static int add_members(struct mount_place *place, const char *uuid)
{
	char **members;
	int nr = kfile_names(&members, "/sys/fs/btrfs/%s/devices", uuid), ret = 0;

	for (int i = 0; i < nr && !ret; i++) {
		struct blockdev dev;

		if (!blockdev_by_name(&dev, members[i]))
			ret = add_device(place, &dev);
	}
	kfile_names_free(members, nr > 0 ? nr : 0);
	return ret;
}

/*
 * Devices in a mount's source: one, or several with ':' between them.  Returns the next that is
 * there, with *source behind it; false when there is none left.
 */
static bool next_device(const char **source, struct blockdev *dev)
{
	char part[PATH_MAX];

	while (*source && **source) {
		size_t len = strcspn(*source, ":");

		snprintf(part, sizeof(part), "%.*s", (int)len, *source);
		*source += len + ((*source)[len] == ':');
		if (!blockdev_by_node(dev, part))
			return true;
	}
	return false;
}

static bool is_btrfs(struct libmnt_fs *fs)
{
	const char *fstype = mnt_fs_get_fstype(fs);

	return fstype && !strcmp(fstype, "btrfs");
}

/* A mount of the table says that it is this one. */
static bool is_claimed(struct libmnt_table *table, const char *uuid)
{
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	bool claimed = false;

	while (iter && !claimed && !mnt_table_next_fs(table, iter, &fs)) {
		const char *source = is_btrfs(fs) ? mnt_fs_get_srcpath(fs) : NULL;
		struct blockdev dev;

		while (!claimed && next_device(&source, &dev))
			claimed = kfile_exists("/sys/fs/btrfs/%s/devices/%s", uuid, dev.name);
	}
	mnt_free_iter(iter);
	return claimed;
}

/*
 * All members of a btrfs, from the one that is its source.  Where that is no node below /dev
 * (/dev/root, or one made elsewhere), it is the btrfs that no other mount says to be; of several
 * any may be meant, and all count.
 */
static int add_btrfs(struct mount_place *place, struct libmnt_table *table,
		     const struct blockdev *member)
{
	char **names;
	int nr = kfile_names(&names, "/sys/fs/btrfs"), ret = 0;

	for (int i = 0; i < nr && !ret; i++)
		if (member ? kfile_exists("/sys/fs/btrfs/%s/devices/%s", names[i], member->name)
			   : !is_claimed(table, names[i]))
			ret = add_members(place, names[i]);
	kfile_names_free(names, nr > 0 ? nr : 0);
	if (!ret && member && !place->nr)
		ret = add_device(place, member);
	return ret;
}

/* Filesystems with an anonymous device number (btrfs, bcachefs) name devices as their source. */
static int add_source(struct mount_place *place, struct libmnt_table *table, struct libmnt_fs *fs)
{
	const char *source = mnt_fs_get_srcpath(fs);
	struct blockdev dev;
	int ret = 0;

	while (!ret && next_device(&source, &dev)) {
		if (is_btrfs(fs))
			return add_btrfs(place, table, &dev);
		ret = add_device(place, &dev);
	}
	return !ret && is_btrfs(fs) ? add_btrfs(place, table, NULL) : ret;
}

int mount_place_of_fs(struct libmnt_table *table, struct libmnt_fs *fs, struct mount_place *place)
{
	dev_t number = mnt_fs_get_devno(fs);
	struct blockdev dev;

	if (major(number) && !blockdev_by_number(&dev, major(number), minor(number)))
		return add_device(place, &dev);
	return add_source(place, table, fs);
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
	table = mountinfo_read("self");
	fs = table ? mount_above(table, path) : NULL;
	place->target = strdup(fs && mnt_fs_get_target(fs) ? mnt_fs_get_target(fs) : "");
	place->fstype = strdup(fs && mnt_fs_get_fstype(fs) ? mnt_fs_get_fstype(fs) : "");
	if (!place->target || !place->fstype)
		ret = -1;
	else if (!blockdev_by_number(&dev, major(st.st_dev), minor(st.st_dev)))
		ret = add_device(place, &dev);
	else if (fs && !S_ISBLK(st.st_mode))
		ret = mount_place_of_fs(table, fs, place);
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
