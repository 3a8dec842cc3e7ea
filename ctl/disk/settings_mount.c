// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * settings_mount: the barrier of a mounted filesystem, saved and put back beside its disk's
 * settings; see settings.h and settings_job.h.
 *
 * It takes one of two values, so what is saved before it is changed holds whether or not
 * it came to that, and nothing is ever pending.
 */
#include "disk/settings_job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "disk/mounts.h"
#include "disk/remount.h"

#define PREFIX "mount "

bool is_mount_name(const char *name)
{
	return !strncmp(name, PREFIX, strlen(PREFIX));
}

/* The filesystem on that device; NULL when none is mounted any more. */
static const struct mount *find(const struct mounts *mounts, const char *name)
{
	for (size_t i = 0; i < mounts->nr; i++)
		if (!strcmp(mounts->mount[i].source, name + strlen(PREFIX)))
			return &mounts->mount[i];
	return NULL;
}

int job_mount_value(const struct settings_job *job, const char *name, char text[SETTING_VALUE_MAX],
		    struct settings_error *error)
{
	const struct mount *mount;
	struct mounts mounts;
	int ret = 0;

	text[0] = '\0';
	if (mounts_of_disk(&job->info.disk, &mounts)) {
		ret = job_fail(job, error, "", "what is mounted on it cannot be told: %s",
			       mounts.unknown);
	} else {
		mount = find(&mounts, name);
		snprintf(text, SETTING_VALUE_MAX, "%s",
			 mount ? mount_barrier(mount->fstype, mount->options) : "");
	}
	mounts_free(&mounts);
	return ret;
}

int job_put_mount(const struct settings_job *job, const char *name, const char *text,
		  struct settings_error *error)
{
	char is[SETTING_VALUE_MAX], why[256] = "it is not mounted";
	const struct mount *mount = NULL;
	struct mounts mounts;
	int ret = -1;

	if (job_mount_value(job, name, is, error))
		return -1;
	if (!strcmp(is, text))
		return 0;
	if (!mounts_of_disk(&job->info.disk, &mounts))
		mount = find(&mounts, name);
	if (mount)
		ret = remount_with(mount->target, text, why, sizeof(why));
	mounts_free(&mounts);
	if (ret)
		return job_fail(job, error, "", "%s cannot be made %s: %s", name, text, why);
	if (job_mount_value(job, name, is, error))
		return -1;
	if (!strcmp(is, text))
		return 0;
	return job_fail(job, error, "", "the kernel made %s of %s=%s", *is ? is : "nothing", name,
			text);
}

static int change(struct settings_job *job, const char *name, const char *to,
		  struct settings_error *error)
{
	struct settings_error later;
	char is[SETTING_VALUE_MAX];
	int ret;

	if (job_mount_value(job, name, is, error))
		return -1;
	if (!*is)
		return job_fail(job, error, "", "%s has no barrier that can be switched", name);
	if (state_note(&job->state, name, is, to, SETTINGS))
		return job_fail(job, error, "", "%s", strerror(ENOMEM));
	ret = state_store(&job->state, error);
	if (ret)
		return ret;
	ret = job_put_mount(job, name, to, error);
	/* What did not take is not waiting to be put back. */
	if (ret && !state_note(&job->state, name, to, is, SETTINGS))
		(void)state_store(&job->state, &later);
	return ret;
}

int settings_remount(const struct disk *disk, const char *source, const char *to,
		     struct settings_error *error)
{
	char name[SETTING_NAME_MAX];
	struct settings_job job;
	int ret = job_begin(&job, disk, false, false, error);

	snprintf(name, sizeof(name), PREFIX "%.50s", source);
	if (!ret)
		ret = change(&job, name, to, error);
	job_end(&job);
	return ret;
}
