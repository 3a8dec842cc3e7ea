/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * results: what a stored run found out, as data, and the back-ends that show it, behind one
 * interface.  For the commands run, report and runs.
 *
 *	figures.c	means, intervals and device figures of cells, from the store's trials
 *	device.c	what the disk did, from the documents of trials
 *	text.c		bars, device columns, changes against the baseline (part_*.c)
 *	box.c		configurations x workloads
 *	csv.c, json.c	for programs
 */
#ifndef FSB_RESULTS_RESULTS_H
#define FSB_RESULTS_RESULTS_H

#include <stdio.h>

#include "bench/stats.h"
#include "bench/store.h"

/* What the disk did in the counted trials of a cell, all together; NAN: not known. */
struct device_figures {
	double seconds; /* of all device windows */
	double flush_per_s, fua_per_s, ncq_mean, flush_drain_share, write_p99_ns;
	double depth_mean; /* of the block layer */
	double read_bytes, write_bytes; /* per second */
	double idle_share; /* nothing was in flight */
	double discard_per_s, discard_bytes; /* per second */
	double unflushed_max_bytes;
	bool no_flush; /* "no flush" instead of bytes at risk */
	bool no_fua; /* the disk has none: "-" instead of a rate */
	bool drain_known; /* flush_drain_share has the draining; else flushes alone */
	bool have; /* any document at all */
};

struct cell_result {
	const struct store_cell *cell;
	double *sample; /* scores of trials that count, in order */
	const struct store_trial **trial; /* of each sample */
	size_t n;
	struct stats stats;
	struct change change; /* against that of the baseline; of itself: not known */
	struct device_figures device;
	size_t failed, invalid, noisy;
	const char *mount_options; /* of the last trial, "" */
	const char *reason; /* of the last trial that did not count, "" */
	const char *noise; /* of the last noisy one, "" */
};

/* From here on a score says little about the disk: docs/results.md has the reason. */
#define IDLE_SHARE 0.9

struct results {
	const struct store_result *stored;
	struct cell_result *cell;
	size_t nr_cells;
	const char *baseline; /* name of a configuration, "": there is none */
	bool quiet; /* no notes on outliers; off unless the caller sets it */
};

/*
 * @baseline: NULL is that of the run.  0 or -ENOMEM; results_free() in either case.  @stored
 * stays the caller's and has to outlive the results.
 */
int results_make(struct results *results, const struct store_result *stored, const char *baseline);
void results_free(struct results *results);
/* A cell of the same workload and the baseline's configuration; NULL. */
const struct cell_result *results_base(const struct results *results,
				       const struct cell_result *cell);
/*
 * Why a cell has no score, "failed: exit status 1", as data for whoever shows it; "" when
 * it has one.  Returns buf.
 */
const char *results_why(const struct results *results, const struct cell_result *cell, char *buf,
			size_t size);

struct results_ops {
	const char *name; /* "text", "table", "csv", "json" */
	int (*show)(FILE *to, const struct results *results); /* 0 or -ENOMEM */
};

extern const struct results_ops results_text, results_table, results_csv, results_json;

#endif /* FSB_RESULTS_RESULTS_H */
