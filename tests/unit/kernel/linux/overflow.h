/* SPDX-License-Identifier: GPL-2.0-or-later */
/* overflow: of the kernel, for what compiles ata_state.c. */
#ifndef FSB_TESTS_KERNEL_OVERFLOW_H
#define FSB_TESTS_KERNEL_OVERFLOW_H

#define check_sub_overflow(a, b, d)	__builtin_sub_overflow(a, b, d)

#endif /* FSB_TESTS_KERNEL_OVERFLOW_H */
