// SPDX-License-Identifier: GPL-2.0-or-later
/* hist: arithmetic on latency histograms, see hist.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/hist.h"

const struct percentile hist_percentiles[HIST_PERCENTILES] = {
	{ "50", 5000 }, { "90", 9000 }, { "99", 9900 }, { "99.9", 9990 }, { "99.99", 9999 },
};

int hist_set_run(struct hist *hist, uint32_t first, const void *values, size_t bytes)
{
	size_t nr = bytes / sizeof(uint64_t);

	if (bytes % sizeof(uint64_t) || first > FSBSTAT_HIST_BUCKETS ||
	    nr > FSBSTAT_HIST_BUCKETS - first)
		return -EBADMSG;
	memcpy(hist->bucket + first, values, bytes);
	return 0;
}

bool hist_consistent(const struct hist *hist)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < FSBSTAT_HIST_BUCKETS; i++)
		sum += hist->bucket[i];
	return sum == hist->count && (!sum || hist->min_ns <= hist->max_ns);
}

/* Edges of the outermost buckets with samples, cut to the known extremes of @b. */
static void edges(struct hist *result, const struct hist *b)
{
	uint32_t first = 0, last = FSBSTAT_HIST_OVERFLOW;
	uint64_t low, high;

	while (!result->bucket[first])
		first++;
	while (!result->bucket[last])
		last--;
	low = fsbstat_hist_low(first);
	high = fsbstat_hist_high(last) - 1;
	result->min_ns = low > b->min_ns ? low : b->min_ns;
	result->max_ns = high < b->max_ns ? high : b->max_ns;
}

int hist_subtract(struct hist *result, const struct hist *b, const struct hist *a)
{
	uint32_t i;

	if (!a || !a->count) {
		*result = *b;
		result->exact = true;
		return 0;
	}
	memset(result, 0, sizeof(*result));
	if (b->count < a->count || b->sum_ns < a->sum_ns)
		return -ERANGE;
	for (i = 0; i < FSBSTAT_HIST_BUCKETS; i++) {
		if (b->bucket[i] < a->bucket[i])
			return -ERANGE;
		result->bucket[i] = b->bucket[i] - a->bucket[i];
	}
	result->count = b->count - a->count;
	result->sum_ns = b->sum_ns - a->sum_ns;
	if (!result->count)
		return 0;
	edges(result, b);
	if (b->min_ns < a->min_ns)
		result->min_ns = b->min_ns;
	if (b->max_ns > a->max_ns)
		result->max_ns = b->max_ns;
	result->exact = b->min_ns < a->min_ns && b->max_ns > a->max_ns;
	return 0;
}

void hist_merge(struct hist *into, const struct hist *from)
{
	uint32_t i;

	if (!from->count)
		return;
	if (!into->count) {
		*into = *from;
		return;
	}
	into->count += from->count;
	into->sum_ns += from->sum_ns;
	if (from->min_ns < into->min_ns)
		into->min_ns = from->min_ns;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
	into->exact = into->exact && from->exact;
	for (i = 0; i < FSBSTAT_HIST_BUCKETS; i++)
		into->bucket[i] += from->bucket[i];
}

int hist_merge_into(struct hist **into, const struct hist *from)
{
	if (!from->count)
		return 0;
	if (!*into)
		*into = calloc(1, sizeof(**into));
	if (!*into)
		return -ENOMEM;
	hist_merge(*into, from);
	return 0;
}

/* Sample @k (from 1) of @n spread evenly over the bucket, cut to the extremes. */
static uint64_t within_bucket(const struct hist *hist, uint32_t index, uint64_t k, uint64_t n)
{
	uint64_t low = fsbstat_hist_low(index), high = fsbstat_hist_high(index);

	if (low < hist->min_ns)
		low = hist->min_ns;
	if (high > hist->max_ns)
		high = hist->max_ns;
	if (high <= low)
		return low;
	return low + (uint64_t)((double)(high - low) * ((double)k - 0.5) / (double)n);
}

bool hist_percentile(const struct hist *hist, uint32_t per_10000, uint64_t *ns)
{
	uint64_t whole = hist->count / 10000, rest = hist->count % 10000;
	uint64_t rank, before = 0;
	uint32_t i;

	/* Cut in two so that no product overflows, whatever the count. */
	rank = whole * per_10000 + (rest * per_10000 + 9999) / 10000;
	if (whole * (10000 - per_10000) + rest * (10000 - per_10000) / 10000 < HIST_BEYOND)
		return false;
	for (i = 0; i < FSBSTAT_HIST_BUCKETS; i++) {
		if (before + hist->bucket[i] >= rank)
			break;
		before += hist->bucket[i];
	}
	if (i == FSBSTAT_HIST_BUCKETS)
		return false;
	*ns = within_bucket(hist, i, rank - before, hist->bucket[i]);
	return true;
}
