// SPDX-License-Identifier: GPL-2.0-or-later
/* workload_pattern: extended regular expressions; see workload_pattern.h. */
#include "bench/workload_pattern.h"

#include <string.h>

int pattern_compile(regex_t *regex, const char *pattern, char *why, size_t size)
{
	int err = regcomp(regex, pattern, REG_EXTENDED);

	if (!err)
		return 0;
	regerror(err, regex, why, size);
	return -1;
}

/* POSIX finds the longest of the leftmost matches, so a whole match is found when there is one. */
bool pattern_whole(const char *pattern, const char *text)
{
	regmatch_t match;
	regex_t regex;
	bool whole;

	if (!*pattern)
		return true;
	if (regcomp(&regex, pattern, REG_EXTENDED))
		return false;
	whole = !regexec(&regex, text, 1, &match, 0) && match.rm_so == 0 &&
		(size_t)match.rm_eo == strlen(text);
	regfree(&regex);
	return whole;
}
