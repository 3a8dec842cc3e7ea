/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare: a rate of one option set with its 95 % interval, and how it differs from that of
 * another, if they may be compared at all.  Epochs are the samples: seconds of one epoch are
 * not independent.  Pure; called by out and top.
 */
#ifndef FSB_MODEL_COMPARE_H
#define FSB_MODEL_COMPARE_H

#include "model/change.h"
#include "model/epochs.h"

/* Something per second. */
struct rate {
	const char *key; /* as in JSON: "write_per_s" */
	const char *label; /* for a table's head: "write/s" */
	double (*count)(const struct figures *figures);
	bool (*known)(const struct figures *figures); /* NULL: always */
};

enum rate_key {
	RATE_READ,
	RATE_READ_BYTES,
	RATE_WRITE, /* FUA writes too */
	RATE_WRITE_BYTES,
	RATE_FLUSH,
	RATE_FSYNC,
	RATES,
};

extern const struct rate rates[RATES];

/* Of calls of fsync where there were any in one of the sets, else of writes. */
const struct rate *rate_telling_most(const struct epochs *epochs);

/* All epochs of a set together, and how far they lie apart. */
struct estimate {
	unsigned int n; /* epochs; 0: nothing was counted */
	double value; /* per second: all counts / all time */
	double se; /* of value; meaningless with n < 2 */
	double half; /* value +- half is the 95 % interval; < 0 with n < 2 */
};

void estimate_of(struct estimate *estimate, const struct epochs *epochs, unsigned int set,
		 const struct rate *rate);

/* The work behind one operation, which tells whether two loads are the same. */
struct work {
	enum { WORK_UNKNOWN, WORK_BIO, WORK_REQUEST, WORK_FSYNC } per;
	double bytes; /* read and written, per operation; per fsync: written */
};

/* Per fsync where there were enough of them, else per read and write. */
void work_of(struct work *work, const struct epochs *epochs, unsigned int set);
/* That of one of the sets is per fsync. */
bool work_by_fsync(const struct epochs *epochs);

enum comparable {
	COMPARED,
	COMPARE_BASELINE, /* it is the baseline */
	COMPARE_NOTHING, /* nothing counted, or 0 in the baseline */
	COMPARE_ONE_EPOCH, /* of either: "not comparable" */
	COMPARE_LOAD_CHANGED, /* the work differs by more than 10 % and than epochs of a set do */
};

struct comparison {
	enum comparable how;
	struct change change; /* known when COMPARED */
};

void compare_sets(struct comparison *comparison, const struct epochs *epochs, unsigned int baseline,
		  unsigned int set, const struct rate *rate);

/* The same in a word or two, for a column: "one epoch". */
const char *comparable_word(enum comparable how);
/* Why there are no numbers: "not comparable (one epoch)", "load changed", ...; "" when COMPARED. */
const char *comparable_text(enum comparable how);

#endif /* FSB_MODEL_COMPARE_H */
