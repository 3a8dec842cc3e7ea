// SPDX-License-Identifier: GPL-2.0-or-later
/* workload_scan: what the lines of a workload's output say; see workload_scan.h. */
#include "bench/workload_scan.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/workload_pattern.h"

int scan_open(struct scan *scan, const struct workload *workload, struct trouble *trouble)
{
	const char *pattern[SCAN_PATTERNS] = {
		[SCAN_RESULT] = workload->result,
		[SCAN_FAILURE] = workload->failure,
		[SCAN_FROM] = workload->window_from,
		[SCAN_TO] = workload->window_to,
	};
	char why[128];

	memset(scan, 0, sizeof(*scan));
	scan->workload = workload;
	for (int i = 0; i < SCAN_PATTERNS; i++) {
		if (!*pattern[i])
			continue;
		if (pattern_compile(&scan->regex[i], pattern[i], why, sizeof(why)))
			return trouble_set(trouble, TROUBLE_USAGE, workload->path, "", "%s: %s",
					   pattern[i], why);
		scan->has[i] = true;
	}
	return 0;
}

void scan_close(struct scan *scan)
{
	for (int i = 0; i < SCAN_PATTERNS; i++)
		if (scan->has[i])
			regfree(&scan->regex[i]);
	memset(scan->has, 0, sizeof(scan->has));
}

static bool like(const struct scan *scan, enum scan_pattern pattern, const char *line,
		 regmatch_t *match)
{
	return scan->has[pattern] && !regexec(&scan->regex[pattern], line, 2, match, 0);
}

/* strtod() alone would take signs, hexadecimal, "inf" and the "1.2" of "1.2.3". */
static bool number(const char *text, double *value)
{
	char *end;

	if (!*text || text[strspn(text, "0123456789.eE+-")])
		return false;
	errno = 0;
	*value = strtod(text, &end);
	return !*end && !errno && isfinite(*value) && *value >= 0;
}

static void take_result(struct scan *scan, const char *line, const regmatch_t *group)
{
	size_t len = group->rm_so < 0 ? 0 : (size_t)(group->rm_eo - group->rm_so);

	if (len >= sizeof(scan->wrong))
		len = sizeof(scan->wrong) - 1;
	memcpy(scan->wrong, line + (group->rm_so < 0 ? 0 : group->rm_so), len);
	scan->wrong[len] = '\0';
	scan->seen[SCAN_RESULT] = true;
	if (number(scan->wrong, &scan->score))
		scan->wrong[0] = '\0';
	else
		scan->score = NAN;
}

void scan_line(struct scan *scan, const char *line)
{
	regmatch_t match[2];

	if (line[strspn(line, " \t")])
		snprintf(scan->last, sizeof(scan->last), "%s", line);
	if (!scan->seen[SCAN_FAILURE] && like(scan, SCAN_FAILURE, line, match)) {
		scan->seen[SCAN_FAILURE] = true;
		snprintf(scan->failure, sizeof(scan->failure), "%s", line);
	}
	if (like(scan, SCAN_RESULT, line, match))
		take_result(scan, line, &match[1]);
	if (like(scan, SCAN_FROM, line, match))
		scan->seen[SCAN_FROM] = true;
	/* An end before the beginning is none. */
	if ((!scan->has[SCAN_FROM] || scan->seen[SCAN_FROM]) && like(scan, SCAN_TO, line, match))
		scan->seen[SCAN_TO] = true;
}

int scan_score(const struct scan *scan, double *score, char *reason, size_t size)
{
	*score = NAN;
	if (scan->seen[SCAN_FAILURE])
		snprintf(reason, size, "failed: %s", scan->failure);
	else if (!scan->seen[SCAN_RESULT])
		snprintf(reason, size, "no result: no line like %s", scan->workload->result);
	else if (isnan(scan->score))
		snprintf(reason, size, "no result: \"%s\" is no number", scan->wrong);
	else
		*score = scan->score * scan->workload->factor;
	return isnan(*score) ? -1 : 0;
}
