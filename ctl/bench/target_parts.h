/* SPDX-License-Identifier: GPL-2.0-or-later */
/* target_parts: what the files of target share; for target*.c only. */
#ifndef FSB_BENCH_TARGET_PARTS_H
#define FSB_BENCH_TARGET_PARTS_H

#include "bench/signature.h"
#include "bench/target.h"
#include "disk/blockdev.h"

#define MIB    (1024ULL * 1024)
#define SECTOR 512ULL

/* The device that was named: a partition or a whole disk.  0, or -1 with *trouble. */
int target_device(const struct target *target, struct blockdev *dev, struct trouble *trouble);
/* Its node in /dev; of blockdev names '!' stands for '/'. */
void target_node(const char *name, char *node, size_t size);
/* Opens what device number @dev has at its node and nothing else.  -1 with *trouble. */
int target_open(const char *node, uint32_t major, uint32_t minor, int flags,
		struct trouble *trouble);
/* Opens @dev itself. */
int target_open_device(const struct blockdev *dev, int flags, struct trouble *trouble);

/* Names of the kernel's partitions of a disk: how many; kfile_names_free().  -1 with errno. */
int target_partitions(const struct blockdev *whole, char ***names);
/*
 * The partition in the kernel's memory that is just the range: its number, 0 when there is none.
 */
int target_find_partition(const struct blockdev *whole, uint64_t offset, uint64_t size,
			  struct blockdev *partition);

/* Whether somebody can write to it, or to what it is part of, without having claimed it; @how. */
bool target_has_opener(const struct blockdev *dev, char *how, size_t size);
/* Refuses what anybody uses.  @settings: see struct target_options. */
int target_check_use(const struct target *target, bool settings, struct trouble *trouble);
/* All mounts of the disk are at @left; what they hold cannot be looked at further. */
bool target_is_left(const struct target *target, const char *left);
/* Refuses what carries the system that runs; a partition that firmware starts from. */
int target_check_system(const struct target *target, struct trouble *trouble);
int target_check_boot(const struct target *target, struct trouble *trouble);
/* Refuses a store on it. */
int target_check_store(const struct target *target, const char *store, struct trouble *trouble);
/* What is written there: refuses, or fills target->now. */
int target_check_signatures(struct target *target, struct trouble *trouble);
/* Again: refuses what target_find() has not seen and filesystem_make() has not made. */
int target_recheck_signatures(const struct target *target, struct trouble *trouble);
/* Refuses a device that cannot be told from others.  @moved: see struct target_options. */
int target_check_id(struct target *target, bool moved, struct trouble *trouble);

/* The image: looked at, made with its loop device, still the same, loop device taken away. */
int target_image_find(struct target *target, const struct target_options *options,
		      struct trouble *trouble);
int target_image_claim(struct target *target, struct trouble *trouble);
int target_image_recheck(const struct target *target, struct trouble *trouble);
void target_image_release(struct target *target);

#endif /* FSB_BENCH_TARGET_PARTS_H */
