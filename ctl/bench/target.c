// SPDX-License-Identifier: GPL-2.0-or-later
/* target: what may be written is found, taken, looked at again and let go; see target.h. */
#include "bench/target_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/blkpg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "disk/kfile.h"
#include "disk/mounts.h"
#include "message.h"
#include "size.h"

#define NODE_TRIES   100 /* of PAUSE_NS */
#define DELETE_TRIES 100
#define USE_TRIES    20
#define PAUSE_NS     (50 * 1000 * 1000)

static void pause_a_little(void)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};

	nanosleep(&pause, NULL);
}

/* DISK as settings_find() takes it, with its words. */
static int find_device(struct target *target, const char *disk, struct trouble *trouble)
{
	struct settings_error error;

	if (settings_find(disk, &target->device, &error)) {
		const char *hint = error.hint, *end = strchr(hint, '\n');

		/* Its first line is about settings. */
		if (!strncmp(hint, "settings ", strlen("settings ")))
			hint = end ? end + 1 : "";
		return trouble_set(trouble,
				   error.status == SETTINGS_REFUSED ? TROUBLE_REFUSED
								    : TROUBLE_MISSING,
				   disk, hint, "%s", error.reason);
	}
	if (disk_describe(&target->device.disk, &target->info))
		return trouble_set(trouble, TROUBLE_MISSING, disk, "", "%s", strerror(errno));
	return 0;
}

/* In MiB where the sizes are too near to each other to be told apart else. */
static int refuse_range(const struct target_options *options, const char *name, uint64_t capacity,
			struct trouble *trouble)
{
	static const char hint[] = "offset and size are those of the matrix's target; --size takes "
				   "less, and so does --scale small";
	char has[SIZE_TEXT_MAX], size[SIZE_TEXT_MAX], offset[SIZE_TEXT_MAX];

	size_text(offset, options->offset);
	if (!strcmp(size_text(has, capacity), size_text(size, options->size))) {
		snprintf(has, sizeof(has), "%llu MiB", (unsigned long long)(capacity / MIB));
		snprintf(size, sizeof(size), "%llu MiB", (unsigned long long)(options->size / MIB));
	}
	return trouble_set(trouble, TROUBLE_REFUSED, name, hint,
			   "it has %s, smaller than what is asked for: %s%s%s", has, size,
			   options->offset ? " from offset " : "", options->offset ? offset : "");
}

/* The part of the device that was asked for. */
static int find_range(struct target *target, const struct target_options *options,
		      const struct blockdev *dev, struct trouble *trouble)
{
	int64_t sectors = kfile_number("%s/size", dev->dir);
	bool aligned = options->offset % MIB == 0 && options->size % MIB == 0;

	if (sectors <= 0)
		return trouble_set(trouble, TROUBLE_REFUSED, dev->name, "",
				   "it has no size: there is no medium in it");
	target->capacity = (uint64_t)sectors * SECTOR;
	target->offset = options->offset;
	target->size = options->size;
	if (options->offset >= target->capacity ||
	    (options->size > target->capacity - options->offset && !options->at_most))
		return refuse_range(options, dev->name, target->capacity, trouble);
	if (!options->size || options->size > target->capacity - options->offset) {
		target->size = target->capacity - options->offset;
		if (options->offset)
			target->size -= target->size % MIB;
	}
	if (!target->size || (!aligned && target->size != target->capacity))
		return trouble_set(trouble, TROUBLE_USAGE, dev->name, "",
				   "offset and size are whole numbers of MiB");
	if (dev->partition && options->offset)
		return trouble_set(trouble, TROUBLE_USAGE, dev->name,
				   "name the whole disk, or leave the offset out",
				   "a partition is used from its start");
	return 0;
}

/*
 * Partitions in the kernel's memory without a table on the disk: one that is just the range
 * was left by a run that was killed, and is taken over; any other is somebody's.
 */
static int find_partitions(const struct target *target, const struct blockdev *dev,
			   struct trouble *trouble)
{
	struct blockdev left;
	char **names, hint[160];
	int nr, ret = 0;

	if (dev->partition)
		return 0;
	nr = target_partitions(dev, &names);
	if (nr > 1 ||
	    (nr == 1 && !target_find_partition(dev, target->offset, target->size, &left))) {
		snprintf(hint, sizeof(hint),
			 "if nobody wants them, the kernel forgets them with: partx -d /dev/%s",
			 dev->name);
		ret = trouble_set(trouble, TROUBLE_REFUSED, dev->name, hint,
				  "the kernel has partitions on it (%s%s)", names[0],
				  nr > 1 ? " and others" : "");
	}
	kfile_names_free(names, nr > 0 ? nr : 0);
	return ret;
}

static int check_writable(const struct blockdev *dev, struct trouble *trouble)
{
	struct blockdev whole;

	if (kfile_number("%s/ro", dev->dir) > 0 ||
	    (!blockdev_whole(dev, &whole) && kfile_number("%s/ro", whole.dir) > 0))
		return trouble_set(trouble, TROUBLE_REFUSED, dev->name,
				   "blockdev --setrw changes that unless the drive itself is",
				   "it is read-only");
	return 0;
}

