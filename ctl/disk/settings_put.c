// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * settings_put: writes values and reads them back; see settings_job.h.
 *
 * While a drive caches and the kernel sends it no flush, what it acknowledges can be
 * lost.  So a cache is turned off in the drive first, and turned on in the kernel's
 * view first.  A kernel that does not let its view say "write back" over a drive
 * without cache (6.1.39 and later, 6.4 and later) learns of the cache only after it is on; then one
 * flush at the end makes safe what was acknowledged in between.
 */
#include "disk/settings_job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "disk/kfile.h"

#define VIEW_PAUSE_NS 20000000L
#define VIEW_TRIES    100
#define VIEW_STEADY   10 /* libata has sd look again from a work item of its own */

static const char *view_name(void)
{
	return settings_name(SETTING_WRITE_CACHE_KERNEL);
}

static bool view_is(const struct settings_job *job, const char *want)
{
	char text[SETTING_VALUE_MAX];

	return !value_read(&job->dev, view_name(), text) && !strcmp(text, want);
}

/*
 * Written only where it differs: since 6.11 "write through" is more than it says, it
 * would outlast the drive's cache being turned on.
 */
static int put_view(const struct settings_job *job, const char *want, int steady,
		    struct settings_error *error)
{
	const struct timespec pause = {0, VIEW_PAUSE_NS};
	int held = 0, saved = 0;

	for (int i = 0; i < VIEW_TRIES; i++) {
		if (view_is(job, want)) {
			if (held++ >= steady)
				return 0;
		} else {
			held = 0;
			if (value_write(&job->dev, view_name(), want)) {
				saved = errno;
				break;
			}
			if (!steady)
				return view_is(job, want) ? 0
							  : job_fail(job, error, "",
								     "the kernel took"
								     " write_cache_kernel=\"%s\" "
								     "and did not keep it",
								     want);
			continue;
		}
		nanosleep(&pause, NULL);
	}
	return job_fail(job, error,
			saved == EINVAL ? "it sends flushes only to a disk that has a cache" : "",
			"write_cache_kernel cannot be made \"%s\": %s", want,
			saved ? strerror(saved) : "it does not stay so");
}

/* sd's own note of the drive's cache, "" for disks that are not sd's. */
static void read_cache_type(const struct settings_job *job, char *type, size_t size)
{
	char **names;
	int nr = kfile_names(&names, "%s/device/scsi_disk", job->dev.dir);

	*type = '\0';
	if (nr > 0)
		(void)kfile_read(type, size, "%s/device/scsi_disk/%s/cache_type", job->dev.dir,
				 names[0]);
	kfile_names_free(names, nr > 0 ? nr : 0);
}

static int check_drive(const struct settings_job *job, const char *want,
		       struct settings_error *error)
{
	char is[SETTING_VALUE_MAX], type[64];
	bool sd_on;

	if (job_ask_drive(job, is, error))
		return -1;
	if (strcmp(is, want))
		return job_fail(job, error, "", "the drive took write_cache=%s and its cache is %s",
				want, is);
	read_cache_type(job, type, sizeof(type));
	sd_on = !strncmp(type, "write back", 10);
	if (*type && sd_on != !strcmp(want, "on"))
		return job_fail(job, error,
				"somebody wrote \"temporary ...\" to its cache_type, which is in\n"
				"force until a plain value is written there",
				"the drive's cache is %s and the kernel's cache_type says \"%s\"",
				want, type);
	return 0;
}

static int set_drive(const struct settings_job *job, struct drive *drive, bool on,
		     struct settings_error *error)
{
	if (drive->ops->set(drive, on))
		return job_fail(job, error, "", "%s cannot make write_cache=%s: %s",
				drive->ops->command, on ? "on" : "off", drive->reason);
	if (drive->ops->kernel_rereads && drive_rescan(drive))
		return job_fail(job, error, "", "the kernel does not look at the drive again: %s",
				drive->reason);
	return 0;
}

static int put_cache(const struct settings_job *job, const char *drive_to, const char *view_to,
		     struct settings_error *error)
{
	bool on = !strcmp(drive_to, "on"), viewed = false;
	struct drive drive;
	int ret;

	if (drive_open(&drive, &job->dev, job->info.transport)) {
		ret = job_fail(job, error, "", "%s", drive.reason);
		goto out;
	}
	if (on) {
		/* Refused by some kernels; what came of it is looked at. */
		(void)value_write(&job->dev, view_name(), "write back");
		viewed = view_is(job, "write back");
	}
	ret = set_drive(job, &drive, on, error);
	if (!ret)
		ret = check_drive(job, drive_to, error);
	if (!ret)
		ret = put_view(job, view_to, drive.ops->kernel_rereads ? VIEW_STEADY : 0, error);
	if (!ret && on && !viewed && drive_flush(&drive))
		ret = job_fail(job, error, "", "%s", drive.reason);
out:
	drive_close(&drive);
	return ret;
}

static int put_file(const struct settings_job *job, const char *name, const char *text,
		    struct settings_error *error)
{
	char is[SETTING_VALUE_MAX], list[SETTING_VALUE_MAX] = "";

	(void)value_read(&job->dev, name, is);
	if (!strcmp(is, text))
		return 0;
	if (value_write(&job->dev, name, text)) {
		int saved = errno;

		if (!strcmp(name, settings_name(SETTING_SCHEDULER)) && saved == EINVAL &&
		    !kfile_read(list, sizeof(list), "%s/queue/scheduler", job->dev.dir))
			return job_fail(job, error, "", "no scheduler %s here; there are: %s", text,
					list);
		return job_fail(job, error, saved == EACCES ? "changing settings needs root" : "",
				"the kernel refused %s=%s: %s", name, text, strerror(saved));
	}
	if (value_read(&job->dev, name, is) || strcmp(is, text))
		return job_fail(job, error, "", "the kernel made %s of %s=%s", is, name, text);
	return 0;
}

static int put_mounts(const struct settings_job *job, const struct values *values,
		      struct settings_error *error)
{
	int ret = 0;

	for (size_t i = 0; i < values->nr && !ret; i++)
		if (is_mount_name(values->item[i].name))
			ret = job_put_mount(job, values->item[i].name, values->item[i].text, error);
	return ret;
}

/*
 * Barriers first, the disk is safer with them; one that cannot be had keeps nothing else from
 * being put.  Then the settings in their order, and what they have for side effects.
 */
int job_put(const struct settings_job *job, const struct values *values,
	    struct settings_error *error)
{
	struct settings_error later;
	int mounts = put_mounts(job, values, error);
	const char *drive = values_get(values, FILE_WRITE_CACHE);
	const char *view = values_get(values, view_name());
	int ret = 0;

	if (mounts)
		error = &later;
	if (drive)
		ret = put_cache(job, drive, view ? view : "write back", error);
	else if (view)
		ret = put_view(job, view, 0, error);
	for (int i = SETTING_NCQ; i < SETTINGS && !ret; i++) {
		const char *text = values_get(values, settings_name((enum setting)i));

		if (text)
			ret = put_file(job, settings_name((enum setting)i), text, error);
	}
	for (size_t i = 0; i < values->nr && !ret; i++)
		if (settings_by_name(values->item[i].name) == SETTINGS &&
		    !is_mount_name(values->item[i].name))
			ret = put_file(job, values->item[i].name, values->item[i].text, error);
	return mounts ? mounts : ret;
}
