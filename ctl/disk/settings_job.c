// SPDX-License-Identifier: GPL-2.0-or-later
/* settings_job: see settings_job.h. */
#include "disk/settings_job.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "disk/kfile.h"

void (*settings_cache_changed)(const struct disk *disk, enum tristate is);

int job_fail(const struct settings_job *job, struct settings_error *error, const char *hint,
	     const char *format, ...)
{
	char reason[sizeof(error->reason)];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	return settings_fail(error, SETTINGS_FAILED, job->dev.name, hint, "%s", reason);
}

int job_ask_drive(const struct settings_job *job, char text[SETTING_VALUE_MAX],
		  struct settings_error *error)
{
	struct drive drive;
	bool on = false;
	int ret;

	text[0] = '\0';
	ret = drive_open(&drive, &job->dev, job->info.transport);
	if (!ret)
		ret = drive.ops->get(&drive, &on);
	if (ret)
		settings_fail(error, drive.ops ? SETTINGS_FAILED : SETTINGS_REFUSED, job->dev.name,
			      geteuid() ? "changing settings needs root" : "",
			      "its write cache cannot be told: %s", drive.reason);
	else
		strcpy(text, on ? "on" : "off");
	drive_close(&drive);
	return ret;
}

int job_value(const struct settings_job *job, const char *name, char text[SETTING_VALUE_MAX],
	      struct settings_error *error)
{
	if (!strcmp(name, FILE_WRITE_CACHE))
		return job_ask_drive(job, text, error);
	if (is_mount_name(name))
		return job_mount_value(job, name, text, error);
	/* A scheduler takes its tunables along. */
	if (value_read(&job->dev, name, text) && errno != ENOENT)
		return job_fail(job, error, "", "%s cannot be read: %s", name, strerror(errno));
	return 0;
}

void job_tell_cache(const struct settings_job *job)
{
	struct settings_error ignored;
	char is[SETTING_VALUE_MAX];

	if (!settings_cache_changed)
		return;
	(void)job_value(job, FILE_WRITE_CACHE, is, &ignored);
	settings_cache_changed(&job->info.disk, !strcmp(is, "on")    ? ON
						: !strcmp(is, "off") ? OFF
								     : UNKNOWN);
}

int job_note_changes(struct settings_job *job, const struct values *before, enum setting setting,
		     const char *to)
{
	struct settings_error ignored;
	char now[SETTING_VALUE_MAX];

	for (size_t i = 0; i < before->nr; i++) {
		const struct value *value = &before->item[i];

		/* What cannot be told may have changed. */
		(void)job_value(job, value->name, now, &ignored);
		/*
		 * The setting itself takes one of two values; another one is somebody
		 * else's, which what we had set is not to be mistaken for.
		 */
		if (!strcmp(value->name, settings_name(setting)) && strcmp(now, value->text))
			strcpy(now, to);
		if (strcmp(now, value->text) &&
		    state_note(&job->state, value->name, value->text, now, setting))
			return -1;
	}
	return 0;
}

/* Whether the old values are this disk's: others may call themselves the same. */
static int check_identity(struct settings_job *job, bool force, struct settings_error *error)
{
	struct settings_state *state = &job->state;
	char perhaps[DISK_NAME_MAX], hint[200];
	const char *name = job->dev.name;
	struct disk its;
	bool known;

	if (!state->nr && !state->pending)
		return 0;
	known = !state_disk(state, &its, perhaps);
	if (known && !disk_same(&its, &job->info.disk)) {
		snprintf(hint, sizeof(hint), "fsbctl restore %s puts them back", its.name);
		return settings_fail(error, SETTINGS_REFUSED, name, hint,
				     "%s has the same identity (%s), and old values of %s are saved",
				     its.name, state->key, its.name);
	}
	if (!known && !force) {
		snprintf(hint, sizeof(hint),
			 "fsbctl restore --force %s puts them back on this one,\n"
			 "fsbctl restore --forget %s drops them", name, name);
		return settings_fail(error, SETTINGS_REFUSED, name, hint,
				     "it may not be the disk whose old values are saved: that one"
				     " has the same identity (%s), %lld bytes and the port %s",
				     state->key, state->place.size, state->place.port);
	}
	disk_place(&job->info, &state->place);
	return 0;
}

/* What a machine that has booted since has forgotten need not be put back. */
static bool drop_other_boot(struct settings_state *state)
{
	char boot[sizeof(state->boot)];
	size_t kept = 0;

	if (kfile_read(boot, sizeof(boot), "/proc/sys/kernel/random/boot_id") ||
	    !strcmp(boot, state->boot))
		return false;
	for (size_t i = 0; i < state->nr; i++)
		if (!strcmp(state->saved[i].name, FILE_WRITE_CACHE))
			state->saved[kept++] = state->saved[i];
	state->nr = kept;
	if (state->pending_setting != SETTING_WRITE_CACHE)
		state->pending = false;
	strcpy(state->boot, boot);
	return true;
}

/* Cut off after the drive was changed and before the kernel had looked at it again. */
static void let_kernel_look(const struct settings_job *job)
{
	struct drive drive;

	/* Where that fails, reading back will tell; the flush is settings_put.c's last step. */
	if (!drive_open(&drive, &job->dev, job->info.transport) && drive.ops->kernel_rereads &&
	    !drive_rescan(&drive))
		(void)drive_flush(&drive);
	drive_close(&drive);
}

/* Makes of a change that was cut off saved values.  0, or -1 with *error. */
static int recover(struct settings_job *job, bool dry, struct settings_error *error)
{
	struct settings_state *state = &job->state;
	bool changed = drop_other_boot(state) || state->pending;

	if (state->pending && state->pending_setting == SETTING_WRITE_CACHE && !dry)
		let_kernel_look(job);
	if (state->pending &&
	    job_note_changes(job, &state->before, state->pending_setting, state->pending_to))
		return job_fail(job, error, "", "%s", strerror(ENOMEM));
	state->pending = false;
	return changed && !dry ? state_store(state, error) : 0;
}

int job_begin(struct settings_job *job, const struct disk *disk, bool dry, bool force,
	      struct settings_error *error)
{
	memset(job, 0, sizeof(*job));
	job->state.lock = -1;
	if (blockdev_by_number(&job->dev, disk->major, disk->minor) ||
	    disk_describe(disk, &job->info))
		return settings_fail(error, SETTINGS_FAILED, disk->name, "",
				     "the disk is no longer there");
	if (state_open(&job->state, &job->info, !dry, error) || check_identity(job, force, error))
		return -1;
	if (recover(job, dry, error))
		return -1;
	if (values_read(&job->dev, &job->start))
		return job_fail(job, error, "", "%s", strerror(errno));
	return 0;
}

void job_end(struct settings_job *job)
{
	values_free(&job->start);
	state_close(&job->state);
}