static void add_other(char *others, size_t size, const struct disk *disk,
		      const struct mounts *mounts, const char *but)
{
	size_t used = strlen(others);
	bool first = true;
	char safe[200];

	used += (size_t)snprintf(others + used, size - used, "%s%s", used ? ", " : "", disk->name);
	for (size_t i = 0; i < mounts->nr && used < size; i++) {
		if (but && !strcmp(mounts->mount[i].source, but))
			continue;
		used += (size_t)snprintf(others + used, size - used, "%s%s", first ? " (" : " ",
					 message_printable(safe, sizeof(safe),
							   mounts->mount[i].target));
		first = false;
	}
	if (!first && used < size)
		snprintf(others + used, size - used, ")");
}

/* Other disks, and of a partition's own disk what else is mounted. */
static int describe_others(struct target *target, struct trouble *trouble)
{
	const struct disk *own = &target->device.disk;
	struct mount_table *table;
	struct disk_set all;
	int ret = 0;

	if (disk_all(&all))
		return trouble_set(trouble, TROUBLE_FAILED, own->name, DISK_FOLDER_HINT,
				   "the other disks of this machine cannot be told: " DISK_FOLDER
				   ": %s", strerror(errno));
	table = mount_table_read();
	for (size_t i = 0; i < all.nr && !ret; i++) {
		bool is_own = disk_same(&all.disk[i], own);
		struct mounts mounts;

		ret = mount_table_of_disk(table, &all.disk[i], &mounts);
		if (ret)
			trouble_set(trouble, TROUBLE_FAILED, all.disk[i].name, "", "%s",
				    mounts.unknown);
		else if (!is_own || (*target->device.partition && mounts.nr))
			add_other(target->others, sizeof(target->others), &all.disk[i], &mounts,
				  is_own ? target->device.partition : NULL);
		mounts_free(&mounts);
	}
	mount_table_free(table);
	disk_set_free(&all);
	return ret;
}

int target_find(struct target *target, const struct target_options *options,
		struct trouble *trouble)
{
	struct blockdev dev;

	memset(target, 0, sizeof(*target));
	target->fd = -1;
	if (options->file)
		return target_image_find(target, options, trouble);
	if (find_device(target, options->disk, trouble) || target_device(target, &dev, trouble) ||
	    find_range(target, options, &dev, trouble) || target_check_system(target, trouble))
		return -1;
	target->is_left = options->left && target_is_left(target, options->left);
	if ((!target->is_left && target_check_use(target, options->settings, trouble)) ||
	    check_writable(&dev, trouble) ||
	    target_check_boot(target, trouble) || target_check_signatures(target, trouble) ||
	    find_partitions(target, &dev, trouble) ||
	    target_check_store(target, options->store, trouble) ||
	    target_check_id(target, options->moved, trouble))
		return -1;
	return describe_others(target, trouble);
}

static int partition_ioctl(int fd, int op, int number, uint64_t offset, uint64_t size)
{
	struct blkpg_partition partition = {
		.start = (long long)offset,
		.length = (long long)size,
		.pno = number,
	};
	struct blkpg_ioctl_arg arg = {
		.op = op,
		.datalen = sizeof(partition),
		.data = &partition,
	};

	return ioctl(fd, BLKPG, &arg);
}

/*
 * devtmpfs makes the node, a moment later at most.  It stays open until the end.  Of a device that
 * is open the kernel gives neither name nor number to another one, so what is looked at, made and
 * mounted by that name is this device or none.  And reading the disk's table again takes no
 * partition away that is open: udev would.  The descriptor is not exclusive, since mkfs and mount
 * claim the device for themselves.
 */
static int hold_node(struct target *target, const struct blockdev *dev, struct trouble *trouble)
{
	char node[sizeof(target->node)];

	target_node(dev->name, node, sizeof(node));
	for (int try = 0; try < NODE_TRIES; try++) {
		int fd = target_open(node, dev->major, dev->minor, O_RDONLY, trouble);

		if (fd >= 0) {
			target->fd = fd;
			strcpy(target->node, node);
			return 0;
		}
		pause_a_little();
	}
	return -1;
}

/* A partition in the kernel's memory for the range, or the one that is there already. */
static int claim_range(struct target *target, const struct blockdev *whole, struct trouble *trouble)
{
	struct blockdev dev;
	int fd, ret;

	if (!target_find_partition(whole, target->offset, target->size, &dev)) {
		fd = target_open_device(whole, O_RDONLY, trouble);
		if (fd < 0)
			return -1;
		ret = partition_ioctl(fd, BLKPG_ADD_PARTITION, 1, target->offset, target->size);
		if (ret)
			trouble_set(trouble, TROUBLE_FAILED, whole->name,
				    "leave offset and size out, or name a partition",
				    "the kernel makes no partition of it: %s", strerror(errno));
		close(fd);
		if (ret)
			return -1;
	}
	target->partition = target_find_partition(whole, target->offset, target->size, &dev);
	if (!target->partition)
		return trouble_set(trouble, TROUBLE_FAILED, whole->name, "",
				   "the partition that was made is not there");
	return hold_node(target, &dev, trouble);
}

