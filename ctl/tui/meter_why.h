/* SPDX-License-Identifier: GPL-2.0-or-later */
/* meter_why: why there were flushes in a stretch, from its counts.  For meter.c. */
#ifndef FSB_TUI_METER_WHY_H
#define FSB_TUI_METER_WHY_H

#include "tui/top.h"

/* Fills stretch->why; the rest of it is there. */
void meter_why(struct stretch *stretch, const struct disk_info *info);

#endif /* FSB_TUI_METER_WHY_H */
