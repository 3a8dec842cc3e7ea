// SPDX-License-Identifier: GPL-2.0-or-later
/* phase: commands around the window, and writing out what is dirty within it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "clock_ns.h"
#include "message.h"
#include "record/record.h"

/* Runs a child of our own to its end; 0, or -1 after saying why not. */
static int run_apart(struct recording *rec, const char *object, struct child_plan *plan,
		     struct child *child)
{
	int err;

	plan->apart = true;
	plan->events = &rec->events;
	if (window_hold(rec, child, plan)) {
		message_error(object, strerror(errno), "");
		return -1;
	}
	err = child_release(child);
	if (err) {
		message_error(object, strerror(err), "");
		return -1;
	}
	err = window_wait(rec, child, false) == WAIT_CHILD ? 0 : -1;
	/* What it leaves running otherwise may be meant for the runs. */
	if (rec->signals)
		window_end_rest(rec, false);
	return err;
}

int phase_command(struct recording *rec, const char *option, const char *command)
{
	char *argv[4] = { "/bin/sh", "-c", (char *)command, NULL };
	struct child_plan plan = { .argv = argv };
	struct child child;
	char reason[96];

	if (run_apart(rec, option, &plan, &child))
		return -1;
	if (child_code(&child) == 0)
		return 0;
	if (child_signal(&child))
		snprintf(reason, sizeof(reason), "the command was killed by signal %d (%s)",
			 child_signal(&child), strsignal(child_signal(&child)));
	else
		snprintf(reason, sizeof(reason), "the command ended with status %d",
			 child_code(&child));
	message_error(option, reason, "");
	return -1;
}

/* Mounts are named as the first process sees them, who may have another view than we. */
static int open_mount(const char *target)
{
	char path[PATH_MAX];
	int fd;

	if (snprintf(path, sizeof(path), "/proc/1/root%s", target) >= (int)sizeof(path))
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd >= 0 ? fd : open(target, O_RDONLY | O_CLOEXEC);
}

/* In a process of its own, so that a signal can end the wait for a slow disk. */
static int sync_all(void *arg)
{
	const struct report *report = arg;
	bool any = false;
	size_t i, k;

	for (i = 0; i < report->nr_disks; i++) {
		struct mounts mounts = { .nr = 0 };

		if (mounts_of_disk(&report->disk[i].disk, &mounts) == 0) {
			for (k = 0; k < mounts.nr; k++) {
				int fd = open_mount(mounts.mount[k].target);

				if (fd < 0 || syncfs(fd))
					return 1;
				close(fd);
				any = true;
			}
		}
		mounts_free(&mounts);
	}
	/* Whoever writes to the device itself has no filesystem to sync. */
	if (!any)
		sync();
	return 0;
}

void phase_sync(struct recording *rec)
{
	struct child_plan plan = { .function = sync_all, .arg = &rec->report };
	uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	struct child child;
	size_t i;

	if (run_apart(rec, "--sync", &plan, &child) || child_code(&child) != 0)
		for (i = 0; i < rec->report.nr_disks; i++)
			warnings_add(&rec->report.disk[i].warnings,
				     "--sync did not finish: not everything was written");
	rec->report.sync_ns += clock_ns(CLOCK_MONOTONIC) - begin_ns;
}
