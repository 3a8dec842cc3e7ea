/* SPDX-License-Identifier: GPL-2.0-or-later */
/* leftover_owner: the file with the lock of a disk; for leftover*.c only. */
#ifndef FSB_BENCH_LEFTOVER_OWNER_H
#define FSB_BENCH_LEFTOVER_OWNER_H

#include <limits.h>

#include "bench/leftover.h"

#define LEFTOVER_FOLDER "/run/fsbctl"

/* 0, or -1 with errno. */
int leftover_lock_path(char path[PATH_MAX], const char *disk);
/* What leftover_note() has written. */
void leftover_read(int lock, struct leftover_owner *owner);

#endif /* FSB_BENCH_LEFTOVER_OWNER_H */
