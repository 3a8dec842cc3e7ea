/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list: what `fsbctl list` shows, gathered before anything is shown.  For list.c,
 * which prints it.
 */
#ifndef FSB_CMD_LIST_H
#define FSB_CMD_LIST_H

#include <jansson.h>

#include "disk/describe.h"
#include "disk/mounts.h"
#include "source/module.h"

struct list_disk {
	struct disk_info info;
	struct mounts mounts;
	const struct watch *watch; /* NULL: not watched, or not known */
};

struct list {
	struct list_disk *disk;
	size_t nr;
	struct disk_set unreachable; /* shown by name only */
	bool have_module;
	char reason[256]; /* why not; one printable line */
	struct module_info module;
	struct watch *watch;
	size_t nr_watches;
};

/* 0, or -1 with errno; list_free() in either case. */
int list_collect(struct list *list);
void list_free(struct list *list);

/* The document of --json, NULL when memory ran out. */
json_t *list_json(const struct list *list);

/* "attached", "idle" or "missing". */
const char *list_hook_state(enum fsbstat_hook_state state);

#endif /* FSB_CMD_LIST_H */
