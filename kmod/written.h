/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * written: what one shard's writes without FUA have put into the drive, and when the
 * first of them completed after each of the last flushes was given to the drive.
 * Part of a shard, written under its lock and read without; unflushed.c puts the shards together.
 */
#ifndef FSB_WRITTEN_H
#define FSB_WRITTEN_H

#include <linux/blkdev.h>
#include <linux/compiler.h>
#include <linux/seqlock.h>
#include <linux/types.h>

/* Flushes whose first write afterwards a shard remembers apart. */
#define FSB_FIRSTS 8U

/* Time is multiplied by sectors in units of 2^10 ns: less would overflow at once. */
#define FSB_MOMENT_SHIFT 10

/**
 * struct fsb_flush_marks - the flushes of a disk, numbered as they are given to it
 * @issued: number of the last one
 * @covered: the greatest number among those that succeeded
 * @dirty: a write has completed since @issued was given to the disk
 *
 * Flushes that find nothing to cover have no number.  Written under the lock of
 * unflushed.c, @dirty also under that of a shard; read without.
 */
struct fsb_flush_marks {
	u64 issued;
	u64 covered;
	bool dirty;
};

/**
 * struct fsb_first - the first write that completed after a flush was given to the disk
 * @flush: number of that flush
 * @time: when the write completed, ns; 0: there was none
 */
struct fsb_first {
	u64 flush;
	u64 time;
};

/**
 * struct fsb_written - writes of a shard that ended well
 * @marks: the disk's flushes
 * @seq: odd while @first and @older are written
 * @bytes: theirs
 * @moment: sum of sectors x time of completion (in 2^10 ns), modulo 2^64
 * @latest: the last flush given to the disk when the last of them completed
 * @first: by number of the flush, the last of each residue
 * @older: what went from @first while no flush that succeeded covered it: the number of
 *	the last and the time of the first, so that an age is never too short
 */
struct fsb_written {
	struct fsb_flush_marks *marks;
	seqcount_t seq;
	u64 bytes;
	u64 moment;
	u64 latest;
	struct fsb_first first[FSB_FIRSTS];
	struct fsb_first older;
};

/**
 * fsb_written_first() - note the first write after a flush; for fsb_written_add()
 * @written: of the shard, its lock held
 * @flush: number of the flush
 * @now: when the write completed, ns
 */
static inline void fsb_written_first(struct fsb_written *written, u64 flush, u64 now)
{
	struct fsb_first *first = &written->first[flush % FSB_FIRSTS];
	struct fsb_first *older = &written->older;

	raw_write_seqcount_begin(&written->seq);
	if (first->time && (!older->time || older->flush < READ_ONCE(written->marks->covered)))
		*older = *first;
	else if (first->time)
		older->flush = first->flush;
	first->flush = flush;
	first->time = now;
	raw_write_seqcount_end(&written->seq);
	WRITE_ONCE(written->latest, flush);
	WRITE_ONCE(written->marks->dirty, true);
}

/**
 * fsb_written_add() - some bytes were written
 * @written: of the shard, its lock held
 * @bytes: how many; whole sectors
 * @now: ktime_get_ns(), read under the lock
 */
static inline void fsb_written_add(struct fsb_written *written, unsigned int bytes, u64 now)
{
	const struct fsb_first *first;
	u64 flush;

	written->moment += (u64)(bytes >> SECTOR_SHIFT) * (now >> FSB_MOMENT_SHIFT);
	/* Pairs with fsb_flush_sample(): a flush that misses these bytes is seen here. */
	smp_store_mb(written->bytes, written->bytes + bytes);
	flush = READ_ONCE(written->marks->issued);
	first = &written->first[flush % FSB_FIRSTS];
	if (unlikely(!first->time || first->flush != flush))
		fsb_written_first(written, flush, now);
}

/**
 * fsb_written_since() - when the first write completed that a flush did not cover
 * @written: of a shard
 * @flush: number of the flush
 *
 * Context: any.
 * Return: ns, 0 when there is none.
 */
static inline u64 fsb_written_since(const struct fsb_written *written, u64 flush)
{
	const struct fsb_first *first;
	unsigned int i, seq;
	u64 since;

	do {
		seq = read_seqcount_begin(&written->seq);
		first = &written->older;
		since = first->flush >= flush ? first->time : 0;
		for (i = 0; i < FSB_FIRSTS; i++) {
			first = &written->first[i];
			if (first->flush >= flush && first->time &&
			    (!since || first->time < since))
				since = first->time;
		}
	} while (read_seqcount_retry(&written->seq, seq));
	return since;
}

#endif /* FSB_WRITTEN_H */
