// SPDX-License-Identifier: GPL-2.0-or-later
/* nest: netlink attributes of one nest, see nest.h. */
#include <errno.h>
#include <string.h>

#include <linux/netlink.h>

#include "source/nest.h"

int nest_bad(const char **why, const char *what)
{
	*why = what;
	return -EBADMSG;
}

bool nest_next(struct value *rest, unsigned int *type, struct value *value)
{
	struct nlattr attr;
	size_t step;

	if (rest->len < NLA_HDRLEN)
		return false;
	memcpy(&attr, rest->data, sizeof(attr));
	if (attr.nla_len < NLA_HDRLEN || attr.nla_len > rest->len)
		return false;
	*type = attr.nla_type & NLA_TYPE_MASK;
	value->data = rest->data + NLA_HDRLEN;
	value->len = attr.nla_len - NLA_HDRLEN;
	step = NLA_ALIGN(attr.nla_len);
	if (step > rest->len)
		step = rest->len;
	rest->data += step;
	rest->len -= step;
	return true;
}

void nest_read(struct value nest, struct value values[ATTR_MAX + 1])
{
	struct value value;
	unsigned int type;

	memset(values, 0, (ATTR_MAX + 1) * sizeof(*values));
	while (nest_next(&nest, &type, &value))
		if (type <= ATTR_MAX)
			values[type] = value;
}

static void store(const struct field *field, struct value value, char *to)
{
	size_t len = value.len;

	switch (field->type) {
	case FIELD_TEXT:
		len = strnlen(value.data, len < field->room ? len : field->room - 1);
		memcpy(to, value.data, len);
		to[len] = '\0';
		break;
	case FIELD_BOOL:
		*(bool *)to = *value.data != 0;
		break;
	case FIELD_ENUM:
		*(unsigned int *)to = *(const unsigned char *)value.data;
		break;
	case FIELD_U32:
		memcpy(to, value.data, sizeof(uint32_t));
		break;
	case FIELD_U64:
		memcpy(to, value.data, sizeof(uint64_t));
		break;
	case FIELD_FLAG: /* has no value */
		break;
	}
}

int nest_fields(const struct value *values, const struct field *fields, size_t nr, void *to,
		const char **why)
{
	static const size_t least[] = { [FIELD_ENUM] = 1, [FIELD_U32] = 4, [FIELD_U64] = 8,
					[FIELD_BOOL] = 1, [FIELD_TEXT] = 1 };
	size_t i;

	for (i = 0; i < nr; i++) {
		struct value value = values[fields[i].attr];
		char *member = (char *)to + fields[i].offset;

		if (fields[i].type == FIELD_FLAG) {
			*(bool *)member = !!value.data;
			continue;
		}
		if (!value.data)
			return nest_bad(why, "missing attribute");
		if (value.len < least[fields[i].type])
			return nest_bad(why, "short attribute");
		store(&fields[i], value, member);
	}
	return 0;
}
