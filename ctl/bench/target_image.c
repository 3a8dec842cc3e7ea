// SPDX-License-Identifier: GPL-2.0-or-later
/* target_image: a file made for the purpose, behind a loop device; see target_parts.h. */
#include "bench/target_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define LOOP_TRIES 16 /* somebody else may take a free one first */

static int fail(const struct target *target, const char *what, struct trouble *trouble)
{
	return trouble_set(trouble, TROUBLE_FAILED, target->image, "", "%s: %s", what,
			   strerror(errno));
}

/* Bytes that the filesystem of the image to be has for it. */
static int room_for(const char *image, uint64_t *room)
{
	char *dir = strdup(image), *slash = dir ? strrchr(dir, '/') : NULL;
	struct statvfs fs;
	int ret;

	if (!dir)
		return -1;
	if (slash)
		slash[slash == dir] = '\0';
	ret = statvfs(slash ? dir : ".", &fs);
	*room = ret ? 0 : (uint64_t)fs.f_bavail * fs.f_frsize;
	free(dir);
	return ret;
}

/* A run may be gone on with from another directory. */
static char *absolute(const char *path)
{
	char *dir = *path == '/' ? NULL : getcwd(NULL, 0), *whole;

	if (*path == '/')
		return strdup(path);
	if (!dir || asprintf(&whole, "%s/%s", dir, path) < 0)
		whole = NULL;
	free(dir);
	return whole;
}

int target_image_find(struct target *target, const struct target_options *options,
		      struct trouble *trouble)
{
	struct stat st;
	uint64_t room;

	target->image = absolute(options->file);
	if (!target->image)
		return trouble_memory(trouble, options->file);
	if (!lstat(target->image, &st))
		return trouble_set(trouble, TROUBLE_REFUSED, target->image,
				   "name one that is to be made, or remove it first",
				   "there is such a file");
	if (errno != ENOENT)
		return fail(target, "it cannot be made", trouble);
	target->capacity = options->file_size;
	target->offset = options->offset;
	target->size = options->size;
	if (!options->file_size || options->file_size % MIB || options->offset % MIB ||
	    options->size % MIB)
		return trouble_set(trouble, TROUBLE_USAGE, target->image, "",
				   "sizes are whole numbers of MiB");
	if (options->offset >= options->file_size ||
	    options->size > options->file_size - options->offset)
		return trouble_set(trouble, TROUBLE_REFUSED, target->image,
				   "make it larger: the matrix's target has offset and size",
				   "it would be smaller than what is asked for");
	if (!options->size)
		target->size = options->file_size - options->offset;
	if (room_for(target->image, &room))
		return fail(target, "it cannot be made", trouble);
	if (room < options->file_size)
		return trouble_set(trouble, TROUBLE_REFUSED, target->image, "",
				   "there is no room for it: %llu MiB are free",
				   (unsigned long long)(room / MIB));
	snprintf(target->now, sizeof(target->now), "an image to be made, %llu MiB",
		 (unsigned long long)(options->file_size / MIB));
	return 0;
}

/* Blocks of its own, so that it cannot fill up midway; where that is not to be had, sparse. */
static int make_image(struct target *target, struct trouble *trouble)
{
	const char *kind = "its blocks reserved";
	int fd = open(target->image, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return fail(target, "it cannot be made", trouble);
	if (fallocate(fd, 0, 0, (off_t)target->capacity)) {
		kind = "sparse";
		if ((errno != EOPNOTSUPP && errno != ENOSYS) ||
		    ftruncate(fd, (off_t)target->capacity)) {
			fail(target, "it cannot be made", trouble);
			close(fd);
			unlink(target->image);
			return -1;
		}
	}
	snprintf(target->now, sizeof(target->now), "an image made now, %llu MiB, %s",
		 (unsigned long long)(target->capacity / MIB), kind);
	return fd;
}

static int configure(int loop, int image, const struct loop_info64 *info)
{
	struct loop_config config = {.fd = (__u32)image, .info = *info};

	config.info.lo_flags |= LO_FLAGS_DIRECT_IO;
	if (!ioctl(loop, LOOP_CONFIGURE, &config))
		return 0;
	/* Not every filesystem below has direct I/O. */
	config.info.lo_flags &= ~(__u32)LO_FLAGS_DIRECT_IO;
	return errno == EBUSY ? -1 : ioctl(loop, LOOP_CONFIGURE, &config);
}

/* A free loop device on the image, which goes when nobody has it open any more. */
static int attach(struct target *target, int image, struct trouble *trouble)
{
	struct loop_info64 info = {.lo_offset = target->offset,
				   .lo_sizelimit = target->size,
				   .lo_flags = LO_FLAGS_AUTOCLEAR};
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), loop = -1;

	if (control < 0)
		return fail(target, "there are no loop devices", trouble);
	snprintf((char *)info.lo_file_name, sizeof(info.lo_file_name), "%s", target->image);
	for (int try = 0; try < LOOP_TRIES; try++) {
		int number = ioctl(control, LOOP_CTL_GET_FREE);

		if (number < 0)
			break;
		snprintf(target->node, sizeof(target->node), "/dev/loop%d", number);
		loop = open(target->node, O_RDWR | O_CLOEXEC);
		if (loop < 0)
			break;
		if (!configure(loop, image, &info))
			goto out;
		close(loop);
		loop = -1;
		if (errno != EBUSY)
			break;
	}
	fail(target, "it cannot be given a loop device", trouble);
	*target->node = '\0';
out:
	close(control);
	return loop;
}

int target_image_claim(struct target *target, struct trouble *trouble)
{
	struct settings_error error;
	int image = make_image(target, trouble);

	if (image < 0)
		return -1;
	target->fd = attach(target, image, trouble);
	close(image);
	if (target->fd < 0) {
		unlink(target->image);
		return -1;
	}
	if (settings_find(target->node, &target->device, &error))
		return trouble_set(trouble, TROUBLE_FAILED, target->node, "", "%s", error.reason);
	if (disk_describe(&target->device.disk, &target->info))
		return fail(target, target->node, trouble);
	return 0;
}

int target_image_recheck(const struct target *target, struct trouble *trouble)
{
	const struct disk *disk = &target->device.disk;
	struct loop_info64 info;
	struct stat st;
	int fd;

	if (stat(target->image, &st) || ioctl(target->fd, LOOP_GET_STATUS64, &info))
		return fail(target, "it is no longer there", trouble);
	if (info.lo_inode != st.st_ino || info.lo_offset != target->offset ||
	    info.lo_sizelimit != target->size)
		return trouble_set(trouble, TROUBLE_REFUSED, target->image, "",
				   "%s is no longer its loop device", target->node);
	fd = target_open(target->node, disk->major, disk->minor, O_RDONLY | O_EXCL, trouble);
	if (fd < 0)
		return -1;
	close(fd);
	return target_check_use(target, false, trouble);
}

void target_image_release(struct target *target)
{
	if (target->fd < 0)
		return;
	/* What is mounted still keeps it until it is unmounted. */
	(void)ioctl(target->fd, LOOP_CLR_FD);
	close(target->fd);
	target->fd = -1;
}
