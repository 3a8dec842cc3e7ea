/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * interrupt: signals that end an experiment, as something to ask for.  The first one lets it
 * clean up after the trial that runs, the second one hurries that.  A terminal that goes
 * away ends nothing: results go to the store.  For experiment, trial and what they wait in.
 */
#ifndef FSB_BENCH_INTERRUPT_H
#define FSB_BENCH_INTERRUPT_H

#include <stdbool.h>

/* From here to interrupt_close() INT, TERM and QUIT are counted, HUP and PIPE ignored. */
void interrupt_open(void);
void interrupt_close(void);

/* How many there were, and the first one. */
unsigned int interrupt_count(void);
int interrupt_signal(void);

/* How often it has gone on after having been stopped (Ctrl-Z). */
unsigned int interrupt_continued(void);

/* Sleeps, unless there was one or one comes: false. */
bool interrupt_sleep(double seconds);

#endif /* FSB_BENCH_INTERRUPT_H */
