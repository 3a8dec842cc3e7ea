/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trouble: why something of an experiment cannot be done, as data, so that the same words
 * can be printed, stored with a trial or shown in a plan.  For bench/, results/ and the
 * commands on top of them.
 */
#ifndef FSB_BENCH_TROUBLE_H
#define FSB_BENCH_TROUBLE_H

enum trouble_kind {
	TROUBLE_NONE,
	TROUBLE_USAGE, /* what was asked for makes no sense: a matrix file, an option */
	TROUBLE_REFUSED, /* in use, or nobody has agreed to losing the data */
	TROUBLE_MISSING, /* this machine lacks something: tool, kernel option, disk */
	TROUBLE_FAILED, /* it was tried and did not work */
};

struct trouble {
	enum trouble_kind kind;
	char object[256]; /* what it is about: a disk, FILE:LINE, a tool */
	char reason[640]; /* one line */
	char hint[480]; /* how to go on, "": nothing to say */
};

/* Fills @trouble and returns -1.  Texts need not be printable yet. */
int trouble_set(struct trouble *trouble, enum trouble_kind kind, const char *object,
		const char *hint, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Out of memory, while working on @object; returns -1. */
int trouble_memory(struct trouble *trouble, const char *object);

#endif /* FSB_BENCH_TROUBLE_H */
