/* SPDX-License-Identifier: GPL-2.0-or-later */
/* workload_pattern: the extended regular expressions of a workload's file.  Pure. */
#ifndef FSB_BENCH_WORKLOAD_PATTERN_H
#define FSB_BENCH_WORKLOAD_PATTERN_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

/* 0, or -1 with what is wrong with it in @why. */
int pattern_compile(regex_t *regex, const char *pattern, char *why, size_t size);

/* Whether @pattern (one that compiles; "" takes all) matches @text from end to end. */
bool pattern_whole(const char *pattern, const char *text);

#endif /* FSB_BENCH_WORKLOAD_PATTERN_H */
