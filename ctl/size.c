// SPDX-License-Identifier: GPL-2.0-or-later
/* size: numbers of bytes as a person writes them. */
#include "size.h"

#include <stdlib.h>
#include <string.h>

#define SIZE_LIMIT 9e18 /* of 64 bits with a sign, as offsets in files are */

int size_parse(const char *text, uint64_t *bytes)
{
	static const struct {
		const char *name;
		double factor;
	} units[] = {
		{"", 1},	 {"B", 1},	  {"kB", 1e3},	   {"KB", 1e3},
		{"MB", 1e6},	 {"GB", 1e9},	  {"TB", 1e12},	   {"KiB", 1024.},
		{"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40},
	};
	size_t digits = strspn(text, "0123456789.");
	char *end;
	double value;

	if (!digits)
		return -1;
	value = strtod(text, &end);
	if (end != text + digits)
		return -1;
	end += *end == ' ';
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(end, units[i].name))
			continue;
		value *= units[i].factor;
		if (!(value <= SIZE_LIMIT))
			return -1;
		*bytes = (uint64_t)value;
		return 0;
	}
	return -1;
}
