/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check: the findings of `fsbctl check`, one after the other.  check_module.c and
 * check_disk.c look, check.c shows.
 */
#ifndef FSB_CMD_CHECK_H
#define FSB_CMD_CHECK_H

#include "disk/disk.h"

enum check_state { CHECK_OK, CHECK_NO, CHECK_NOT_APPLICABLE };

struct check_item {
	char name[64];
	char disk[DISK_NAME_MAX]; /* "" when it is about the machine */
	enum check_state state;
	bool needed; /* nothing can be recorded unless it is CHECK_OK */
	char text[256];
	char todo[512]; /* lines, "" when there is nothing to do */
};

struct check {
	struct check_item *item;
	size_t nr;
	bool failed; /* memory ran out */
};

/* Adds a finding, with nothing to do about it; check_todo() speaks of the last one. */
void check_add(struct check *check, const char *name, const char *disk, enum check_state state,
	       bool needed, const char *format, ...) __attribute__((format(printf, 6, 7)));
void check_todo(struct check *check, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Is the module there, may it be loaded, may one ask it, has it what it needs. */
void check_module(struct check *check, const char *release);

/* What about this disk would make numbers missing or misleading. */
void check_disk(struct check *check, const struct disk *disk);

#endif /* FSB_CMD_CHECK_H */
