/* SPDX-License-Identifier: GPL-2.0-or-later */
/* minmax: of the kernel, for what compiles ata_state.c. */
#ifndef FSB_TESTS_KERNEL_MINMAX_H
#define FSB_TESTS_KERNEL_MINMAX_H

#define min(a, b)	((a) < (b) ? (a) : (b))
#define max(a, b)	((a) > (b) ? (a) : (b))

#endif /* FSB_TESTS_KERNEL_MINMAX_H */
