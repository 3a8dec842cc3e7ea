// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * store_hold: which runs are at work, by a lock on one byte of the store for each of them.  The
 * kernel drops it with the process, kill -9 included, so a run that is stored as running and is not
 * locked was interrupted.  The lock belongs to an open file description (OFD): a lock of the
 * process would be lost with any descriptor of the file, and is what SQLite uses itself, so the
 * descriptor here is closed after SQLite's own.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "bench/store_private.h"

/* Beyond whatever SQLite locks, and any file's end: its pages end at 2^48. */
#define FIRST_BYTE ((int64_t)1 << 60)
#define RUN_MAX	   ((int64_t)1 << 60)

static struct flock lock_of(int64_t run)
{
	return (struct flock){.l_type = F_WRLCK,
			      .l_whence = SEEK_SET,
			      .l_start = FIRST_BYTE + run,
			      .l_len = 1};
}

static bool has_byte(const struct store *store, int64_t run)
{
	return store->hold >= 0 && run > 0 && run < RUN_MAX;
}

void store_hold_open(struct store *store)
{
	store->hold = open(store->path, O_RDWR | O_CLOEXEC);
	if (store->hold < 0)
		store->hold = open(store->path, O_RDONLY | O_CLOEXEC);
}

void store_hold_close(struct store *store)
{
	if (store->hold >= 0)
		close(store->hold);
	store->hold = -1;
}

int store_busy(const char *name, struct trouble *trouble)
{
	return trouble_set(trouble, TROUBLE_REFUSED, name, "",
			   "the run is in progress in another process");
}

int store_run_hold(struct store *store, int64_t run, const char *name, struct trouble *trouble)
{
	struct flock lock = lock_of(run);

	/* A filesystem without locks: then nothing tells whether a run is at work. */
	if (!has_byte(store, run) || !fcntl(store->hold, F_OFD_SETLK, &lock) ||
	    (errno != EAGAIN && errno != EACCES))
		return 0;
	return store_busy(name, trouble);
}

void store_run_let_go(struct store *store, int64_t run)
{
	struct flock lock = lock_of(run);

	lock.l_type = F_UNLCK;
	if (has_byte(store, run))
		(void)fcntl(store->hold, F_OFD_SETLK, &lock);
}

enum store_activity store_run_activity(const struct store *store, const struct store_run *run)
{
	struct flock lock = lock_of(run->id);

	if (strcmp(run->state, "running"))
		return STORE_ENDED;
	/* The store it is at work in is another one. */
	if (!strcmp(run->origin, STORE_IMPORTED))
		return STORE_INTERRUPTED;
	if (!has_byte(store, run->id) || fcntl(store->hold, F_OFD_GETLK, &lock))
		return STORE_UNKNOWN;
	return lock.l_type == F_UNLCK ? STORE_INTERRUPTED : STORE_RUNNING;
}

const char *store_state_name(const struct store_run *run)
{
	switch (run->activity) {
	case STORE_RUNNING:
		return "running";
	case STORE_INTERRUPTED:
		return "interrupted";
	case STORE_UNKNOWN:
		return "unknown";
	case STORE_ENDED:
		break;
	}
	return run->state;
}
