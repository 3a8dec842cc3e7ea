// SPDX-License-Identifier: GPL-2.0-only
/* Entry and return of functions, and their arguments. */
#include <linux/kprobes.h>
#include <linux/ptrace.h>

#ifndef CONFIG_KRETPROBES
#error "no kretprobes"
#endif

unsigned long probe(struct pt_regs *regs)
{
	return regs_get_kernel_argument(regs, 0) + regs_return_value(regs);
}
