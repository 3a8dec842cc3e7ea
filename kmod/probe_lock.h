/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probe_lock: raw spinlocks that kprobes take too.
 *
 * A kprobe that is a breakpoint (no ftrace at the function, not optimized) runs in what
 * counts as an NMI, where lockdep takes no lock for safe that is also taken elsewhere.
 * It is none: the functions that are probed are called where no lock of ours is held, so
 * its own CPU cannot be the one that holds it.  Lockdep lets trylocks pass.
 */
#ifndef FSB_PROBE_LOCK_H
#define FSB_PROBE_LOCK_H

#include <linux/processor.h>
#include <linux/spinlock.h>

/* Counterpart: raw_spin_unlock_irqrestore(). */
#define fsb_probe_lock_irqsave(lock, flags)	\
	do {	\
		while (!raw_spin_trylock_irqsave(lock, flags))	\
			cpu_relax();	\
	} while (0)

#endif /* FSB_PROBE_LOCK_H */
