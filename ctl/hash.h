/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hash: FNV-1a of a text, to tell texts apart quickly or within a name; not against an enemy. */
#ifndef FSB_HASH_H
#define FSB_HASH_H

#include <stdint.h>

static inline uint64_t hash_text(const char *text)
{
	uint64_t value = 0xcbf29ce484222325ULL;

	for (; *text; text++)
		value = (value ^ (unsigned char)*text) * 0x100000001b3ULL;
	return value;
}

#endif /* FSB_HASH_H */
