/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * What an ATA command is, from its taskfile: one definition for the module and the
 * unit tests.  Command codes: ATA8-ACS, table of command codes; FUA of the FPDMA
 * commands is bit 7 of the DEVICE field (WRITE FPDMA QUEUED).
 */
#ifndef _UAPI_FSBSTAT_ATA_H
#define _UAPI_FSBSTAT_ATA_H

#include <linux/types.h>

#include "fsbstat.h"

/**
 * fsbstat_ata_kind() - classify a command
 * @command: COMMAND field of the taskfile
 * @device: DEVICE field
 * @queued: its protocol is NCQ
 *
 * Return: &enum fsbstat_ata_kind.
 */
static inline enum fsbstat_ata_kind fsbstat_ata_kind(__u8 command, __u8 device, int queued)
{
	if (queued) {
		switch (command) {
		case 0x60: /* READ FPDMA QUEUED */
			return FSBSTAT_ATA_NCQ_READ;
		case 0x61: /* WRITE FPDMA QUEUED */
			return device & 0x80 ? FSBSTAT_ATA_NCQ_FUA_WRITE : FSBSTAT_ATA_NCQ_WRITE;
		default:
			return FSBSTAT_ATA_NCQ_OTHER;
		}
	}
	switch (command) {
	case 0xE7: /* FLUSH CACHE */
	case 0xEA: /* FLUSH CACHE EXT */
		return FSBSTAT_ATA_FLUSH;
	case 0x06: /* DATA SET MANAGEMENT */
		return FSBSTAT_ATA_TRIM;
	case 0x3D: /* WRITE DMA FUA EXT */
	case 0xCE: /* WRITE MULTIPLE FUA EXT */
		return FSBSTAT_ATA_FUA_WRITE;
	default:
		return FSBSTAT_ATA_OTHER;
	}
}

#endif /* _UAPI_FSBSTAT_ATA_H */
