/* SPDX-License-Identifier: GPL-2.0-or-later */
/* meter_rows: option sets and epochs as rows of the live view.  For meter.c. */
#ifndef FSB_TUI_METER_ROWS_H
#define FSB_TUI_METER_ROWS_H

#include "model/epochs.h"
#include "tui/top.h"

/*
 * Replaces the rows of @disk.  @to_realtime_ns is to be added to the times of epochs.  0 or
 * -ENOMEM; meter_rows_free() in either case.
 */
int meter_rows_fill(struct top_disk *disk, const struct epochs *epochs, unsigned int baseline,
		    int64_t to_realtime_ns);
void meter_rows_free(struct top_disk *disk);

#endif /* FSB_TUI_METER_ROWS_H */
