// SPDX-License-Identifier: GPL-2.0-or-later
/* check_disk: what about a disk makes its numbers missing or misleading. */
#include "cmd/check.h"

#include <errno.h>
#include <string.h>

#include "disk/describe.h"

static void check_iostats(struct check *check, const struct disk_info *info)
{
	const char *name = info->disk.name;

	if (info->iostats < 0) {
		check_add(check, "iostats", name, CHECK_NOT_APPLICABLE, false,
			  "the kernel does not tell");
	} else if (info->iostats) {
		check_add(check, "iostats", name, CHECK_OK, false, "/proc/diskstats counts it");
	} else {
		check_add(check, "iostats", name, CHECK_NO, false,
			  "/proc/diskstats stands still for it");
		check_todo(check,
			   "queue latency may be missing and nothing can be compared;\n"
			   "to turn it on: echo 1 | sudo tee /sys/block/%s/queue/iostats",
			   name);
	}
}

static void check_cache(struct check *check, const struct disk_info *info)
{
	static const char *const words[] = { "unknown", "off", "on" };
	const char *name = info->disk.name, *drive = words[info->write_cache + 1];

	if (disk_loses_writes(info)) {
		check_add(check, "write cache", name, CHECK_NO, false,
			  "drive on, kernel write through: data can be lost");
		check_todo(check,
			   "the drive caches writes and the kernel sends it no flush; to send them:\n"
			   "echo write back | sudo tee /sys/block/%s/queue/write_cache",
			   name);
	} else if (info->write_cache == UNKNOWN || !*info->write_cache_kernel) {
		check_add(check, "write cache", name, CHECK_NOT_APPLICABLE, false,
			  "drive %s, kernel %s", drive,
			  *info->write_cache_kernel ? info->write_cache_kernel : "unknown");
	} else {
		check_add(check, "write cache", name, CHECK_OK, false, "drive %s, kernel %s", drive,
			  info->write_cache_kernel);
	}
}

static void check_flushes(struct check *check, const struct disk_info *info)
{
	const char *name = info->disk.name;

	if (disk_drops_flushes(info))
		check_add(check, "flushes asked for", name, CHECK_NOT_APPLICABLE, false,
			  "write through: the kernel drops them uncounted");
	else if (*info->write_cache_kernel)
		check_add(check, "flushes asked for", name, CHECK_OK, false, "can be counted");
	else
		check_add(check, "flushes asked for", name, CHECK_NOT_APPLICABLE, false,
			  "the kernel does not tell");
}

void check_disk(struct check *check, const struct disk *disk)
{
	struct disk_info info;

	if (disk_describe(disk, &info)) {
		check_add(check, "device", disk->name, CHECK_NO, false, "%s", strerror(errno));
		return;
	}
	check_iostats(check, &info);
	check_cache(check, &info);
	check_flushes(check, &info);
}
