/* SPDX-License-Identifier: GPL-2.0-or-later */
/* message_bytes: attributes of a netlink message, written the way the module sends them. */
#ifndef FSB_TESTS_MESSAGE_BYTES_H
#define FSB_TESTS_MESSAGE_BYTES_H

#include <linux/netlink.h>

#include "unit.h"

/* A message being written. */
struct message {
	char bytes[16384];
	size_t len;
};

static inline void put(struct message *message, unsigned int type, const void *data, size_t len)
{
	struct nlattr attr = { .nla_len = (uint16_t)(NLA_HDRLEN + len),
			       .nla_type = (uint16_t)type };

	assert_true(message->len + NLA_HDRLEN + NLA_ALIGN(len) <= sizeof(message->bytes));
	memcpy(message->bytes + message->len, &attr, sizeof(attr));
	memcpy(message->bytes + message->len + NLA_HDRLEN, data, len);
	message->len += NLA_HDRLEN + NLA_ALIGN(len);
}

static inline void put_u8(struct message *message, unsigned int type, uint8_t value)
{
	put(message, type, &value, sizeof(value));
}

static inline void put_u32(struct message *message, unsigned int type, uint32_t value)
{
	put(message, type, &value, sizeof(value));
}

static inline void put_u64(struct message *message, unsigned int type, uint64_t value)
{
	put(message, type, &value, sizeof(value));
}

static inline void put_nest(struct message *message, unsigned int type, const struct message *nest)
{
	put(message, type | NLA_F_NESTED, nest->bytes, nest->len);
}

#endif /* FSB_TESTS_MESSAGE_BYTES_H */
