/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spinlock: as much of the kernel as kmod/ata_state.c wants, for a single thread: types,
 * a lock that only remembers whether it is held, and small functions.  For what compiles
 * ata_state.c.
 */
#ifndef FSB_TESTS_KERNEL_SPINLOCK_H
#define FSB_TESTS_KERNEL_SPINLOCK_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#include "../../unit.h"

typedef __u8 u8;
typedef __u32 u32;
typedef __u64 u64;

#define noinline
#define likely(x)	(x)
#define unlikely(x)	(x)
#define READ_ONCE(x)	(x)

typedef struct {
	bool held;
} raw_spinlock_t;

static inline void raw_spin_lock_init(raw_spinlock_t *lock)
{
	lock->held = false;
}

/* Taking it twice is a deadlock, giving back what is not held a bug. */
#define raw_spin_lock_irqsave(lock, flags)	\
	do {					\
		assert_false((lock)->held);	\
		(lock)->held = true;		\
		(flags) = 1;			\
	} while (0)

#define raw_spin_unlock_irqrestore(lock, flags)	\
	do {					\
		assert_true((lock)->held);	\
		assert_int_equal(flags, 1);	\
		(lock)->held = false;		\
	} while (0)

#endif /* FSB_TESTS_KERNEL_SPINLOCK_H */
