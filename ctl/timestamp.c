// SPDX-License-Identifier: GPL-2.0-or-later
/* timestamp: what time it is, as it is stored and reported. */
#include "timestamp.h"

#include <string.h>
#include <time.h>

void timestamp_now(char text[TIMESTAMP_MAX])
{
	time_t now = time(NULL);
	struct tm utc;

	if (!gmtime_r(&now, &utc) || !strftime(text, TIMESTAMP_MAX, "%Y-%m-%dT%H:%M:%SZ", &utc))
		text[0] = '\0';
}

char *timestamp_new(void)
{
	char text[TIMESTAMP_MAX];

	timestamp_now(text);
	return strdup(text);
}
