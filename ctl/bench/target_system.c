// SPDX-License-Identifier: GPL-2.0-or-later
/* target_system: the disk of the system that runs, and of the store; see target_parts.h. */
#include "bench/target_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "disk/mounts.h"

/* Whether a path lies on the target: on its partition, or anywhere on its disk. */
static bool lies_on(const struct target *target, const char *path, bool whole_disk)
{
	struct mount_place place;
	struct disk_set set;
	bool lies = false;

	if (*target->device.partition && !whole_disk) {
		if (!mount_place_of_path(path, &place))
			for (size_t i = 0; i < place.nr; i++)
				lies |= !strcmp(place.dev[i].name, target->device.partition);
		mount_place_free(&place);
		return lies;
	}
	if (!disks_of_path(path, &set)) {
		for (size_t i = 0; i < set.nr; i++)
			lies |= disk_same(&set.disk[i], &target->device.disk);
		disk_set_free(&set);
	}
	return lies;
}

/* Types of partitions that firmware starts from, as libblkid writes them. */
static const char *starts_the_machine(const char *type)
{
	static const struct {
		const char *type, *says;
	} known[] = {
		{"c12a7328-f81f-11d2-ba4b-00a0c93ec93b", "an EFI system partition"},
		{"0xef", "an EFI system partition"},
		{"21686148-6449-6e6f-744e-656564454649", "a BIOS boot partition"},
		{"9e1a2d38-c612-4316-aa26-8b49521e5a8b", "a PReP boot partition"},
		{"0x41", "a PReP boot partition"},
		{"bc13c2ff-59e6-4262-a352-b275fd6f7172", "a boot partition"},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcasecmp(type, known[i].type))
			return known[i].says;
	return NULL;
}

int target_check_system(const struct target *target, struct trouble *trouble)
{
	static const char *const paths[] = {"/",    "/usr", "/boot", "/boot/efi",
					    "/efi", "/etc", "/var"};
	const struct settings_target *device = &target->device;
	const char *name = *device->partition ? device->partition : device->disk.name;

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		if (lies_on(target, paths[i], false))
			return trouble_set(trouble, TROUBLE_REFUSED, name, "",
					   "it carries %s of the system that is running", paths[i]);
	return 0;
}

int target_check_boot(const struct target *target, struct trouble *trouble)
{
	char uuid[64], type[64];
	struct blockdev dev;
	const char *says;
	int fd;

	if (target_device(target, &dev, trouble))
		return -1;
	if (!dev.partition)
		return 0;
	fd = target_open_device(&dev, O_RDONLY, trouble);
	if (fd < 0)
		return -1;
	signature_partition(fd, uuid, type, sizeof(uuid));
	close(fd);
	says = starts_the_machine(type);
	if (says)
		return trouble_set(trouble, TROUBLE_REFUSED, dev.name, "",
				   "it is %s: the machine may start from it", says);
	return 0;
}

/* The directory that is there, of a path that need not be. */
static bool existing_above(const char *path, char *above, size_t size)
{
	char *slash;

	if ((size_t)snprintf(above, size, "%s%s", *path == '/' ? "" : "./", path) >= size)
		return false;
	while (access(above, F_OK)) {
		slash = strrchr(above, '/');
		if (!slash)
			return false;
		*(slash == above ? slash + 1 : slash) = '\0';
		if (slash == above)
			break;
	}
	return true;
}

int target_check_store(const struct target *target, const char *store, struct trouble *trouble)
{
	char above[PATH_MAX], name[DISK_NAME_MAX];

	if (!store)
		return 0;
	if (!existing_above(store, above, sizeof(above)))
		return trouble_set(trouble, TROUBLE_FAILED, store, "",
				   "where it lies cannot be told");
	if (!lies_on(target, above, true))
		return 0;
	memcpy(name, target->device.disk.name, sizeof(name));
	return trouble_set(trouble, TROUBLE_REFUSED, store, "--db FILE puts it elsewhere",
			   "the results would lie on %s, the disk that is measured", name);
}
