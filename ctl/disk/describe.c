// SPDX-License-Identifier: GPL-2.0-or-later
/* describe: see describe.h. */
#include "disk/describe.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "disk/blockdev.h"
#include "disk/identity.h"
#include "disk/kfile.h"

static bool behind_libata(const struct blockdev *dev)
{
	const char *at = strstr(dev->dir, "/ata");

	return at && isdigit((unsigned char)at[4]);
}

static int flag(const struct blockdev *dev, const char *name)
{
	int64_t value = kfile_number("%s/queue/%s", dev->dir, name);

	return value < 0 ? -1 : value != 0;
}

/* The active scheduler stands in brackets: "mq-deadline [none]". */
static void read_scheduler(const struct blockdev *dev, struct disk_info *info)
{
	char text[256];
	const char *at;

	if (kfile_read(text, sizeof(text), "%s/queue/scheduler", dev->dir))
		return;
	at = strchr(text, '[');
	at = at ? at + 1 : text;
	snprintf(info->scheduler, sizeof(info->scheduler), "%.*s",
		 (int)strcspn(at, "] "), at);
}

/* A SCSI device has its own limit; elsewhere it is the tags of all hardware queues. */
static int queue_depth(const struct blockdev *dev)
{
	int64_t depth = kfile_number("%s/device/queue_depth", dev->dir), tags;
	char **names;
	int nr;

	if (depth >= 0)
		return (int)depth;
	nr = kfile_names(&names, "%s/mq", dev->dir);
	for (int i = 0; i < nr; i++) {
		tags = kfile_number("%s/mq/%s/nr_tags", dev->dir, names[i]);
		if (tags > 0)
			depth = (depth < 0 ? 0 : depth) + tags;
	}
	kfile_names_free(names, nr > 0 ? nr : 0);
	return (int)depth;
}

static enum tristate cache_of(const char *type)
{
	if (!strncmp(type, "write back", 10))
		return ON;
	if (!strncmp(type, "write through", 13) || !strcmp(type, "none"))
		return OFF;
	return UNKNOWN;
}

/*
 * The drive's own cache as its driver last read it; nothing here asks the drive.
 * sd reads the caching page at probe and at every rescan, libata rescans when a
 * SET FEATURES passes through.  Somebody who wrote "temporary ..." to cache_type
 * has overridden what sd read, and sysfs does not tell.  virtio_blk reads the
 * device's configuration when asked.  NVMe says it only to Get Features, which
 * would be a command on the disk being measured: unknown.
 */
static enum tristate drive_cache(const struct blockdev *dev)
{
	enum tristate cache = UNKNOWN;
	char type[64], **names;
	int nr;

	if (!kfile_read(type, sizeof(type), "%s/cache_type", dev->dir))
		return cache_of(type);
	nr = kfile_names(&names, "%s/device/scsi_disk", dev->dir);
	if (nr > 0 && !kfile_read(type, sizeof(type), "%s/device/scsi_disk/%s/cache_type",
				  dev->dir, names[0]))
		cache = cache_of(type);
	kfile_names_free(names, nr > 0 ? nr : 0);
	return cache;
}

int disk_describe(const struct disk *disk, struct disk_info *info)
{
	struct blockdev dev;
	int64_t sectors;

	memset(info, 0, sizeof(*info));
	info->disk = *disk;
	if (blockdev_by_number(&dev, disk->major, disk->minor))
		return -1;
	identity_read(&dev, info);
	sectors = kfile_number("%s/size", dev.dir);
	info->size_bytes = sectors < 0 ? -1 : sectors * 512;
	info->rotational = flag(&dev, "rotational");
	info->ncq = behind_libata(&dev) ? (int)kfile_number("%s/device/queue_depth", dev.dir) : -1;
	info->queue_depth = queue_depth(&dev);
	info->nr_requests = kfile_number("%s/queue/nr_requests", dev.dir);
	read_scheduler(&dev, info);
	info->write_cache = drive_cache(&dev);
	(void)kfile_read(info->write_cache_kernel, sizeof(info->write_cache_kernel),
			 "%s/queue/write_cache", dev.dir);
	info->fua = flag(&dev, "fua");
	info->discard_max_bytes = kfile_number("%s/queue/discard_max_bytes", dev.dir);
	info->iostats = flag(&dev, "iostats");
	return 0;
}

bool disk_drops_flushes(const struct disk_info *info)
{
	return !strcmp(info->write_cache_kernel, "write through");
}

bool disk_loses_writes(const struct disk_info *info)
{
	return info->write_cache == ON && disk_drops_flushes(info);
}

int disk_stats(const struct disk *disk, struct diskstats *stats)
{
	unsigned long long f[17] = { 0 };
	char text[512], *at = text;
	int used, nr = 0;

	memset(stats, 0, sizeof(*stats));
	if (kfile_read(text, sizeof(text), "/sys/dev/block/%u:%u/stat", disk->major, disk->minor))
		return -1;
	while (nr < 17 && sscanf(at, "%llu%n", &f[nr], &used) == 1) {
		at += used;
		nr++;
	}
	/* 11 fields at first, 15 with discards (4.18), 17 with flushes (5.5). */
	if (nr < 11) {
		errno = EINVAL;
		return -1;
	}
	*stats = (struct diskstats){
		.read_ios = f[0], .read_merges = f[1], .read_sectors = f[2], .read_ms = f[3],
		.write_ios = f[4], .write_merges = f[5], .write_sectors = f[6], .write_ms = f[7],
		.inflight = f[8], .busy_ms = f[9], .waiting_ms = f[10],
		.discard_ios = f[11], .discard_merges = f[12], .discard_sectors = f[13],
		.discard_ms = f[14],
		.flush_ios = f[15], .flush_ms = f[16],
	};
	return 0;
}
