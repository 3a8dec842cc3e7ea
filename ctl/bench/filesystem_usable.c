// SPDX-License-Identifier: GPL-2.0-or-later
/* filesystem_usable: can this machine make and mount it; see filesystem.h. */
#include "bench/filesystem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernel_module.h"
#include "bench/tool.h"
#include "disk/kfile.h"

/* "nodev\ttmpfs", "\text4" */
static bool is_filesystem(const char *line, void *name)
{
	const char *tab = strchr(line, '\t');

	return tab && !strcmp(tab + 1, (const char *)name);
}

static bool kernel_has(const struct filesystem *fs, const char *kernel)
{
	char *list = strdup(fs->module), *state = NULL;
	bool has = !*fs->module || kfile_find_line("/proc/filesystems", is_filesystem, fs->fstype);

	for (char *module = list ? strtok_r(list, " ", &state) : NULL; module && !has;
	     module = strtok_r(NULL, " ", &state))
		has = kernel_module_is_there(kernel, module);
	free(list);
	return has;
}

static int missing_program(const struct filesystem *fs, const char *program,
			   struct trouble *trouble)
{
	char hint[200];

	snprintf(hint, sizeof(hint), "apt-get install %.150s", fs->package);
	return trouble_set(trouble, TROUBLE_MISSING, fs->name, *fs->package ? hint : "",
			   "%s is not installed", program);
}

static int check_programs(const struct filesystem *fs, struct trouble *trouble)
{
	char program[128], *path;

	snprintf(program, sizeof(program), "%.*s", (int)strcspn(fs->mkfs, " "), fs->mkfs);
	path = *program ? tool_find(program) : NULL;
	if (*program && !path)
		return missing_program(fs, program, trouble);
	free(path);
	/* A filesystem of FUSE is a program, and mount(8) knows it by this name. */
	if (strcmp(fs->module, "fuse"))
		return 0;
	snprintf(program, sizeof(program), "mount.%.100s", fs->mount_type);
	path = tool_find(program);
	if (!path)
		return missing_program(fs, program, trouble);
	free(path);
	return 0;
}

int filesystem_usable(const struct filesystem *fs, const char *kernel, struct trouble *trouble)
{
	if (*fs->since && kernel_compare(kernel, fs->since) < 0)
		return trouble_set(trouble, TROUBLE_MISSING, fs->name, "",
				   "kernels have it since %s, this one is %s", fs->since, kernel);
	if (*fs->until && kernel_compare(kernel, fs->until) >= 0)
		return trouble_set(trouble, TROUBLE_MISSING, fs->name, "",
				   "it was removed from the kernel in %s, this one is %s",
				   fs->until, kernel);
	if (!kernel_has(fs, kernel))
		return trouble_set(trouble, TROUBLE_MISSING, fs->name, "",
				   "kernel %s was built without it: no module %s", kernel,
				   fs->module);
	return check_programs(fs, trouble);
}
