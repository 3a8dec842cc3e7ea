/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_text: JSON on its way out: strings that may be no UTF-8, and the only place where
 * documents become text.
 */
#ifndef FSB_JSON_TEXT_H
#define FSB_JSON_TEXT_H

#include <stdio.h>

#include <jansson.h>

/* What JSON cannot hold comes out as \xNN.  A new reference; NULL: no memory. */
json_t *json_text(const char *text);

/* null for what is no finite number.  A new reference; NULL: no memory. */
json_t *json_finite(double value);

/*
 * As json_dumpf() and json_dumps(), but control characters and marks that reorder or hide text
 * come out as \uXXXX: a terminal that shows the document does not obey them.
 */
int json_put(const json_t *json, FILE *to, size_t flags);
char *json_put_text(const json_t *json, size_t flags);

#endif /* FSB_JSON_TEXT_H */
