/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suspended: how long the machine slept: CLOCK_BOOTTIME goes on in suspend and hibernation,
 * CLOCK_MONOTONIC, by which everything is measured, does not.
 */
#ifndef FSB_SUSPENDED_H
#define FSB_SUSPENDED_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Since boot; for differences. */
uint64_t suspended_ns(void);

/* It slept between two of these: seconds in *seconds.  Less than the clocks differ by is none. */
bool suspended_between(uint64_t before_ns, uint64_t after_ns, double *seconds);

/* The clocks; tests set others. */
extern uint64_t (*suspended_clock)(clockid_t clock);

#endif /* FSB_SUSPENDED_H */
