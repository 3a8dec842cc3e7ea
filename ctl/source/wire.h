/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wire: what the module's messages say, from their bytes to plain structs.  Takes
 * the attributes of one message and knows nothing of sockets; called by module.
 * Nothing is believed: lengths, indices and sums are checked, required attributes
 * must be there, attributes of a later module are ignored.
 *
 * Functions return 0, -ENOMEM, or -EBADMSG with the reason in *why.
 */
#ifndef FSB_SOURCE_WIRE_H
#define FSB_SOURCE_WIRE_H

#include "source/module.h"

int wire_module(const void *bytes, size_t len, struct module_info *info, const char **why);
int wire_watch(const void *bytes, size_t len, struct watch *watch, const char **why);

/* Adds one message of a SNAPSHOT_GET dump to a snapshot that began zeroed. */
int wire_snapshot(const void *bytes, size_t len, struct snapshot *snap, const char **why);

/* After the last message: everything announced has come. */
int wire_snapshot_end(const struct snapshot *snap, const char **why);

#endif /* FSB_SOURCE_WIRE_H */
