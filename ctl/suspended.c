// SPDX-License-Identifier: GPL-2.0-or-later
/* suspended: see suspended.h. */
#include "suspended.h"

#include "clock_ns.h"

/* The two clocks are read one after the other, and this process may have to wait in between. */
#define NEAR_NS 1000000ULL
#define TRIES 100
#define LEAST_NS 100000000ULL

static uint64_t read_clock(clockid_t clock)
{
	return clock_ns(clock);
}

uint64_t (*suspended_clock)(clockid_t clock) = read_clock;

uint64_t suspended_ns(void)
{
	uint64_t before, boot, after, asleep;
	int tries = 0;

	do {
		before = suspended_clock(CLOCK_MONOTONIC);
		boot = suspended_clock(CLOCK_BOOTTIME);
		after = suspended_clock(CLOCK_MONOTONIC);
		asleep = boot > after ? boot - after : 0;
	} while (after - before > NEAR_NS && ++tries < TRIES);
	return asleep;
}

bool suspended_between(uint64_t before_ns, uint64_t after_ns, double *seconds)
{
	bool slept = after_ns > before_ns && after_ns - before_ns >= LEAST_NS;

	*seconds = slept ? (double)(after_ns - before_ns) / 1e9 : 0;
	return slept;
}
