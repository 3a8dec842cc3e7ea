/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hist: arithmetic on latency histograms: parts, difference, sum, percentiles.
 * Pure functions on struct hist (snapshot.h); called by model, source and out.
 */
#ifndef FSB_MODEL_HIST_H
#define FSB_MODEL_HIST_H

#include <stddef.h>

#include "model/snapshot.h"

enum { PERCENTILE_50, PERCENTILE_90, PERCENTILE_99, PERCENTILE_99_9, PERCENTILE_99_99 };
#define HIST_PERCENTILES 5
/* A percentile needs this many samples beyond it to mean anything. */
#define HIST_BEYOND 10

struct percentile {
	const char *key; /* as in JSON */
	uint32_t per_10000;
};

extern const struct percentile hist_percentiles[HIST_PERCENTILES];

/*
 * Stores neighbouring buckets as the module sends them: unaligned u64 in @bytes
 * bytes.  -EBADMSG when they do not fit, whatever the sender claims.
 */
int hist_set_run(struct hist *hist, uint32_t first, const void *values, size_t bytes);

/* The buckets sum to the count, the extremes are in order. */
bool hist_consistent(const struct hist *hist);

/*
 * What was added between @a and @b; @a may be NULL (empty).  Extremes cannot be
 * subtracted: they are exact when @a is empty or when @b's passed @a's, else they
 * are the edges of the outermost buckets with samples, cut to @b's extremes.
 * -ERANGE when a bucket went back.
 */
int hist_subtract(struct hist *result, const struct hist *b, const struct hist *a);

void hist_merge(struct hist *into, const struct hist *from);
/* The same into one that is made when there is something to put in; -ENOMEM. */
int hist_merge_into(struct hist **into, const struct hist *from);

/*
 * Linear within the bucket the percentile falls into, cut to minimum and maximum.
 * False when fewer than HIST_BEYOND samples lie beyond it.
 */
bool hist_percentile(const struct hist *hist, uint32_t per_10000, uint64_t *ns);

#endif /* FSB_MODEL_HIST_H */
