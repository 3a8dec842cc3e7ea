/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * csv_field: texts in CSV (RFC 4180), one dialect for all tables that the tool writes.  Names
 * come from files, tools and other users, and a table ends up on a terminal or in a
 * spreadsheet: neither is to obey them.
 */
#ifndef FSB_CSV_FIELD_H
#define FSB_CSV_FIELD_H

#include <stdio.h>

/* Ends a row. */
#define CSV_END "\r\n"

/*
 * Writes one text field, in quotes where it needs them, at most 4095 bytes of it.  Control
 * characters come out as \xNN.  A text that a spreadsheet may take for a formula (a leading =,
 * +, - or @), or that begins with ', gets a ' before it: a reader takes one leading ' off.
 */
void csv_field(FILE *to, const char *text);

#endif /* FSB_CSV_FIELD_H */
