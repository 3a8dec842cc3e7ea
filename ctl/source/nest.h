/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nest: the attributes of a netlink message or nest as plain values, and a table of
 * them as a struct.  Lengths are checked, unknown attributes ignored.  For wire.
 */
#ifndef FSB_SOURCE_NEST_H
#define FSB_SOURCE_NEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ATTR_MAX 31 /* of any nest here */

/* The value of an attribute; data is NULL when it is not there. */
struct value {
	const char *data;
	size_t len;
};

enum field_type { FIELD_ENUM, FIELD_U32, FIELD_U64, FIELD_BOOL, FIELD_TEXT, FIELD_FLAG };

/* Where an attribute goes in a struct. */
struct field {
	unsigned int attr;
	enum field_type type;
	size_t offset;
	size_t room; /* for text */
};

#define FIELD(attr, type, in, member)	{ attr, type, offsetof(in, member), 0 }
#define TEXT(attr, in, member, room)	{ attr, FIELD_TEXT, offsetof(in, member), room }

/* -EBADMSG with the reason. */
int nest_bad(const char **why, const char *what);

/* Steps to the next attribute; false at the end and at anything that is none. */
bool nest_next(struct value *rest, unsigned int *type, struct value *value);

/* Values by type; of an attribute that comes several times the last. */
void nest_read(struct value nest, struct value values[ATTR_MAX + 1]);

/* Fills a struct from a nest; every attribute of the table must be there. */
int nest_fields(const struct value *values, const struct field *fields, size_t nr, void *to,
		const char **why);

#define READ_FIELDS(values, fields, to, why) \
	nest_fields(values, fields, sizeof(fields) / sizeof(fields[0]), to, why)

#endif /* FSB_SOURCE_NEST_H */
