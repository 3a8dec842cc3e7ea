// SPDX-License-Identifier: GPL-2.0-only
#include <linux/blkdev.h>
#include <trace/events/block.h>

#include "disk_stats.h"
#include "request.h"
#include "trace.h"

/* Pointers hidden from the compiler, which would compute them for every member. */
static __always_inline struct fsb_slot *fsb_slot(struct fsb_shard *shard, u32 tag)
{
	struct fsb_slot *slot = &shard->slot[tag];

	OPTIMIZER_HIDE_VAR(slot);
	return slot;
}

static __always_inline struct fsb_hist *fsb_hist(struct fsb_hist *first, size_t class)
{
	struct fsb_hist *hist = first + class;

	OPTIMIZER_HIDE_VAR(hist);
	return hist;
}

/* Since the allocation of a request, 0 where the kernel did not note it. */
static __always_inline void fsb_latency_since(struct fsb_shard *shard, struct fsb_hist *hist,
					      u64 since, u64 now)
{
	if (likely(since - 1 < now))
		fsb_hist_add(hist, now - since);
	else if (since)
		shard->counts.clock_anomalies++;
}

/* Takes the request out of a slot; the depth clock has been advanced. */
static u64 fsb_slot_close(struct fsb_shard *shard, struct fsb_slot *slot, u64 now)
{
	slot->rq = NULL;
	shard->counts.issue_sum -= slot->issued;
	shard->counts.depth--;
	return now - slot->issued;
}

static __always_inline struct fsb_sched_tag *fsb_sched_tag(struct fsb_shard *shard,
							   const struct request *rq)
{
	u32 tag = rq->internal_tag;

	return tag < FSB_SCHED_TAGS ? &shard->sched_tag[tag] : NULL;
}

/*
 * Whether the driver has or had the request.  nvme_host_path_error() marks requests
 * complete that were never issued: only an issue sets the deadline.
 */
static bool fsb_was_started(struct request *rq)
{
	return blk_mq_request_started(rq) && READ_ONCE(rq->deadline);
}

/* Whether this issue repeats an earlier one that was taken back by a requeue. */
static bool fsb_was_requeued(const struct fsb_slot *slot, const struct fsb_sched_tag *sched,
			     const struct request *rq)
{
	if (sched)
		return sched->flags & FSB_REQUEST_REQUEUED &&
		       sched->start == (u32)rq->start_time_ns;
	return slot->flags & FSB_REQUEST_REQUEUED && slot->start == rq->start_time_ns;
}

/*
 * Whether a request that holds no slot waits to be issued again.  Its deadline is that of the
 * earlier issue and does not tell.
 */
static bool fsb_is_requeued(const struct fsb_shard *shard, const struct fsb_sched_tag *sched,
			    const struct request *rq)
{
	u32 tag = rq->tag;

	if (!sched && tag >= shard->nr_slots)
		return false;
	return fsb_was_requeued(sched ? NULL : &shard->slot[tag], sched, rq);
}

/*
 * A slot that another request holds: that one was requeued and its report is on its way, since the
 * tag is freed before block_rq_requeue fires.  (Or it ended without a trace: dm-multipath frees a
 * clone its path refused after starting it.)
 */
static noinline void fsb_slot_displace(struct fsb_shard *shard, struct fsb_slot *slot, u64 now)
{
	shard->counts.displaced++;
	shard->counts.requeued_ns += fsb_slot_close(shard, slot, now);
}

static __always_inline void fsb_issued_as(struct fsb_shard *shard, struct fsb_slot *slot,
					  const struct request *rq, size_t class, u64 now)
{
	slot->flags = 0;
	slot->class = class;
	fsb_latency_since(shard, fsb_hist(shard->hist, class), rq->start_time_ns, now);
}

/* Reads apart: their class is known when this is compiled. */
static __always_inline void fsb_issued_first(struct fsb_shard *shard, struct fsb_slot *slot,
					     const struct request *rq, u64 now)
{
	if (likely(req_op(rq) == REQ_OP_READ))
		fsb_issued_as(shard, slot, rq, FSBSTAT_CLASS_READ, now);
	else
		fsb_issued_as(shard, slot, rq, fsb_class(rq), now);
}

/*
 * A requeue was noted where this issue looks.  If it was of the same request, that brings along
 * what it was before, in its slot or by its scheduler tag.
 */
