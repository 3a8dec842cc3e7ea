/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * members: the members of a struct as the keys of a JSON object, by tables, so that a
 * further member is a further line.  For recording.c.
 */
#ifndef FSB_SOURCE_MEMBERS_H
#define FSB_SOURCE_MEMBERS_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

enum member_type { MEMBER_U64, MEMBER_U32, MEMBER_INT, MEMBER_I64, MEMBER_BOOL, MEMBER_TEXT };

struct member_row {
	const char *key;
	enum member_type type;
	size_t offset;
	size_t size; /* of a text */
};

#define MEMBER(key, type, of, member) { key, type, offsetof(of, member), 0 }
#define MEMBER_CHARS(key, of, member) \
	{ key, MEMBER_TEXT, offsetof(of, member), sizeof(((of *)0)->member) }

struct member_table {
	const struct member_row *row;
	size_t nr;
};

#define MEMBER_TABLE(rows) { rows, sizeof(rows) / sizeof((rows)[0]) }

/*
 * A new object; what is 0, false or "" is left out.  NULL when memory ran out.
 * members_set() adds to an object that is there; 0 or -1.
 */
json_t *members_json(const struct member_table *table, const void *from);
int members_set(json_t *object, const struct member_table *table, const void *from);

/*
 * Fills @into, which is zeroed.  What is not there stays 0, unknown keys are passed over.
 * Texts become printable.  0, or -EBADMSG: a value of the wrong kind or size.
 */
int members_get(const json_t *object, const struct member_table *table, void *into);

/* All of 64 bits; those that JSON's readers take for negative are texts. */
json_t *members_u64(uint64_t value);
int members_get_u64(const json_t *value, uint64_t *into);

/*
 * An array of numbers as [place, value] pairs, zeros left out; 0 or -EBADMSG with what is
 * beyond @nr.
 */
json_t *members_sparse(const uint64_t *values, uint32_t nr);
int members_get_sparse(const json_t *array, uint64_t *values, uint32_t nr);

#endif /* FSB_SOURCE_MEMBERS_H */
