/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings_job: one disk while its settings are being changed: what it is, what is
 * saved of it, and how it was when the change began.  For settings*.c only.
 */
#ifndef FSB_DISK_SETTINGS_JOB_H
#define FSB_DISK_SETTINGS_JOB_H

#include "disk/drive.h"
#include "disk/settings_state.h"

#define FILE_WRITE_CACHE "write_cache" /* the drive's own, among values */

struct settings_job {
	struct blockdev dev;
	struct disk_info info;
	struct settings_state state;
	struct values start; /* files; the drive's cache once it was asked for */
};

/*
 * Finds the disk, takes its lock (unless dry) and makes of a change that was cut off
 * saved values.  force: the disk may be another one than those are of, if that cannot be told.
 * Returns 0, or -1 with *error; job_end() in either case.
 */
int job_begin(struct settings_job *job, const struct disk *disk, bool dry, bool force,
	      struct settings_error *error);
void job_end(struct settings_job *job);

/* Sets *error for a failure of the disk of the job; returns -1. */
int job_fail(const struct settings_job *job, struct settings_error *error, const char *hint,
	     const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Asks the drive: "on", "off".  0, or -1 with *error. */
int job_ask_drive(const struct settings_job *job, char text[SETTING_VALUE_MAX],
		  struct settings_error *error);

/*
 * One value as it is now; the drive's cache too.  "" when there is no such value (any more).  0, or
 * -1 with *error and "" when it cannot be told.
 */
int job_value(const struct settings_job *job, const char *name, char text[SETTING_VALUE_MAX],
	      struct settings_error *error);

/* After a change of the drive's cache, even one that failed: settings_cache_changed(). */
void job_tell_cache(const struct settings_job *job);

/* Notes all that differs from before as changed by setting. */
int job_note_changes(struct settings_job *job, const struct values *before, enum setting setting,
		     const char *to);

/*
 * Writes values and reads them back, cache first, then the other settings in their
 * order, then files.  A kernel's view must be among them if the drive's cache is.
 * Returns 0, or -1 with *error.
 */
int job_put(const struct settings_job *job, const struct values *values,
	    struct settings_error *error);

/* --- settings_mount.c: the barrier of a filesystem; "mount sda1" is its name --- */

bool is_mount_name(const char *name);
/* "barrier", "nobarrier"; "" when it is not mounted, or has none.  0, or -1 with *error and "". */
int job_mount_value(const struct settings_job *job, const char *name, char text[SETTING_VALUE_MAX],
		    struct settings_error *error);
/* Remounts it unless that is what it is.  0, or -1 with *error. */
int job_put_mount(const struct settings_job *job, const char *name, const char *text,
		  struct settings_error *error);

/* What is not allowed.  0, or -1 with *error. */
int settings_check(const struct settings_job *job, const struct settings_request *request,
		   const struct settings *is, struct settings_error *error);

#endif /* FSB_DISK_SETTINGS_JOB_H */
