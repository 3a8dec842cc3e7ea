// SPDX-License-Identifier: GPL-2.0-only
/* A SCSI command is part of its request: since 5.15. */
#include <scsi/scsi_cmnd.h>

struct request *fsb_check(struct scsi_cmnd *cmd);
struct request *fsb_check(struct scsi_cmnd *cmd)
{
	return scsi_cmd_to_rq(cmd);
}
