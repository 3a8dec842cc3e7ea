// SPDX-License-Identifier: GPL-2.0-or-later
/* hooks: see hooks.h. */
#include "cmd/hooks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk/kfile.h"

/* What the names of hooks begin with, and whose they are. */
static const struct {
	const char *prefix, *owner;
	bool filesystem;
} owners[] = {
	{ "ata_", "libata", false },	 { "jbd2_", "jbd2", false },
	{ "ext4_sync_", "ext4", true },	 { "xfs_", "xfs", true },
	{ "btrfs_sync_", "btrfs", true }, { "f2fs_sync_", "f2fs", true },
	{ "scsi_", "scsi_mod", false },
};

bool hook_is_of_libata(const char *name)
{
	return !strncmp(name, "ata_", 4);
}

/* "nodev\tsysfs" or "\text4" a line: also of those that are built in. */
static bool has_filesystem(const char *type)
{
	char rooted[512], *line = NULL;
	bool found = false;
	size_t size = 0;
	FILE *file;

	if (kfile_path(rooted, sizeof(rooted), "/proc/filesystems"))
		return true;
	file = fopen(rooted, "re");
	if (!file)
		return true;
	while (!found && getline(&line, &size, file) > 0) {
		const char *name = strchr(line, '\t');

		line[strcspn(line, "\n")] = '\0';
		found = name && !strcmp(name + 1, type);
	}
	free(line);
	fclose(file);
	return found;
}

const char *hook_awaits(const struct module_hook *hook)
{
	if (hook->state != FSBSTAT_HOOK_MISSING)
		return NULL;
	for (size_t i = 0; i < sizeof(owners) / sizeof(owners[0]); i++) {
		const char *owner = owners[i].owner;

		if (strncmp(hook->name, owners[i].prefix, strlen(owners[i].prefix)))
			continue;
		if (owners[i].filesystem ? has_filesystem(owner) :
					   kfile_exists("/sys/module/%s", owner))
			return NULL;
		return owner;
	}
	return NULL;
}
