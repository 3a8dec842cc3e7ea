/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * out: the back-ends behind one set of operations.  A back-end writes to out->to
 * and nowhere else; whether that worked is asked once, at the end (ferror).
 */
#ifndef FSB_OUT_OUT_H
#define FSB_OUT_OUT_H

#include <stdio.h>

#include "out/report.h"

struct out;

struct out_ops {
	const char *name;
	bool needs_intervals; /* the report shows them: report_disk.intervals has to have them */
	/* One interval of one disk has ended. */
	void (*interval)(struct out *out, const struct report *report,
			 const struct report_disk *disk, const struct report_interval *interval);
	/* The end: 0, or a negative error number. */
	int (*report)(struct out *out, const struct report *report);
};

struct out {
	const struct out_ops *ops;
	FILE *to;
	unsigned int rows; /* printed so far */
};

/* One struct of operations a back-end. */
extern const struct out_ops out_text, out_csv, out_json, out_epochs;

#endif /* FSB_OUT_OUT_H */
