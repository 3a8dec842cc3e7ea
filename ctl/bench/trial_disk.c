// SPDX-License-Identifier: GPL-2.0-or-later
/* trial_disk: settings, filesystem, mount, rest, cold cache; see trial.h. */
#include "bench/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/interrupt.h"
#include "bench/quiet.h"

/* Longest wait for a disk that is to come to rest: before a trial, and for its last requests. */
#define REST_AT_MOST_S	   30
#define REQUESTS_AT_MOST_S 2
#define REQUESTS_S	   0.1

static int from_settings_error(struct trouble *trouble, const struct settings_error *error)
{
	return trouble_set(trouble, TROUBLE_FAILED, error->object, error->hint, "%s",
			   error->reason);
}

int trial_restore(struct trial_bench *bench, struct trouble *trouble)
{
	const struct settings_restore_options options = {.force = false};
	const struct disk *disk = &bench->target->device.disk;
	struct settings_result result;
	struct settings_error error;
	size_t i;
	int ret = 0;

	if (!settings_any(&bench->set))
		return 0;
	if (settings_restore(disk, &options, &result, &error))
		ret = from_settings_error(trouble, &error);
	for (i = 0; i < result.nr_returned && !ret; i++)
		if (result.returned[i].fate == SETTINGS_KEPT)
			ret = trouble_set(trouble, TROUBLE_FAILED, disk->name,
					  "fsbctl restore --force puts it back all the same",
					  "%s is %s now, somebody has changed it since: left alone",
					  result.returned[i].name, result.returned[i].found);
	settings_result_free(&result);
	if (!ret)
		memset(&bench->set, 0, sizeof(bench->set));
	return ret;
}

/* From how the disk was before the first trial to how this one wants it. */
static int change_settings(struct attempt *attempt)
{
	struct trial_bench *bench = attempt->bench;
	struct settings_request request = {.target = bench->target->device,
					   .wanted = attempt->cell->settings};
	struct settings_result result;
	struct settings_error error;
	struct trouble trouble;
	int ret;

	if (trial_restore(bench, &trouble))
		return attempt_mark(attempt, TRIAL_FAILED, "settings: %s", trouble.reason);
	if (!settings_any(&attempt->cell->settings))
		return 0;
	ret = settings_apply(&request, &result, &error);
	settings_result_free(&result);
	if (ret)
		return attempt_mark(attempt, TRIAL_FAILED, "settings: %s", error.reason);
	bench->set = attempt->cell->settings;
	return 0;
}

int attempt_set(struct attempt *attempt)
{
	attempt_step(attempt, STEP_SET);
	if (!attempt_has_disk(attempt) ||
	    settings_same(&attempt->bench->set, &attempt->cell->settings))
		return 0;
	return change_settings(attempt);
}

static bool go_on(void *arg)
{
	progress_tick(arg, NULL);
	return !interrupt_count();
}

static int prepare_device(struct attempt *attempt, struct trouble *trouble)
{
	const struct target *target = attempt->bench->target;

	switch (attempt->cell->configuration->preparation) {
	case PREPARATION_TRIM:
		return target_trim(target, trouble);
	case PREPARATION_FILL:
		return target_fill(target, go_on, attempt->bench->progress, trouble);
	default:
		return 0;
	}
}

int attempt_make(struct attempt *attempt)
{
	struct trial_bench *bench = attempt->bench;
	const struct configuration *configuration = attempt->cell->configuration;
	const struct target *target = bench->target;
	struct trouble trouble;

	if (!attempt_has_disk(attempt) ||
	    (bench->plan->matrix.keep_fs && bench->made == configuration))
		return 0;
	bench->made = NULL;
	attempt_step(attempt, STEP_PREPARATION);
	if (target_recheck(target, &trouble) || prepare_device(attempt, &trouble))
		return attempt_mark(attempt, TRIAL_FAILED, "%s", trouble.reason);
	attempt_step(attempt, STEP_MKFS);
	if (target_recheck(target, &trouble) ||
	    filesystem_make(attempt->cell->fs, target->node, target_make_bytes(target),
			    configuration->mkfs, &attempt->trial->mkfs_output, &trouble) ||
	    target_is_held(target, &trouble))
		return attempt_mark(attempt, TRIAL_FAILED, "mkfs: %s", trouble.reason);
	bench->made = configuration;
	return interrupt_count() ? -1 : 0;
}

