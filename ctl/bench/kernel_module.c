// SPDX-License-Identifier: GPL-2.0-or-later
/* kernel_module: whether a kernel can have something; see kernel_module.h. */
#include "bench/kernel_module.h"

#include <stdio.h>
#include <string.h>

#include "disk/kfile.h"

/* "kernel/fs/nilfs2/nilfs2.ko.xz: ..." or "kernel/fs/ext4/ext4.ko" */
static bool is_module(const char *line, void *arg)
{
	const char *name = arg;
	size_t len = strcspn(line, ":"), start = len;

	while (start && line[start - 1] != '/')
		start--;
	return !strncmp(line + start, name, strlen(name)) &&
	       !strncmp(line + start + strlen(name), ".ko", 3);
}

bool kernel_module_is_there(const char *kernel, const char *name)
{
	static const char *const lists[] = {"modules.dep", "modules.builtin"};
	char path[300], word[128];

	snprintf(word, sizeof(word), "%s", name);
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		snprintf(path, sizeof(path), "/lib/modules/%.128s/%s", kernel, lists[i]);
		if (kfile_find_line(path, is_module, word))
			return true;
	}
	return false;
}
