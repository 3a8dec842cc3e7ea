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
#include "source/nest.h"

int wire_module(const void *bytes, size_t len, struct module_info *info, const char **why);
int wire_watch(const void *bytes, size_t len, struct watch *watch, const char **why);

/* Adds one message of a SNAPSHOT_GET dump to a snapshot that began zeroed. */
int wire_snapshot(const void *bytes, size_t len, struct snapshot *snap, const char **why);

/* Adds one message of a FS_GET dump to counts that began zeroed. */
int wire_fs(const void *bytes, size_t len, struct fs_counts *fs, const char **why);

/* COUNT, SUM, MIN, MAX and the buckets of a histogram nest, into a zeroed histogram. */
struct value;
int wire_samples(struct value nest, struct hist *hist, const char **why);

/* After the last message: everything announced has come. */
int wire_snapshot_end(const struct snapshot *snap, const char **why);

/* Adds one message of an OWNERS_GET or CALLERS_GET dump to a table that began zeroed. */
int wire_owners(const void *bytes, size_t len, struct owners *owners, const char **why);

/* After the last message. */
int wire_owners_end(const struct owners *owners, const char **why);

/* A BIO nest; for the parts of wire. */
int wire_bio(struct value nest, struct bio_counts *bio, const char **why);

#endif /* FSB_SOURCE_WIRE_H */
