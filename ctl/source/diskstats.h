/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diskstats: what the kernel counts of a disk anyway, as snapshots.  Its counters of
 * milliseconds are 32 bits wide and wrap; here they go on.  For diskstats.c's backend and
 * its test.
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
};

/* Layers that are missing in its snapshots. */
extern const uint32_t diskstats_missing;

void diskstats_begin(struct diskstats_track *track, const struct diskstats *stats, uint64_t now_ns);
/* A further reading.  Counters that went back are those of a new device: it begins anew. */
void diskstats_take(struct diskstats_track *track, const struct diskstats *stats, uint64_t now_ns);
/* The last reading as a snapshot; 0 or -ENOMEM. */
int diskstats_snapshot(const struct diskstats_track *track, const struct disk *disk,
		       struct snapshot *snap);

#endif /* FSB_SOURCE_DISKSTATS_H */
