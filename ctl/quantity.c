// SPDX-License-Identifier: GPL-2.0-or-later
/* quantity: a number and its unit as a person writes them. */
#include "quantity.h"

#include <stdlib.h>
#include <string.h>

const char *quantity_number(const char *text, double *number)
{
	size_t digits = strspn(text, "0123456789.");
	char *end;

	/* Without this strtod() would take signs, exponents, hexadecimal and "inf". */
	if (!digits)
		return NULL;
	*number = strtod(text, &end);
	return end == text + digits ? end : NULL;
}

int quantity_scale(const char *name, const struct quantity_unit *units, size_t nr, double *number)
{
	for (size_t i = 0; i < nr; i++) {
		if (strcmp(name, units[i].name))
			continue;
		*number *= units[i].factor;
		return 0;
	}
	return -1;
}
