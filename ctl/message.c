// SPDX-License-Identifier: GPL-2.0-or-later
/* message: see message.h. */
#include "message.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Length of the UTF-8 character at s, 0 when there is none; its value in *code. */
static size_t utf8_decode(const unsigned char *s, unsigned int *code)
{
	static const unsigned int least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len, i;

	if (s[0] < 0x80) {
		*code = s[0];
		return 1;
	}
	if (s[0] >= 0xf8 || (s[0] & 0xc0) == 0x80)
		return 0;
	len = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
	*code = s[0] & (0x7fU >> len);
	for (i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (s[i] & 0x3f);
	}
	/* Overlong forms and surrogates are other programs' ways past a filter. */
	if (*code < least[len] || *code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff))
		return 0;
	return len;
}

/* C0, DEL, C1, and the marks that reorder or hide the text around them. */
static bool is_harmful(unsigned int code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200b && code <= 0x200f) ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
	       code == 0xfeff;
}

char *message_printable(char *dst, size_t size, const char *src)
{
	const unsigned char *s = (const unsigned char *)src;
	size_t used = 0;

	if (!size)
		return dst;
	while (*s) {
		char piece[4 * 4 + 1];
		unsigned int code = 0;
		size_t len = utf8_decode(s, &code), take = len ? len : 1, out = 0;

		if (len && !is_harmful(code)) {
			memcpy(piece, s, len);
			out = len;
		} else {
			for (size_t i = 0; i < take; i++)
				out += (size_t)snprintf(piece + out, sizeof(piece) - out, "\\x%02x",
							s[i]);
		}
		if (used + out >= size)
			break;
		memcpy(dst + used, piece, out);
		used += out;
		s += take;
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
