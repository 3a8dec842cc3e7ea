// SPDX-License-Identifier: GPL-2.0-or-later
/* recording_owners: who did what, as JSON and back; see recording.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/disk.h"
#include "message.h"
#include "source/members.h"
#include "source/recording.h"

/* More than the module keeps. */
#define ROWS_MAX 65536U

#define COUNT(member) MEMBER(#member, MEMBER_U64, struct owner_counts, bio.member)
static const struct member_row counts_rows[] = {
	COUNT(read_ios), COUNT(read_bytes), COUNT(write_ios), COUNT(write_bytes),
	COUNT(discard_ios), COUNT(discard_bytes), COUNT(other_ios), COUNT(other_bytes),
	COUNT(preflush), COUNT(fua), COUNT(empty_flush),
	MEMBER("fsyncs", MEMBER_U64, struct owner_counts, fsyncs),
};

static const struct member_row owner_rows[] = {
	MEMBER_CHARS("comm", struct owner, comm),
	MEMBER("have_tgid", MEMBER_BOOL, struct owner, have_tgid),
	MEMBER("tgid", MEMBER_U32, struct owner, tgid),
	MEMBER("major", MEMBER_U32, struct owner, major),
	MEMBER("minor", MEMBER_U32, struct owner, minor),
};

static const struct member_table counts_table = MEMBER_TABLE(counts_rows),
	owner_table = MEMBER_TABLE(owner_rows);

/* The name is of now: the number may mean another device when it is replayed. */
static json_t *owner_json(const struct owner *owner)
{
	json_t *object = members_json(&owner_table, owner);
	char name[DISK_NAME_MAX];

	disk_name(owner->major, owner->minor, name);
	if (!object || json_object_set_new(object, "device", json_string(name)) ||
	    members_set(object, &counts_table, &owner->counts)) {
		json_decref(object);
		return NULL;
	}
	return object;
}

json_t *recording_owners_json(const struct owners *owners)
{
	json_t *rows = json_array();
	size_t i;

	for (i = 0; rows && i < owners->nr; i++)
		if (json_array_append_new(rows, owner_json(&owners->row[i]))) {
			json_decref(rows);
			rows = NULL;
		}
	return json_pack("{s:o, s:o, s:o}", "sum", members_json(&counts_table, &owners->sum),
			 "other", members_json(&counts_table, &owners->other), "rows", rows);
}

int recording_owners_get(const json_t *json, struct owners *owners, const char **why)
{
	const json_t *rows = json_object_get(json, "rows");
	size_t i, nr = json_array_size(rows);
	int err;

	memset(owners, 0, sizeof(*owners));
	*why = "owners";
	err = members_get(json_object_get(json, "sum"), &counts_table, &owners->sum);
	if (!err)
		err = members_get(json_object_get(json, "other"), &counts_table, &owners->other);
	if (err || nr > ROWS_MAX)
		return -EBADMSG;
	owners->row = calloc(nr + 1, sizeof(*owners->row));
	if (!owners->row)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		struct owner *owner = &owners->row[owners->nr++];

		if (members_get(json_array_get(rows, i), &owner_table, owner) ||
		    members_get(json_array_get(rows, i), &counts_table, &owner->counts))
			return -EBADMSG;
	}
	return owners_consistent(owners) ? 0 : -EBADMSG;
}

bool recording_owner_device(const json_t *json, uint32_t major, uint32_t minor,
			    char name[DISK_NAME_MAX])
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(json, "rows"), i, row) {
		const char *device = json_string_value(json_object_get(row, "device"));

		if (device && strlen(device) < DISK_NAME_MAX &&
		    json_integer_value(json_object_get(row, "major")) == major &&
		    json_integer_value(json_object_get(row, "minor")) == minor) {
			message_printable(name, DISK_NAME_MAX, device);
			return true;
		}
	}
	return false;
}
