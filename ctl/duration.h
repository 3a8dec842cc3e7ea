/* SPDX-License-Identifier: GPL-2.0-or-later */
/* duration: lengths of time as a person writes them.  Anything may call it. */
#ifndef FSB_DURATION_H
#define FSB_DURATION_H

/* Seconds: 1, 0.5s, 200ms, 2m, 1h.  0, or -1 when nonsense or <= 0. */
int duration_parse(const char *text, double *seconds);

#endif /* FSB_DURATION_H */