int target_claim(struct target *target, struct trouble *trouble)
{
	struct blockdev dev;

	if (target->image)
		return target_image_claim(target, trouble);
	if (target_device(target, &dev, trouble))
		return -1;
	if (!dev.partition && target->size < target->capacity)
		return claim_range(target, &dev, trouble);
	return hold_node(target, &dev, trouble);
}

uint64_t target_make_bytes(const struct target *target)
{
	return *target->device.partition && target->size < target->capacity ? target->size : 0;
}

/* The device that the node stands for, as sysfs has it now. */
static int node_device(const struct target *target, struct blockdev *node, struct trouble *trouble)
{
	struct blockdev dev;

	if (target_device(target, &dev, trouble))
		return -1;
	*node = dev;
	if (target->partition &&
	    target_find_partition(&dev, target->offset, target->size, node) != target->partition)
		return trouble_set(trouble, TROUBLE_REFUSED, dev.name, "",
				   "the partition that was made of it is gone or another one");
	return 0;
}

static int same_disk(const struct target *target, const struct blockdev *dev,
		     struct trouble *trouble)
{
	struct disk_info now;

	if (disk_describe(&target->device.disk, &now) || strcmp(now.serial, target->info.serial) ||
	    strcmp(now.wwn, target->info.wwn) || now.size_bytes != target->info.size_bytes ||
	    kfile_number("%s/size", dev->dir) != (int64_t)(target->capacity / SECTOR))
		return trouble_set(trouble, TROUBLE_REFUSED, dev->name, "",
				   "it is not the disk it was when this began");
	return 0;
}

/* Whoever looks at a disk because something has changed there is gone again soon. */
static int check_use_patiently(const struct target *target, struct trouble *trouble)
{
	int ret = target_check_use(target, false, trouble);

	for (int try = 0; try < USE_TRIES && ret && trouble->kind == TROUBLE_REFUSED; try++) {
		pause_a_little();
		ret = target_check_use(target, false, trouble);
	}
	return ret;
}

int target_is_held(const struct target *target, struct trouble *trouble)
{
	struct stat held, node;

	if (!fstat(target->fd, &held) && !stat(target->node, &node) && S_ISBLK(node.st_mode) &&
	    held.st_rdev == node.st_rdev)
		return 0;
	if (stat(target->node, &node))
		return trouble_set(trouble, TROUBLE_REFUSED, target->node, "",
				   "it is no longer there");
	return trouble_set(trouble, TROUBLE_REFUSED, target->node, "",
			   "the node no longer leads to the device that this began with");
}

int target_recheck(const struct target *target, struct trouble *trouble)
{
	struct blockdev dev, node;
	int fd;

	if (!*target->node)
		return trouble_set(trouble, TROUBLE_FAILED, target->device.disk.name, "",
				   "it was not claimed");
	if (target->image)
		return target_image_recheck(target, trouble);
	if (target_device(target, &dev, trouble) || target_is_held(target, trouble) ||
	    same_disk(target, &dev, trouble) || node_device(target, &node, trouble) ||
	    check_writable(&dev, trouble) || target_check_system(target, trouble) ||
	    check_use_patiently(target, trouble) || target_recheck_signatures(target, trouble))
		return -1;
	/* Claiming the partition claims it before the whole disk's users too. */
	fd = target_open(target->node, node.major, node.minor, O_RDONLY | O_EXCL, trouble);
	if (fd < 0)
		return -1;
	close(fd);
	return 0;
}

static void delete_partition(const struct target *target)
{
	struct trouble ignored;
	struct blockdev dev, partition;
	int fd;

	/* Only what is still the one that was made. */
	if (target_device(target, &dev, &ignored) ||
	    target_find_partition(&dev, target->offset, target->size, &partition) !=
		    target->partition)
		return;
	fd = target_open_device(&dev, O_RDONLY, &ignored);
	if (fd < 0)
		return;
	/* udev may be looking at it: that ends soon. */
	for (int try = 0; try < DELETE_TRIES; try++) {
		if (!partition_ioctl(fd, BLKPG_DEL_PARTITION, target->partition, 0, 0) ||
		    errno != EBUSY)
			break;
		pause_a_little();
	}
	close(fd);
}

void target_release(struct target *target)
{
	if (target->image)
		target_image_release(target);
	if (target->fd >= 0)
		close(target->fd);
	target->fd = -1;
	if (target->partition)
		delete_partition(target);
	free(target->image);
	target->image = NULL;
	target->partition = 0;
	*target->node = '\0';
}
