/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hooks: what can be said of the module's tracepoints; for list and check. */
#ifndef FSB_CMD_HOOKS_H
#define FSB_CMD_HOOKS_H

#include "source/module.h"

/*
 * It belongs to a part of the kernel that is not there, and is attached when that comes:
 * "libata", "scsi_mod", "jbd2" or the type of a filesystem.  NULL: it is found, or never will be.
 */
const char *hook_awaits(const struct module_hook *hook);

/* "ata_qc_issue" and the like: tracepoints of libata, not of the kernel itself. */
bool hook_is_of_libata(const char *name);

#endif /* FSB_CMD_HOOKS_H */
