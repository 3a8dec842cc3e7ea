/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * epochs: stretches of time in which one option set held, and all epochs of one option
 * set pooled.  Pure; called by record, out and top, for one disk.
 *
 * Fed at each look at the disk, with what happened since the look before.  A change ends
 * the epoch: when it was notified, where it was noticed; when it was found by polling, at
 * the look before, and the stretch between the two belongs to no epoch.  The settling time
 * after a change belongs to none either, and a set that did not outlive it has no number.
 * Times are nanoseconds of CLOCK_MONOTONIC.
 */
#ifndef FSB_MODEL_EPOCHS_H
#define FSB_MODEL_EPOCHS_H

#include "model/figures.h"
#include "model/option_set.h"

#define EPOCHS_SETTLE_NS 2000000000ULL /* unless told otherwise */

enum epoch_seen {
	EPOCH_POLLED, /* any time since the look before */
	EPOCH_NOTIFIED, /* something said so at once */
};

struct epoch_change {
	struct option_change option;
	uint64_t at_ns;
	uint64_t error_ns; /* it came at most so much earlier; 0 when notified */
	enum epoch_seen seen;
};

struct epoch {
	unsigned int set; /* number of its option set */
	uint64_t began_ns;
	uint64_t ended_ns; /* or the last look while it lasts */
	uint64_t held_ns; /* counted in it, by the counters' own clock */
	bool open; /* lasts */
	struct epoch_change *change; /* what came between the one before and this; owned */
	size_t nr_changes; /* 0 for the first */
	struct figures figures; /* of what was counted in it; elapsed_ns is 0 with nothing */
};

/* An option set and all that was counted while it held. */
struct epoch_set {
	unsigned int nr; /* from 1, in the order of appearance; never changes */
	struct option_set options;
	unsigned int derived_from; /* number of another set, 0: none */
	char name[128]; /* "nobarrier", "=2, drive cache off": what differs from that */
	char title[128]; /* "ext4 barrier, cache on, NCQ 32, mq-deadline" */
	unsigned int n; /* epochs with something counted in them, the open one too */
	uint64_t held_ns;
	struct delta delta; /* all its epochs together */
};

struct epochs {
	uint64_t settle_ns;
	struct epoch *epoch; /* in the order of time */
	size_t nr_epochs;
	struct epoch_set *set; /* set[nr - 1] has number nr */
	size_t nr_sets;

	bool have_now; /* fed at least once */
	uint64_t now_ns; /* the last look */
	struct option_set now; /* what held then */
	uint64_t settled_ns; /* nothing belongs to an epoch before this */
	struct delta delta; /* of the open epoch */
	struct epoch_change *pending; /* since the last epoch ended */
	size_t nr_pending;
};

void epochs_init(struct epochs *epochs, uint64_t settle_ns);
void epochs_free(struct epochs *epochs);

/*
 * One look: @set holds at @at_ns; @delta is what was counted since the look before (NULL:
 * nothing is known of that time, it belongs to no epoch).  0 or -ENOMEM; the look may then
 * have been taken in half, and the counts are not to be shown.
 */
int epochs_feed(struct epochs *epochs, uint64_t at_ns, enum epoch_seen seen,
		const struct option_set *set, const struct delta *delta);

/*
 * What is fed goes on elsewhere in time (the next run of several): the open epoch ends with
 * the last look, though nothing changed.  The next look comes without a delta.
 */
void epochs_break(struct epochs *epochs);

/* The open epoch, NULL while things settle. */
const struct epoch *epochs_open(const struct epochs *epochs);
/* The number of the set that holds: of the open epoch, or 0. */
unsigned int epochs_current(const struct epochs *epochs);
const struct epoch_set *epochs_set(const struct epochs *epochs, unsigned int nr);

/* After a change, until things have settled. */
static inline bool epochs_settling(const struct epochs *epochs)
{
	return epochs->have_now && !epochs_open(epochs);
}

#endif /* FSB_MODEL_EPOCHS_H */