/* Mounts it, and sees whether it took the options. */
static int mount_it(struct attempt *attempt)
{
	const struct cell *cell = attempt->cell;
	const char *at = attempt->bench->leftover.at;
	const char *node = attempt_has_disk(attempt) ? attempt->bench->target->node
						     : cell->fs->name;
	struct filesystem_verdict verdict;
	struct trouble trouble;

	if (filesystem_mount(cell->fs, node, cell->mount.options, at, &trouble))
		return attempt_mark(attempt, TRIAL_FAILED, "mount: %s", trouble.reason);
	attempt->mounted = true;
	free(attempt->options);
	attempt->options = filesystem_effective(at);
	if (!attempt->options)
		return attempt_mark(attempt, TRIAL_FAILED, "its mount options cannot be told");
	if (!filesystem_options_hold(cell->fs, cell->mount.options, attempt->options, &verdict))
		return attempt_mark(attempt, TRIAL_FAILED, "mount options that it did not take: %s",
				    verdict.difference);
	if (*verdict.unverified)
		snprintf(attempt->note, sizeof(attempt->note),
			 "mount options that the kernel accepted and does not show: %s",
			 verdict.unverified);
	return 0;
}

int attempt_mount(struct attempt *attempt)
{
	attempt_step(attempt, STEP_MOUNT);
	if (mount_it(attempt))
		return -1;
	snprintf(attempt->dir, sizeof(attempt->dir), "%s/w", attempt->bench->leftover.at);
	if (mkdir(attempt->dir, 0755) && errno != EEXIST)
		return attempt_mark(attempt, TRIAL_FAILED, "%s: %s", attempt->dir, strerror(errno));
	return interrupt_count() ? -1 : 0;
}

static void tick(void *arg)
{
	progress_tick(arg, NULL);
}

int attempt_settle(struct attempt *attempt)
{
	struct quiet quiet = {.seconds = attempt->bench->settle_s,
			      .at_most = REST_AT_MOST_S,
			      .span = attempt->bench->span,
			      .tick = tick,
			      .arg = attempt->bench->progress};
	const struct disk *disk = &attempt->bench->target->device.disk;

	if (!attempt_has_disk(attempt))
		return 0;
	attempt_step(attempt, STEP_SETTLE);
	switch (quiet_wait(&quiet, disk)) {
	case QUIET_REACHED:
		return 0;
	case QUIET_NEVER:
		(void)attempt_mark(attempt, TRIAL_NOISY,
				   "%s had no rest for %d s: %.1f MB read, %.1f MB written",
				   disk->name, REST_AT_MOST_S, (double)quiet.read_bytes / 1e6,
				   (double)quiet.write_bytes / 1e6);
		return 0;
	case QUIET_NO_DISK:
		return attempt_mark(attempt, TRIAL_FAILED, "%s is no longer there", disk->name);
	case QUIET_SILENT:
		return attempt_mark(attempt, TRIAL_FAILED,
				    "queue/iostats of %s is off: whether it is idle is not known",
				    disk->name);
	default:
		return -1;
	}
}

/* Of what is clean only: sync comes first. */
static int drop_caches(void)
{
	int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC), saved;
	ssize_t put;

	if (fd < 0)
		return -1;
	put = write(fd, "3", 1);
	saved = errno;
	close(fd);
	errno = saved;
	return put == 1 ? 0 : -1;
}

int attempt_cold(struct attempt *attempt)
{
	struct trial_bench *bench = attempt->bench;
	struct quiet quiet = {
		.seconds = REQUESTS_S, .at_most = REQUESTS_AT_MOST_S, .span = bench->span};
	struct trouble trouble;

	/* What lies on no disk would be gone. */
	if (!attempt_has_disk(attempt) || attempt->cell->configuration->cache == CACHE_WARM)
		return 0;
	attempt_step(attempt, STEP_COLD);
	sync();
	if (filesystem_unmount(bench->leftover.at, &trouble))
		return attempt_mark(attempt, TRIAL_FAILED, "cold cache: %s", trouble.reason);
	attempt->mounted = false;
	if (mount_it(attempt))
		return -1;
	if (drop_caches())
		(void)attempt_mark(attempt, TRIAL_INVALID, "the caches could not be dropped: %s",
				   strerror(errno));
	return quiet_wait(&quiet, &bench->target->device.disk) == QUIET_INTERRUPTED ? -1 : 0;
}
