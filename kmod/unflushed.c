// SPDX-License-Identifier: GPL-2.0-only
#include <linux/ktime.h>
#include <linux/vmalloc.h>

#include "disk_stats.h"

/**
 * fsb_unflushed_alloc() - make the flushes of a disk
 *
 * Context: process context, may sleep.
 * Return: them, or NULL.
 */
struct fsb_unflushed *fsb_unflushed_alloc(void)
{
	struct fsb_unflushed *unflushed = vzalloc(sizeof(*unflushed));
	unsigned int i;

	if (!unflushed)
		return NULL;
	raw_spin_lock_init(&unflushed->lock);
	for (i = 0; i < FSBSTAT_UNFLUSHED_HISTS; i++)
		fsb_hist_init(&unflushed->hist[i]);
	unflushed->idle = alloc_percpu(u64);
	if (!unflushed->idle) {
		vfree(unflushed);
		return NULL;
	}
	return unflushed;
}

/**
 * fsb_unflushed_free() - counterpart of fsb_unflushed_alloc()
 * @unflushed: what no probe can reach any more, or NULL
 */
void fsb_unflushed_free(struct fsb_unflushed *unflushed)
{
	if (!unflushed)
		return;
	free_percpu(unflushed->idle);
	vfree(unflushed);
}

static u64 fsb_written_sum(const struct fsb_disk_stats *stats)
{
	u64 written = 0;
	u32 i;

	for (i = 0; i < stats->nr_shards; i++)
		written += READ_ONCE(stats->shard[i]->written.bytes);
	return written;
}

/*
 * A flush is about to be given to the disk: what has been written by now it covers.  No shard is
 * locked: a sum that is read before the driver has the flush is at most what had completed.
 */
static void fsb_flush_sample(struct fsb_disk_stats *stats, struct fsb_flush_sample *sample)
{
	struct fsb_unflushed *unflushed = stats->unflushed;
	unsigned long flags;

	raw_spin_lock_irqsave(&unflushed->lock, flags);
	sample->flush = unflushed->marks.issued + 1;
	WRITE_ONCE(unflushed->marks.dirty, false);
	/* A write that sees this makes it dirty again. */
	smp_store_release(&unflushed->marks.issued, sample->flush);
	raw_spin_unlock_irqrestore(&unflushed->lock, flags);
	smp_mb();	/* pairs with fsb_written_add(): a write missed here knows of the flush */
	sample->written = fsb_written_sum(stats);
}

/* Completion of the first write that a flush does not cover. */
static u64 fsb_unflushed_since(struct fsb_disk_stats *stats, u64 covered)
{
	const struct fsb_written *written;
	u64 since = 0, first;
	u32 i;

	for (i = 0; i < stats->nr_shards; i++) {
		written = &stats->shard[i]->written;
		if (READ_ONCE(written->latest) < covered)
			continue;
		first = fsb_written_since(written, covered);
		if (first && (!since || first < since))
			since = first;
	}
	return since;
}

/*
 * A flush succeeded, with a sample unless its issue was not seen.  How far it had come
 * until now goes into the histograms.  Of two that were sampled at the same time the earlier
 * number may have the greater sum.
 */
static void fsb_flush_succeeded(struct fsb_disk_stats *stats,
				const struct fsb_flush_sample *sample)
{
	struct fsb_unflushed *unflushed = stats->unflushed;
	u64 written = fsb_written_sum(stats);
	u64 since = fsb_unflushed_since(stats, READ_ONCE(unflushed->marks.covered));
	unsigned long flags;
	u64 now, bytes;

	raw_spin_lock_irqsave(&unflushed->lock, flags);
	bytes = written > unflushed->covered ? written - unflushed->covered : 0;
	fsb_hist_add(&unflushed->hist[FSBSTAT_UNFLUSHED_HIST_BYTES], bytes);
	now = ktime_get_ns();
	if (bytes && since && since <= now)
		fsb_hist_add(&unflushed->hist[FSBSTAT_UNFLUSHED_HIST_AGE], now - since);
	unflushed->flushes++;
	if (sample && sample->flush > unflushed->marks.covered)
		WRITE_ONCE(unflushed->marks.covered, sample->flush);
	if (sample && sample->written > unflushed->covered) {
		bytes = sample->written - unflushed->covered;
		unflushed->covered = sample->written;
		unflushed->moment += (bytes >> SECTOR_SHIFT) * (now >> FSB_MOMENT_SHIFT);
	}
	raw_spin_unlock_irqrestore(&unflushed->lock, flags);
}

/* Where the sample of a flush request lies: the tag is its own from issue to completion. */
static struct fsb_flush_sample *fsb_sample_of(struct fsb_disk_stats *stats, struct request *rq,
					      struct fsb_shard **shard)
{
	*shard = fsb_disk_stats_shard(stats, rq);
	if (unlikely(!*shard || (u32)rq->tag >= (*shard)->nr_slots))
		return NULL;
	return &(*shard)->sample[rq->tag];
}

/**
 * fsb_unflushed_issue() - a flush request is given to the driver
 * @stats: its disk
 * @rq: a request of REQ_OP_FLUSH
 *
 * A repeated issue counts, the first one being void.  Where fsb_unflushed_clean() says
 * that there is nothing to cover, a caller leaves it out: the sample that an earlier
 * flush left at this tag covers nothing any more.
 *
 * Context: any, inside rcu_read_lock_sched_notrace().
 */
