// SPDX-License-Identifier: GPL-2.0-or-later
/* utf8: see utf8.h. */
#include "utf8.h"

size_t utf8_decode(const char *text, uint32_t *point)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *s = (const unsigned char *)text;
	size_t len, i;

	if (s[0] < 0x80) {
		*point = s[0];
		return 1;
	}
	if (s[0] >= 0xf8 || (s[0] & 0xc0) == 0x80)
		return 0;
	len = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
	*point = s[0] & (0x7fU >> len);
	for (i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*point = *point << 6 | (s[i] & 0x3f);
	}
	/* Overlong forms and surrogates are other programs' ways past a filter. */
	if (*point < least[len] || *point > 0x10ffff || (*point >= 0xd800 && *point <= 0xdfff))
		return 0;
	return len;
}
