/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utf8: one character of a text at a time.  Anything may call it. */
#ifndef FSB_UTF8_H
#define FSB_UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * Bytes of the character at @text, its number in *point; 0 when there is no valid one (overlong
 * forms and surrogates are none).  The end of the text is a character of one byte.
 */
size_t utf8_decode(const char *text, uint32_t *point);

#endif /* FSB_UTF8_H */
