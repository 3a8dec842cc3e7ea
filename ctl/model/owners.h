/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * owners: who submitted a disk's bios and who called fsync: task groups (process, name of
 * the task, device), each with what it did.  First the table as the module has it, with its
 * rows and those that found no room; then the rows that a person calls one: those of one
 * name on one device.  Pure; called by source, record and out.
 *
 * Ownership: both own their rows; owners_free() and owner_groups_free() release them and may
 * be called twice.  Zeroed structs are empty.
 */
#ifndef FSB_MODEL_OWNERS_H
#define FSB_MODEL_OWNERS_H

#include "model/snapshot.h"

/* All u64. */
struct owner_counts {
	struct bio_counts bio; /* no merges: they have no owner */
	uint64_t fsyncs;
};

struct owner {
	char comm[FSBSTAT_COMM_LEN];
	bool have_tgid; /* not in a pid namespace */
	uint32_t tgid;
	uint32_t major, minor; /* partition of the bios, device of the filesystem */
	struct owner_counts counts;
};

struct owners {
	struct owner_counts sum;
	struct owner_counts other; /* those that found no room */
	size_t nr;
	struct owner *row;
};

void owners_free(struct owners *owners);

/* Counts for an owner, who gets a row with that.  0 or -ENOMEM. */
int owners_count(struct owners *owners, const struct owner *owner);

/* Adds another window's, or callers of fsync to submitters.  0 or -ENOMEM. */
int owners_add(struct owners *into, const struct owners *from);

/* What they did between two dumps; only those who did anything.  -ERANGE: one went back. */
int owners_subtract(struct owners *delta, const struct owners *b, const struct owners *a);

/* Rows and the rest are the sum. */
bool owners_consistent(const struct owners *owners);

#define OWNER_DEVICE_MAX 32

struct owner_group {
	char comm[FSBSTAT_COMM_LEN]; /* workers of the kernel's queues are one: "kworker" */
	uint32_t major, minor;
	char device[OWNER_DEVICE_MAX]; /* name, filled by who can look it up */
	uint64_t tasks; /* processes, 0: not known */
	struct owner_counts counts;
};

struct owner_groups {
	size_t nr;
	struct owner_group *group; /* who asked for most flushes first, then who wrote most */
};

/*
 * With @fua a FUA write asks for a flush as well (the disk has no FUA).  Replaces what is
 * in @groups.  0 or -ENOMEM.
 */
int owners_group(struct owner_groups *groups, const struct owners *owners, bool fua);
void owner_groups_free(struct owner_groups *groups);

uint64_t owner_bios(const struct owner_counts *counts);
uint64_t owner_bytes(const struct owner_counts *counts);

#endif /* FSB_MODEL_OWNERS_H */
