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
	/* Rows appear while the recording runs (else only the report at its end). */
	bool rows;
	/* One interval of one disk has ended. */
	void (*interval)(struct out *out, const struct report *report,
			 const struct report_disk *disk, const struct report_interval *interval);
	/* The end: 0, or -ENOMEM. */
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
