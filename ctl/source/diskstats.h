/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diskstats: what the kernel counts of a disk anyway, as snapshots.  Its counters of
 * milliseconds are 32 bits wide and wrap; here they go on.  For diskstats.c's backend, and
 * for all code that subtracts such counters.
 */
#ifndef FSB_SOURCE_DISKSTATS_H
#define FSB_SOURCE_DISKSTATS_H

#include "disk/describe.h"
#include "model/snapshot.h"

/* One disk since counting began. */
struct diskstats_track {
	struct diskstats last; /* as read */
	struct diskstats sum; /* since the beginning; inflight is that of now */
	uint64_t added_ns;
	uint64_t time_ns; /* of the last reading */
	uint32_t restarts;
	bool gone;
	bool silent; /* queue/iostats is off: the counters stand still */
};

/* Layers that are missing in its snapshots. */
extern const uint32_t diskstats_missing;

/*
 * What was counted from @a to @b, with the requests in flight at @b; the one way to subtract
 * counters of /proc/diskstats.  -ERANGE, and *delta as it was, when they began again in between:
 * another device has the number, and nothing can be said.
 */
int diskstats_subtract(struct diskstats *delta, const struct diskstats *b,
		       const struct diskstats *a);
/* Adds a further stretch of time. */
void diskstats_add(struct diskstats *into, const struct diskstats *from);

void diskstats_begin(struct diskstats_track *track, const struct diskstats *stats, uint64_t now_ns);
/* A further reading.  Counters that began again are those of a new device: from 0 from then on. */
void diskstats_take(struct diskstats_track *track, const struct diskstats *stats, uint64_t now_ns);
/* The last reading as a snapshot; 0 or -ENOMEM. */
int diskstats_snapshot(const struct diskstats_track *track, const struct disk *disk,
		       struct snapshot *snap);

#endif /* FSB_SOURCE_DISKSTATS_H */
