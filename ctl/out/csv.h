/* SPDX-License-Identifier: GPL-2.0-or-later */
/* csv: the table's field quoting (RFC 4180), for csv.c and its test. */
#ifndef FSB_OUT_CSV_H
#define FSB_OUT_CSV_H

#include <stdio.h>

/* Writes one text field, in quotes where it needs them. */
void csv_field(FILE *to, const char *text);

#endif /* FSB_OUT_CSV_H */