static noinline void fsb_issued_again(struct fsb_shard *shard, struct fsb_slot *slot,
				      const struct request *rq, u64 now)
{
	struct fsb_sched_tag *sched = fsb_sched_tag(shard, rq);
	bool again = fsb_was_requeued(slot, sched, rq);

	if (again) {
		if (sched) {
			slot->first = sched->first;
			slot->done = sched->done;
			slot->flags = sched->flags;
		}
		slot->class = fsb_class(rq);
		slot->flags &= FSB_REQUEST_ERROR | FSB_REQUEST_PARTIAL;
		slot->flags |= FSB_REQUEST_AGAIN;
	} else {
		fsb_issued_first(shard, slot, rq, now);
	}
	if (sched && !again)
		sched->first = now;
	if (sched)
		sched->flags = 0;
}

/* The scheduler tag outlives a requeue; the driver tag, and so the slot, where there is none. */
static __always_inline void fsb_slot_begin(struct fsb_shard *shard, struct fsb_slot *slot,
					   const struct request *rq, u64 now)
{
	struct fsb_sched_tag *sched;
	u32 tag = rq->internal_tag;
	u8 before = slot->flags;

	if (tag < FSB_SCHED_TAGS) {
		sched = &shard->sched_tag[tag];
		before = sched->flags;
		sched->tag = rq->tag;
		if (!(before & FSB_REQUEST_REQUEUED))
			sched->first = now;
	}
	if (unlikely(before & FSB_REQUEST_REQUEUED))
		fsb_issued_again(shard, slot, rq, now);
	else
		fsb_issued_first(shard, slot, rq, now);
}

/* A request was handed to the driver; interrupts are off. */
static __always_inline void fsb_issue(struct fsb_disk_stats *stats, struct request *rq)
{
	u32 queue = fsb_disk_stats_index(stats, rq), tag = rq->tag;
	struct fsb_shard_counts *counts;
	struct fsb_shard *shard;
	struct fsb_slot *slot;
	u64 now;

	if (unlikely(queue >= stats->nr_shards))
		return;
	shard = stats->shard[queue];
	if (unlikely(tag >= shard->nr_slots)) {
		WRITE_ONCE(shard->misfit, true);
		return;
	}
	counts = &shard->counts;
	slot = fsb_slot(shard, tag);
	fsb_shard_lock(shard);
	now = fsb_shard_advance(shard);
	if (unlikely(slot->rq))
		fsb_slot_displace(shard, slot, now);
	fsb_slot_begin(shard, slot, rq, now);
	slot->rq = rq;
	slot->start = rq->start_time_ns;
	slot->issued = now;
	counts->issue_sum += now;
	if (++counts->depth > counts->depth_max)
		counts->depth_max = counts->depth;
	fsb_shard_unlock(shard);
}

static noinline void fsb_complete_partial(struct fsb_shard *shard, struct fsb_slot *slot,
					  unsigned int nr_bytes)
{
	shard->counts.partial++;
	slot->done = nr_bytes + (slot->flags & FSB_REQUEST_PARTIAL ? slot->done : 0);
	slot->flags |= FSB_REQUEST_PARTIAL;
}

/* The request's position and bytes are those of what ends now. */
static void fsb_ended_fill(struct fsb_ended *ended, const struct fsb_shard *shard,
			   const struct fsb_slot *slot, const struct request *rq)
{
	u64 first = slot->flags & FSB_REQUEST_AGAIN ? slot->first : slot->issued;
	u32 done = slot->flags & FSB_REQUEST_PARTIAL ? slot->done : 0;

	ended->sector = blk_rq_pos(rq) == (sector_t)-1 ? 0 : blk_rq_pos(rq) - (done >> 9);
	ended->queue_ns = slot->start && first > slot->start ? first - slot->start : 0;
	ended->device_ns = shard->counts.time - slot->issued;
	ended->bytes = done + blk_rq_bytes(rq);
	ended->depth = shard->counts.depth;
	ended->hw_queue = rq->mq_hctx->queue_num;
	ended->tag = rq->tag;
	ended->class = slot->class;
	ended->error = slot->flags & FSB_REQUEST_ERROR;
}

/* Classes whose data a drive that caches may lose. */
#define FSB_CLASSES_UNSAFE (BIT(FSBSTAT_CLASS_WRITE) | BIT(FSBSTAT_CLASS_WRITE_ZEROES))

/* What few classes need; apart, so that the others do not pay for its registers. */
static noinline void fsb_complete_special(struct fsb_shard *shard, const struct fsb_slot *slot,
					  struct request *rq, bool error, unsigned int bytes)
{
	if (slot->class != FSBSTAT_CLASS_OTHER) {
		if (!error)
			fsb_written_add(&shard->written, bytes, shard->counts.time);
	} else if (bytes == blk_rq_bytes(rq) && !blk_rq_is_passthrough(rq) &&
		   op_is_write(req_op(rq))) {
		shard->counts.other_writes++;
	}
}

