// SPDX-License-Identifier: GPL-2.0-or-later
/* hooks: see hooks.h. */
#include "cmd/hooks.h"

#include <string.h>

#include "disk/kfile.h"

bool hook_is_of_libata(const char *name)
{
	return !strncmp(name, "ata_", 4);
}

bool hook_awaits_libata(const struct module_hook *hook)
{
	return hook->state == FSBSTAT_HOOK_MISSING && hook_is_of_libata(hook->name) &&
	       !kfile_exists("/sys/module/libata");
}
