/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bitops: of the kernel, for what compiles ata_state.c. */
#ifndef FSB_TESTS_KERNEL_BITOPS_H
#define FSB_TESTS_KERNEL_BITOPS_H

#define BIT(nr)		(1UL << (nr))
#define hweight32(word)	((unsigned int)__builtin_popcount(word))

#endif /* FSB_TESTS_KERNEL_BITOPS_H */
