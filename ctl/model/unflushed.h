/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unflushed: what has been written to a disk and not been covered by a flush: at an
 * instant as part of a snapshot, over a window as part of a delta.  Pure; called by
 * snapshot, delta, source and out.
 *
 * Ownership: a struct unflushed_counts owns its histograms; unflushed_free() releases
 * them and may be called twice.
 */
#ifndef FSB_MODEL_UNFLUSHED_H
#define FSB_MODEL_UNFLUSHED_H

#include <stdbool.h>
#include <stdint.h>

#include <fsbstat.h>

struct hist;

struct unflushed_counts {
	uint64_t time_ns; /* 0: not known, and nothing else here means anything */
	uint64_t written; /* bytes */
	uint64_t covered;
	uint64_t since_ns; /* completion of the first write that is not covered, 0: none */
	uint64_t integral; /* sectors x 1024 ns, modulo 2^64 */
	uint64_t flushes;
	struct hist *hist[FSBSTAT_UNFLUSHED_HISTS]; /* NULL: empty; owned */
};

struct unflushed_delta {
	uint64_t elapsed_ns; /* 0: not known, and nothing else here means anything */
	uint64_t flushes; /* that succeeded */
	uint64_t bytes_max; /* just before flushes took effect, and at both ends */
	uint64_t age_max_ns;
	bool exact; /* bytes_max and age_max_ns are no bucket edges */
	double byte_ns; /* bytes x time */
	uint64_t at_end; /* bytes */
	/* Of the drive, as the module was told, and whether that may have changed between. */
	enum fsbstat_write_cache cache_begin, cache_end;
	bool settings_changed;
};

/* What is covered had been written; one is there with the other. */
bool unflushed_consistent(const struct unflushed_counts *counts);
/* NULL: no such kind, there already, or no memory. */
struct hist *unflushed_new_hist(struct unflushed_counts *counts, unsigned int kind);
void unflushed_free(struct unflushed_counts *counts);

/*
 * @b minus @a, which may be NULL: counting began at @begin_ns.  -ERANGE when a counter
 * went back.
 */
int unflushed_subtract(struct unflushed_delta *delta, const struct unflushed_counts *b,
		       const struct unflushed_counts *a, uint64_t begin_ns);
/* Adds a later window; one that is not known makes the sum so. */
void unflushed_add(struct unflushed_delta *into, const struct unflushed_delta *from, bool first);

/* Bytes, weighted by time. */
double unflushed_mean(const struct unflushed_delta *delta);

#endif /* FSB_MODEL_UNFLUSHED_H */
