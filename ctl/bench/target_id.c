// SPDX-License-Identifier: GPL-2.0-or-later
/* target_id: by which words a device can be told from all others; see target.h. */
#include "bench/target_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "disk/kfile.h"

#define ID_MIN 4 /* characters: less is no name */

/* A word that says something: not "0000" and the like either. */
static bool is_id(const char *word)
{
	return strlen(word) >= ID_MIN && strspn(word, "0- ") != strlen(word);
}

static void partition_uuid(const struct blockdev *dev, char *uuid, size_t size)
{
	char type[64], other[64];
	struct trouble ignored;
	int fd = target_open_device(dev, O_RDONLY, &ignored);

	*uuid = '\0';
	if (fd < 0)
		return;
	signature_partition(fd, other, type, sizeof(other));
	snprintf(uuid, size, "%s", other);
	close(fd);
}

/* A copied disk has the partitions' UUIDs of the other one. */
static bool uuid_is_shared(const struct blockdev *dev, const char *uuid)
{
	char **names, other[64];
	int nr = kfile_names(&names, "/sys/class/block");
	bool shared = nr < 0;

	for (int i = 0; i < nr && !shared; i++) {
		struct blockdev one;

		if (!strcmp(names[i], dev->name) || blockdev_by_name(&one, names[i]) ||
		    !one.partition)
			continue;
		partition_uuid(&one, other, sizeof(other));
		shared = !strcmp(other, uuid);
	}
	kfile_names_free(names, nr > 0 ? nr : 0);
	return shared;
}

static void compare(struct target *target, const struct disk_info *other)
{
	/* Letter by letter: what differs is told apart. */
	if (!strcmp(target->info.serial, other->serial))
		target->has_id[0] = false;
	if (!strcmp(target->info.wwn, other->wwn))
		target->has_id[1] = false;
	if (!strcmp(target->info.by_id, other->by_id))
		target->has_id[2] = false;
}

/* A link whose name says no more than what other disks call themselves may be theirs tomorrow. */
static bool names_shared(const struct target *target, const char *link)
{
	const char *serial = target->info.serial, *wwn = target->info.wwn;

	return (is_id(serial) && !target->has_id[0] && strstr(link, serial)) ||
	       (is_id(wwn) && !target->has_id[1] && strstr(link, wwn));
}

/* The first name of the disk below /dev/disk/by-path: where it is plugged in. */
static void read_path(struct target *target)
{
	const struct disk *disk = &target->device.disk;
	char **names, path[PATH_MAX];
	int nr = kfile_names(&names, "/dev/disk/by-path");
	struct blockdev dev;

	for (int i = 0; i < nr && !*target->at_path; i++) {
		snprintf(path, sizeof(path), "/dev/disk/by-path/%.255s", names[i]);
		if (!blockdev_by_node(&dev, path) && dev.major == disk->major &&
		    dev.minor == disk->minor)
			snprintf(target->at_path, sizeof(target->at_path), "%s@%.180s",
				 target->info.serial, names[i]);
	}
	kfile_names_free(names, nr > 0 ? nr : 0);
}

static int look_for_ids(struct target *target, const struct blockdev *dev, bool moved)
{
	const struct disk_info *info = &target->info;
	struct disk_info other;
	struct disk_set all;

	target->has_id[0] = is_id(info->serial);
	target->has_id[1] = is_id(info->wwn);
	target->has_id[2] = is_id(info->by_id);
	if (disk_all(&all))
		return -1;
	for (size_t i = 0; i < all.nr; i++)
		if ((all.disk[i].major != info->disk.major ||
		     all.disk[i].minor != info->disk.minor) &&
		    !disk_describe(&all.disk[i], &other))
			compare(target, &other);
	disk_set_free(&all);
	if (moved)
		target->has_id[0] = false;
	if (names_shared(target, info->by_id))
		target->has_id[2] = false;
	if (is_id(info->serial) && !target->has_id[0])
		read_path(target);
	if (!dev->partition)
		return 0;
	partition_uuid(dev, target->partuuid, sizeof(target->partuuid));
	if (!is_id(target->partuuid) || uuid_is_shared(dev, target->partuuid))
		*target->partuuid = '\0';
	return 0;
}

int target_check_id(struct target *target, bool moved, struct trouble *trouble)
{
	struct blockdev dev;

	if (target_device(target, &dev, trouble))
		return -1;
	if (look_for_ids(target, &dev, moved))
		return trouble_set(trouble, TROUBLE_FAILED, dev.name, "",
				   "the other disks of this machine cannot be told: " DISK_FOLDER
				   ": %s", strerror(errno));
	if (*target_id(target))
		return 0;
	return trouble_set(trouble, TROUBLE_REFUSED, dev.name,
			   "--file IMAGE needs no disk; a partition of a GPT has a name (PARTUUID)",
			   "no serial number, WWN or name below /dev/disk/by-id is its own: "
			   "nobody could agree to losing its data");
}

const char *target_id(const struct target *target)
{
	const char *const ids[] = {target->info.serial, target->info.wwn, target->info.by_id};

	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		if (target->has_id[i])
			return ids[i];
	return *target->partuuid ? target->partuuid : target->at_path;
}

/* A disk has several names below /dev/disk/by-id, each of which is a link. */
static bool is_link(const struct target *target, const char *word)
{
	static const char prefix[] = "/dev/disk/by-id/";
	struct trouble ignored;
	struct blockdev named, dev;
	char path[PATH_MAX];

	if (!strncmp(word, prefix, strlen(prefix)))
		word += strlen(prefix);
	if (!is_id(word) || strchr(word, '/') || strlen(word) > 255 ||
	    names_shared(target, word) || target_device(target, &dev, &ignored))
		return false;
	snprintf(path, sizeof(path), "%s%s", prefix, word);
	if (blockdev_by_node(&named, path))
		return false;
	return (named.major == dev.major && named.minor == dev.minor) ||
	       (named.major == target->device.disk.major &&
		named.minor == target->device.disk.minor);
}

bool target_is(const struct target *target, const char *word)
{
	if (target->image)
		return false;
	return (target->has_id[0] && !strcmp(target->info.serial, word)) ||
	       (target->has_id[1] && !strcmp(target->info.wwn, word)) ||
	       (*target->partuuid && !strcmp(target->partuuid, word)) ||
	       (*target->at_path && !strcmp(target->at_path, word)) || is_link(target, word);
}
