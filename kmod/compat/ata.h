/* SPDX-License-Identifier: GPL-2.0-only */
/* ata: what differs between kernels in libata and SCSI; see compat.h. */
#ifndef FSB_COMPAT_ATA_H
#define FSB_COMPAT_ATA_H

#include <linux/libata.h>
#include <scsi/scsi_cmnd.h>
#include <trace/events/libata.h>

#include "probed.h"

/**
 * fsb_scsi_request() - the request a SCSI command was made of
 * @cmd: the command
 *
 * Return: the request.
 */
static inline struct request *fsb_scsi_request(struct scsi_cmnd *cmd)
{
#ifdef FSB_HAVE_SCSI_CMD_TO_RQ
	return scsi_cmd_to_rq(cmd);
#else
	return cmd->request;
#endif
}

/**
 * fsb_check_ata_port_probe() - fails the build where a port's tracepoints take other arguments
 * @probe: the probe of ata_std_sched_eh and ata_port_freeze
 *
 * A kernel without them shows error handling from its autopsy on only; the hooks are
 * reported as missing.
 */
static inline void fsb_check_ata_port_probe(void (*probe)(void *data, struct ata_port *ap))
{
#ifdef FSB_HAVE_ATA_PORT_EVENTS
	check_trace_callback_type_ata_std_sched_eh(probe);
	check_trace_callback_type_ata_port_freeze(probe);
#endif
}

#endif /* FSB_COMPAT_ATA_H */
