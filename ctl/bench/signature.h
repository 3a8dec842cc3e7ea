/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * signature: what is written on a device that says whose it is: filesystems, members of
 * arrays and pools, partition tables.  signature.c is the only file that knows libblkid.  For
 * target*.c and filesystem_make.c.
 */
#ifndef FSB_BENCH_SIGNATURE_H
#define FSB_BENCH_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/trouble.h"

#define SIGNATURES_MAX 16

struct signature {
	char type[48]; /* as blkid names it: "ext4", "LVM2_member", or of a table "gpt" */
	char label[64]; /* printable, "" */
	char uuid[64]; /* "" */
	char mounted[160]; /* of ext filesystems: "last mounted 2026-11-02 on /srv", "" */
	bool table; /* of partitions */
	const char *refusal; /* what it is when it may not be written over; NULL: plain */
};

struct signatures {
	struct signature signature[SIGNATURES_MAX];
	size_t nr;
	bool more; /* than there is room for */
};

/* Those in @size bytes of the device from @offset on.  0, or -1 with errno. */
int signatures_read(int fd, uint64_t offset, uint64_t size, struct signatures *signatures);
/* The first that may not be written over, NULL: none. */
const struct signature *signatures_refusal(const struct signatures *signatures);
/* 'ext4 "scratch", last mounted 2026-11-02 on /srv', or "nothing that is known". */
void signatures_describe(const struct signatures *signatures, char *buf, size_t size);

/* What the partition table says of a partition: its PARTUUID and its type, "" where it does not. */
void signature_partition(int fd, char *uuid, char *type, size_t size);

/* Removes those in the first @bytes of @node, 0 all of it, so that none outlives an mkfs. */
int signature_wipe(const char *node, uint64_t bytes, struct trouble *trouble);
/* Remembers those there now as ones that this process has made; and whether it has. */
int signature_ours(const char *node, uint64_t bytes, struct trouble *trouble);
bool signature_is_ours(const struct signature *signature);

#endif /* FSB_BENCH_SIGNATURE_H */
