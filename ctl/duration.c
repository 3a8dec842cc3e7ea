// SPDX-License-Identifier: GPL-2.0-or-later
/* duration: lengths of time as a person writes them. */
#include "duration.h"

#include <stdlib.h>
#include <string.h>

#define SECONDS_MIN 0.000000001
#define SECONDS_MAX 1e9 /* 31 years; leaves room for nanoseconds in 64 bits */

static const struct {
	const char *name;
	double seconds;
} duration_units[] = {
	{"", 1},   {"s", 1},	{"ms", 0.001}, {"us", 0.000001}, {"ns", 0.000000001},
	{"m", 60}, {"h", 3600},
};

int duration_parse(const char *text, double *seconds)
{
	size_t nr = sizeof(duration_units) / sizeof(*duration_units);
	size_t digits = strspn(text, "0123456789.");
	char *end;
	double value;

	/* Without this strtod() would take signs, exponents, hexadecimal and "inf". */
	if (!digits)
		return -1;
	value = strtod(text, &end);
	if (end != text + digits)
		return -1;
	for (size_t i = 0; i < nr; i++) {
		if (strcmp(end, duration_units[i].name))
			continue;
		value *= duration_units[i].seconds;
		if (!(value >= SECONDS_MIN && value <= SECONDS_MAX))
			return -1;
		*seconds = value;
		return 0;
	}
	return -1;
}
