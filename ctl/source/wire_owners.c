// SPDX-License-Identifier: GPL-2.0-or-later
/* wire_owners: who submitted bios or called fsync, see wire.h. */
#include <errno.h>

#include "source/wire.h"

static const struct field owner_fields[] = {
	TEXT(FSBSTAT_A_OWNER_COMM, struct owner, comm, sizeof(((struct owner *)0)->comm)),
	FIELD(FSBSTAT_A_OWNER_MAJOR, FIELD_U32, struct owner, major),
	FIELD(FSBSTAT_A_OWNER_MINOR, FIELD_U32, struct owner, minor),
};

/* Readers in another pid namespace do not get it. */
static const struct field tgid_fields[] = {
	FIELD(FSBSTAT_A_OWNER_TGID, FIELD_U32, struct owner, tgid),
};

static const struct field fsync_fields[] = {
	FIELD(FSBSTAT_A_OWNER_FSYNCS, FIELD_U64, struct owner_counts, fsyncs),
};

_Static_assert(FSBSTAT_A_OWNER_MAX <= ATTR_MAX, "nest_read() has room for every attribute");

static int read_counts(const struct value *values, struct owner_counts *counts, const char **why)
{
	if (values[FSBSTAT_A_OWNER_BIO].data)
		return wire_bio(values[FSBSTAT_A_OWNER_BIO], &counts->bio, why);
	return READ_FIELDS(values, fsync_fields, counts, why);
}

/* A row; without a name the sum, or what found no room. */
static int read_owner(struct value nest, struct owners *owners, const char **why)
{
	struct value values[ATTR_MAX + 1];
	struct owner owner = { .counts = { .fsyncs = 0 } };
	int err;

	nest_read(nest, values);
	err = read_counts(values, &owner.counts, why);
	if (err)
		return err;
	if (values[FSBSTAT_A_OWNER_OTHER].data) {
		owners->other = owner.counts;
		return 0;
	}
	if (!values[FSBSTAT_A_OWNER_COMM].data) {
		owners->sum = owner.counts;
		return 0;
	}
	err = READ_FIELDS(values, owner_fields, &owner, why);
	owner.have_tgid = values[FSBSTAT_A_OWNER_TGID].data;
	if (!err && owner.have_tgid)
		err = READ_FIELDS(values, tgid_fields, &owner, why);
	return err ? err : owners_count(owners, &owner);
}

int wire_owners(const void *bytes, size_t len, struct owners *owners, const char **why)
{
	struct value values[ATTR_MAX + 1], message = { bytes, len };

	nest_read(message, values);
	if (values[FSBSTAT_A_BIO].data)
		return wire_bio(values[FSBSTAT_A_BIO], &owners->sum.bio, why);
	if (values[FSBSTAT_A_OWNER].data)
		return read_owner(values[FSBSTAT_A_OWNER], owners, why);
	return 0; /* of a later module */
}

int wire_owners_end(const struct owners *owners, const char **why)
{
	return owners_consistent(owners) ? 0 : nest_bad(why, "owners do not add up to the sum");
}
