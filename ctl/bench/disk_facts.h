/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * disk_facts: what a workload's file may ask of a disk by name (`disk:` in docs/workloads.md), and
 * whether a disk has what a workload needs.  Called by plan_fit.c and workload_file.c.
 */
#ifndef FSB_BENCH_DISK_FACTS_H
#define FSB_BENCH_DISK_FACTS_H

#include <stdbool.h>

#include "bench/target.h"
#include "bench/workload.h"

enum disk_fact { FACT_LOGICAL_SECTOR, FACT_PHYSICAL_SECTOR, FACT_DISCARD, FACT_ROTATIONAL, FACTS };

struct disk_facts {
	int64_t value[FACTS]; /* -1: not known */
};

/* Of the target's disk; of an image what its loop device will have. */
void disk_facts_read(struct disk_facts *facts, const struct target *target);
/* Whether these @len bytes are the name of one. */
bool disk_facts_has(const char *name, size_t len);
/*
 * Whether the disk has all that the use needs, as far as that is known; if not @why: "needs sectors
 * of 512 bytes, and the disk has logical_sector 4096".
 */
bool disk_facts_fit(const struct disk_facts *facts, const struct workload_use *use, char *why,
		    size_t size);

#endif /* FSB_BENCH_DISK_FACTS_H */
