/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * number: numbers as people and machines read them, the same in every locale.
 * Every function fills a struct number and returns its text.
 */
#ifndef FSB_OUT_NUMBER_H
#define FSB_OUT_NUMBER_H

#include <stdint.h>

struct number {
	char text[40];
};

/* 59 371: groups of three */
const char *number_count(struct number *number, uint64_t value);

/* 81.2: a fixed number of digits (0 to 9) behind the point; n/a when it is no number */
const char *number_decimal(struct number *number, double value, unsigned int digits);

/* [-36.5, 14.1] of two fractions, in percent; inf where it is unbounded */
const char *number_interval(struct number *number, double low, double high, unsigned int digits);

/* Per second or percent: 81.2, large ones without the point */
const char *number_rate(struct number *number, double value);

/* Nanoseconds as milliseconds with about three significant digits: 0.004 5.61 47.2 2214 */
const char *number_ms(struct number *number, double ns);

/* Bytes as megabytes: 8113.0, small ones with more digits */
const char *number_mb(struct number *number, double bytes);

/* Bytes with the unit that suits: 0 B, 4.1 kB, 18.3 MB, 320 GB */
const char *number_bytes(struct number *number, uint64_t bytes);

#endif /* FSB_OUT_NUMBER_H */
