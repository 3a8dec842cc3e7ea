// SPDX-License-Identifier: GPL-2.0-only
#include <scsi/scsi_device.h>
#include <trace/events/scsi.h>

#include "disk_stats.h"
#include "scsi.h"

/* When it has been done: a reader that looks now sees what it did. */
static void fsb_probe_scsi_done(void *data, struct scsi_cmnd *cmd)
{
	struct fsb_disk_stats *stats;

	if (likely(!fsb_scsi_changes_settings(cmd)))
		return;
	rcu_read_lock_sched_notrace();
	stats = fsb_disk_stats_find(cmd->device->request_queue);
	if (stats)
		fsb_settings_changed(&stats->settings);
	rcu_read_unlock_sched_notrace();
}

/* Fails the build where the prototype is not what the probe takes. */
static inline void fsb_check_scsi_prototypes(void)
{
	check_trace_callback_type_scsi_dispatch_cmd_done(fsb_probe_scsi_done);
}

struct fsb_hook fsb_scsi_hooks[FSB_SCSI_HOOKS] = {
	{ .name = "scsi_dispatch_cmd_done", .probe = fsb_probe_scsi_done },
};
