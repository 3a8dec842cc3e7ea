/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * disk: what a person calls DISK on the command line, resolved and described.
 * Reads sysfs, udev's links, mountinfo and nothing else: opening a drive or
 * asking it anything would put commands on the queue that is being measured.
 */
#ifndef FSB_DISK_DISK_H
#define FSB_DISK_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DISK_NAME_MAX 32

enum tristate { UNKNOWN = -1, OFF = 0, ON = 1 };

/* One whole disk that has requests (never dm, md or a partition). */
struct disk {
	char name[DISK_NAME_MAX]; /* as in /sys/block, with '!' for '/' */
	uint32_t major, minor;
};

/* The same device; a name may be another one's by now. */
static inline bool disk_same(const struct disk *a, const struct disk *b)
{
	return a->major == b->major && a->minor == b->minor;
}

/* A resolved DISK argument: one disk, or the leaf disks of dm or md. */
struct disk_set {
	struct disk *disk;
	size_t nr;
	/*
	 * How it was reached, for the report: "" when DISK named the disk itself,
	 * else for instance "partition sda1", "mount /srv on sda1", "md0".  Printable.
	 */
	char via[256];
	/* The devices that DISK named, above the disks; for disk_find_added(). */
	struct disk_top {
		uint32_t major, minor;
		bool pool; /* of a filesystem with several, which others may join */
	} *top;
	size_t nr_tops;
};

/*
 * Resolves a /dev path, bare name, MAJ:MIN, by-id or other link, partition,
 * mount point or file.  sysfs roots and the like come from disk_root (for tests).
 * Returns 0, or -1 after printing one line "fsbctl: ARG: reason" and a hint.
 */
int disk_find(const char *arg, struct disk_set *set);
void disk_set_free(struct disk_set *set);
/* Adds the disks of another set, each once, and what they were named by.  0, or -1 with ENOMEM. */
int disk_set_join(struct disk_set *into, const struct disk_set *from);
/*
 * The disks below what DISK named that have come there since @set was found (mdadm --add, lvextend,
 * pvmove, btrfs device add) and are not in it.  Opens nothing, prints nothing.  0, or -1 with
 * errno; what has gone meanwhile is no error.
 */
int disk_find_added(const struct disk_set *set, struct disk_set *added);

/* Where the kernel lists them; without it no disk can be found, and why not is said with both. */
#define DISK_FOLDER	 "/sys/class/block"
#define DISK_FOLDER_HINT "in a container: make the host's /sys visible there"

/*
 * Every disk that can be watched and is worth it, for a table of them: has requests,
 * has a size, is not stacked on others, no optical drive.  Returns 0 or -1 with errno.
 */
int disk_all(struct disk_set *set);

/* The disks that one would expect there and that cannot be watched: NVMe multipath. */
int disk_unreachable(struct disk_set *set);

/* The name of a block device, partitions too; "8:1" when there is none of that number. */
void disk_name(uint32_t major, uint32_t minor, char name[DISK_NAME_MAX]);

/* Prefix of /sys, /proc, /run, /dev and of absolute paths to look at, "" outside tests. */
extern const char *disk_root;

#endif /* FSB_DISK_DISK_H */
