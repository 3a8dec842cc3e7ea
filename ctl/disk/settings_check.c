// SPDX-License-Identifier: GPL-2.0-or-later
/* settings_check: what is refused, and why; see settings_job.h. */
#include "disk/settings_job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "disk/kfile.h"
#include "disk/mounts.h"
#include "message.h"

static int refuse(const struct settings_job *job, struct settings_error *error, const char *hint,
		  const char *reason)
{
	return settings_fail(error, SETTINGS_REFUSED, job->dev.name, hint, "%s", reason);
}

/* A swap area has no mount and needs no flush, but its partition is in use. */
static bool is_swap(const char *name)
{
	char text[4096], word[64 + DISK_NAME_MAX];

	if (kfile_read(text, sizeof(text), "/proc/swaps"))
		return false;
	snprintf(word, sizeof(word), "\n/dev/%s ", name);
	return strstr(text, word);
}

/* Mounted, part of dm or md, a swap area, or claimed by somebody all the same. */
static bool is_in_use(const char *name, const char *dir, const struct mounts *mounts, char *how,
		      size_t size)
{
	char path[PATH_MAX], safe[200], **names;
	int nr = kfile_names(&names, "%s/holders", dir), fd;
	bool used = nr > 0;

	if (nr > 0)
		snprintf(how, size, "%s is part of %s", name, names[0]);
	kfile_names_free(names, nr > 0 ? nr : 0);
	for (size_t i = 0; i < mounts->nr && !used; i++) {
		used = !strcmp(mounts->mount[i].source, name);
		if (used)
			snprintf(how, size, "%s is mounted on %s", name,
				 message_printable(safe, sizeof(safe), mounts->mount[i].target));
	}
	if (!used && is_swap(name)) {
		used = true;
		snprintf(how, size, "%s is a swap area", name);
	}
	if (used || kfile_path(path, sizeof(path), "/dev/%s", name))
		return used;
	fd = open(path, O_RDONLY | O_EXCL | O_NONBLOCK | O_CLOEXEC);
	used = fd < 0 && errno == EBUSY;
	if (used)
		snprintf(how, size, "%s is in use", name);
	if (fd >= 0)
		close(fd);
	return used;
}

/* A partition was named: every other user of the disk would be given the settings too. */
static int check_partitions(const struct settings_job *job, const char *partition,
			    const struct mounts *mounts, struct settings_error *error)
{
	char **names, dir[PATH_MAX + 256], how[400], reason[600];
	int nr = kfile_names(&names, "%s", job->dev.dir), ret = 0;

	for (int i = 0; i < nr && !ret; i++) {
		if (!strcmp(names[i], partition) ||
		    !kfile_exists("%s/%s/partition", job->dev.dir, names[i]))
			continue;
		snprintf(dir, sizeof(dir), "%s/%s", job->dev.dir, names[i]);
		if (!is_in_use(names[i], dir, mounts, how, sizeof(how)))
			continue;
		snprintf(reason, sizeof(reason), "settings are the whole disk's, and %s", how);
		ret = refuse(job, error, "name the whole disk if that is meant", reason);
	}
	kfile_names_free(names, nr > 0 ? nr : 0);
	return ret;
}

/* The cache of an NVMe controller is that of all its namespaces. */
static int check_namespaces(const struct settings_job *job, struct settings_error *error)
{
	unsigned int controller, namespace;
	char **names, reason[200];
	int nr, ret = 0, used;

	if (strcmp(job->info.transport, "nvme"))
		return 0;
	nr = kfile_names(&names, "%s/device", job->dev.dir);
	for (int i = 0; i < nr && !ret; i++) {
		used = 0;
		if (sscanf(names[i], "nvme%un%u%n", &controller, &namespace, &used) != 2 ||
		    names[i][used] || !strcmp(names[i], job->dev.name))
			continue;
		snprintf(reason, sizeof(reason),
			 "its write cache is the controller's, and %.64s is on it too", names[i]);
		ret = refuse(job, error, "--unsafe changes it for both", reason);
	}
	kfile_names_free(names, nr > 0 ? nr : 0);
	return ret;
}

/* Whether the drive will cache while the kernel sends it no flush; unknown counts as caching. */
static bool will_lose_writes(const struct settings *wanted, const struct settings *is)
{
	const char *drive = *wanted->value[SETTING_WRITE_CACHE] ? wanted->value[SETTING_WRITE_CACHE]
								: is->value[SETTING_WRITE_CACHE];

	return !strcmp(wanted->value[SETTING_WRITE_CACHE_KERNEL], "write through") &&
	       strcmp(drive, "off");
}

static int check_flushes(const struct settings_job *job, const struct settings_request *request,
			 const struct settings *is, const struct mounts *mounts,
			 struct settings_error *error)
{
	char reason[600], safe[200];

	if (!will_lose_writes(&request->wanted, is) || !mounts->nr)
		return 0;
	snprintf(reason, sizeof(reason),
		 "its cache is %s and no flush would reach it: a power cut could destroy %s",
		 *is->value[SETTING_WRITE_CACHE] ? "on" : "perhaps on",
		 message_printable(safe, sizeof(safe), mounts->mount[0].target));
	return refuse(job, error, "add write_cache=off, or --unsafe if the data may be lost",
		      reason);
}

static int check_has(const struct settings_job *job, const struct settings *wanted,
		     const struct settings *is, struct settings_error *error)
{
	static const char *const missing[SETTINGS] = {
		[SETTING_WRITE_CACHE_KERNEL] = "this device has no cache setting in the kernel",
		[SETTING_NCQ] =
			"ncq is for SATA, SAS and SCSI disks: this one has no device/queue_depth",
		[SETTING_SCHEDULER] = "this device takes no scheduler",
		[SETTING_NR_REQUESTS] = "this device has no nr_requests",
	};

	for (int i = SETTING_WRITE_CACHE_KERNEL; i < SETTINGS; i++)
		if (*wanted->value[i] && !*is->value[i])
			return refuse(job, error, "", missing[i]);
	return 0;
}

int settings_check(const struct settings_job *job, const struct settings_request *request,
		   const struct settings *is, struct settings_error *error)
{
	struct mounts mounts;
	int ret;

	if (job->state.restoring)
		return refuse(job, error, "fsbctl restore completes it",
			      "putting its settings back was interrupted");
	if (check_has(job, &request->wanted, is, error))
		return -1;
	if (*request->wanted.value[SETTING_WRITE_CACHE] && !request->unsafe &&
	    check_namespaces(job, error))
		return -1;
	if (mounts_of_disk(&job->info.disk, &mounts)) {
		ret = settings_fail(error, SETTINGS_REFUSED, job->dev.name, "",
				    "what is mounted on it cannot be told: %s", mounts.unknown);
		goto out;
	}
	ret = *request->target.partition
		      ? check_partitions(job, request->target.partition, &mounts, error)
		      : 0;
	if (!ret && !request->unsafe)
		ret = check_flushes(job, request, is, &mounts, error);
out:
	mounts_free(&mounts);
	return ret;
}
