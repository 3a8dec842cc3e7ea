/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arithmetic: the value of an expression of a workload's file, such as "files * size * 21 / 20".
 * Whole numbers of 64 bits in decimal, names of parameters ("size" or "$size"), ( ), and the
 * operators of C: ?: || && == != < <= > >= + - * / % and unary ! + -.  Runs no program; a value
 * that does not fit, a division by 0 and whatever is not in this list are mistakes.
 */
#ifndef FSB_BENCH_ARITHMETIC_H
#define FSB_BENCH_ARITHMETIC_H

#include <stddef.h>
#include <stdint.h>

/* The value of a name, NULL: there is no such name. */
typedef const char *arithmetic_name_fn(void *arg, const char *name, size_t len);

/*
 * Evaluates @text.  @value NULL: only checks its form and that its names are known.  0, or -1 with
 * the reason in @why.
 */
int arithmetic(const char *text, arithmetic_name_fn *name, void *arg, int64_t *value, char *why,
	       size_t size);

#endif /* FSB_BENCH_ARITHMETIC_H */
