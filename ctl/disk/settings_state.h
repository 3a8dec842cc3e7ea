/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings_state: the file that remembers the old values of one disk's settings, and
 * the lock that goes with it.  The file is whole at every instant and on stable
 * storage before a setting is touched.  For settings*.c only.
 *
 * It lies in /run/fsbctl, or where that cannot be written in the user's state
 * directory ($XDG_STATE_HOME/fsbctl), and is named for what the disk calls itself, so
 * that sda which has become sdb is still found.
 */
#ifndef FSB_DISK_SETTINGS_STATE_H
#define FSB_DISK_SETTINGS_STATE_H

#include <limits.h>

#include "disk/describe.h"
#include "disk/place.h"
#include "disk/settings_values.h"

#define STATE_KEY_MAX 512

/* A value that is not what it was. */
struct saved {
	char name[SETTING_NAME_MAX];
	char was[SETTING_VALUE_MAX];
	char now[SETTING_VALUE_MAX]; /* as left by fsbctl */
	enum setting cause; /* which setting was changed with it; SETTINGS: none, it is a mount */
	bool kept; /* while restoring: is not to be touched */
};

/* How well a disk that calls itself the same fits a state; each step is more certain. */
enum state_fit {
	FIT_NOT, /* another size: another disk */
	FIT_PERHAPS, /* at another port */
	FIT_PORT, /* plugged in where that one was */
	FIT_CERTAIN, /* has been there ever since */
};

struct settings_state {
	char key[STATE_KEY_MAX]; /* what the disk calls itself */
	struct disk_place place; /* of the disk that it is of */
	char name[DISK_NAME_MAX]; /* what the kernel called it when it was set */
	char boot[64]; /* the boot in which it was set */
	struct saved *saved;
	size_t nr;
	/*
	 * A change that was begun: nothing is known yet of what came of it.  before has
	 * all values from just before, the drive's cache too if it was to be changed.
	 */
	bool pending;
	enum setting pending_setting;
	char pending_to[SETTING_VALUE_MAX];
	struct values before;
	bool restoring; /* putting back has begun, and has to be completed */

	char path[PATH_MAX]; /* of the file */
	char lock_path[PATH_MAX];
	int lock; /* -1: not locked */
};

/* What a disk calls itself: WWN and serial number, else its name and sequence number. */
void state_key(const struct disk_info *info, char key[STATE_KEY_MAX]);

enum state_fit state_fits(const struct settings_state *state, const struct disk_info *info);
/*
 * Of the disks here that call themselves what the state says, the one that it is of.  0 and
 * *disk, -1 when there is none, or when it may be another one: that is in *perhaps ("" if none).
 */
int state_disk(const struct settings_state *state, struct disk *disk, char perhaps[DISK_NAME_MAX]);

/* The file's name for a key: "wwn-0x5000c500a1b2c3d4_Z3T8QXYZ.json". */
void state_file_name(const char *key, char *buf, size_t size);

/*
 * Locks the disk's state and reads it, nr 0 and pending false when there is none.
 * Waits for another process up to ten seconds.  Without lock only reads.  Returns
 * 0, or -1 with *error; state_close() in either case.
 */
int state_open(struct settings_state *state, const struct disk_info *info, bool lock,
	       struct settings_error *error);
/* Removes a state file under its lock.  0, or -1 with *error. */
int state_remove(const char *path, struct settings_error *error);
/* Reads the state in a file, without a lock.  0, or -1 with *error. */
int state_load(struct settings_state *state, const char *path, struct settings_error *error);
void state_close(struct settings_state *state);

/* Brings it onto stable storage, or removes the file when nothing is saved. */
int state_store(struct settings_state *state, struct settings_error *error);

/* NULL when there is none of this name. */
struct saved *state_find(const struct settings_state *state, const char *name);
/* Notes that a value was changed; one that is back at its old value is dropped. */
int state_note(struct settings_state *state, const char *name, const char *was, const char *now,
	       enum setting cause);

/* Folders that may hold state files, most wanted first; nr of them filled, at most 2. */
size_t state_folders(char folder[2][PATH_MAX]);

/* Reads and writes the text of a file; for settings_state.c and unit tests. */
int state_parse(struct settings_state *state, const char *text, size_t len,
		struct settings_error *error);
char *state_text(const struct settings_state *state);

/* Sets *error and returns -1. */
int settings_fail(struct settings_error *error, enum settings_status status, const char *object,
		  const char *hint, const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif /* FSB_DISK_SETTINGS_STATE_H */