void fsb_unflushed_issue(struct fsb_disk_stats *stats, struct request *rq)
{
	struct fsb_flush_sample *sample;
	struct fsb_shard *shard;

	sample = fsb_sample_of(stats, rq, &shard);
	if (likely(sample))
		fsb_flush_sample(stats, sample);
}

/**
 * fsb_unflushed_complete() - a flush request has succeeded
 * @stats: its disk
 * @rq: a request of REQ_OP_FLUSH, still in its slot
 *
 * One whose issue was not seen covers nothing: what it would cover is not known.  Where
 * fsb_unflushed_clean() holds, a caller counts it in &fsb_unflushed.idle instead.
 *
 * Context: any, inside rcu_read_lock_sched_notrace().
 */
void fsb_unflushed_complete(struct fsb_disk_stats *stats, struct request *rq)
{
	struct fsb_flush_sample *sample;
	struct fsb_shard *shard;

	sample = fsb_sample_of(stats, rq, &shard);
	if (sample && !fsb_shard_holds(shard, rq))
		sample = NULL;
	fsb_flush_succeeded(stats, sample);
}

static bool fsb_is_flush_request(const struct request *rq)
{
	return rq && req_op(rq) == REQ_OP_FLUSH;
}

/**
 * fsb_unflushed_ata_issue() - libata gives a FLUSH CACHE to the drive
 * @stats: its disk
 * @rq: the request it was made of, or NULL
 *
 * Later than the issue of the request, so it covers more.  Passthrough is no flush
 * request and has no other sample.
 *
 * Context: any, inside rcu_read_lock_sched_notrace().
 */
void fsb_unflushed_ata_issue(struct fsb_disk_stats *stats, struct request *rq)
{
	if (fsb_unflushed_clean(stats->unflushed))
		return;
	if (fsb_is_flush_request(rq))
		fsb_unflushed_issue(stats, rq);
	else
		fsb_flush_sample(stats, &stats->unflushed->passthrough);
}

/**
 * fsb_unflushed_ata_complete() - a FLUSH CACHE has succeeded
 * @stats: its disk
 * @rq: the request it was made of, or NULL
 *
 * A flush request covers when it completes as such, so that each flush counts once.
 *
 * Context: any, inside rcu_read_lock_sched_notrace().
 */
void fsb_unflushed_ata_complete(struct fsb_disk_stats *stats, struct request *rq)
{
	if (!fsb_is_flush_request(rq))
		fsb_flush_succeeded(stats, &stats->unflushed->passthrough);
}

static u64 fsb_idle_sum(const struct fsb_unflushed *unflushed)
{
	unsigned int cpu;
	u64 idle = 0;

	for_each_possible_cpu(cpu)
		idle += READ_ONCE(*per_cpu_ptr(unflushed->idle, cpu));
	return idle;
}

/**
 * fsb_unflushed_copy() - scalars of one instant
 * @stats: the disk
 * @counts: where to
 *
 * No flush may complete meanwhile, else the integral could go back: this is the one place that
 * locks shards within the lock of the flushes, one at a time, and only to read two numbers.
 *
 * Context: any.
 */
void fsb_unflushed_copy(struct fsb_disk_stats *stats, struct fsb_unflushed_counts *counts)
{
	struct fsb_unflushed *unflushed = stats->unflushed;
	u64 written = 0, moment = 0, since;
	unsigned long flags;
	u32 i;

	raw_spin_lock_irqsave(&unflushed->lock, flags);
	since = fsb_unflushed_since(stats, unflushed->marks.covered);
	for (i = 0; i < stats->nr_shards; i++) {
		struct fsb_shard *shard = stats->shard[i];

		raw_spin_lock(&shard->lock);
		written += shard->written.bytes;
		moment += shard->written.moment;
		raw_spin_unlock(&shard->lock);
	}
	counts->time = ktime_get_ns();
	counts->written = written;
	counts->covered = unflushed->covered;
	counts->since = written != unflushed->covered ? since : 0;
	counts->flushes = unflushed->flushes;
	/* Each term wraps; the sum is the area between the two curves up to @time. */
	counts->integral = ((written - unflushed->covered) >> SECTOR_SHIFT) *
				   (counts->time >> FSB_MOMENT_SHIFT) -
			   (moment - unflushed->moment);
	raw_spin_unlock_irqrestore(&unflushed->lock, flags);
	counts->flushes += fsb_idle_sum(unflushed);
}

/**
 * fsb_unflushed_copy_hist() - one histogram, consistent in itself
 * @unflushed: of the disk
 * @kind: which
 * @hist: where to
 *
 * Flushes that found nothing written are samples of 0 bytes.
 *
 * Context: any.
 */
void fsb_unflushed_copy_hist(struct fsb_unflushed *unflushed,
			     enum fsbstat_unflushed_hist_kind kind, struct fsb_hist *hist)
{
	unsigned long flags;
	u64 idle;

	raw_spin_lock_irqsave(&unflushed->lock, flags);
	*hist = unflushed->hist[kind];
	raw_spin_unlock_irqrestore(&unflushed->lock, flags);
	idle = kind == FSBSTAT_UNFLUSHED_HIST_BYTES ? fsb_idle_sum(unflushed) : 0;
	if (!idle)
		return;
	hist->bucket[0] += idle;
	hist->min = 0;
}
