// SPDX-License-Identifier: GPL-2.0-or-later
/* lines: see lines.h. */
#include <errno.h>
#include <stdlib.h>

#include "source/lines.h"

#define FIRST_BYTES ((size_t)1 << 12)

static int grow(struct lines *lines)
{
	size_t size = lines->size ? 2 * lines->size : FIRST_BYTES;
	char *text;

	if (size > LINES_MAX_BYTES)
		return -EFBIG;
	text = realloc(lines->text, size);
	if (!text)
		return -ENOMEM;
	lines->text = text;
	lines->size = size;
	return 0;
}

ssize_t lines_next(struct lines *lines)
{
	size_t len = 0;
	int c, err;

	errno = 0;
	while ((c = getc_unlocked(lines->from)) != EOF) {
		err = len == lines->size ? grow(lines) : 0;
		if (err)
			return err;
		lines->text[len++] = (char)c;
		if (c == '\n')
			break;
	}
	return ferror(lines->from) ? -(errno ? errno : EIO) : (ssize_t)len;
}
