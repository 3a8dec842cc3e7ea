/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quiet: waits until a disk has had nothing to do for a while.  For trial.c. */
#ifndef FSB_BENCH_QUIET_H
#define FSB_BENCH_QUIET_H

#include <stdbool.h>
#include <stdint.h>

#include "disk/disk.h"
#include "record/span.h"

struct quiet {
	double seconds; /* that it has to have been idle */
	double at_most; /* to wait for that */
	struct span *span; /* counts where /proc/diskstats does not; may be NULL */
	void (*tick)(void *arg); /* some four times a second, may be NULL */
	void *arg;
	/* What it did meanwhile. */
	uint64_t read_bytes, write_bytes, flushes;
};

/* QUIET_SILENT: nothing counts its requests. */
enum quiet_end { QUIET_REACHED, QUIET_NEVER, QUIET_INTERRUPTED, QUIET_NO_DISK, QUIET_SILENT };

enum quiet_end quiet_wait(struct quiet *quiet, const struct disk *disk);

#endif /* FSB_BENCH_QUIET_H */
