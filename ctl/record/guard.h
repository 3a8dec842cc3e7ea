/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guard: a process between fsbctl and a command.  Should fsbctl be killed, it kills the command
 * and all that this has started: they must not go on writing to a disk that is no longer looked
 * after.  Whatever the command leaves without a parent becomes the guard's child, so that none
 * gets away while the command runs; afterwards it becomes a child of fsbctl's, if that adopts.
 *
 * The guard ends as the command does, with its status, so it can be waited for in its place.
 */
#ifndef FSB_RECORD_GUARD_H
#define FSB_RECORD_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Called in a fresh child of @parent; returns 0 in the command's process, which has the signal
 * mask of the caller's and, when it is @apart, a process group of its own.  The guard itself does
 * not return.  Its first words to @tell, an int, are the command's number or a negative error.
 */
int guard_fork(pid_t parent, bool apart, int tell);

#endif /* FSB_RECORD_GUARD_H */
