/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings: what can be set on a disk, set and put back.  The only code that changes a
 * setting; whatever does so on somebody's behalf goes through settings_apply(), which
 * saves the old values before the first write, and settings_restore().  Prints nothing.
 */
#ifndef FSB_DISK_SETTINGS_H
#define FSB_DISK_SETTINGS_H

#include "disk/disk.h"

/* In the order in which they are written. */
enum setting {
	SETTING_WRITE_CACHE, /* the drive's own: "on", "off" */
	SETTING_WRITE_CACHE_KERNEL, /* "write back", "write through" */
	SETTING_NCQ, /* commands the drive may be given at once; 1: not queued (SATA) */
	SETTING_SCHEDULER,
	SETTING_NR_REQUESTS,
	SETTINGS,
};

#define SETTING_NAME_MAX  64
#define SETTING_VALUE_MAX 256

/* A value for each, in the words of JSON; "" is none. */
struct settings {
	char value[SETTINGS][SETTING_VALUE_MAX];
};

enum settings_status {
	SETTINGS_OK,
	SETTINGS_USAGE, /* nonsense was asked for */
	SETTINGS_REFUSED, /* in use, unsafe, or not this kind of device */
	SETTINGS_FAILED, /* the disk, the kernel or the state file did not play along */
};

struct settings_error {
	enum settings_status status;
	char object[128];
	char reason[640];
	char hint[320];
};

/* One value before and after.  name is a setting's, or a file below the disk in sysfs. */
struct settings_change {
	char name[SETTING_NAME_MAX];
	char was[SETTING_VALUE_MAX]; /* "": was not there or cannot be told */
	char is[SETTING_VALUE_MAX];
	bool asked; /* false: the kernel changed it along with what was asked for */
};

/* What settings_apply() and settings_restore() did (or would do, in a dry run). */
enum settings_fate {
	SETTINGS_PUT_BACK,
	SETTINGS_WAS_BACK, /* had its old value already */
	SETTINGS_KEPT, /* somebody else changed it since, and it was left alone */
	SETTINGS_GONE, /* of a filesystem that is not mounted any more: nothing to put back */
};

struct settings_returned {
	char name[SETTING_NAME_MAX];
	char old[SETTING_VALUE_MAX]; /* the value saved */
	char set[SETTING_VALUE_MAX]; /* what fsbctl had set */
	char found[SETTING_VALUE_MAX]; /* what was there when restoring began */
	enum settings_fate fate;
};

struct settings_result {
	struct settings_change *change;
	size_t nr_changes;
	struct settings_returned *returned;
	size_t nr_returned;
	char state_file[512]; /* where old values are saved, "" when none are */
	char note[320]; /* what else should be said, "" for nothing */
};

/* A block device that settings are for. */
struct settings_target {
	struct disk disk; /* the whole one */
	char partition[DISK_NAME_MAX]; /* "" when the whole disk was named */
};

struct settings_request {
	struct settings_target target;
	struct settings wanted;
	bool unsafe; /* flushes may be dropped under a mounted filesystem */
	bool dry_run; /* say what would change, write nothing */
};

/* Name of a setting; the setting of a name, SETTINGS when there is none. */
const char *settings_name(enum setting setting);
enum setting settings_by_name(const char *name);

/* Takes KEY=VALUE into settings.  Returns 0, or -1 with *error. */
int settings_parse(const char *word, struct settings *settings, struct settings_error *error);

/* Any value is wanted; all are the same. */
bool settings_any(const struct settings *settings);
bool settings_same(const struct settings *a, const struct settings *b);

/*
 * DISK for those who change it: a block device named as such.  Mount points, files
 * and devices that stand on others are refused.  Returns 0, or -1 with *error.
 */
int settings_find(const char *arg, struct settings_target *target, struct settings_error *error);

/*
 * How a disk is set.  With ask the drive is asked about its cache, which puts a
 * command on its queue; else that value is "".  Returns 0, or -1 with *error.
 */
int settings_read(const struct disk *disk, bool ask, struct settings *is,
		  struct settings_error *error);

/*
 * Sets what is wanted and reads it back.  Old values are on stable storage before
 * the first write.  When something fails, what this call had changed is put back.
 * Returns 0, or -1 with *error; settings_result_free() in either case.
 */
int settings_apply(const struct settings_request *request, struct settings_result *result,
		   struct settings_error *error);

/*
 * Remounts a filesystem of the disk with "barrier" or "nobarrier", which is saved first and put
 * back like a setting as long as it stays mounted.  @source: its device, see struct mount.
 * Returns 0, or -1 with *error.
 */
int settings_remount(const struct disk *disk, const char *source, const char *to,
		     struct settings_error *error);

/*
 * Puts back what settings_apply() calls have changed on the disk, whoever made them.
 * What somebody else has changed since stays, unless force.  Returns 0, also when
 * nothing was saved (nr_returned is 0), or -1 with *error.
 */
struct settings_restore_options {
	bool force, dry_run;
};

int settings_restore(const struct disk *disk, const struct settings_restore_options *options,
		     struct settings_result *result, struct settings_error *error);

void settings_result_free(struct settings_result *result);

/* A disk whose old values are saved. */
struct settings_waiting {
	bool present;
	struct disk disk; /* when present, under the name it has now */
	char name[DISK_NAME_MAX]; /* the one it had */
	char perhaps[DISK_NAME_MAX]; /* when not: one that has the same identity, "" for none */
	char id[512]; /* what it calls itself: WWN and serial number */
	char path[512]; /* the state file */
	char settings[256]; /* names, separated by ", " */
};

/* All of them; *waiting is malloc'd.  Returns how many, or -1 with errno. */
int settings_waiting(struct settings_waiting **waiting);

/* Whether the disk has the identity of the one that waits, which may be another one. */
bool settings_same_id(const struct settings_waiting *waiting, const struct disk *disk);

/* Drops what is saved in a state file, leaving the disk as it is.  0, or -1 with *error. */
int settings_forget(const struct settings_waiting *waiting, struct settings_error *error);

/*
 * Called after the cache of a drive was changed and read back, for those who count
 * on knowing it; NULL by default.  main() sets it.
 */
extern void (*settings_cache_changed)(const struct disk *disk, enum tristate is);

#endif /* FSB_DISK_SETTINGS_H */
