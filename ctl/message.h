/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * message: text on its way to a person's terminal.  Names of files, mounts and
 * devices may hold escape sequences and bytes that are no text at all; whatever
 * is not known to be harmless goes through here.  Anything may call it.
 */
#ifndef FSB_MESSAGE_H
#define FSB_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Copies src to dst (size bytes, always terminated) with control characters and
 * whatever is not UTF-8 written as \xNN, cut at a whole character.  Returns dst.
 */
char *message_printable(char *dst, size_t size, const char *src);

/*
 * Length of the UTF-8 character that @text begins with, 0: it is none.  *harmful is its code
 * where a terminal may obey it or be misled by it, else 0 (also for NUL).
 */
size_t message_character(const char *text, uint32_t *harmful);

/*
 * "fsbctl: OBJECT: REASON" on stderr ("fsbctl: REASON" when OBJECT is ""), and HINT
 * indented below it unless it is "".  REASON and HINT may have several lines.
 */
void message_error(const char *object, const char *reason, const char *hint);

#endif /* FSB_MESSAGE_H */
