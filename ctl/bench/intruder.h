/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intruder: what makes the numbers of a window doubtful: others who used the disk meanwhile, and
 * reads that memory answered.  For trial.c.
 */
#ifndef FSB_BENCH_INTRUDER_H
#define FSB_BENCH_INTRUDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bench/leftover.h"
#include "out/report.h"

/*
 * Whether others used the disk more than a little in the window: processes that are still there and
 * are neither the experiment's nor the kernel's, and whoever used another partition.  @node is the
 * device of the filesystem.  Puts it in words.  Only the module tells who did what.
 */
bool intruder_found(const struct report_disk *disk, dev_t node, const struct leftover *leftover,
		    char *text, size_t size);

/* What processes that have ended here had read, from disk or memory, and changed in files. */
struct asked_bytes {
	uint64_t read, written;
};

void asked_bytes_now(struct asked_bytes *asked);

/*
 * Whether what was read had to come from the disk (little was written meanwhile), and did not.
 * Puts it in words.
 */
bool reads_from_memory(const struct asked_bytes *begin, const struct asked_bytes *end,
		       const struct report_disk *disk, char *text, size_t size);

#endif /* FSB_BENCH_INTRUDER_H */
