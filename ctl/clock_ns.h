/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock_ns: a clock in one number, for whoever needs the time. */
#ifndef FSB_CLOCK_NS_H
#define FSB_CLOCK_NS_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000ULL + (uint64_t)now.tv_nsec;
}

#endif /* FSB_CLOCK_NS_H */
