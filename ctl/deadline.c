// SPDX-License-Identifier: GPL-2.0-or-later
/* deadline: see deadline.h. */
#include "deadline.h"

#include <math.h>

double deadline_next(double due_s, double period_s, double now_s)
{
	double next_s = due_s + period_s;

	if (next_s > now_s)
		return next_s;
	next_s += period_s * floor((now_s - next_s) / period_s);
	/* Where rounding, or a period too small for the clock, left it behind. */
	while (next_s <= now_s)
		next_s = next_s + period_s > next_s ? next_s + period_s :
						      nextafter(now_s, INFINITY);
	return next_s;
}
