/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_bounded: JSON that may come from anywhere.  A value takes up to 250 bytes of memory for two
 * of text ("[],"), so values are counted before anything is made of them.
 */
#ifndef FSB_JSON_BOUNDED_H
#define FSB_JSON_BOUNDED_H

#include <jansson.h>

/* Ten times what a disk with 100 hardware queues has in a line; some 200 MiB at worst. */
#define JSON_VALUES_MAX 1000000

/* How many values the text has at most, keys not counted. */
size_t json_bounded_values(const char *text, size_t len);

/*
 * json_loadb(), for texts of up to JSON_VALUES_MAX values, keys given twice refused.  A new
 * reference, or NULL with *error (may be NULL), whose line is -1 when there are too many.
 */
json_t *json_bounded(const char *text, size_t len, json_error_t *error);

/* The same of a text ended by 0; of NULL it is NULL. */
json_t *json_bounded_text(const char *text, json_error_t *error);

#endif /* FSB_JSON_BOUNDED_H */
