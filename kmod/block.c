// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bio.h>
#include <trace/events/block.h>

#include "block.h"
#include "disk_stats.h"
#include "trace.h"

static __always_inline void fsb_issue(struct fsb_disk_stats *stats, struct request *rq)
{
	struct fsb_shard *shard = fsb_disk_stats_shard(stats, rq);

	if (likely(shard))
		fsb_shard_issue(shard, rq);
}

static noinline void fsb_complete_traced(struct fsb_disk_stats *stats, struct fsb_shard *shard,
					 struct request *rq, bool error, unsigned int nr_bytes)
{
	struct fsb_ended ended;

	if (fsb_shard_complete_traced(shard, rq, error, nr_bytes, READ_ONCE(stats->settling),
				      &ended))
		trace_request(stats->dev, &ended);
}

static __always_inline void fsb_complete(struct fsb_disk_stats *stats, struct request *rq,
					 bool error, unsigned int nr_bytes)
{
	struct fsb_shard *shard = fsb_disk_stats_shard(stats, rq);

	if (unlikely(!shard)) {
		if (nr_bytes >= blk_rq_bytes(rq))
			fsb_disk_stats_untracked(stats);
	} else if (trace_request_enabled()) {
		fsb_complete_traced(stats, shard, rq, error, nr_bytes);
	} else {
		fsb_shard_complete(shard, rq, error, nr_bytes, READ_ONCE(stats->settling));
	}
}

/*
 * What libata cannot queue (if it is there at all): a flush, a discard, passthrough.  Reads
 * and writes come first among the operations and are told by a comparison; the rest has
 * functions of its own, so that they do not pay for its registers.
 */
#define fsb_may_drain(rq) ((__force u32)req_op(rq) > (__force u32)REQ_OP_WRITE)

/* The disk's ATA link, if the request makes it drain. */
static struct fsb_ata_state *fsb_drained_link(const struct fsb_disk_stats *stats,
					      struct request *rq)
{
	struct fsb_ata_state *ata = READ_ONCE(stats->parts.ata);

	if (ata && fsb_ata_seen(ata) &&
	    (req_op(rq) == REQ_OP_FLUSH || req_op(rq) == REQ_OP_DISCARD ||
	     blk_rq_is_passthrough(rq)))
		return ata;
	return NULL;
}

static noinline void fsb_issue_other(struct fsb_disk_stats *stats, struct request *rq)
{
	struct fsb_ata_state *ata = fsb_drained_link(stats, rq);

	if (ata)
		fsb_ata_wait_begin(ata, rq, rq->start_time_ns);
	if (req_op(rq) == REQ_OP_FLUSH && !fsb_unflushed_clean(stats->unflushed))
		fsb_unflushed_issue(stats, rq);
	fsb_issue(stats, rq);
}

static noinline void fsb_complete_other(struct fsb_disk_stats *stats, struct request *rq,
					bool error, unsigned int nr_bytes)
{
	struct fsb_ata_state *ata = fsb_drained_link(stats, rq);

	if (ata)
		fsb_ata_wait_end(ata, rq, rq->start_time_ns);
	if (req_op(rq) == REQ_OP_FLUSH && !error) {
		if (fsb_unflushed_clean(stats->unflushed))
			this_cpu_inc(*stats->unflushed->idle);
		else
			fsb_unflushed_complete(stats, rq);
	}
	fsb_complete(stats, rq, error, nr_bytes);
}

static void fsb_probe_rq_issue(FSB_RQ_PROBE_ARGS)
{
	struct fsb_disk_stats *stats;

	rcu_read_lock_sched_notrace();
	stats = fsb_disk_stats_find(rq->q);
	if (likely(stats && !fsb_may_drain(rq)))
		fsb_issue(stats, rq);
	else if (stats)
		fsb_issue_other(stats, rq);
	rcu_read_unlock_sched_notrace();
}

static void fsb_probe_rq_complete(void *data, struct request *rq, fsb_rq_error_t error,
				  unsigned int nr_bytes)
{
	struct fsb_disk_stats *stats;

	rcu_read_lock_sched_notrace();
	stats = fsb_disk_stats_find(rq->q);
	if (likely(stats && !fsb_may_drain(rq)))
		fsb_complete(stats, rq, error != 0, nr_bytes);
	else if (stats)
		fsb_complete_other(stats, rq, error != 0, nr_bytes);
	rcu_read_unlock_sched_notrace();
}

static void fsb_probe_rq_requeue(FSB_RQ_PROBE_ARGS)
{
	struct fsb_disk_stats *stats;
	struct fsb_shard *shard;

	rcu_read_lock_sched_notrace();
	stats = fsb_disk_stats_find(rq->q);
	if (stats) {
		shard = fsb_disk_stats_shard(stats, rq);
		if (likely(shard))
			fsb_shard_requeue(shard, rq);
	}
	rcu_read_unlock_sched_notrace();
}

