/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel_module: whether a kernel has a module, by the lists that depmod makes.  For bench/. */
#ifndef FSB_BENCH_KERNEL_MODULE_H
#define FSB_BENCH_KERNEL_MODULE_H

#include <stdbool.h>

/* @name: a module's file without ".ko", built in or to be loaded; @kernel: a release. */
bool kernel_module_is_there(const char *kernel, const char *name);

#endif /* FSB_BENCH_KERNEL_MODULE_H */
