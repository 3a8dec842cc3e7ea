/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target: the device whose data a matrix destroys.  Looked at and refused by target_find(), which
 * changes nothing; agreed to by whoever names target_id(); taken by target_claim(), and looked
 * at again by target_recheck() before each write.  Only [offset, offset + size) of it is
 * written: a part of a whole disk is made a partition in the kernel's memory alone (BLKPG), no
 * table is written.
 */
#ifndef FSB_BENCH_TARGET_H
#define FSB_BENCH_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/trouble.h"
#include "disk/describe.h"
#include "disk/settings.h"

struct target_options {
	const char *disk; /* a block device named as such; NULL with file */
	const char *file; /* image to be made, never one that exists */
	uint64_t file_size; /* of the image, bytes */
	uint64_t offset, size; /* of the device; size 0: to its end */
	bool at_most; /* @size is cut to what there is */
	const char *store; /* path of the database: may not lie on the target; NULL */
	bool settings; /* disk-wide ones will change: no other partition may be in use */
	/*
	 * What is mounted there is a killed run's and will be unmounted: no use of the disk.  For
	 * a plan, which unmounts nothing; NULL.
	 */
	const char *left;
	bool moved; /* it may be another disk of the same serial number: that alone is no consent */
};

struct target {
	struct settings_target device; /* of an image: its loop device, once claimed */
	struct disk_info info; /* of the whole disk */
	char partuuid[64]; /* of a partition, "" */
	/* "SERIAL@NAME", a name in /dev/disk/by-path, where other disks have the serial; or "" */
	char at_path[320];
	char node[64]; /* what mkfs is given, "" before target_claim() */
	uint64_t offset, size; /* bytes of `device` that may be written */
	uint64_t capacity; /* bytes of `device` */
	char now[320]; /* what is there: 'ext4 "scratch", last mounted 2026-11-02, not in use' */
	char others[512]; /* other disks of this machine and where they are mounted; not touched */
	char *image; /* path, NULL: a device was named */
	int fd; /* of the node, to keep device, name and number; -1 before target_claim() */
	int partition; /* number of the kernel's partition that was made, 0: none */
	bool has_id[3]; /* serial, WWN, by-id name: one that no other disk here has */
	bool is_left; /* something is mounted at target_options.left, and nothing else uses it */
	char seen[512]; /* UUIDs of what target_find() saw there: more than these is somebody's */
};

/*
 * Looks and refuses.  0, or -1 with *trouble; target_release() in either case.  Of an image
 * `device` and `info` are empty until it is claimed.
 */
int target_find(struct target *target, const struct target_options *options,
		struct trouble *trouble);

/*
 * The word that consent gives back: serial, WWN, by-id name, PARTUUID, or serial and by-path name,
 * the first there is that no other disk here has.
 */
const char *target_id(const struct target *target);
/* Whether @word is any of them, letter by letter. */
bool target_is(const struct target *target, const char *word);

/* Makes the image, loop device or partition: node is valid from here on. */
int target_claim(struct target *target, struct trouble *trouble);
/* What filesystem_make() is to be given as size: 0 when the node ends where the range does. */
uint64_t target_make_bytes(const struct target *target);
/* Still the same device, still nobody's: to be asked right before each mkfs, trim or fill. */
int target_recheck(const struct target *target, struct trouble *trouble);
/* What the node leads to is what target_claim() took: to be asked after each mkfs too. */
int target_is_held(const struct target *target, struct trouble *trouble);
/*
 * Takes partition or loop device away again (the image stays).  After a kill -9, target_find() of
 * the same device finds such a partition and takes it over.
 */
void target_release(struct target *target);

/*
 * Empties the drive's knowledge of the range (BLKDISCARD), or writes it full once.  When
 * @go_on says false it stops: -1 with TROUBLE_NONE.
 */
int target_trim(const struct target *target, struct trouble *trouble);
int target_fill(const struct target *target, bool (*go_on)(void *arg), void *arg,
		struct trouble *trouble);

#endif /* FSB_BENCH_TARGET_H */
