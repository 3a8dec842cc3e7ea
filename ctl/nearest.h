/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nearest: which known word a mistyped one was meant to be.  Anything may call it. */
#ifndef FSB_NEAREST_H
#define FSB_NEAREST_H

#include <stddef.h>

/*
 * The one of nr words that was probably meant, NULL when none is near: a beginning
 * of only one of them, or the least number of typing slips.
 */
const char *nearest_word(const char *word, const char *const *words, size_t nr);

#endif /* FSB_NEAREST_H */
