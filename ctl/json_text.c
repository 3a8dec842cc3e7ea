// SPDX-License-Identifier: GPL-2.0-or-later
/* json_text: see json_text.h. */
#include <stdlib.h>
#include <string.h>

#include "json_text.h"
#include "message.h"

/* Names of mounts may be no UTF-8: for them jansson returns NULL. */
json_t *json_text(const char *text)
{
	json_t *string = json_string(text);
	size_t size = 4 * strlen(text) + 1;
	char *safe;

	if (string)
		return string;
	safe = malloc(size);
	if (!safe)
		return NULL;
	string = json_string(message_printable(safe, size, text));
	free(safe);
	return string;
}
