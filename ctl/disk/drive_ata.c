// SPDX-License-Identifier: GPL-2.0-or-later
/* drive_ata: the write cache of a drive behind libata; see drive.h. */
#include "disk/drive.h"

#include <string.h>

#define PASS_THROUGH_16	  0x85
#define PROTOCOL_NON_DATA (3 << 1)
#define PROTOCOL_PIO_IN	  (4 << 1)
#define LENGTH_IN_COUNT	  0x0e /* from the drive, in blocks, as many as the count says */

#define ATA_IDENTIFY	  0xec
#define ATA_SET_FEATURES  0xef
#define FEATURE_CACHE_ON  0x02
#define FEATURE_CACHE_OFF 0x82

/* Words of IDENTIFY DEVICE, and the bit for the write cache in them. */
#define WORD_SUPPORTED 82
#define WORD_VALID     83
#define WORD_ENABLED   85
#define CACHE_BIT      (1 << 5)

static unsigned int word(const unsigned char *identify, int number)
{
	return identify[2 * number] | (unsigned int)identify[2 * number + 1] << 8;
}

static int ata_get(struct drive *drive, bool *on)
{
	unsigned char identify[512];
	struct drive_command command = {
		.cdb = {PASS_THROUGH_16, PROTOCOL_PIO_IN,
			LENGTH_IN_COUNT, [6] = 1, [14] = ATA_IDENTIFY},
		.cdb_len = 16,
		.data = identify,
		.size = sizeof(identify),
		.in = true,
	};

	if (drive_command(drive, &command))
		return -1;
	if (command.got != sizeof(identify) || (word(identify, WORD_VALID) & 0xc000) != 0x4000 ||
	    !(word(identify, WORD_SUPPORTED) & CACHE_BIT))
		return drive_failed(drive, "the drive has no write cache that could be switched");
	*on = word(identify, WORD_ENABLED) & CACHE_BIT;
	return 0;
}

static int ata_set(struct drive *drive, bool on)
{
	struct drive_command command = {
		.cdb = {PASS_THROUGH_16, PROTOCOL_NON_DATA,
			[4] = on ? FEATURE_CACHE_ON : FEATURE_CACHE_OFF, [14] = ATA_SET_FEATURES},
		.cdb_len = 16,
	};

	return drive_command(drive, &command);
}

const struct drive_ops drive_ata = {
	.command = "SET FEATURES",
	.needs_node = true,
	.kernel_rereads = true,
	.get = ata_get,
	.set = ata_set,
};
