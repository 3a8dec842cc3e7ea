// SPDX-License-Identifier: GPL-2.0-or-later
/* message: see message.h. */
#include "message.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "utf8.h"

/* C0, DEL, C1, and the marks that reorder or hide the text around them. */
static bool is_harmful(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200b && code <= 0x200f) ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
	       code == 0x61c || code == 0xfeff;
}

size_t message_character(const char *text, uint32_t *harmful)
{
	uint32_t code = 0;
	size_t len = utf8_decode(text, &code);

	*harmful = len && is_harmful(code) ? code : 0;
	return len;
}

char *message_printable(char *dst, size_t size, const char *src)
{
	size_t used = 0;

	if (!size)
		return dst;
	while (*src) {
		char piece[4 * 4 + 1];
		uint32_t code = 0;
		size_t len = utf8_decode(src, &code), take = len ? len : 1, out = 0;

		if (len && !is_harmful(code)) {
			memcpy(piece, src, len);
			out = len;
		} else {
			for (size_t i = 0; i < take; i++)
				out += (size_t)snprintf(piece + out, sizeof(piece) - out, "\\x%02x",
							(unsigned char)src[i]);
		}
		if (used + out >= size)
			break;
		memcpy(dst + used, piece, out);
		used += out;
		src += take;
	}
	dst[used] = '\0';
	return dst;
}

/* Prints each line of text behind lead. */
static void print_lines(const char *lead, const char *text)
{
	char line[1024], safe[1024];

	while (*text) {
		size_t len = strcspn(text, "\n");
		size_t keep = len < sizeof(line) - 1 ? len : sizeof(line) - 1;

		memcpy(line, text, keep);
		line[keep] = '\0';
		fprintf(stderr, "%s%s\n", lead, message_printable(safe, sizeof(safe), line));
		text += len + (text[len] == '\n');
	}
}

void message_error(const char *object, const char *reason, const char *hint)
{
	char lead[600], safe[512];

	message_printable(safe, sizeof(safe), object);
	snprintf(lead, sizeof(lead), "fsbctl: %s%s", safe, *safe ? ": " : "");
	print_lines(lead, reason);
	print_lines("        ", hint);
}
