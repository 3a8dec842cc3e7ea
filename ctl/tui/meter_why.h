/* SPDX-License-Identifier: GPL-2.0-or-later */
/* meter_why: why there were flushes in a stretch, from its counts.  For meter.c. */
#ifndef FSB_TUI_METER_WHY_H
#define FSB_TUI_METER_WHY_H

#include "tui/top.h"

/*
 * Fills stretch->why but for the owners; the rest of the stretch is there.  @mounts are those
 * of the disk, @now what is not flushed.
 */
void meter_why(struct stretch *stretch, const struct disk_info *info, const struct mounts *mounts,
	       const struct unflushed_counts *now);

/* What a power cut could take of what these figures tell, worst case in *bytes. */
enum risk meter_risk(const struct figures *figures, const struct disk_info *info, double *bytes,
		     const char **unknown);

#endif /* FSB_TUI_METER_WHY_H */
