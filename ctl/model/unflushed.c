// SPDX-License-Identifier: GPL-2.0-or-later
/* unflushed: what is written and not flushed, over a window, see unflushed.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/hist.h"
#include "model/unflushed.h"

/* Bytes x ns in one of the integral's units. */
#define UNIT (512.0 * 1024.0)

bool unflushed_consistent(const struct unflushed_counts *counts)
{
	return counts->covered <= counts->written && counts->since_ns <= counts->time_ns &&
	       (counts->covered < counts->written || !counts->since_ns);
}

struct hist *unflushed_new_hist(struct unflushed_counts *counts, unsigned int kind)
{
	if (kind >= FSBSTAT_UNFLUSHED_HISTS || counts->hist[kind])
		return NULL;
	counts->hist[kind] = calloc(1, sizeof(*counts->hist[kind]));
	return counts->hist[kind];
}

void unflushed_free(struct unflushed_counts *counts)
{
	unsigned int kind;

	for (kind = 0; kind < FSBSTAT_UNFLUSHED_HISTS; kind++) {
		free(counts->hist[kind]);
		counts->hist[kind] = NULL;
	}
}

static void raise_to(uint64_t *max, uint64_t value)
{
	if (value > *max)
		*max = value;
}

/* An end of the window, where what is held is known without a flush. */
static void see(struct unflushed_delta *delta, const struct unflushed_counts *counts)
{
	raise_to(&delta->bytes_max, counts->written - counts->covered);
	if (counts->since_ns)
		raise_to(&delta->age_max_ns, counts->time_ns - counts->since_ns);
}

/* The greatest sample between the two; exact while it lies below one that is. */
static int greatest(struct unflushed_delta *delta, uint64_t *max, const struct hist *b,
		    const struct hist *a)
{
	struct hist hist;
	int err;

	if (!b)
		return a && a->count ? -ERANGE : 0;
	err = hist_subtract(&hist, b, a);
	if (err || !hist.count || hist.max_ns <= *max)
		return err;
	*max = hist.max_ns;
	/* Where it exceeds what was before, it is the maximum of all. */
	delta->exact = delta->exact && (hist.exact || !a || b->max_ns > a->max_ns);
	return 0;
}

int unflushed_subtract(struct unflushed_delta *delta, const struct unflushed_counts *b,
		       const struct unflushed_counts *a, uint64_t begin_ns)
{
	const struct unflushed_counts none = { .time_ns = begin_ns };
	int err;

	memset(delta, 0, sizeof(*delta));
	if (!a)
		a = &none;
	if (!b->time_ns || !a->time_ns)
		return 0;
	if (b->time_ns < a->time_ns || b->written < a->written || b->covered < a->covered ||
	    b->flushes < a->flushes)
		return -ERANGE;
	delta->elapsed_ns = b->time_ns - a->time_ns;
	delta->flushes = b->flushes - a->flushes;
	delta->byte_ns = (double)(b->integral - a->integral) * UNIT;
	delta->at_end = b->written - b->covered;
	delta->exact = true;
	see(delta, a);
	see(delta, b);
	err = greatest(delta, &delta->bytes_max, b->hist[FSBSTAT_UNFLUSHED_HIST_BYTES],
		       a->hist[FSBSTAT_UNFLUSHED_HIST_BYTES]);
	if (!err)
		err = greatest(delta, &delta->age_max_ns, b->hist[FSBSTAT_UNFLUSHED_HIST_AGE],
			       a->hist[FSBSTAT_UNFLUSHED_HIST_AGE]);
	return err;
}

void unflushed_add(struct unflushed_delta *into, const struct unflushed_delta *from, bool first)
{
	if (first) {
		*into = *from;
		return;
	}
	into->cache_end = from->cache_end;
	into->settings_changed = into->settings_changed || from->settings_changed;
	if (!into->elapsed_ns || !from->elapsed_ns) {
		into->elapsed_ns = 0;
		return;
	}
	into->elapsed_ns += from->elapsed_ns;
	into->flushes += from->flushes;
	into->byte_ns += from->byte_ns;
	into->at_end = from->at_end;
	into->exact = into->exact && from->exact;
	raise_to(&into->bytes_max, from->bytes_max);
	raise_to(&into->age_max_ns, from->age_max_ns);
}

double unflushed_mean(const struct unflushed_delta *delta)
{
	return delta->elapsed_ns ? delta->byte_ns / (double)delta->elapsed_ns : 0;
}