static __always_inline bool fsb_is_special(size_t class)
{
	return class != FSBSTAT_CLASS_READ &&	/* needs no shift */
	       BIT(class) & (FSB_CLASSES_UNSAFE | BIT(FSBSTAT_CLASS_OTHER));
}

/* A request has ended, and so has its slot. */
static __always_inline void fsb_request_end(struct fsb_shard *shard, struct fsb_slot *slot,
					    struct request *rq, bool error)
{
	u64 now = fsb_shard_advance(shard), latency = fsb_slot_close(shard, slot, now);
	size_t class = slot->class;
	struct fsb_class_counts *counts = &shard->counts.class[class];

	shard->counts.device_ns += latency;
	fsb_hist_add(fsb_hist(shard->hist + FSBSTAT_CLASSES, class), latency);
	counts->bytes += blk_rq_bytes(rq);
	counts->ios++;
	if (unlikely(fsb_is_special(class)))
		fsb_complete_special(shard, slot, rq, error, blk_rq_bytes(rq));
}

/* A completion of a request that its slot holds; says whether it was the last one. */
static bool fsb_complete_matched(struct fsb_shard *shard, struct fsb_slot *slot,
				 struct request *rq, bool error, unsigned int nr_bytes)
{
	struct fsb_class_counts *class = &shard->counts.class[slot->class];

	slot->flags |= error;
	if (nr_bytes >= blk_rq_bytes(rq)) {
		class->errors += slot->flags & FSB_REQUEST_ERROR;
		fsb_request_end(shard, slot, rq, error);
		return true;
	}
	class->bytes += nr_bytes;
	fsb_complete_partial(shard, slot, nr_bytes);
	fsb_shard_advance(shard);
	if (fsb_is_special(slot->class))
		fsb_complete_special(shard, slot, rq, error, nr_bytes);
	return false;
}

/*
 * The end of a flush sequence.  A write with REQ_PREFLUSH or emulated REQ_FUA has
 * completed before with its bytes and ends here; an empty flush only ends here.  The
 * segments a request was built with tell the two apart: the bio is consumed by now.
 * It is still there, though (blk_flush_restore_request()).  Without one it is no
 * sequence: dm-multipath ends a request whose bytes have all been completed before.
 */
static void fsb_sequence_end(struct fsb_shard *shard, struct request *rq, bool error)
{
	struct fsb_shard_counts *counts = &shard->counts;
	struct fsb_hist *hist = &shard->hist[FSB_HIST_DURABLE];

	if (!rq->bio)
		return;
	counts->sequence_end_errors += error;
	if (!rq->nr_phys_segments) {
		counts->sequence_end_empty++;
		return;
	}
	counts->sequence_end++;
	fsb_latency_since(shard, rq->cmd_flags & REQ_FUA ? hist + 1 : hist, rq->start_time_ns,
			  fsb_shard_advance(shard));
}

static void fsb_complete_unmatched(struct fsb_shard *shard, struct request *rq, bool error,
				   unsigned int nr_bytes)
{
	struct fsb_class_counts *class = &shard->counts.class[fsb_class(rq)];
	struct fsb_sched_tag *sched = fsb_sched_tag(shard, rq);

	if (!nr_bytes && (req_op(rq) == REQ_OP_WRITE || req_op(rq) == REQ_OP_ZONE_APPEND)) {
		fsb_sequence_end(shard, rq, error);
	} else if (!nr_bytes && req_op(rq) != REQ_OP_FLUSH) {
		return;
	} else if (!fsb_was_started(rq) || fsb_is_requeued(shard, sched, rq)) {
		class->not_sent++;
		class->not_sent_bytes += nr_bytes;
		if (sched)
			sched->flags = 0;
	} else if (READ_ONCE(*shard->settling) || READ_ONCE(shard->misfit)) {
		shard->counts.untracked++;
	} else {
		shard->counts.unmatched++;
	}
}

/*
 * Any completion, the lock held: of a part, the second one of a flush sequence, one with an error
 * and no bytes just before SCSI requeues (scsi_io_completion()), one that matches no slot.  A
 * request ends only when all its bytes are covered; says whether one has ended and is counted.
 */
