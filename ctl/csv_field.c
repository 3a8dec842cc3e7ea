// SPDX-License-Identifier: GPL-2.0-or-later
/* csv_field: see csv_field.h. */
#include <stdbool.h>
#include <string.h>

#include "csv_field.h"
#include "message.h"

void csv_field(FILE *to, const char *text)
{
	char safe[4096];
	/* Tabs and ends of lines, which may also begin a formula, are escaped here. */
	const char *value = message_printable(safe, sizeof(safe), text);
	bool quotes = value[strcspn(value, ",;\"")];

	if (quotes)
		fputc('"', to);
	if (*value && strchr("=+-@'", *value))
		fputc('\'', to);
	for (; *value; value++)
		fprintf(to, *value == '"' ? "\"\"" : "%c", *value);
	if (quotes)
		fputc('"', to);
}
