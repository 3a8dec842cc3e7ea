/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unflushed: what has been written to a disk and not been covered by a flush.  What is
 * written is counted by the shards (written.h); this is the disk's side: a flush that
 * succeeds covers what had been written when it was given to the disk.  Several may be
 * under way at once, one per hardware queue.
 *
 * Called by the probes (request.c, ata.c) and by snapshot.c.
 *
 * Locking: one raw spinlock a disk, irqs off, inside no lock of ours.  Flushes lock no shard: the
 * number of a flush is stored before its sample is read, and a write is counted before it reads
 * that number, so that one which the sample does not hold is noted as one after that flush.
 */
#ifndef FSB_UNFLUSHED_H
#define FSB_UNFLUSHED_H

#include <linux/cache.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>

#include "hist.h"
#include "written.h"

struct fsb_disk_stats;
struct request;

/**
 * struct fsb_flush_sample - what a flush will have covered if it succeeds
 * @written: bytes that had been written when it was given to the disk
 * @flush: its number
 */
struct fsb_flush_sample {
	u64 written;
	u64 flush;
};

/**
 * struct fsb_unflushed - the flushes of one disk
 * @lock: protects everything below; @marks are read without it
 * @covered: bytes that a flush has covered
 * @moment: sum of sectors x time at which they were covered, as in &struct fsb_written
 * @flushes: that succeeded and found something written
 * @passthrough: sample of the passthrough flush at the ATA link, which has one at a time
 * @marks: numbers of the flushes; apart, since every write reads them
 * @idle: flushes that succeeded and found nothing, by CPU; not under @lock
 * @hist: by &enum fsbstat_unflushed_hist_kind
 */
struct fsb_unflushed {
	raw_spinlock_t lock;
	u64 covered;
	u64 moment;
	u64 flushes;
	struct fsb_flush_sample passthrough;
	struct fsb_flush_marks marks ____cacheline_aligned;
	u64 __percpu *idle;
	struct fsb_hist hist[FSBSTAT_UNFLUSHED_HISTS] ____cacheline_aligned;
};

/**
 * struct fsb_unflushed_counts - all scalars, see &enum fsbstat_unflushed_attr
 * @time: when they were read, ns
 * @written: bytes of writes
 * @covered: those that a flush covers
 * @since: completion of the first write it does not cover, ns; 0: there is none
 * @integral: the difference, summed over time
 * @flushes: that succeeded
 */
struct fsb_unflushed_counts {
	u64 time;
	u64 written;
	u64 covered;
	u64 since;
	u64 integral;
	u64 flushes;
};

/**
 * fsb_unflushed_clean() - whether all that has been written is covered
 * @unflushed: of the disk
 *
 * Most flushes of a disk that is written to with FUA find it so: they need no lock.
 *
 * Context: any; a write that completes at this moment may be missed.
 * Return: true when a flush has nothing to cover.
 */
static __always_inline bool fsb_unflushed_clean(const struct fsb_unflushed *unflushed)
{
	const struct fsb_flush_marks *marks = &unflushed->marks;

	return READ_ONCE(marks->issued) == READ_ONCE(marks->covered) && !READ_ONCE(marks->dirty);
}

struct fsb_unflushed *fsb_unflushed_alloc(void);
void fsb_unflushed_free(struct fsb_unflushed *unflushed);

void fsb_unflushed_issue(struct fsb_disk_stats *stats, struct request *rq);
void fsb_unflushed_complete(struct fsb_disk_stats *stats, struct request *rq);
void fsb_unflushed_ata_issue(struct fsb_disk_stats *stats, struct request *rq);
void fsb_unflushed_ata_complete(struct fsb_disk_stats *stats, struct request *rq);

void fsb_unflushed_copy(struct fsb_disk_stats *stats, struct fsb_unflushed_counts *counts);
void fsb_unflushed_copy_hist(struct fsb_unflushed *unflushed,
			     enum fsbstat_unflushed_hist_kind kind, struct fsb_hist *hist);

#endif /* FSB_UNFLUSHED_H */
