/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * descendants: the processes below this one, however deep, found in /proc by their parents.
 * While this process adopts orphans none gets away by setsid() or by a parent that ends.
 *
 * What runs already when a command begins is none of its descendants: struct descendants
 * keeps these apart.
 */
#ifndef FSB_RECORD_DESCENDANTS_H
#define FSB_RECORD_DESCENDANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct descendants {
	pid_t *before; /* those that are none of the command's, owned */
	size_t nr;
	pid_t guard; /* of the command: none of them, but what is below it is; 0: none */
};

/* Orphaned descendants become children of this process from now on.  0 or -1 with errno. */
int descendants_adopt(void);

/* Keeps all that are there now apart.  0 or -1 with errno; descendants_free() in either case. */
int descendants_begin(struct descendants *descendants);
void descendants_free(struct descendants *descendants);

/*
 * Sends a signal (0: none) to each that has come since and has not ended; stopped ones continue,
 * so that they hear of it.  How many there are; "NAME (PID), ..." of the first ones in @names.
 */
size_t descendants_signal(const struct descendants *descendants, int signal, char *names,
			  size_t size);

#endif /* FSB_RECORD_DESCENDANTS_H */
