/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file: what a recording holds beside instants; of a source that is SOURCE_FILE.  For
 * record/, which tells again what it told when the recording was made.
 */
#ifndef FSB_SOURCE_FILE_H
#define FSB_SOURCE_FILE_H

#include "source/recording.h"

const struct recording_head *file_head(const struct source *source);
/* The run whose PHASE_END was the last instant; NULL when the recording breaks off before. */
const struct recording_run *file_run(const struct source *source);
/*
 * Who called fsync in the window whose PHASE_END was the last instant; owned by the caller.
 * 0 or a negative error number, -ENODATA when that was not recorded.
 */
int file_callers(const struct source *source, size_t i, struct owners *callers);
/* After the last instant; NULL when the recording breaks off before its end. */
const struct recording_end *file_end(const struct source *source);

#endif /* FSB_SOURCE_FILE_H */
