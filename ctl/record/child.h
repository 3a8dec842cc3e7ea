/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * child: a command that is forked and held back until everything is ready, so that
 * nothing but itself lies between the first count and its first instruction.  A guard
 * stands between it and fsbctl, see guard.h.
 */
#ifndef FSB_RECORD_CHILD_H
#define FSB_RECORD_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "record/events.h"

struct child_plan {
	char *const *argv; /* NULL: function is called instead */
	int (*function)(void *arg);
	void *arg;
	/*
	 * Not the user's own command: stdin is /dev/null, stdout goes to stderr, and it
	 * is a process group of its own, which ends as a whole.
	 */
	bool apart;
	const struct events *events; /* to forget in the child; may be NULL */
};

struct child {
	pid_t pid; /* of the guard, which ends as the command does */
	pid_t command; /* and of its group when it is apart */
	int go; /* held until a byte comes */
	int trouble; /* an error number, or its end when exec worked */
	int status; /* of waitpid() once it has ended */
	bool ended;
	bool apart; /* as planned */
};

/* Forks and holds.  0 or -1 with errno. */
int child_hold(struct child *child, const struct child_plan *plan);

/* Lets it go.  0, or the error number exec() failed with (it has ended then). */
int child_release(struct child *child);

/* Gives a held child up. */
void child_drop(struct child *child);

/* Sends a signal, to all of its group when it is apart. */
void child_kill(const struct child *child, int signal);

/* Has it ended?  Does not wait. */
bool child_ended(struct child *child);

/* Waits for all that have ended but this one (NULL: for all): orphans that were adopted. */
void child_reap_others(const struct child *child);

/* Its exit code or -1; the signal that ended it or 0. */
int child_code(const struct child *child);
int child_signal(const struct child *child);

#endif /* FSB_RECORD_CHILD_H */
