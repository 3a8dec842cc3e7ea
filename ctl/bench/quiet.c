// SPDX-License-Identifier: GPL-2.0-or-later
/* quiet: see quiet.h.  By /proc/diskstats, which every disk has and which asks the disk nothing. */
#include "bench/quiet.h"

#include <string.h>

#include "bench/interrupt.h"
#include "clock_ns.h"
#include "disk/describe.h"

#define LOOK_S	0.05
#define SECTOR	512
#define TICK_NS 250000000ULL

/* Nothing in flight, and nothing has ended since. */
static bool is_idle(const struct diskstats *now, const struct diskstats *before)
{
	return !now->inflight && now->read_ios == before->read_ios &&
	       now->write_ios == before->write_ios && now->discard_ios == before->discard_ios &&
	       now->flush_ios == before->flush_ios;
}

enum quiet_end quiet_wait(struct quiet *quiet, const struct disk *disk)
{
	uint64_t begin = clock_ns(CLOCK_MONOTONIC), since = begin, ticked = begin, now = begin;
	struct diskstats first, before, stats;

	if (disk_stats(disk, &first))
		return QUIET_NO_DISK;
	for (before = first;; before = stats) {
		if ((double)(now - since) / 1e9 >= quiet->seconds)
			return QUIET_REACHED;
		if ((double)(now - begin) / 1e9 >= quiet->at_most)
			return QUIET_NEVER;
		if (!interrupt_sleep(LOOK_S))
			return QUIET_INTERRUPTED;
		if (disk_stats(disk, &stats))
			return QUIET_NO_DISK;
		now = clock_ns(CLOCK_MONOTONIC);
		if (!is_idle(&stats, &before))
			since = now;
		quiet->read_bytes = (stats.read_sectors - first.read_sectors) * SECTOR;
		quiet->write_bytes = (stats.write_sectors - first.write_sectors) * SECTOR;
		quiet->flushes = stats.flush_ios - first.flush_ios;
		if (quiet->tick && now - ticked >= TICK_NS) {
			quiet->tick(quiet->arg);
			ticked = now;
		}
	}
}
