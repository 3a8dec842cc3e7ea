/* SPDX-License-Identifier: GPL-2.0-or-later */
/* size: numbers of bytes as a person writes them.  Anything may call it. */
#ifndef FSB_SIZE_H
#define FSB_SIZE_H

#include <stdint.h>

/*
 * Bytes: 16GiB, 500MB, 0.5GiB, 4096.  A unit without a B (16G) could be either and is none.
 * 0, or -1 when nonsense.
 */
int size_parse(const char *text, uint64_t *bytes);

/* "16 GiB", "512 MiB", "0 MiB": four significant digits.  Returns @text. */
#define SIZE_TEXT_MAX 32
const char *size_text(char text[SIZE_TEXT_MAX], uint64_t bytes);

#endif /* FSB_SIZE_H */
