/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hooks: what can be said of the module's tracepoints; for list and check. */
#ifndef FSB_CMD_HOOKS_H
#define FSB_CMD_HOOKS_H

#include "source/module.h"

/* It belongs to libata, which is not there: it is attached when libata comes. */
bool hook_awaits_libata(const struct module_hook *hook);

/* "ata_qc_issue" and the like: tracepoints of libata, not of the kernel itself. */
bool hook_is_of_libata(const char *name);

#endif /* FSB_CMD_HOOKS_H */
