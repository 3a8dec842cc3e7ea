/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scsi: the probe of SCSI's tracepoint.  Thin: it looks for commands that change settings
 * of a watched disk.  Those of disks behind libata are seen in ata.c.
 */
#ifndef FSB_SCSI_H
#define FSB_SCSI_H

#include <scsi/scsi_cmnd.h>
#include <scsi/scsi_proto.h>

#include "hooks.h"

#define FSB_SCSI_HOOKS 1

/**
 * fsb_scsi_changes_settings() - whether a command is one that changes settings
 * @cmd: the command
 *
 * Return: true for MODE SELECT.
 */
static inline bool fsb_scsi_changes_settings(const struct scsi_cmnd *cmd)
{
	return cmd->cmnd[0] == MODE_SELECT || cmd->cmnd[0] == MODE_SELECT_10;
}

extern struct fsb_hook fsb_scsi_hooks[FSB_SCSI_HOOKS];

#endif /* FSB_SCSI_H */
