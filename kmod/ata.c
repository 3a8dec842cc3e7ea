// SPDX-License-Identifier: GPL-2.0-only
#include <scsi/scsi_device.h>

#include <fsbstat_ata.h>

#include "ata.h"
#include "compat/ata.h"
#include "disk_stats.h"

/* The watched disk of a device; inside rcu_read_lock_sched_notrace(). */
static struct fsb_ata_state *fsb_ata_of(const struct ata_device *dev)
{
	const struct scsi_device *sdev = dev ? READ_ONCE(dev->sdev) : NULL;
	struct fsb_disk_stats *stats;

	if (!sdev || !sdev->request_queue)
		return NULL;
	stats = fsb_disk_stats_find(sdev->request_queue);
	return stats ? stats->ata : NULL;
}

static void fsb_probe_qc_issue(void *data, struct ata_queued_cmd *qc)
{
	struct fsb_ata_state *state;
	enum fsbstat_ata_kind kind;
	struct request *rq;
	u64 rq_start;
	bool queued;

	rcu_read_lock_sched_notrace();
	state = fsb_ata_of(qc->dev);
	if (state) {
		queued = ata_is_ncq(qc->tf.protocol);
		kind = fsbstat_ata_kind(qc->tf.command, qc->tf.device, queued);
		rq = qc->scsicmd ? fsb_scsi_request(qc->scsicmd) : NULL;
		rq_start = rq ? rq->start_time_ns : 0;
		if (queued)
			fsb_ata_issue_queued(state, kind, qc->hw_tag % FSB_ATA_TAGS, rq, rq_start);
		else
			fsb_ata_issue_alone(state, kind, rq, rq_start);
	}
	rcu_read_unlock_sched_notrace();
}

static void fsb_qc_complete(const struct ata_queued_cmd *qc, bool failed)
{
	struct fsb_ata_state *state;

	rcu_read_lock_sched_notrace();
	state = fsb_ata_of(qc->dev);
	if (state && ata_is_ncq(qc->tf.protocol))
		fsb_ata_complete_queued(state, qc->hw_tag % FSB_ATA_TAGS, failed);
	else if (state)
		fsb_ata_complete_alone(state, failed);
	rcu_read_unlock_sched_notrace();
}

static void fsb_probe_qc_done(void *data, struct ata_queued_cmd *qc)
{
	fsb_qc_complete(qc, false);
}

static void fsb_probe_qc_failed(void *data, struct ata_queued_cmd *qc)
{
	fsb_qc_complete(qc, true);
}

static void fsb_device_error(const struct ata_device *dev)
{
	struct fsb_ata_state *state;

	rcu_read_lock_sched_notrace();
	state = fsb_ata_of(dev);
	if (state)
		fsb_ata_error(state);
	rcu_read_unlock_sched_notrace();
}

/* The devices of the port's own link; those behind a port multiplier report per link. */
static void fsb_port_error(const struct ata_port *ap)
{
	unsigned int i;

	for (i = 0; i < ATA_MAX_DEVICES; i++)
		fsb_device_error(&ap->link.device[i]);
}

static void fsb_probe_eh_link_autopsy(void *data, struct ata_device *dev, unsigned int action,
				      unsigned int err_mask)
{
	fsb_device_error(dev);
}

static void fsb_probe_eh_link_autopsy_qc(void *data, struct ata_queued_cmd *qc)
{
	fsb_device_error(qc->dev);
}

static void fsb_probe_port_error(void *data, struct ata_port *ap)
{
	fsb_port_error(ap);
}

/* Fails the build where a prototype is not what the probe takes. */
static inline void fsb_check_ata_prototypes(void)
{
	check_trace_callback_type_ata_qc_issue(fsb_probe_qc_issue);
	check_trace_callback_type_ata_qc_complete_done(fsb_probe_qc_done);
	check_trace_callback_type_ata_qc_complete_internal(fsb_probe_qc_done);
	check_trace_callback_type_ata_qc_complete_failed(fsb_probe_qc_failed);
	check_trace_callback_type_ata_eh_link_autopsy(fsb_probe_eh_link_autopsy);
	check_trace_callback_type_ata_eh_link_autopsy_qc(fsb_probe_eh_link_autopsy_qc);
	fsb_check_ata_port_probe(fsb_probe_port_error);
}

/* Completions are attached first, as with requests. */
struct fsb_hook fsb_ata_hooks[FSB_ATA_HOOKS] = {
	{ .name = "ata_qc_complete_done", .probe = fsb_probe_qc_done },
	{ .name = "ata_qc_complete_internal", .probe = fsb_probe_qc_done },
	{ .name = "ata_qc_complete_failed", .probe = fsb_probe_qc_failed },
	{ .name = "ata_eh_link_autopsy", .probe = fsb_probe_eh_link_autopsy },
	{ .name = "ata_eh_link_autopsy_qc", .probe = fsb_probe_eh_link_autopsy_qc },
	{ .name = "ata_std_sched_eh", .probe = fsb_probe_port_error },
	{ .name = "ata_port_freeze", .probe = fsb_probe_port_error },
	{ .name = "ata_qc_issue", .probe = fsb_probe_qc_issue },
};
