/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * deadline: when a loop with a period acts next.  Every such loop that does not have its
 * period from a timer of the kernel, which merges missed times by itself, comes here.
 */
#ifndef FSB_DEADLINE_H
#define FSB_DEADLINE_H

/*
 * The first of @due_s, @due_s + @period_s, ... behind @now_s, in seconds of one clock: a loop
 * that was stopped, or too slow, does not make up for the times it missed.
 */
double deadline_next(double due_s, double period_s, double now_s);

#endif /* FSB_DEADLINE_H */
