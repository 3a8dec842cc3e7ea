/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words: structs of nothing but u64 counters, subtracted and added field by field.
 * Pure; called by delta and ata.
 */
#ifndef FSB_MODEL_WORDS_H
#define FSB_MODEL_WORDS_H

#include <stddef.h>
#include <stdint.h>

#define WORDS(type) (sizeof(type) / sizeof(uint64_t))

/* -ERANGE when one went back. */
int words_subtract(void *result, const void *b, const void *a, size_t nr);
void words_add(void *into, const void *from, size_t nr);

#endif /* FSB_MODEL_WORDS_H */
