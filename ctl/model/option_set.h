/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * option_set: what can be set and what it is set to: the filesystems on a disk with their
 * effective mount options, the write cache, FUA, queue depth, scheduler, nr_requests.  And
 * how two sets differ, in words.  Pure; called by model/epochs, record, out and top.
 *
 * Strings come from the kernel as they are: to be made printable (message.h) before they
 * are shown.  Functions that allocate return 0 or -ENOMEM.
 */
#ifndef FSB_MODEL_OPTION_SET_H
#define FSB_MODEL_OPTION_SET_H

#include "disk/describe.h"
#include "disk/mounts.h"

/* One superblock.  Where it is mounted is no option of it. */
struct option_fs {
	char *source; /* device as the kernel names it, "sda1" */
	char *fstype;
	char *options; /* effective, in the kernel's order */
};

/* -1 and "" where a value is not known or the disk has no such thing. */
struct option_set {
	enum tristate write_cache; /* the drive's own */
	char write_cache_kernel[32]; /* "write back" or "write through" */
	int fua;
	int ncq; /* behind libata */
	int queue_depth;
	char scheduler[32];
	int64_t nr_requests;
	size_t nr_fs;
	struct option_fs *fs; /* by source; owned */
};

/* Of what sysfs and mountinfo say now; option_set_free() in any case. */
int option_set_of(struct option_set *set, const struct disk_info *info,
		  const struct mounts *mounts);
int option_set_copy(struct option_set *set, const struct option_set *from);
void option_set_free(struct option_set *set);
bool option_set_equal(const struct option_set *a, const struct option_set *b);

/* --- differences --- */

enum option_key {
	OPTION_WRITE_CACHE,
	OPTION_WRITE_CACHE_KERNEL,
	OPTION_FUA,
	OPTION_NCQ,
	OPTION_QUEUE_DEPTH, /* of a disk that is not behind libata */
	OPTION_SCHEDULER,
	OPTION_NR_REQUESTS,
	OPTION_MOUNT,
	OPTION_KEYS,
};

/* "write_cache", ...: the words of JSON, `set` and the matrix. */
extern const char *const option_key_names[OPTION_KEYS];

struct option_change {
	enum option_key key;
	char *source; /* OPTION_MOUNT: which filesystem; else NULL */
	/*
	 * In words: "on", "write back", "32", "barrier", "data=journal".  Of a mount only what
	 * differs; NULL: it was not, or is no longer, mounted.
	 */
	char *from, *to;
};

struct option_changes {
	struct option_change *change; /* owned */
	size_t nr;
};

/* What differs; option_changes_free() in any case. */
int option_changes_of(struct option_changes *changes, const struct option_set *from,
		      const struct option_set *to);
void option_changes_free(struct option_changes *changes);
void option_change_free(struct option_change *change);

/* "sda1: barrier -> nobarrier", "drive cache: on -> off", "NCQ depth: 32 -> 1" */
void option_change_text(char *buf, size_t size, const struct option_change *change);

/* --- names --- */

/*
 * What distinguishes the set from the one it was derived from: "nobarrier", "drive cache
 * off", "NCQ 1".  Of a set that was derived from none (@from is NULL): "barrier", or the
 * types of its filesystems, or "no filesystem".
 */
int option_set_name(char *buf, size_t size, const struct option_set *set,
		    const struct option_set *from);

/* The whole of it, briefly: "ext4 barrier, cache on, NCQ 32, mq-deadline". */
void option_set_title(char *buf, size_t size, const struct option_set *set);

#endif /* FSB_MODEL_OPTION_SET_H */
