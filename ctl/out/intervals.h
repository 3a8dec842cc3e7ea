/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intervals: the rows of one disk, for a back-end that writes them at the end only.  Memory does
 * not grow with them: INTERVALS_HELD of them are held, and what comes beyond goes to a temporary
 * file without a name, which is made when it is needed and goes with the process.
 */
#ifndef FSB_OUT_INTERVALS_H
#define FSB_OUT_INTERVALS_H

#include <stddef.h>

#include "model/figures.h"

#define INTERVALS_HELD 64

struct report_interval {
	unsigned int run; /* from 1 */
	uint64_t begin_ns; /* since the first window began */
	struct figures figures;
};

/* All 0: none. */
struct intervals {
	struct report_interval *held; /* owned; those after the ones in the file */
	size_t nr_held;
	bool have_file;
	int fd; /* of the file */
	size_t nr_filed; /* those in the file */
	int err; /* the rows from lost_ns on are not there, 0: all are */
	uint64_t lost_ns; /* begin_ns of the first one that is not */
};

/* The folder of temporary files: TMPDIR, else /tmp. */
const char *intervals_folder(void);

/*
 * Adds a row.  0 or a negative error number; after that one no row is kept any more, which is no
 * further error.
 */
int intervals_add(struct intervals *intervals, const struct report_interval *row);

/* All rows in their order, until @see returns something else than 0, which is returned; or -EIO. */
int intervals_each(const struct intervals *intervals,
		   int (*see)(void *arg, const struct report_interval *row), void *arg);

void intervals_free(struct intervals *intervals);

#endif /* FSB_OUT_INTERVALS_H */
