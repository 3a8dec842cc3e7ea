// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * quiet: see quiet.h.  By /proc/diskstats, which every disk has and which asks the disk nothing;
 * where queue/iostats is off they stand still, requests in flight too, and the module counts.
 */
#include "bench/quiet.h"

#include <string.h>

#include "bench/interrupt.h"
#include "clock_ns.h"
#include "disk/describe.h"
#include "disk/kfile.h"
#include "source/diskstats.h"

#define LOOK_S	0.05
#define SECTOR	512
#define TICK_NS 250000000ULL

/* Nothing in flight, and nothing has ended since. */
static bool is_idle(const struct diskstats *since)
{
	return !since->inflight && !since->read_ios && !since->write_ios && !since->discard_ios &&
	       !since->flush_ios;
}

/* As /proc/diskstats would have it: all that matters here. */
static void from_module(struct diskstats *stats, const struct snapshot *snap)
{
	unsigned int class;
	uint32_t i;

	memset(stats, 0, sizeof(*stats));
	for (i = 0; i < snap->nr_queues; i++) {
		const struct queue_counts *queue = &snap->queue[i];

		stats->inflight += queue->edge.inflight;
		for (class = 0; class < FSBSTAT_CLASSES; class++) {
			const struct class_counts *counts = &queue->class[class];

			if (class == FSBSTAT_CLASS_READ) {
				stats->read_ios += counts->ios;
				stats->read_sectors += counts->bytes / SECTOR;
			} else if (class == FSBSTAT_CLASS_FLUSH) {
				stats->flush_ios += counts->ios;
			} else {
				stats->write_ios += counts->ios;
				stats->write_sectors += counts->bytes / SECTOR;
			}
		}
	}
}

/* QUIET_REACHED: *stats is filled. */
static enum quiet_end look(struct quiet *quiet, const struct disk *disk, struct diskstats *stats)
{
	bool silent = !kfile_number("/sys/dev/block/%u:%u/queue/iostats", disk->major, disk->minor);
	struct snapshot snap;

	if (!silent)
		return disk_stats(disk, stats) ? QUIET_NO_DISK : QUIET_REACHED;
	if (!quiet->span || span_snapshot(quiet->span, &snap))
		return QUIET_SILENT;
	silent = snap.watch.silent;
	from_module(stats, &snap);
	snapshot_free(&snap);
	return silent ? QUIET_SILENT : QUIET_REACHED;
}

/* What was counted from one look to the next; where that is not known the disk was not idle. */
static bool was_idle(struct quiet *quiet, const struct diskstats *now,
		     const struct diskstats *before)
{
	struct diskstats since;

	if (diskstats_subtract(&since, now, before))
		return false;
	quiet->read_bytes += since.read_sectors * SECTOR;
	quiet->write_bytes += since.write_sectors * SECTOR;
	quiet->flushes += since.flush_ios;
	return is_idle(&since);
}

enum quiet_end quiet_wait(struct quiet *quiet, const struct disk *disk)
{
	uint64_t begin = clock_ns(CLOCK_MONOTONIC), since = begin, ticked = begin, now = begin;
	struct diskstats before, stats;
	enum quiet_end seen = look(quiet, disk, &before);

	for (; seen == QUIET_REACHED; before = stats) {
		if ((double)(now - since) / 1e9 >= quiet->seconds)
			return QUIET_REACHED;
		if ((double)(now - begin) / 1e9 >= quiet->at_most)
			return QUIET_NEVER;
		if (!interrupt_sleep(LOOK_S))
			return QUIET_INTERRUPTED;
		seen = look(quiet, disk, &stats);
		if (seen != QUIET_REACHED)
			break;
		now = clock_ns(CLOCK_MONOTONIC);
		if (!was_idle(quiet, &stats, &before))
			since = now;
		if (quiet->tick && now - ticked >= TICK_NS) {
			quiet->tick(quiet->arg);
			ticked = now;
		}
	}
	return seen;
}
