/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * leftover: the mount point of an experiment, and what a killed one leaves behind there.  One
 * experiment a disk: a lock in /run/fsbctl says so, and whoever holds it may end and unmount
 * what an earlier one has left at the disk's mount point.
 */
#ifndef FSB_BENCH_LEFTOVER_H
#define FSB_BENCH_LEFTOVER_H

#include <stdbool.h>

#include "bench/trouble.h"

/* Shorter than fs_mark can take, with a directory below it. */
#define LEFTOVER_PATH_MAX 40

/* The run that has the disk, or had it when it was killed; "": none, or not known. */
struct leftover_owner {
	char run[256];
	char store[512]; /* where it is stored */
};

struct leftover {
	char at[LEFTOVER_PATH_MAX]; /* the mount point */
	int lock; /* -1: none */
	struct leftover_owner before; /* that was killed; filled by leftover_lock() */
};

enum leftover_use {
	LEFTOVER_FREE,
	LEFTOVER_IN_USE,
	LEFTOVER_UNKNOWN, /* only root can tell */
};

/* The mount point of experiments on a disk (its kernel name).  0, or -1 with *trouble. */
int leftover_path(char at[LEFTOVER_PATH_MAX], const char *disk, struct trouble *trouble);
/*
 * Takes the lock of a disk (its kernel name), makes its mount point, and unmounts whatever a
 * killed one has left there, of whichever part of the disk or of memory.  0, or -1 with *trouble:
 * somebody else's experiment is running there.
 */
int leftover_lock(struct leftover *leftover, const char *disk, struct trouble *trouble);
/* Takes the mount point away, and lets go of the lock. */
void leftover_unlock(struct leftover *leftover);

/*
 * Whether a run is in progress on the disk, and which one it is or was; for commands that do not
 * take the lock.
 */
enum leftover_use leftover_look(const char *disk, struct leftover_owner *owner);
/* The same in short: settings that wait to be put back are that run's own. */
bool leftover_is_locked(const char *disk);
/* The words for a disk in use; returns -1. */
int leftover_refuse(const char *disk, const struct leftover_owner *owner, struct trouble *trouble);
/*
 * Notes the run that has the disk from now on, for those that find what it leaves when it is
 * killed; NULL: nothing is left.
 */
void leftover_note(const struct leftover *leftover, const char *run, const char *store);

/*
 * A process belongs to an experiment at this mount point: known by what leftover_lock() has put
 * into its environment.
 */
bool leftover_is_ours(const struct leftover *leftover, int pid);

/* Ends such processes and unmounts what is mounted there, if anything.  0, or -1 with *trouble. */
int leftover_clean(const struct leftover *leftover, struct trouble *trouble);

#endif /* FSB_BENCH_LEFTOVER_H */
