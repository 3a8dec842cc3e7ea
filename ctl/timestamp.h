/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timestamp: what time it is, as it is stored and reported.  Anything may call it. */
#ifndef FSB_TIMESTAMP_H
#define FSB_TIMESTAMP_H

#define TIMESTAMP_MAX 32

/* RFC 3339, UTC, whole seconds: "2026-11-30T14:00:00Z"; "" where the clock tells nonsense. */
void timestamp_now(char text[TIMESTAMP_MAX]);
/* The same, malloc'd; NULL without memory. */
char *timestamp_new(void);

#endif /* FSB_TIMESTAMP_H */
