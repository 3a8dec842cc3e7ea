/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quantity: a number and its unit as a person writes them.  For duration.c and size.c. */
#ifndef FSB_QUANTITY_H
#define FSB_QUANTITY_H

#include <stddef.h>

struct quantity_unit {
	const char *name; /* "": the number alone */
	double factor;
};

/* The plain decimal number that @text begins with; where it ends, or NULL: there is none. */
const char *quantity_number(const char *text, double *number);

/* Multiplies by the factor of the unit called @name.  0, or -1: there is no such unit. */
int quantity_scale(const char *name, const struct quantity_unit *units, size_t nr, double *number);

#endif /* FSB_QUANTITY_H */