static __always_inline void fsb_count_write_bio(struct fsb_bio_counts *counts,
						const struct bio *bio, u32 bytes)
{
	if (!bytes) {
		counts->empty_flush += !!(bio->bi_opf & REQ_PREFLUSH);
		return;
	}
	counts->write_ios++;
	counts->write_bytes += bytes;
	counts->preflush += !!(bio->bi_opf & REQ_PREFLUSH);
	counts->fua += !!(bio->bi_opf & REQ_FUA);
}

/* Apart from the probe, so that bios of other disks do not pay for its registers. */
static noinline void fsb_count_bio(struct fsb_owners *owners, const struct bio *bio)
{
	u32 bytes = bio->bi_iter.bi_size;
	struct fsb_owners_entry entry;
	struct fsb_bio_counts *counts;

	counts = (void *)fsb_owners_begin(owners, fsb_bio_dev(bio), &entry);
	switch (bio_op(bio)) {
	case REQ_OP_READ:
		counts->read_ios++;
		counts->read_bytes += bytes;
		break;
	case REQ_OP_WRITE:
	case REQ_OP_ZONE_APPEND:
		fsb_count_write_bio(counts, bio, bytes);
		break;
	case REQ_OP_DISCARD:
		counts->discard_ios++;
		counts->discard_bytes += bytes;
		break;
	default:
		counts->other_ios++;
		counts->other_bytes += bytes;
	}
	fsb_owners_end(&entry);
}

static void fsb_probe_bio_queue(FSB_BIO_PROBE_ARGS)
{
	struct fsb_disk_stats *stats;
	struct fsb_bios *bios;

	rcu_read_lock_sched_notrace();
	stats = fsb_disk_stats_find(fsb_bio_queue(bio));
	if (stats) {
		bios = READ_ONCE(stats->parts.bios);
		if (likely(bios))
			fsb_count_bio(bios->owners, bio);
	}
	rcu_read_unlock_sched_notrace();
}

static void fsb_count_merge(struct request_queue *queue, fsb_req_op_t op)
{
	struct fsb_disk_stats *stats;
	struct fsb_bios *bios;

	rcu_read_lock_sched_notrace();
	stats = fsb_disk_stats_find(queue);
	bios = stats ? READ_ONCE(stats->parts.bios) : NULL;
	if (bios && op == REQ_OP_READ)
		this_cpu_inc(bios->merges->reads);
	else if (bios && op == REQ_OP_WRITE)
		this_cpu_inc(bios->merges->writes);
	rcu_read_unlock_sched_notrace();
}

static void fsb_probe_bio_merge(FSB_BIO_MERGE_PROBE_ARGS)
{
	fsb_count_merge(fsb_bio_queue(bio), bio_op(bio));
}

static void fsb_probe_rq_merge(FSB_RQ_PROBE_ARGS)
{
	fsb_count_merge(rq->q, req_op(rq));
}

/* Fails the build where a prototype is not what the probe takes. */
static inline void fsb_check_prototypes(void)
{
	BUILD_BUG_ON(FSB_BIO_WORDS > FSB_OWNERS_WORDS);
	check_trace_callback_type_block_rq_complete(fsb_probe_rq_complete);
	check_trace_callback_type_block_rq_requeue(fsb_probe_rq_requeue);
	check_trace_callback_type_block_rq_issue(fsb_probe_rq_issue);
	check_trace_callback_type_block_rq_merge(fsb_probe_rq_merge);
	check_trace_callback_type_block_bio_queue(fsb_probe_bio_queue);
	check_trace_callback_type_block_bio_backmerge(fsb_probe_bio_merge);
	check_trace_callback_type_block_bio_frontmerge(fsb_probe_bio_merge);
}

/*
 * In the order of attaching: a completion seen without its issue is counted as
 * untracked, an issue whose completion goes unseen would stay in flight for ever.
 */
struct fsb_hook fsb_request_hooks[FSB_REQUEST_HOOKS] = {
	{ .name = "block_rq_complete", .probe = fsb_probe_rq_complete, .required = true },
	{ .name = "block_rq_requeue", .probe = fsb_probe_rq_requeue },
	{ .name = "block_rq_issue", .probe = fsb_probe_rq_issue, .required = true },
};

struct fsb_hook fsb_bio_hooks[FSB_BIO_HOOKS] = {
	{ .name = "block_bio_queue", .probe = fsb_probe_bio_queue },
	{ .name = "block_bio_backmerge", .probe = fsb_probe_bio_merge },
	{ .name = "block_bio_frontmerge", .probe = fsb_probe_bio_merge },
	{ .name = "block_rq_merge", .probe = fsb_probe_rq_merge },
};
