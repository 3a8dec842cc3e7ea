/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * describe: a disk's identity and its settings as sysfs has them now.
 * Strings are "" and numbers -1 where they cannot be had; strings come from
 * hardware and are cleaned of control characters here.
 */
#ifndef FSB_DISK_DESCRIBE_H
#define FSB_DISK_DESCRIBE_H

#include "disk/disk.h"

struct disk_info {
	struct disk disk;
	char by_id[256]; /* name below /dev/disk/by-id: wwn- first, else the first */
	char serial[128];
	char wwn[128];
	char model[128];
	char firmware[64];
	char transport[16]; /* sata, ata, sas, scsi, nvme, virtio, usb, mmc, ... */
	int rotational; /* 0, 1, -1 */
	int64_t size_bytes;
	int ncq; /* queue depth behind libata, -1 elsewhere */
	int queue_depth; /* tags the device may use at once, -1 unknown */
	int64_t nr_requests;
	char scheduler[32]; /* the active one */
	enum tristate write_cache; /* the drive's own, UNKNOWN without asking it */
	char write_cache_kernel[32]; /* "write back" or "write through" */
	int fua; /* 0, 1, -1 */
	int64_t discard_max_bytes; /* of one discard; 0: the disk takes none */
	int iostats; /* 0, 1, -1: /proc/diskstats counts this disk */
};

/* Returns 0, -1 with errno when the disk is not there (nothing printed). */
int disk_describe(const struct disk *disk, struct disk_info *info);

/*
 * The disk that @lost has come back as: the only one with its serial number, WWN, model and
 * size.  0, or -1 with errno: ENODEV, ENOTUNIQ, or that of disk_all().
 */
int disk_again(const struct disk_info *lost, struct disk *found);

/* The drive caches writes and the kernel never sends it a flush. */
bool disk_loses_writes(const struct disk_info *info);

/* The kernel drops flushes and FUA before anybody can count them. */
bool disk_drops_flushes(const struct disk_info *info);

/* /proc/diskstats of one disk; fields unknown to an old kernel are 0. */
struct diskstats {
	uint64_t read_ios, read_merges, read_sectors, read_ms;
	uint64_t write_ios, write_merges, write_sectors, write_ms;
	uint64_t inflight;
	uint64_t busy_ms, waiting_ms; /* something in flight; all requests' times together */
	uint64_t discard_ios, discard_merges, discard_sectors, discard_ms;
	uint64_t flush_ios, flush_ms;
};

int disk_stats(const struct disk *disk, struct diskstats *stats);

#endif /* FSB_DISK_DESCRIBE_H */
