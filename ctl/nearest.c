// SPDX-License-Identifier: GPL-2.0-or-later
/* nearest: which known word a mistyped one was meant to be. */
#include "nearest.h"

#include <string.h>

#define WORD_MAX 32 /* longer words are not compared */

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int least = a < b ? a : b;

	return least < c ? least : c;
}

/* Letters to insert, drop, change or swap with their neighbour to get from a to b. */
static unsigned int slips(const char *a, size_t len_a, const char *b, size_t len_b)
{
	unsigned int d[WORD_MAX + 1][WORD_MAX + 1];

	for (size_t i = 0; i <= len_a; i++)
		d[i][0] = (unsigned int)i;
	for (size_t j = 0; j <= len_b; j++)
		d[0][j] = (unsigned int)j;
	for (size_t i = 1; i <= len_a; i++) {
		for (size_t j = 1; j <= len_b; j++) {
			d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1,
				       d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1 < d[i][j])
				d[i][j] = d[i - 2][j - 2] + 1;
		}
	}
	return d[len_a][len_b];
}

/* The only word that begins with the given one. */
static const char *completion(const char *word, const char *const *words, size_t nr)
{
	const char *found = NULL;

	for (size_t i = 0; i < nr; i++) {
		if (strncmp(words[i], word, strlen(word)))
			continue;
		if (found)
			return NULL;
		found = words[i];
	}
	return found;
}

const char *nearest_word(const char *word, const char *const *words, size_t nr)
{
	size_t len = strlen(word);
	unsigned int best = 1 + (unsigned int)len / 3; /* more slips are another word */
	const char *found;

	if (!len || len > WORD_MAX)
		return NULL;
	found = completion(word, words, nr);
	if (found)
		return found;
	for (size_t i = 0; i < nr; i++) {
		size_t len_other = strlen(words[i]);
		unsigned int n;

		if (len_other > WORD_MAX)
			continue;
		n = slips(word, len, words[i], len_other);
		if (n < best || (n == best && !found)) {
			best = n;
			found = words[i];
		}
	}
	return found;
}
