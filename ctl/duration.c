// SPDX-License-Identifier: GPL-2.0-or-later
/* duration: lengths of time as a person writes them. */
#include "duration.h"

#include "quantity.h"

#define SECONDS_MIN 0.000000001
#define SECONDS_MAX 1e9 /* 31 years; leaves room for nanoseconds in 64 bits */

static const struct quantity_unit duration_units[] = {
	{"", 1},   {"s", 1},	{"ms", 0.001}, {"us", 0.000001}, {"ns", 0.000000001},
	{"m", 60}, {"h", 3600},
};

int duration_parse(const char *text, double *seconds)
{
	double value;
	const char *unit = quantity_number(text, &value);

	if (!unit ||
	    quantity_scale(unit, duration_units, sizeof(duration_units) / sizeof(*duration_units),
			   &value) ||
	    !(value >= SECONDS_MIN && value <= SECONDS_MAX))
		return -1;
	*seconds = value;
	return 0;
}