static noinline bool fsb_complete_any(struct fsb_shard *shard, struct request *rq, bool error,
				      unsigned int nr_bytes)
{
	bool whole = nr_bytes >= blk_rq_bytes(rq);
	u32 tag = rq->tag;

	if (!nr_bytes && !whole)
		return false;
	if (tag < shard->nr_slots && fsb_slot_holds(&shard->slot[tag], rq))
		return fsb_complete_matched(shard, &shard->slot[tag], rq, error, nr_bytes);
	if (whole)
		fsb_complete_unmatched(shard, rq, error, nr_bytes);
	return false;
}

/* block_rq_complete fired, the request's bytes are not yet taken off. */
static void fsb_complete(struct fsb_disk_stats *stats, struct request *rq, bool error,
			 unsigned int nr_bytes)
{
	struct fsb_shard *shard = fsb_disk_stats_shard(stats, rq);
	struct fsb_ended ended;
	unsigned long flags;
	bool counted;

	if (unlikely(!shard)) {
		if (nr_bytes >= blk_rq_bytes(rq))
			fsb_disk_stats_untracked(stats);
		return;
	}
	raw_spin_lock_irqsave(&shard->lock, flags);
	counted = fsb_complete_any(shard, rq, error, nr_bytes);
	if (counted && trace_request_enabled())
		fsb_ended_fill(&ended, shard, &shard->slot[rq->tag], rq);
	else
		counted = false;
	raw_spin_unlock_irqrestore(&shard->lock, flags);
	if (counted)
		trace_request(stats->dev, &ended);
}

/*
 * The same for all bytes of a request and no error, interrupts being off; nearly always it was
 * issued once and nothing else has happened to it.
 */
static __always_inline void fsb_complete_whole(struct fsb_disk_stats *stats, struct request *rq)
{
	u32 queue = fsb_disk_stats_index(stats, rq), tag = rq->tag;
	struct fsb_shard *shard;
	struct fsb_slot *slot;

	if (unlikely(queue >= stats->nr_shards || tag >= stats->shard[queue]->nr_slots)) {
		fsb_complete(stats, rq, false, blk_rq_bytes(rq));
		return;
	}
	shard = stats->shard[queue];
	slot = fsb_slot(shard, tag);
	fsb_shard_lock(shard);
	if (likely(fsb_slot_holds(slot, rq) && !slot->flags))
		fsb_request_end(shard, slot, rq, false);
	else
		fsb_complete_any(shard, rq, false, blk_rq_bytes(rq));
	fsb_shard_unlock(shard);
}

/* The slot a requeued request was issued on, NULL when it is not there any more. */
static struct fsb_slot *fsb_requeued_slot(struct fsb_shard *shard, const struct request *rq,
					  const struct fsb_sched_tag *sched)
{
	struct fsb_slot *slot;
	u32 tag = sched ? sched->tag : rq->tag;

	if (tag >= shard->nr_slots)
		return NULL;
	slot = &shard->slot[tag];
	return fsb_slot_holds(slot, rq) ? slot : NULL;
}

/*
 * A request went back to the block layer; its driver tag may be gone already.  Interrupts are off.
 * One the driver would not take has not been issued and is counted as busy.
 */
static void fsb_requeue(struct fsb_shard *shard, struct request *rq)
{
	struct fsb_class_counts *class = &shard->counts.class[fsb_class(rq)];
	struct fsb_sched_tag *sched = fsb_sched_tag(shard, rq);
	struct fsb_slot *slot;

	if (!fsb_was_started(rq)) {
		class->busy++;
		return;
	}
	class->requeues++;
	slot = fsb_requeued_slot(shard, rq, sched);
	if (slot) {
		shard->counts.requeued_ns += fsb_slot_close(shard, slot, fsb_shard_advance(shard));
		if (!(slot->flags & FSB_REQUEST_AGAIN))
			slot->first = slot->issued;
		if (!sched)
			slot->flags |= FSB_REQUEST_REQUEUED;
	}
	if (sched) {
		sched->start = (u32)rq->start_time_ns;
		sched->done = slot ? slot->done : 0;
		sched->flags = FSB_REQUEST_REQUEUED | (slot ? slot->flags : 0);
	}
}

/*
 * What libata cannot queue (if it is there at all): a flush, a discard, passthrough.  Reads
 * and writes come first among the operations and are told by a comparison; the rest has
 * functions of its own, so that they do not pay for its registers.
 */
#define fsb_may_drain(rq) ((u8)(__force u32)(rq)->cmd_flags > (__force u32)REQ_OP_WRITE)

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

