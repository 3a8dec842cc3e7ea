/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recorder: writes a recording (docs/recording.md) line by line, as things happen.  A write
 * that failed is remembered and ends the writing; recorder_close() tells.  For record/.
 */
#ifndef FSB_SOURCE_RECORDER_H
#define FSB_SOURCE_RECORDER_H

#include "source/recording.h"

struct recorder;

/* An existing file is replaced.  0 or a negative error number. */
int recorder_open(struct recorder **recorder, const char *path);

void recorder_head(struct recorder *recorder, const struct recording_head *head);
/* Written only when it differs from the last look at that disk. */
void recorder_look(struct recorder *recorder, size_t i, const struct source_look *look);
/* Of each disk, in their order.  @snap: NULL when it could not be read, @reason then says why. */
void recorder_instant(struct recorder *recorder, size_t i, const struct source_instant *instant,
		      const struct snapshot *snap, const char *reason,
		      const struct diskstats *stats);
/* @owners: NULL when they are not known, @reason then says why. */
void recorder_owners(struct recorder *recorder, size_t i, const struct owners *owners,
		     const char *reason);
/* Who called fsync during the window that has ended. */
void recorder_callers(struct recorder *recorder, size_t i, const struct owners *callers);
void recorder_run(struct recorder *recorder, const struct recording_run *run);
void recorder_end(struct recorder *recorder, const struct recording_end *end);

/* It is on the disk when this returns 0; else a negative error number.  Takes NULL. */
int recorder_close(struct recorder *recorder);

#endif /* FSB_SOURCE_RECORDER_H */
