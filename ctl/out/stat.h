/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stat: rows of `fsbctl stat`, one an interval and disk, in each form behind one set of
 * operations; and the columns that text and CSV are made of.  cmd/stat.c feeds it.
 */
#ifndef FSB_OUT_STAT_H
#define FSB_OUT_STAT_H

#include <stdio.h>

#include "out/report.h"

enum stat_unit {
	STAT_PER_SECOND,
	STAT_BYTES_PER_SECOND, /* shown as MB/s */
	STAT_BYTES, /* shown as MB */
	STAT_NS, /* shown as ms */
	STAT_PERCENT,
	STAT_NUMBER,
	STAT_COUNT,
};

struct stat_column {
	const char *key; /* in CSV and for --columns; never changes its meaning */
	const char *title; /* in text, and for --columns as well */
	const char *meaning;
	enum stat_unit unit;
	int width;
	unsigned int rank; /* the lower, the sooner shown; 0: only when it is asked for */
	enum layer needs; /* LAYERS: nothing but what every source has */
	/* Can this disk have it?  NULL: every one. */
	bool (*applies)(const struct disk_info *info);
	/* False when there is nothing to tell (no request, so no latency). */
	bool (*get)(const struct stat_column *column, const struct report_disk *disk,
		    double *value);
	unsigned int class; /* for get(): of which requests */
	size_t which; /* for get(): which percentile, which part */
};

extern const struct stat_column stat_columns[];
extern const size_t stat_nr_columns;

/* The column of a key or title, stat_nr_columns when there is none. */
size_t stat_find_column(const char *name);
/* The disk and the source can have it. */
bool stat_column_known(const struct stat_column *column, const struct report_disk *disk);

#define STAT_COLUMNS_MAX 48

struct stat_out;

struct stat_ops {
	/* Once; of the report only what is known from the start. */
	int (*begin)(struct stat_out *out, const struct report *report);
	/* disk->delta and disk->figures are of this interval alone. */
	int (*row)(struct stat_out *out, const struct report *report,
		   const struct report_disk *disk, uint64_t realtime_ns);
	/* Once, whatever ended it. */
	int (*end)(struct stat_out *out, bool complete);
};

struct stat_out {
	const struct stat_ops *ops;
	FILE *to;
	bool times; /* -t */
	/* --columns, in this order; nr 0: none named */
	size_t chosen[STAT_COLUMNS_MAX];
	size_t nr_chosen;
	unsigned int rows; /* printed so far */
	size_t shown[STAT_COLUMNS_MAX]; /* in text, until the next header */
	size_t nr_shown;
};

/* What has to be counted for the columns that were asked for, FSBSTAT_LAYER_BIO and so on. */
uint32_t stat_layers(const struct stat_out *out);

/* Each returns 0 or -ENOMEM; whether writing worked is asked of out->to. */
extern const struct stat_ops stat_text, stat_csv, stat_json, stat_jsonl;

/* RFC 3339 in UTC, with milliseconds. */
const char *stat_time(char text[40], uint64_t realtime_ns);

#endif /* FSB_OUT_STAT_H */
