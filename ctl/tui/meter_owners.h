/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * meter_owners: who asked for flushes of the opened disk, interval by interval.  For meter.c,
 * which calls meter_owners_begin() where it has first counts, and meter_owners_take() for each
 * interval it keeps, in the same place.  A zeroed struct is empty.
 *
 * A recording has the table at the ends of its windows alone: they tell of all, never of the
 * last seconds.
 */
#ifndef FSB_TUI_METER_OWNERS_H
#define FSB_TUI_METER_OWNERS_H

#include "source/source.h"
#include "tui/top.h"

#define METER_RING 64 /* intervals that the last seconds are put together of */

struct meter_owners {
	struct owners last; /* as it was read */
	struct owners ring[METER_RING]; /* what they did in an interval */
	struct owners total;
	bool known, any; /* read at the last instant; there is a total */
};

void meter_owners_free(struct meter_owners *owners);
/* Counting begins, or begins again. */
void meter_owners_begin(struct meter_owners *owners, struct source *source, size_t disk);
/* Since the last of these calls, kept in @place.  0 or -ENOMEM. */
int meter_owners_take(struct meter_owners *owners, struct source *source, size_t disk,
		      unsigned int place);

/*
 * Names in @why those who asked in a stretch: of the last @nr intervals, the newest of which
 * is in @newest, or of all with 0.  stretch->figures is there.  0 or -ENOMEM.
 */
int meter_owners_why(const struct meter_owners *owners, struct source *source,
		     const struct disk_info *info, struct stretch *stretch, unsigned int newest,
		     unsigned int nr);

/* Why nobody is named in the last seconds; NULL when they are. */
const char *meter_owners_missing(const struct meter_owners *owners, struct source *source);

#endif /* FSB_TUI_METER_OWNERS_H */
