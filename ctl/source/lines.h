/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lines: lines of a file of any origin, none longer than LINES_MAX_BYTES.  For file.c. */
#ifndef FSB_SOURCE_LINES_H
#define FSB_SOURCE_LINES_H

#include <stdio.h>
#include <sys/types.h>

#define LINES_MAX_BYTES ((size_t)16 << 20)

/* All 0 but for the file, which stays the caller's, as the text does in the end (free()). */
struct lines {
	FILE *from;
	char *text; /* the line read last, with its end; without a 0 behind it */
	size_t size; /* allocated */
};

/* The next line's length, 0 at the end of the file, or an error number: -EFBIG too long. */
ssize_t lines_next(struct lines *lines);

#endif /* FSB_SOURCE_LINES_H */
