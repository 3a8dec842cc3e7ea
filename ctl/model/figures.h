/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * figures: the numbers of one window as they are shown, of fixed and small size, so
 * that thousands of interval rows can be kept; and the mean over repeated runs.
 * Pure; called by record and out.
 */
#ifndef FSB_MODEL_FIGURES_H
#define FSB_MODEL_FIGURES_H

#include "model/delta.h"

struct latency {
	uint64_t count; /* 0: nothing else here means anything */
	uint64_t sum_ns;
	uint64_t min_ns;
	uint64_t max_ns;
	bool exact; /* min_ns and max_ns are no bucket edges */
	bool enough[HIST_PERCENTILES];
	uint64_t percentile_ns[HIST_PERCENTILES];
};

struct class_figures {
	struct class_counts counts;
	struct latency latency[FSBSTAT_HIST_KINDS];
};

struct ata_figures {
	uint64_t elapsed_ns; /* 0: not known, and nothing else here means anything */
	struct ata_sums sums;
	uint32_t tags_max;
	double tags_mean;
	struct latency latency[FSBSTAT_ATA_HISTS];
};

/* Of the filesystems on the disk, see struct fs_delta; without any all is 0. */
struct fs_figures {
	bool calls, journal;
	struct fs_all all;
	struct fs_sums sums;
	struct latency latency;
};

struct figures {
	uint32_t missing; /* LAYER_BIT()s, see struct snapshot */
	bool silent; /* not counted: elapsed_ns is 0 and nothing else here means anything */
	struct kernel_counts kernel;
	uint64_t begin_ns; /* CLOCK_MONOTONIC, by the first queue's clock */
	uint64_t elapsed_ns;
	struct bio_counts bio;
	struct class_figures class[FSBSTAT_CLASSES];
	uint64_t not_sent; /* over all classes */
	uint32_t inflight_begin, inflight_end;
	uint32_t nr_queues;
	uint32_t depth_max; /* with one queue only */
	/*
	 * Without LAYER_DEPTH: requests between allocation and end, waiting ones too, booked
	 * when they end.
	 */
	double depth_mean;
	double idle_ns; /* with one queue only, or without LAYER_DEPTH */
	struct ata_figures ata;
	struct fs_figures fs;
	struct unflushed_delta unflushed;
};

void figures_of(struct figures *figures, const struct delta *delta);
/* FUA writes, write zeroes and others are not told apart from writes by every source. */
bool figures_class_known(const struct figures *figures, unsigned int class);
bool figures_have(const struct figures *figures, enum layer layer);
/* Where LAYER_LATENCY is missing: time from allocation to end, of all its requests. */
bool figures_total(const struct figures *figures, unsigned int class, uint64_t *ns);
/* Bios and requests merged into others of the class; false where nobody counts them. */
bool figures_merges(const struct figures *figures, unsigned int class, uint64_t *merges);
/*
 * Mean device latency of a class; without LAYER_LATENCY from allocation to end.  False where
 * there was no request, or it is not known.
 */
bool figures_mean(const struct figures *figures, unsigned int class, double *ns);
void latency_of(struct latency *latency, const struct hist *hist); /* NULL: empty */

/* The figures of a class that a summary over runs is made of. */
struct class_figure {
	const char *key; /* as in JSON */
	/* False where the run has no such figure (no requests, so no latency). */
	bool (*get)(const struct class_figures *class, uint64_t elapsed_ns, double *value);
};

#define CLASS_FIGURES 5
extern const struct class_figure class_figures[CLASS_FIGURES];

/* Most runs that one recording repeats. */
#define RUNS_MAX 1000

/* Mean and its standard error over runs; se is < 0 with fewer than two. */
struct spread {
	unsigned int n;
	double mean, se, min, max;
};

void spread_of(struct spread *spread, const double *values, unsigned int n);

/* Over runs; those that could not be counted or have no such figure are left out. */
void spread_of_class(struct spread *spread, const struct figures *runs, unsigned int nr,
		     unsigned int class, const struct class_figure *figure);
void spread_of_elapsed_s(struct spread *spread, const struct figures *runs, unsigned int nr);
void spread_of_depth_mean(struct spread *spread, const struct figures *runs, unsigned int nr);

/* Names of the request classes and histogram kinds, in JSON and CSV. */
extern const char *const class_names[FSBSTAT_CLASSES];
extern const char *const kind_names[FSBSTAT_HIST_KINDS];

#endif /* FSB_MODEL_FIGURES_H */
