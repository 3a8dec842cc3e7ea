// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * epoch: feeds a member's looks and counts to model/epochs.  Counts are taken at every
 * instant, settings not at each: what was counted since the last look waits in between.
 */
#include <errno.h>
#include <string.h>

#include "record/record.h"

static void nothing_counted(struct member *member)
{
	delta_free(&member->since);
	memset(&member->since, 0, sizeof(member->since));
}

void epoch_count(struct recording *rec, size_t i, const struct snapshot *now,
		 const struct snapshot *place)
{
	struct member *member = &rec->member[i];
	struct delta delta;

	if (now->nr_queues)
		member->at_ns = now->queue[0].edge.time_ns;
	if (delta_make(&delta, member->counted, now) == 0) {
		if (!delta.silent && delta_add(&member->since, &delta))
			nothing_counted(member);
		delta_free(&delta);
	}
	member->counted = place;
}

void epoch_feed(struct recording *rec, size_t i, enum epoch_seen seen)
{
	struct report_disk *disk = &rec->report.disk[i];
	struct member *member = &rec->member[i];
	const struct delta *since = member->since.windows ? &member->since : NULL;

	if (!member->have_options)
		return;
	if (epochs_feed(&disk->epochs, member->at_ns, seen, &member->options, since)) {
		warnings_add(&disk->warnings, "the epochs are lost: %s", strerror(ENOMEM));
		epochs_free(&disk->epochs);
		epochs_init(&disk->epochs, rec->options->settle_ns);
	}
	nothing_counted(member);
}

void epoch_begin(struct recording *rec, size_t i)
{
	struct member *member = &rec->member[i];

	nothing_counted(member);
	member->counted = &member->first;
	if (member->first.nr_queues)
		member->at_ns = member->first.queue[0].edge.time_ns;
	epoch_feed(rec, i, EPOCH_POLLED);
}

void epoch_end(struct recording *rec, size_t i)
{
	epoch_feed(rec, i, EPOCH_POLLED);
	epochs_break(&rec->report.disk[i].epochs);
}
