// SPDX-License-Identifier: GPL-2.0-only
#include <linux/ktime.h>
#include <scsi/scsi_device.h>

#include <fsbstat_ata.h>

#include "ata.h"
#include "compat/ata.h"
#include "disk_stats.h"
#include "scsi.h"
#include "trace.h"

/*
 * The counters of a device and of its link, if that layer is wanted; inside
 * rcu_read_lock_sched_notrace().
 */
static __always_inline struct fsb_ata_state *fsb_link_of(const struct ata_device *dev,
							 struct fsb_disk_stats **stats)
{
	const struct scsi_device *sdev = READ_ONCE(dev->sdev);

	if (!sdev || !sdev->request_queue)
		return NULL;
	*stats = fsb_disk_stats_find(sdev->request_queue);
	return *stats ? READ_ONCE((*stats)->parts.ata) : NULL;
}

static struct request *fsb_request_of(const struct ata_queued_cmd *qc)
{
	return qc->scsicmd ? fsb_scsi_request(qc->scsicmd) : NULL;
}

static u32 fsb_tag_of(const struct ata_queued_cmd *qc)
{
	return qc->hw_tag % FSB_ATA_TAGS;
}

static __always_inline bool fsb_count_issue(struct fsb_ata_state *state,
					    const struct ata_queued_cmd *qc)
{
	unsigned long flags;
	bool plain;

	raw_spin_lock_irqsave(&state->lock, flags);
	plain = fsb_ata_plain(state, ktime_get_ns());
	if (likely(plain))
		fsb_ata_plain_issue(state, fsbstat_ata_kind(qc->tf.command, qc->tf.device, true),
				    fsb_tag_of(qc));
	raw_spin_unlock_irqrestore(&state->lock, flags);
	return plain;
}

static void fsb_issue(struct fsb_disk_stats *stats, struct fsb_ata_state *state,
		      const struct ata_queued_cmd *qc)
{
	struct request *rq = fsb_request_of(qc);
	u64 rq_start = rq ? rq->start_time_ns : 0;
	bool queued = ata_is_ncq(qc->tf.protocol);
	enum fsbstat_ata_kind kind = fsbstat_ata_kind(qc->tf.command, qc->tf.device, queued);

	WRITE_ONCE(state->device, qc->dev);
	if (queued) {
		fsb_ata_issue_queued(state, kind, fsb_tag_of(qc), rq, rq_start);
		return;
	}
	fsb_ata_issue_alone(state, kind, rq, rq_start);
	if (kind == FSBSTAT_ATA_FLUSH)
		fsb_unflushed_ata_issue(stats, rq);
}

/* Any command; apart from the probe, so that plain ones do not pay for its registers. */
static noinline void fsb_issue_any(const struct ata_queued_cmd *qc)
{
	struct fsb_disk_stats *stats;
	struct fsb_ata_state *state;

	rcu_read_lock_sched_notrace();
	state = fsb_link_of(qc->dev, &stats);
	if (state)
		fsb_issue(stats, state, qc);
	rcu_read_unlock_sched_notrace();
}

static void fsb_probe_qc_issue(void *data, struct ata_queued_cmd *qc)
{
	struct fsb_disk_stats *stats;
	struct fsb_ata_state *state;
	bool done = true;

	rcu_read_lock_sched_notrace();
	state = fsb_link_of(qc->dev, &stats);
	if (state)
		done = ata_is_ncq(qc->tf.protocol) && fsb_count_issue(state, qc);
	rcu_read_unlock_sched_notrace();
	if (unlikely(!done))
		fsb_issue_any(qc);
}

/* libata itself sets features while it handles errors, always the same ones. */
static bool fsb_changes_settings(const struct ata_queued_cmd *qc)
{
	return qc->tf.command == ATA_CMD_SET_FEATURES && qc->scsicmd &&
	       !fsb_scsi_changes_settings(qc->scsicmd);
}

/* A command that had the link to itself has ended. */
static void fsb_alone_ended(struct fsb_disk_stats *stats, struct fsb_ata_state *state,
			    const struct ata_queued_cmd *qc, bool failed)
{
	struct fsb_ata_drain drain;

	if (fsb_ata_complete_alone(state, failed, &drain))
		trace_drain(stats->dev, &drain);
	if (fsbstat_ata_kind(qc->tf.command, qc->tf.device, false) == FSBSTAT_ATA_FLUSH && !failed)
		fsb_unflushed_ata_complete(stats, fsb_request_of(qc));
	if (fsb_changes_settings(qc))
		fsb_settings_changed(&stats->settings);
}

static __always_inline bool fsb_count_completion(struct fsb_ata_state *state,
						 const struct ata_queued_cmd *qc)
{
	unsigned long flags;
	bool plain;

	raw_spin_lock_irqsave(&state->lock, flags);
	plain = fsb_ata_plain(state, ktime_get_ns());
	if (likely(plain))
		fsb_ata_plain_complete(state, fsb_tag_of(qc));
	raw_spin_unlock_irqrestore(&state->lock, flags);
	return plain;
}

/* Any command, as fsb_issue_any(). */
static noinline void fsb_complete_any(const struct ata_queued_cmd *qc, bool failed)
{
	struct fsb_disk_stats *stats;
	struct fsb_ata_state *state;

	rcu_read_lock_sched_notrace();
	state = fsb_link_of(qc->dev, &stats);
	if (state && ata_is_ncq(qc->tf.protocol))
		fsb_ata_complete_queued(state, fsb_tag_of(qc), failed);
	else if (state)
		fsb_alone_ended(stats, state, qc, failed);
	rcu_read_unlock_sched_notrace();
}

static void fsb_probe_qc_done(void *data, struct ata_queued_cmd *qc)
{
	struct fsb_disk_stats *stats;
	struct fsb_ata_state *state;
	bool done = true;

	rcu_read_lock_sched_notrace();
	state = fsb_link_of(qc->dev, &stats);
	if (state)
		done = ata_is_ncq(qc->tf.protocol) && fsb_count_completion(state, qc);
	rcu_read_unlock_sched_notrace();
	if (unlikely(!done))
		fsb_complete_any(qc, false);
}

static void fsb_probe_qc_failed(void *data, struct ata_queued_cmd *qc)
{
	fsb_complete_any(qc, true);
}

/*
 * Error handling runs without the lock under which dev->sdev is taken away, and the device behind
 * it is freed without a grace period: the disk is found by the address of the ata_device that its
 * commands came with, which is not followed.
 */
static void fsb_device_error(const struct ata_device *dev)
{
	struct fsb_disk_stats *stats;
	struct fsb_ata_state *state;
	struct fsb_ata_drain drain;
	int bucket;

	rcu_read_lock_sched_notrace();
	hash_for_each_rcu(fsb_disks, bucket, stats, node) {
		state = READ_ONCE(stats->parts.ata);
		if (state && fsb_ata_is_of(state, dev) && fsb_ata_error(state, &drain))
			trace_drain(stats->dev, &drain);
	}
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
