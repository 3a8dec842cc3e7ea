/* SPDX-License-Identifier: GPL-2.0-or-later */
/* host: the machine a recording was made on, and its memory; from /proc and uname. */
#ifndef FSB_SOURCE_HOST_H
#define FSB_SOURCE_HOST_H

#include <stdbool.h>
#include <stdint.h>

struct host {
	char kernel[128];
	char machine[66];
	char cpu[128]; /* "" when it cannot be told */
	long cpus;
	uint64_t memory_bytes; /* 0 when it cannot be told */
};

void host_describe(struct host *host);

/*
 * Bytes that wait in memory to be written or are being written, of all disks
 * together.  (The kernel's per-disk figure, debugfs bdi/MAJ:MIN/stats, leaves out
 * what was dirtied in a memory control group: seen to say 0 of 20 MB on 6.1.)
 * Returns 0 or -1 with errno.
 */
int host_dirty(uint64_t *bytes);

#endif /* FSB_SOURCE_HOST_H */
