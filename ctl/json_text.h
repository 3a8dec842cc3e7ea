/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_text: strings that may be no UTF-8, for whoever writes JSON. */
#ifndef FSB_JSON_TEXT_H
#define FSB_JSON_TEXT_H

#include <jansson.h>

/* What JSON cannot hold comes out as \xNN.  A new reference; NULL: no memory. */
json_t *json_text(const char *text);

#endif /* FSB_JSON_TEXT_H */
