// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bio.h>
#include <trace/events/block.h>

#include "bio.h"
#include "disk_stats.h"

static __always_inline void fsb_count_write(struct fsb_bio_counts *counts, const struct bio *bio,
					    u32 bytes)
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

static __always_inline void fsb_count(struct fsb_bio_counts *counts, const struct bio *bio)
{
	u32 bytes = bio->bi_iter.bi_size;

	if (likely(bio_op(bio) == REQ_OP_READ)) {	/* first: gcc makes a tree of a switch */
		counts->read_ios++;
		counts->read_bytes += bytes;
		return;
	}
	switch (bio_op(bio)) {
	case REQ_OP_WRITE:
	case REQ_OP_ZONE_APPEND:
		fsb_count_write(counts, bio, bytes);
		break;
	case REQ_OP_DISCARD:
		counts->discard_ios++;
		counts->discard_bytes += bytes;
		break;
	default:
		counts->other_ios++;
		counts->other_bytes += bytes;
	}
}

/* Of a watched disk with layer BIO; in a section of RCU-sched. */
static __always_inline struct fsb_bios *fsb_bios_of(const struct request_queue *queue)
{
	struct fsb_disk_stats *stats = fsb_disk_stats_find(queue);

	return stats ? READ_ONCE(stats->parts.bios) : NULL;
}

/* Apart from the probe, so that bios of other disks do not pay for its registers. */
static noinline notrace void fsb_count_bio(const struct request_queue *queue, dev_t dev,
					   const struct bio *bio)
{
	struct fsb_owners_bank *bank;
	struct fsb_bios *bios;
	unsigned long flags;

	local_irq_save(flags);
	bios = fsb_bios_of(queue);
	if (likely(bios)) {
		bank = fsb_owners_begin(bios->owners, dev);
		fsb_count((void *)bank->last, bio);
		fsb_owners_end(bank);
	}
	local_irq_restore(flags);
}

static notrace void fsb_probe_bio_queue(FSB_BIO_PROBE_ARGS)
{
	if (fsb_disk_stats_watched(fsb_bio_queue(bio)))
		fsb_count_bio(fsb_bio_queue(bio), fsb_bio_dev(bio), bio);
}

static noinline void fsb_count_merge(const struct request_queue *queue, fsb_req_op_t op)
{
	struct fsb_bios *bios;

	rcu_read_lock_sched_notrace();
	bios = fsb_bios_of(queue);
	if (bios && op == REQ_OP_READ)
		this_cpu_inc(bios->merges->reads);
	else if (bios && op == REQ_OP_WRITE)
		this_cpu_inc(bios->merges->writes);
	rcu_read_unlock_sched_notrace();
}

static void fsb_probe_bio_merge(FSB_BIO_MERGE_PROBE_ARGS)
{
	if (fsb_disk_stats_watched(fsb_bio_queue(bio)))
		fsb_count_merge(fsb_bio_queue(bio), bio_op(bio));
}

static void fsb_probe_rq_merge(FSB_RQ_PROBE_ARGS)
{
	if (fsb_disk_stats_watched(rq->q))
		fsb_count_merge(rq->q, req_op(rq));
}

/* Fails the build where a prototype is not what the probe takes. */
static inline void fsb_check_bio_prototypes(void)
{
	BUILD_BUG_ON(FSB_BIO_WORDS > FSB_OWNERS_WORDS);
	check_trace_callback_type_block_rq_merge(fsb_probe_rq_merge);
	check_trace_callback_type_block_bio_queue(fsb_probe_bio_queue);
	check_trace_callback_type_block_bio_backmerge(fsb_probe_bio_merge);
	check_trace_callback_type_block_bio_frontmerge(fsb_probe_bio_merge);
}

struct fsb_hook fsb_bio_hooks[FSB_BIO_HOOKS] = {
	{ .name = "block_bio_queue", .probe = fsb_probe_bio_queue },
	{ .name = "block_bio_backmerge", .probe = fsb_probe_bio_merge },
	{ .name = "block_bio_frontmerge", .probe = fsb_probe_bio_merge },
	{ .name = "block_rq_merge", .probe = fsb_probe_rq_merge },
};
