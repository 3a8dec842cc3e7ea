// SPDX-License-Identifier: GPL-2.0-or-later
/* plan_command: which commands a cell's filesystem is made and mounted with; see plan.h. */
#include "bench/plan.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "bench/leftover.h"
#include "bench/target_parts.h"

/* A loop device is only chosen when the image is made. */
#define LOOP "loopN"

/* The kernel makes the first partition of a disk that has none. */
static void node_of(const struct target *target, char *node, size_t size)
{
	const char *disk = target->device.disk.name;
	char name[DISK_NAME_MAX + 8];

	if (target->image)
		snprintf(name, sizeof(name), LOOP);
	else if (*target->device.partition)
		snprintf(name, sizeof(name), "%s", target->device.partition);
	else if (target->size < target->capacity)
		snprintf(name, sizeof(name), "%s%s1", disk,
			 isdigit((unsigned char)disk[strlen(disk) - 1]) ? "p" : "");
	else
		snprintf(name, sizeof(name), "%s", disk);
	target_node(name, node, size);
}

int plan_commands(const struct cell *cell, const struct target *target, struct tool_words *make,
		  struct tool_words *mount, struct trouble *trouble)
{
	const char *disk = target->image ? LOOP : target->device.disk.name;
	char at[LEFTOVER_PATH_MAX], node[64];

	memset(make, 0, sizeof(*make));
	memset(mount, 0, sizeof(*mount));
	node_of(target, node, sizeof(node));
	if (leftover_path(at, disk, trouble))
		return -1;
	if (cell->fs->disk && filesystem_make_words(cell->fs, node, target_make_bytes(target),
						    cell->configuration->mkfs, make, trouble))
		return -1;
	return filesystem_mount_words(cell->fs, cell->fs->disk ? node : cell->fs->name,
				      cell->mount.options, at, mount, trouble);
}
