/* SPDX-License-Identifier: GPL-2.0-only */
/* hist: a latency histogram with the buckets of fsbstat_hist.h; its owner locks it. */
#ifndef FSB_HIST_H
#define FSB_HIST_H

#include <linux/types.h>

#include <fsbstat.h>
#include <fsbstat_hist.h>

/**
 * struct fsb_hist - a latency histogram
 * @sum: sum of the samples, ns
 * @min: the least, ns (all ones while there is none)
 * @max: the greatest, ns
 * @bucket: samples by fsbstat_hist_index()
 */
struct fsb_hist {
	u64 sum;
	u64 min;
	u64 max;
	u64 bucket[FSBSTAT_HIST_BUCKETS];
};

/**
 * fsb_hist_init() - make an empty histogram of zeroed memory
 * @hist: it
 */
static inline void fsb_hist_init(struct fsb_hist *hist)
{
	hist->min = ~0ULL;
}

/**
 * fsb_hist_add() - count a sample
 * @hist: the histogram
 * @ns: the sample
 *
 * Inline as its callers: the call would cost half as much again as the work.
 */
static __always_inline void fsb_hist_add(struct fsb_hist *hist, u64 ns)
{
	hist->sum += ns;
	if (ns < hist->min)
		hist->min = ns;
	if (ns > hist->max)
		hist->max = ns;
	hist->bucket[fsbstat_hist_index(ns)]++;
}

/**
 * fsb_hist_count() - how many samples there are
 * @hist: a copy
 *
 * Return: their number, which nothing else holds.
 */
static inline u64 fsb_hist_count(const struct fsb_hist *hist)
{
	u64 count = 0;
	u32 bucket;

	for (bucket = 0; bucket < FSBSTAT_HIST_BUCKETS; bucket++)
		count += hist->bucket[bucket];
	return count;
}

/**
 * fsb_hist_empty() - whether there is none
 * @hist: a copy
 *
 * Return: true when no sample has been counted.
 */
static inline bool fsb_hist_empty(const struct fsb_hist *hist)
{
	return !hist->max && !fsb_hist_count(hist);
}

#endif /* FSB_HIST_H */
