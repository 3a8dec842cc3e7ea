// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernel: the text files of /sys, /proc and /run that tell of disks, in a tree of two disks, a
 * partition and a dm device.  The input is the contents of some of them: a byte 0x1e, a letter
 * that says which ('A' is the first), the text up to the next 0x1e.
 */
#include <sys/stat.h>

#include "disk/describe.h"
#include "disk/holds.h"
#include "disk/mounts.h"
#include "disk/settings_values.h"
#include "fuzz.h"

#define MARK 0x1e
#define SDA  "/sys/devices/pci0/ata1/host0/target0/0:0:0:0/block/sda"
#define DM   "/sys/devices/virtual/block/dm-0"

/* Those that an input may fill; the letters go on from 'A'. */
static const char *const files[] = {
	"/proc/1/mountinfo", "/proc/self/mountinfo", "/proc/swaps",
	SDA "/stat", SDA "/size", SDA "/dev", SDA "/sda1/dev", SDA "/sda1/partition",
	SDA "/mq/0/nr_tags", SDA "/queue/scheduler", SDA "/queue/rotational",
	SDA "/queue/nr_requests",
	SDA "/queue/write_cache", SDA "/queue/fua", SDA "/queue/iostats",
	SDA "/queue/discard_max_bytes", SDA "/queue/iosched/read_expire", SDA "/queue/wbt_lat_usec",
	SDA "/device/queue_depth", SDA "/device/model", SDA "/device/vendor", SDA "/device/rev",
	SDA "/device/serial", SDA "/device/wwid", SDA "/device/vpd_pg80", SDA "/device/vpd_pg83",
	SDA "/device/vpd_pg89", SDA "/device/scsi_disk/0:0:0:0/cache_type", DM "/dev", DM "/size",
	DM "/dm/name", DM "/dm/uuid", DM "/stat", "/run/udev/data/b8:0",
	"/sys/fs/btrfs/u/devices/sda",
	SDA "/mq/1/nr_tags", SDA "/diskseq", SDA "/queue/logical_block_size",
};

#define FILES (sizeof(files) / sizeof(files[0]))

static const char *const links[][2] = {
	{ "/sys/block/sda", SDA }, { "/sys/class/block/sda", SDA },
	{ "/sys/class/block/sda1", SDA "/sda1" }, { "/sys/dev/block/8:0", SDA },
	{ "/sys/dev/block/8:1", SDA "/sda1" }, { "/sys/block/dm-0", DM },
	{ "/sys/class/block/dm-0", DM }, { "/sys/dev/block/253:0", DM },
	{ DM "/slaves/sda1", SDA "/sda1" },
};

static char root[256];

static void make_folders(const char *path)
{
	char copy[PATH_MAX];

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *c = copy + 1; *c; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		mkdir(copy, 0700);
		*c = '/';
	}
}

static void make_tree(void)
{
	char path[PATH_MAX], to[PATH_MAX];

	if (*root)
		return;
	snprintf(root, sizeof(root), "%s", fuzz_path("tree"));
	for (size_t i = 0; i < FILES; i++) {
		snprintf(path, sizeof(path), "%s%s", root, files[i]);
		make_folders(path);
	}
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		snprintf(path, sizeof(path), "%s%s", root, links[i][0]);
		snprintf(to, sizeof(to), "%s%s", root, links[i][1]);
		make_folders(path);
		fuzz_must(!symlink(to, path), path);
	}
	disk_root = root;
}

static void fill_file(size_t i, const uint8_t *text, size_t size)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s%s", root, files[i]);
	if (!text) {
		unlink(path);
		return;
	}
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	fuzz_must(fd >= 0 && write(fd, text, size) == (ssize_t)size && !close(fd), path);
}

static void fill_tree(const uint8_t *data, size_t size)
{
	const uint8_t *text[FILES] = { NULL };
	size_t len[FILES] = { 0 }, which = 0;

	for (size_t i = 0; i + 1 < size;) {
		const uint8_t *end;

		if (data[i] != MARK) {
			i++;
			continue;
		}
		which = (data[i + 1] - (size_t)'A') % FILES;
		end = memchr(data + i + 2, MARK, size - i - 2);
		text[which] = data + i + 2;
		len[which] = end ? (size_t)(end - text[which]) : size - i - 2;
		i += 2 + len[which];
	}
	for (size_t i = 0; i < FILES; i++)
		fill_file(i, text[i], len[i]);
}

static void look_at(const struct disk *disk)
{
	struct values values = { .nr = 0 };
	struct diskstats stats;
	struct disk_info info;
	struct mounts mounts;
	struct blockdev dev;

	disk_describe(disk, &info);
	disk_loses_writes(&info);
	disk_drops_flushes(&info);
	disk_stats(disk, &stats);
	mounts_of_disk(disk, &mounts);
	mounts_free(&mounts);
	if (!blockdev_by_number(&dev, disk->major, disk->minor)) {
		values_read(&dev, &values);
		values_free(&values);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct disk sda = { "sda", 8, 0 };
	static const char *const names[] = { "dm-0", "sda1", "/srv/data", "8:0" };
	struct mount_place place;
	struct disk_set set;

	make_tree();
	fill_tree(data, size);
	look_at(&sda);
	if (!disk_all(&set)) {
		for (size_t i = 0; i < set.nr; i++)
			look_at(&set.disk[i]);
		disk_set_free(&set);
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!disk_find(names[i], &set))
			disk_set_free(&set);
	mount_place_of_path("/srv/data/file", &place);
	mount_place_free(&place);
	return 0;
}
