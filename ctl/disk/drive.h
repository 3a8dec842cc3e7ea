/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * drive: the volatile write cache inside a drive, asked of and set in the drive
 * itself, until its next power cycle.  Each call puts commands on its queue.  For
 * settings*.c only.
 */
#ifndef FSB_DISK_DRIVE_H
#define FSB_DISK_DRIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "disk/blockdev.h"

struct drive_ops;

struct drive {
	const struct drive_ops *ops;
	struct blockdev dev;
	int fd; /* -1 when none is needed */
	char reason[320]; /* of the last failure */
};

/* Each returns 0, or -1 with drive->reason. */
struct drive_ops {
	const char *command; /* how the cache is set, for messages */
	bool needs_node; /* commands are sent through the device node */
	bool kernel_rereads; /* the kernel's view follows a rescan */
	int (*get)(struct drive *drive, bool *on);
	int (*set)(struct drive *drive, bool on);
};

extern const struct drive_ops drive_ata, drive_scsi, drive_nvme, drive_virtio;

/*
 * transport as in disk_info.  Returns 0, or -1 with drive->reason: ENOTSUP when there
 * is no way to this kind of drive's cache.  drive_close() in either case.
 */
int drive_open(struct drive *drive, const struct blockdev *dev, const char *transport);
void drive_close(struct drive *drive);

/* Makes all that was acknowledged so far safe.  0, or -1 with drive->reason. */
int drive_flush(struct drive *drive);

/* Has sd read the drive's caching page again.  0, or -1 with drive->reason. */
int drive_rescan(struct drive *drive);

/* Sets drive->reason and returns -1. */
int drive_failed(struct drive *drive, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * One SCSI command by SG_IO; in: data comes from the drive.  Repeated where the drive reports that
 * something has happened instead of answering.  0, or -1 with drive->reason.
 */
struct drive_command {
	unsigned char cdb[16];
	unsigned char cdb_len;
	void *data;
	unsigned int size; /* 0: none */
	bool in;
	unsigned char key, asc; /* of the sense data, when the drive refused it */
	unsigned int got; /* bytes that came */
};

int drive_command(struct drive *drive, struct drive_command *command);

#endif /* FSB_DISK_DRIVE_H */
