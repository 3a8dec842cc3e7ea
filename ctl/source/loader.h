/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loader: has fsbstat.ko loaded where it is installed.  For source.c. */
#ifndef FSB_SOURCE_LOADER_H
#define FSB_SOURCE_LOADER_H

#include <stddef.h>

/*
 * 0 when modprobe has loaded it; else -1, with why not as "kernel module fsbstat ..." and
 * what a person could do about it (or "").
 */
int loader_load(char *why, size_t why_size, char *what_to_do, size_t what_size);

#endif /* FSB_SOURCE_LOADER_H */
