// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * drive_scsi: the write cache of a SCSI or SAS drive, by its caching mode page; see
 * drive.h.  SP is always 0: the drive forgets at its next power cycle.
 */
#include "disk/drive.h"

#include <string.h>

#define MODE_SENSE_6	     0x1a
#define MODE_SENSE_10	     0x5a
#define MODE_SELECT_6	     0x15
#define MODE_SELECT_10	     0x55
#define NO_BLOCK_DESCRIPTORS 0x08
#define PAGE_FORMAT	     0x10 /* PF; SP is bit 0 */

#define PAGE_CACHING  0x08
#define PAGE_SAVEABLE 0x80 /* PS: reserved when it goes to the drive */
#define BIT_WCE	      0x04

#define KEY_ILLEGAL_REQUEST 5
#define MODE_MAX	    252 /* fits the length byte of the short commands */

/* Mode data as MODE SENSE gave it. */
struct mode {
	unsigned char data[MODE_MAX];
	bool ten; /* by the ten byte commands */
	size_t page, page_len; /* where the caching page stands */
};

static int sense_once(struct drive *drive, struct mode *mode, bool ten, bool *unknown)
{
	struct drive_command command = {
		.cdb = {ten ? MODE_SENSE_10 : MODE_SENSE_6, NO_BLOCK_DESCRIPTORS,
			PAGE_CACHING, [4] = ten ? 0 : MODE_MAX, [8] = ten ? MODE_MAX : 0},
		.cdb_len = ten ? 10 : 6,
		.data = mode->data,
		.size = MODE_MAX,
		.in = true,
	};
	size_t header = ten ? 8 : 4, skip;

	memset(mode, 0, sizeof(*mode));
	mode->ten = ten;
	*unknown = false;
	if (drive_command(drive, &command)) {
		*unknown = command.key == KEY_ILLEGAL_REQUEST;
		return -1;
	}
	/* Some send block descriptors although asked not to. */
	skip = ten ? (size_t)mode->data[6] << 8 | mode->data[7] : mode->data[3];
	mode->page = header + skip;
	if (mode->page + 3 > command.got || (mode->data[mode->page] & 0x3f) != PAGE_CACHING)
		return drive_failed(drive, "the drive has no caching page");
	mode->page_len = 2 + (size_t)mode->data[mode->page + 1];
	if (mode->page + mode->page_len > command.got)
		return drive_failed(drive, "the drive's caching page is cut short");
	return 0;
}

static int sense(struct drive *drive, struct mode *mode)
{
	bool unknown;

	if (!sense_once(drive, mode, true, &unknown))
		return 0;
	return unknown ? sense_once(drive, mode, false, &unknown) : -1;
}

static int scsi_get(struct drive *drive, bool *on)
{
	struct mode mode;

	if (sense(drive, &mode))
		return -1;
	*on = mode.data[mode.page + 2] & BIT_WCE;
	return 0;
}

static int scsi_set(struct drive *drive, bool on)
{
	unsigned char data[MODE_MAX] = {0};
	struct drive_command command = {.data = data};
	struct mode mode;
	size_t header;

	if (sense(drive, &mode))
		return -1;
	header = mode.ten ? 8 : 4;
	memcpy(data + header, mode.data + mode.page, mode.page_len);
	data[header] &= (unsigned char)~PAGE_SAVEABLE;
	data[header + 2] &= (unsigned char)~BIT_WCE;
	data[header + 2] |= on ? BIT_WCE : 0;
	command.size = (unsigned int)(header + mode.page_len);
	command.cdb[0] = mode.ten ? MODE_SELECT_10 : MODE_SELECT_6;
	command.cdb[1] = PAGE_FORMAT;
	command.cdb[mode.ten ? 8 : 4] = (unsigned char)command.size;
	command.cdb_len = mode.ten ? 10 : 6;
	return drive_command(drive, &command);
}

const struct drive_ops drive_scsi = {
	.command = "MODE SELECT",
	.needs_node = true,
	.kernel_rereads = true,
	.get = scsi_get,
	.set = scsi_set,
};
