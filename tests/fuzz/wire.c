// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wire: replies of the module.  The input is messages: a byte that says of which kind, two for
 * the length (little endian), the attributes.  Beside what libFuzzer does to bytes, attributes
 * are dropped, doubled, moved and changed with the lengths of all nests around them put right.
 */
#include <errno.h>
#include <stdbool.h>

#include <linux/netlink.h>

#include "fuzz.h"
#include "model/delta.h"
#include "model/fs.h"
#include "source/wire.h"

#define HEAD 3

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned int seed);

/* Everything that messages of one input add to. */
struct heard {
	struct snapshot snap; /* with those of filesystems */
	struct owners owners;
};

static void hear(struct heard *heard, unsigned int kind, const uint8_t *bytes, size_t len)
{
	struct module_info info;
	struct watch watch;
	const char *why;
	int err;

	switch (kind) {
	case 0:
		err = wire_module(bytes, len, &info, &why);
		break;
	case 1:
		err = wire_watch(bytes, len, &watch, &why);
		break;
	case 2:
		err = wire_snapshot(bytes, len, &heard->snap, &why);
		break;
	case 3:
		err = wire_fs(bytes, len, heard->snap.fs, &why);
		break;
	default:
		err = wire_owners(bytes, len, &heard->owners, &why);
		break;
	}
	fuzz_must(!err || err == -ENOMEM || (err == -EBADMSG && *why), "an error without a reason");
}

static void compare(const struct snapshot *snap)
{
	struct snapshot nothing = { .nr_queues = 0 };
	struct delta delta;

	if (!delta_make(&delta, snap, snap)) {
		delta_depth_mean(&delta);
		delta_free(&delta);
	}
	if (!delta_make(&delta, &nothing, snap))
		delta_free(&delta);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct heard heard = { .owners = { .nr = 0 } };
	const char *why;

	heard.snap.fs = calloc(1, sizeof(*heard.snap.fs));
	fuzz_must(!!heard.snap.fs, "calloc");
	while (size >= HEAD) {
		size_t len = data[1] | (size_t)data[2] << 8;
		uint8_t *exact;

		if (len > size - HEAD)
			len = size - HEAD;
		/* Of its own, so that a byte too far is seen. */
		exact = malloc(len ? len : 1);
		fuzz_must(!!exact, "malloc");
		memcpy(exact, data + HEAD, len);
		hear(&heard, data[0] % 5, exact, len);
		free(exact);
		data += HEAD + len;
		size -= HEAD + len;
	}
	if (!wire_snapshot_end(&heard.snap, &why))
		compare(&heard.snap);
	wire_owners_end(&heard.owners, &why);
	snapshot_free(&heard.snap);
	owners_free(&heard.owners);
	return 0;
}

/* --- mutation --- */

#define DEPTH_MAX 6

/* An attribute in the input, and what it stands in: where the lengths are. */
struct place {
	size_t at[DEPTH_MAX]; /* of the attributes around it and at last itself */
	size_t depth;
	size_t message; /* of the message */
};

static size_t length_at(const uint8_t *data, size_t at)
{
	return data[at] | (size_t)data[at + 1] << 8;
}

static void put_length(uint8_t *data, size_t at, size_t len)
{
	data[at] = (uint8_t)len;
	data[at + 1] = (uint8_t)(len >> 8);
}

/* Walks attributes and gives each the same chance. */
static void pick(const uint8_t *data, size_t at, size_t end, struct place *here,
		 struct place *picked, size_t *seen)
{
	while (at + NLA_HDRLEN <= end && here->depth < DEPTH_MAX) {
		size_t len = length_at(data, at);
		bool nested = length_at(data, at + 2) & NLA_F_NESTED;

		if (len < NLA_HDRLEN || len > end - at)
			return;
		here->at[here->depth++] = at;
		if (!((size_t)rand() % ++*seen))
			*picked = *here;
		if (nested)
			pick(data, at + NLA_HDRLEN, at + len, here, picked, seen);
		here->depth--;
		at += NLA_ALIGN(len);
	}
}

static bool pick_any(const uint8_t *data, size_t size, struct place *picked)
{
	struct place here = { .depth = 0 };
	size_t seen = 0;

	for (size_t at = 0; at + HEAD <= size;) {
		size_t len = length_at(data, at + 1);

		if (len > size - at - HEAD)
			break;
		here.message = at;
		pick(data, at + HEAD, at + HEAD + len, &here, picked, &seen);
		at += HEAD + len;
	}
	return seen;
}

/* Puts @len bytes for those of the attribute, which were @old, and the lengths right. */
static size_t replace(uint8_t *data, size_t size, size_t room, const struct place *place,
		      size_t old, const uint8_t *bytes, size_t len)
{
	size_t at = place->at[place->depth - 1];

	if (old > size - at || size - old + len > room ||
	    length_at(data, place->message + 1) + len - old > UINT16_MAX)
		return size;
	memmove(data + at + len, data + at + old, size - at - old);
	memcpy(data + at, bytes, len);
	for (size_t i = 0; i + 1 < place->depth; i++)
		put_length(data, place->at[i], length_at(data, place->at[i]) + len - old);
	put_length(data, place->message + 1, length_at(data, place->message + 1) + len - old);
	return size - old + len;
}

static size_t change_attribute(uint8_t *data, size_t size, size_t room)
{
	static uint8_t bytes[2 * 65536 + 8];
	struct place place = { .depth = 0 };
	size_t at, len, old;

	if (!pick_any(data, size, &place))
		return LLVMFuzzerMutate(data, size, room);
	at = place.at[place.depth - 1];
	len = length_at(data, at);
	old = NLA_ALIGN(len) < size - at ? NLA_ALIGN(len) : len;
	memcpy(bytes, data + at, old);
	switch (rand() % 4) {
	case 0:
		return replace(data, size, room, &place, old, bytes, 0);
	case 1:
		memcpy(bytes + old, data + at, old);
		return replace(data, size, room, &place, old, bytes, 2 * old);
	case 2: /* of another type */
		bytes[2] = (uint8_t)(rand() % 32);
		return replace(data, size, room, &place, old, bytes, old);
	}
	len = NLA_HDRLEN + LLVMFuzzerMutate(bytes + NLA_HDRLEN, len - NLA_HDRLEN, len + 16);
	put_length(bytes, 0, len);
	memset(bytes + len, 0, NLA_ALIGN(len) - len);
	return replace(data, size, room, &place, old, bytes, NLA_ALIGN(len));
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned int seed)
{
	srand(seed);
	return seed % 4 ? change_attribute(data, size, room) : LLVMFuzzerMutate(data, size, room);
}
