// SPDX-License-Identifier: GPL-2.0-or-later
/* words: arithmetic on structs of counters, see words.h. */
#include <errno.h>

#include "model/words.h"

int words_subtract(void *result, const void *b, const void *a, size_t nr)
{
	const uint64_t *from = b, *to = a;
	uint64_t *out = result;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (from[i] < to[i])
			return -ERANGE;
		out[i] = from[i] - to[i];
	}
	return 0;
}

void words_add(void *into, const void *from, size_t nr)
{
	const uint64_t *in = from;
	uint64_t *out = into;
	size_t i;

	for (i = 0; i < nr; i++)
		out[i] += in[i];
}
