/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_figures: the measured parts of a fsbstat/1 document, for json.c.  Every function that
 * returns a json_t returns a new reference, or NULL when memory ran out.
 */
#ifndef FSB_OUT_JSON_FIGURES_H
#define FSB_OUT_JSON_FIGURES_H

#include <jansson.h>

#include "out/report.h"

json_t *json_count(uint64_t value);

/* A count, null when it is not known. */
json_t *json_count_if(bool known, uint64_t value);

/* With buckets: complete; @hist may be NULL (empty) then.  Else the short form. */
json_t *json_latency(const struct latency *latency, bool buckets, const struct hist *hist);

/*
 * Sets bio, request, inflight, depth, ata, flush, fs and unflushed of one window.  With
 * @delta they are complete (buckets, time at depth, queues); without, the short form of interval
 * and run rows.  All of them are null where nothing was counted.  0 or -1.
 */
int json_set_figures(json_t *object, const struct report_disk *disk,
		     const struct figures *figures, const struct delta *delta);

/* The ATA layer; null when nothing of it is known. */
json_t *json_ata(const struct figures *figures, const struct delta *delta);

/* What is written and not flushed; null when not known. */
json_t *json_unflushed(const struct report_disk *disk, const struct figures *figures);

/* Who did what; null when it is not known. */
json_t *json_owners(const struct report_disk *disk);

/* The filesystems on the disk; null when nothing of them is known. */
json_t *json_fs(const struct report_disk *disk, const struct figures *figures,
		const struct delta *delta);
/* Who counted, and what; of json.c. */
json_t *json_host(const struct host *host);
json_t *json_device(const struct report_disk *disk);

/* What some of the rows of a disk have no figure for. */
struct row_gaps {
	bool ata; /* its first command came later */
	bool fs; /* a filesystem was mounted later */
	bool unflushed; /* something was written and no flush came */
};

/* Looks at all intervals and runs.  0 or a negative error number. */
int json_row_gaps(const struct report *report, const struct report_disk *disk,
		  struct row_gaps *gaps);
/* The array of intervals, row by row, so that memory does not grow.  As json_row_gaps(). */
int json_put_intervals(const struct report_disk *disk, FILE *to);
json_t *json_runs(const struct report *report, const struct report_disk *disk);
json_t *json_exit(int code, int signal);

/* Mean and standard error of the main figures over the runs. */
json_t *json_summary(const struct report *report, const struct report_disk *disk);

#endif /* FSB_OUT_JSON_FIGURES_H */