static __always_inline void fsb_issue_plain(struct request *rq)
{
	struct fsb_disk_stats *stats;
	unsigned long flags;

	local_irq_save(flags);
	stats = fsb_disk_stats_find(rq->q);
	if (likely(stats))
		fsb_issue(stats, rq);
	local_irq_restore(flags);
}

static __always_inline void fsb_complete_plain(struct request *rq)
{
	struct fsb_disk_stats *stats;
	unsigned long flags;

	local_irq_save(flags);
	stats = fsb_disk_stats_find(rq->q);
	if (likely(stats))
		fsb_complete_whole(stats, rq);
	local_irq_restore(flags);
}

/* What a request that is no read or write does to the drive's queue and to what is unflushed. */
static noinline void fsb_issue_other(struct request *rq)
{
	struct fsb_disk_stats *stats;
	struct fsb_ata_state *ata;

	rcu_read_lock_sched_notrace();
	stats = fsb_disk_stats_find(rq->q);
	if (stats) {
		ata = fsb_drained_link(stats, rq);
		if (ata)
			fsb_ata_wait_begin(ata, rq, rq->start_time_ns);
		if (req_op(rq) == REQ_OP_FLUSH && !fsb_unflushed_clean(stats->unflushed))
			fsb_unflushed_issue(stats, rq);
	}
	rcu_read_unlock_sched_notrace();
	fsb_issue_plain(rq);
}

/* All bytes are covered, and there is no listener, who is told more. */
static __always_inline bool fsb_is_whole(const struct request *rq, unsigned int nr_bytes)
{
	return nr_bytes >= blk_rq_bytes(rq) && !trace_request_enabled();
}

static void fsb_flush_ended(struct fsb_disk_stats *stats, struct request *rq)
{
	if (fsb_unflushed_clean(stats->unflushed))
		this_cpu_inc(*stats->unflushed->idle);
	else
		fsb_unflushed_complete(stats, rq);
}

static noinline void fsb_complete_other(struct request *rq, bool error, unsigned int nr_bytes)
{
	bool plain = !error && fsb_is_whole(rq, nr_bytes);
	struct fsb_disk_stats *stats;
	struct fsb_ata_state *ata;

	rcu_read_lock_sched_notrace();
	stats = fsb_disk_stats_find(rq->q);
	if (stats) {
		ata = fsb_drained_link(stats, rq);
		if (ata)
			fsb_ata_wait_end(ata, rq, rq->start_time_ns);
		if (req_op(rq) == REQ_OP_FLUSH && !error)
			fsb_flush_ended(stats, rq);
		if (!plain)
			fsb_complete(stats, rq, error, nr_bytes);
	}
	rcu_read_unlock_sched_notrace();
	if (plain)
		fsb_complete_plain(rq);
}

static notrace void fsb_probe_rq_issue(FSB_RQ_PROBE_ARGS)
{
	if (likely(!fsb_disk_stats_watched(rq->q)))
		return;
	if (likely(!fsb_may_drain(rq)))
		fsb_issue_plain(rq);
	else
		fsb_issue_other(rq);
}

static notrace void fsb_probe_rq_complete(void *data, struct request *rq, fsb_rq_error_t error,
					  unsigned int nr_bytes)
{
	if (likely(!fsb_disk_stats_watched(rq->q)))
		return;
	if (likely(!fsb_may_drain(rq) && !error && fsb_is_whole(rq, nr_bytes)))
		fsb_complete_plain(rq);
	else
		fsb_complete_other(rq, error != 0, nr_bytes);
}

static void fsb_probe_rq_requeue(FSB_RQ_PROBE_ARGS)
{
	struct fsb_disk_stats *stats;
	struct fsb_shard *shard;
	unsigned long flags;

	if (likely(!fsb_disk_stats_watched(rq->q)))
		return;
	local_irq_save(flags);
	stats = fsb_disk_stats_find(rq->q);
	shard = stats ? fsb_disk_stats_shard(stats, rq) : NULL;
	if (likely(shard)) {
		fsb_shard_lock(shard);
		fsb_requeue(shard, rq);
		fsb_shard_unlock(shard);
	}
	local_irq_restore(flags);
}

/* Fails the build where a prototype is not what the probe takes. */
static inline void fsb_check_request_prototypes(void)
{
	check_trace_callback_type_block_rq_complete(fsb_probe_rq_complete);
	check_trace_callback_type_block_rq_requeue(fsb_probe_rq_requeue);
	check_trace_callback_type_block_rq_issue(fsb_probe_rq_issue);
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
