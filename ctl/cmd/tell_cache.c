// SPDX-License-Identifier: GPL-2.0-or-later
/* tell_cache: tells the module the state of a drive's cache.  For main(), see cmd.h. */
#include "cmd/cmd.h"

#include "source/module.h"

static enum fsbstat_write_cache word(enum tristate is)
{
	switch (is) {
	case ON:
		return FSBSTAT_WRITE_CACHE_ON;
	case OFF:
		return FSBSTAT_WRITE_CACHE_OFF;
	default:
		return FSBSTAT_WRITE_CACHE_UNKNOWN;
	}
}

void cmd_tell_cache(const struct disk *disk, enum tristate is)
{
	struct module *module;

	/* Without the module, or when nobody counts the disk, nobody has to know. */
	if (!module_open(&module))
		(void)module_set(module, disk->major, disk->minor, word(is));
	module_close(module);
}
