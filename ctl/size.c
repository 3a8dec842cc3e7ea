// SPDX-License-Identifier: GPL-2.0-or-later
/* size: numbers of bytes as a person writes them. */
#include "size.h"

#include <stdio.h>

#include "quantity.h"

#define SIZE_LIMIT 9e18 /* of 64 bits with a sign, as offsets in files are */

static const struct quantity_unit size_units[] = {
	{"", 1},      {"B", 1},	     {"kB", 1e3},     {"KB", 1e3},     {"MB", 1e6},	{"GB", 1e9},
	{"TB", 1e12}, {"KiB", 1024}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40},
};

int size_parse(const char *text, uint64_t *bytes)
{
	double value;
	const char *unit = quantity_number(text, &value);

	if (!unit ||
	    quantity_scale(unit + (*unit == ' '), size_units,
			   sizeof(size_units) / sizeof(*size_units), &value) ||
	    !(value <= SIZE_LIMIT))
		return -1;
	*bytes = (uint64_t)value;
	return 0;
}

const char *size_text(char text[SIZE_TEXT_MAX], uint64_t bytes)
{
	int unit = bytes >= (uint64_t)1 << 40 ? 40 : bytes >= 1 << 30 ? 30 : 20;

	snprintf(text, SIZE_TEXT_MAX, "%.4g %s", (double)bytes / (double)((uint64_t)1 << unit),
		 unit == 40 ? "TiB" : unit == 30 ? "GiB" : "MiB");
	return text;
}
