/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * span: what a disk did while code of the caller's ran: the counts, and the document, of
 * `record`.  A disk is watched from span_open() to span_close(); in between one window
 * after the other begins and ends where the caller says.  Prints nothing.  For bench/.
 */
#ifndef FSB_RECORD_SPAN_H
#define FSB_RECORD_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "disk/disk.h"
#include "out/report.h"
#include "source/source.h"

struct span;

/* 0, or -1: span_error() has the reason; span_close() in either case (*span may be NULL). */
int span_open(struct span **span, const struct disk *disk, enum source_kind kind);
void span_close(struct span *span);
const char *span_error(const struct span *span);
const char *span_hint(const struct span *span);
/* What it counts with, for notices and versions. */
const struct source *span_source(const struct span *span);

/* The disk's counts now, owned by the caller, in a window or not.  0 or -1. */
int span_snapshot(struct span *span, struct snapshot *snap);

/* A window begins; @argv is what its document names as the command.  0 or -1. */
int span_begin(struct span *span, char **argv);
/* To be called some four times a second: settings, mounts and rates are looked at. */
void span_tick(struct span *span);
/* Figures of the last whole second of the window; NULL: none yet. */
const struct figures *span_latest(const struct span *span);
/* It ends.  0 or -1; what was counted up to then is there in either case. */
int span_end(struct span *span);
/* The last window could not be begun, or not be counted to its end: no other one will be. */
bool span_is_lost(const struct span *span);
/* A window is open. */
bool span_is_open(const struct span *span);

/* Of the last window, until the next begins. */
const struct report_disk *span_report(const struct span *span);

/* What else its document says of the command. */
struct span_command {
	int code, signal; /* its end, as in struct report_run */
	uint64_t wall_ns;
	bool synced;
	uint64_t sync_ns;
};

/* One fsbstat/1 document, on one line; malloc'd, NULL: no memory. */
char *span_document(struct span *span, const struct span_command *command);

#endif /* FSB_RECORD_SPAN_H */
