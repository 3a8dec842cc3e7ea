// SPDX-License-Identifier: GPL-2.0-or-later
/* trouble: why something of an experiment cannot be done. */
#include "bench/trouble.h"

#include <stdarg.h>
#include <stdio.h>

int trouble_set(struct trouble *trouble, enum trouble_kind kind, const char *object,
		const char *hint, const char *format, ...)
{
	va_list args;

	trouble->kind = kind;
	snprintf(trouble->object, sizeof(trouble->object), "%s", object);
	snprintf(trouble->hint, sizeof(trouble->hint), "%s", hint);
	va_start(args, format);
	vsnprintf(trouble->reason, sizeof(trouble->reason), format, args);
	va_end(args);
	return -1;
}

int trouble_memory(struct trouble *trouble, const char *object)
{
	return trouble_set(trouble, TROUBLE_FAILED, object, "", "out of memory");
}
