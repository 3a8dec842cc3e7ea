// SPDX-License-Identifier: GPL-2.0-or-later
/* drive_command: a SCSI command to a drive through SG_IO; see drive.h. */
#include "disk/drive.h"

#include <errno.h>
#include <scsi/sg.h>
#include <string.h>
#include <sys/ioctl.h>

#define TIMEOUT_MS	       60000 /* a disk that spins up first */
#define SENSE_MAX	       64
#define STATUS_CHECK_CONDITION 2

#define KEY_UNIT_ATTENTION  0x6
#define KEY_ABORTED_COMMAND 0xb
#define TRIES		    10 /* a drive may have several conditions to report */

/* Key and additional code, from either format of sense data. */
static void read_sense(struct drive_command *command, const unsigned char *sense, size_t len)
{
	bool descriptor = len > 0 && (sense[0] & 0x7f) >= 0x72;

	if (descriptor && len >= 3) {
		command->key = sense[1] & 0x0f;
		command->asc = sense[2];
	} else if (!descriptor && len >= 13) {
		command->key = sense[2] & 0x0f;
		command->asc = sense[12];
	}
}

/*
 * Not an answer to the command: something else has happened (another disk of the bus came or went,
 * a reset, a new medium), which the drive reports once, or the transport has failed.  The kernel
 * repeats its own commands then.
 */
static bool is_to_be_repeated(const struct drive_command *command)
{
	return command->key == KEY_UNIT_ATTENTION || command->key == KEY_ABORTED_COMMAND;
}

static int send_once(struct drive *drive, struct drive_command *command)
{
	unsigned char sense[SENSE_MAX] = {0};
	struct sg_io_hdr io = {
		.interface_id = 'S',
		.dxfer_direction = !command->size ? SG_DXFER_NONE
				   : command->in  ? SG_DXFER_FROM_DEV
						  : SG_DXFER_TO_DEV,
		.cmd_len = command->cdb_len,
		.cmdp = command->cdb,
		.dxfer_len = command->size,
		.dxferp = command->data,
		.mx_sb_len = sizeof(sense),
		.sbp = sense,
		.timeout = TIMEOUT_MS,
	};

	command->key = 0;
	command->asc = 0;
	if (ioctl(drive->fd, SG_IO, &io))
		return drive_failed(drive, "SG_IO: %s", strerror(errno));
	command->got = io.resid > 0 && (unsigned int)io.resid <= command->size
			       ? command->size - (unsigned int)io.resid
			       : command->size;
	if ((io.info & SG_INFO_OK_MASK) == SG_INFO_OK)
		return 0;
	read_sense(command, sense, io.sb_len_wr);
	if (io.status == STATUS_CHECK_CONDITION)
		return drive_failed(drive,
				    "the drive refused command 0x%02x (sense key %u, code 0x%02x)",
				    command->cdb[0], command->key, command->asc);
	return drive_failed(drive,
			    "command 0x%02x failed (host 0x%02x, driver 0x%02x, status 0x%02x)",
			    command->cdb[0], io.host_status, io.driver_status, io.status);
}

int drive_command(struct drive *drive, struct drive_command *command)
{
	int ret = -1;

	for (int i = 0; i < TRIES; i++) {
		ret = send_once(drive, command);
		if (!ret || !is_to_be_repeated(command))
			break;
	}
	return ret;
}
