/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ktime: a clock that stands until the test moves it, and 64-bit division. */
#ifndef FSB_TESTS_KERNEL_KTIME_H
#define FSB_TESTS_KERNEL_KTIME_H

#include <linux/spinlock.h>

static u64 fake_now;

static inline u64 ktime_get_ns(void)
{
	return fake_now;
}

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

static inline u64 div64_u64(u64 dividend, u64 divisor)
{
	return dividend / divisor;
}

#endif /* FSB_TESTS_KERNEL_KTIME_H */
