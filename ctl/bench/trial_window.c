// SPDX-License-Identifier: GPL-2.0-or-later
/* trial_window: the workload and what is counted around it; see trial.h. */
#include "bench/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/interrupt.h"
#include "clock_ns.h"
#include "record/child.h"
#include "suspended.h"

#define TICK_MS 250

static const char *window_to(const struct attempt *attempt)
{
	return attempt->cell->use->workload->window_to;
}

/* ---- writing out what the workload left dirty ---- */

static int sync_child(void *arg)
{
	int fd = open(arg, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 || syncfs(fd) ? 1 : 0;
}

/* Until it has ended; a second signal waits no longer for a disk that may hang. */
static void wait_for(struct attempt *attempt, struct child *child)
{
	struct pollfd ended = {.fd = (int)syscall(__NR_pidfd_open, child->pid, 0),
			       .events = POLLIN};

	while (!child_ended(child) && interrupt_count() < 2) {
		(void)poll(&ended, ended.fd < 0 ? 0 : 1, ended.fd < 0 ? 1 : TICK_MS);
		if (span_is_open(attempt->bench->span))
			span_tick(attempt->bench->span);
		progress_tick(attempt->bench->progress, span_latest(attempt->bench->span));
	}
	if (ended.fd >= 0)
		close(ended.fd);
	if (!child->ended)
		child_kill(child, SIGKILL);
}

/* In a process of its own, so that signals are heard meanwhile. */
static void sync_filesystem(struct attempt *attempt)
{
	struct child_plan plan = {
		.function = sync_child, .arg = attempt->bench->leftover.at, .apart = true};
	uint64_t begin = clock_ns(CLOCK_MONOTONIC);
	struct child child;

	if (attempt->synced || interrupt_count())
		return;
	attempt_step(attempt, STEP_SYNC);
	if (child_hold(&child, &plan) || child_release(&child)) {
		(void)attempt_mark(attempt, TRIAL_INVALID, "sync: %s", strerror(errno));
		return;
	}
	wait_for(attempt, &child);
	attempt->sync_ns = clock_ns(CLOCK_MONOTONIC) - begin;
	attempt->synced = true;
	if (child.ended && child_code(&child) != 0)
		(void)attempt_mark(attempt, TRIAL_FAILED,
				   "what it wrote could not be brought onto the disk");
}

/* ---- the window ---- */

static void begin(void *arg)
{
	struct attempt *attempt = arg;

	if (!attempt_has_disk(attempt))
		return;
	attempt->argv[0] = "sh";
	attempt->argv[1] = "-e";
	attempt->argv[2] = "-c";
	attempt->argv[3] = attempt->cell->use->workload->command;
	if (span_begin(attempt->bench->span, attempt->argv))
		(void)attempt_mark(attempt, TRIAL_INVALID, "the disk could not be counted: %s",
				   span_error(attempt->bench->span));
	else
		attempt->counted = true;
}

static void end(void *arg)
{
	struct attempt *attempt = arg;

	if (!*window_to(attempt))
		sync_filesystem(attempt);
	if (span_is_open(attempt->bench->span) && span_end(attempt->bench->span))
		(void)attempt_mark(attempt, TRIAL_INVALID,
				   "the disk's counters could not be read at the end");
}

static bool tick(void *arg)
{
	struct attempt *attempt = arg;

	span_tick(attempt->bench->span);
	progress_tick(attempt->bench->progress, span_latest(attempt->bench->span));
	return !interrupt_count();
}

static struct workload_hooks hooks_of(struct attempt *attempt)
{
	return (struct workload_hooks){.begin = begin, .end = end, .tick = tick, .arg = attempt};
}

int attempt_prepare(struct attempt *attempt)
{
	const struct workload_use *use = attempt->cell->use;
	const struct workload_hooks hooks = hooks_of(attempt);
	struct trouble trouble;

	attempt_step(attempt, STEP_PREPARE);
	if (workload_prepare(use, attempt->dir, &hooks, &trouble))
		return attempt_mark(attempt, TRIAL_FAILED, "%s", trouble.reason);
	return interrupt_count() ? -1 : 0;
}

/* Not a word about what cannot be told: a loop device has no cache of its own. */
static void read_settings(const struct attempt *attempt, struct settings *is)
{
	struct settings_error ignored;

	(void)settings_read(&attempt->bench->target->device.disk, true, is, &ignored);
}

/* As the trial wants them, or somebody has been there. */
static int check_settings(struct attempt *attempt)
{
	const struct settings *wanted = &attempt->cell->settings;
	int i;

	if (!attempt_has_disk(attempt))
		return 0;
	read_settings(attempt, &attempt->settings);
	for (i = 0; i < SETTINGS; i++)
		if (*wanted->value[i] && strcmp(wanted->value[i], attempt->settings.value[i]))
			return attempt_mark(attempt, TRIAL_INVALID,
					    "%s is %s and not %s: somebody has changed it",
					    settings_name((enum setting)i),
					    attempt->settings.value[i], wanted->value[i]);
	return 0;
}

int attempt_window(struct attempt *attempt)
{
	const struct workload_hooks hooks = hooks_of(attempt);
	struct workload_result *result = &attempt->result;
	struct trouble trouble;
	int err;

	attempt_step(attempt, STEP_COLD);
	if (check_settings(attempt))
		return -1;
	attempt_step(attempt, STEP_RUN);
	asked_bytes_now(&attempt->asked);
	attempt->continued = interrupt_continued();
	attempt->suspended_ns = suspended_ns();
	err = workload_run(attempt->cell->use, attempt->dir, &hooks, result, &trouble);
	/* With marks of its own the workload may have ended without the second one. */
	if (span_is_open(attempt->bench->span))
		(void)span_end(attempt->bench->span);
	if (err)
		return attempt_mark(attempt, TRIAL_FAILED, "%s", trouble.reason);
	if (result->end != WORKLOAD_OK)
		return attempt_mark(attempt, TRIAL_FAILED, "%s", result->reason);
	if (attempt_has_disk(attempt) && !attempt->counted && attempt->trial->state < TRIAL_INVALID)
		return attempt_mark(attempt, TRIAL_INVALID,
				    "the line that begins its window never came");
	sync_filesystem(attempt);
	return interrupt_count() ? -1 : 0;
}

/* ---- what it comes to ---- */

void attempt_compare(struct attempt *attempt)
{
	char *options = filesystem_effective(attempt->bench->leftover.at);
	struct settings now;
	double seconds;
	int i;

	if (!options || strcmp(options, attempt->options))
		(void)attempt_mark(attempt, TRIAL_INVALID, "mount options changed meanwhile: %s",
				   options ? options : "it is no longer mounted");
	free(options);
	if (interrupt_continued() != attempt->continued)
		(void)attempt_mark(attempt, TRIAL_INVALID, "fsbctl was stopped for a while");
	if (suspended_between(attempt->suspended_ns, suspended_ns(), &seconds))
		(void)attempt_mark(attempt, TRIAL_INVALID, "the machine was suspended for %.1f s",
				   seconds);
	if (!attempt_has_disk(attempt))
		return;
	read_settings(attempt, &now);
	for (i = 0; i < SETTINGS; i++)
		if (strcmp(now.value[i], attempt->settings.value[i]))
			(void)attempt_mark(attempt, TRIAL_INVALID, "%s changed meanwhile: %s -> %s",
					   settings_name((enum setting)i),
					   attempt->settings.value[i], now.value[i]);
}

static void find_intruders(struct attempt *attempt)
{
	const struct report_disk *disk = span_report(attempt->bench->span);
	char text[256];
	struct stat node;

	if (stat(attempt->bench->target->node, &node) == 0 &&
	    intruder_found(disk, node.st_rdev, &attempt->bench->leftover, text, sizeof(text)))
		(void)attempt_mark(attempt, TRIAL_NOISY, "%s", text);
}

static void find_cached_reads(struct attempt *attempt)
{
	const struct report_disk *disk = span_report(attempt->bench->span);
	struct asked_bytes now;
	char text[256];

	if (attempt->cell->configuration->cache == CACHE_WARM)
		return;
	asked_bytes_now(&now);
	if (reads_from_memory(&attempt->asked, &now, disk, text, sizeof(text)))
		(void)attempt_mark(attempt, TRIAL_NOISY, "%s", text);
}

void attempt_collect(struct attempt *attempt)
{
	const struct span_command command = {.code = attempt->result.code,
					     .signal = attempt->result.signal,
					     .wall_ns = attempt->result.wall_ns,
					     .synced = attempt->synced && !*window_to(attempt),
					     .sync_ns = attempt->sync_ns};

	if (!attempt->counted)
		return;
	attempt->trial->device = span_document(attempt->bench->span, &command);
	if (!attempt->trial->device)
		(void)attempt_mark(attempt, TRIAL_INVALID, "out of memory for the disk's counts");
	if (attempt->trial->state > TRIAL_NOISY)
		return;
	find_intruders(attempt);
	find_cached_reads(attempt);
}
