/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fs: calls of fsync and commits of journals by superblock, as part of a snapshot, and
 * what those on one disk did between two.  Pure; called by snapshot, delta, source and out.
 *
 * Ownership: whoever holds a struct fs_counts or fs_delta frees it with fs_counts_free()
 * or fs_delta_free(), which take NULL.
 */
#ifndef FSB_MODEL_FS_H
#define FSB_MODEL_FS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hist;

/* Everything of a superblock that is subtracted and added. */
struct fs_sums {
	uint64_t fsyncs; /* calls that began */
	uint64_t errors;
	uint64_t commits;
};

struct fs_row {
	uint32_t major, minor; /* with the type, what tells it from others */
	char type[32];
	bool here; /* it lies on the disk of the snapshot */
	struct fs_sums sums;
	struct hist *latency; /* NULL: empty; owned */
};

/* What goes for all superblocks of the machine. */
struct fs_all {
	uint64_t missed; /* calls that no probe could see */
	uint64_t lost; /* calls on superblocks there was no room for */
};

struct fs_counts {
	struct fs_all all;
	bool calls; /* one whose calls are counted is mounted from the disk */
	bool journal; /* one whose commits are counted is */
	size_t nr;
	struct fs_row *row;
};

/* Of the superblocks on the disk, together. */
struct fs_delta {
	struct fs_all all;
	bool calls, journal; /* mounted at either end, or there were some */
	struct fs_sums sums;
	struct hist *latency; /* NULL: no samples; owned */
	/* Each of them, as far as it has ever called; they sum to that.  Owned. */
	size_t nr;
	struct fs_row *row;
};

void fs_counts_free(struct fs_counts *fs);

/* A row more, empty; it is zeroed but for its key.  NULL: no memory, or there already. */
struct fs_row *fs_new_row(struct fs_counts *fs, uint32_t major, uint32_t minor,
			  const char *type);

/*
 * @b minus @a.  A superblock that @a did not know had counted nothing; one that lies on
 * the disk in either lies there.  -ENOMEM; -ERANGE when a counter went back; *delta is to
 * be freed in any case.
 */
int fs_subtract(struct fs_delta **delta, const struct fs_counts *b, const struct fs_counts *a);
/* Adds a further window; *into may be NULL.  -ENOMEM. */
int fs_add(struct fs_delta **into, const struct fs_delta *from);
void fs_delta_free(struct fs_delta *delta);

#endif /* FSB_MODEL_FS_H */
