/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text: the parts of the report a person reads; 80 columns.  text.c puts the report
 * together, the files text_*.c print a block each.
 */
#ifndef FSB_OUT_TEXT_H
#define FSB_OUT_TEXT_H

#include <stdio.h>

#include "out/report.h"

#define TEXT_COLUMNS 80

/*
 * "LABEL   text", filled to 80 columns, further lines under the text.  width is the
 * label's column width.  Control characters of text never reach the terminal.
 */
void text_filled(FILE *to, int width, const char *label, const char *text);
void text_fillf(FILE *to, int width, const char *label, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * The column of names in rows of several disks, the gap behind it included: what the widest
 * name needs, from @least to @most columns; 0 with one disk.  A name that is wider is cut in
 * its middle, for names of disks differ at their end.
 */
int text_disk_columns(const struct report *report, int least, int most);
void text_disk(FILE *to, const char *name, int columns);

/* What was recorded: command, disk, settings, mounts. */
void text_head(FILE *to, const struct report *report, const struct report_disk *disk);
/* Nothing of it changed while it was recorded. */
bool text_held_throughout(const struct report_disk *disk);
/* Which settings held when; nothing when they held throughout. */
void text_epochs(FILE *to, const struct report *report, const struct report_disk *disk);
/* The table of request classes. */
void text_requests(FILE *to, const struct report_disk *disk);
/* Instead of it and the two below: what /proc/diskstats tells of them. */
void text_kernel(FILE *to, const struct report_disk *disk);
/* From calls of fsync to the flushes sent. */
void text_ladder(FILE *to, const struct report_disk *disk);
/* The disk's time: at its ATA link where that is known, else idle and busy. */
void text_time(FILE *to, const struct report *report, const struct report_disk *disk);
void text_ata(FILE *to, const struct report_disk *disk);
/* What is written and not flushed; a line of the foot. */
void text_unflushed(FILE *to, int width, const struct report_disk *disk);
/* Who asked for the flushes, or else who wrote; label is the column width. */
void text_owners(FILE *to, int label, const struct report_disk *disk);
/* Dirty data, comparison, notes, warnings. */
void text_foot(FILE *to, const struct report *report, const struct report_disk *disk);
/* Mean and standard error over runs. */
void text_summary(FILE *to, const struct report *report, const struct report_disk *disk);

#endif /* FSB_OUT_TEXT_H */
