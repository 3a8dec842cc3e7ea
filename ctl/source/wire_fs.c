// SPDX-License-Identifier: GPL-2.0-or-later
/* wire_fs: messages of FS_GET as structs, see wire.h. */
#include <errno.h>
#include <stdlib.h>

#include "model/hist.h"
#include "source/nest.h"
#include "source/wire.h"

static const struct field all_fields[] = {
	FIELD(FSBSTAT_A_FS_ALL_MISSED, FIELD_U64, struct fs_all, missed),
	FIELD(FSBSTAT_A_FS_ALL_LOST, FIELD_U64, struct fs_all, lost),
};

static const struct field row_fields[] = {
	FIELD(FSBSTAT_A_FS_MAJOR, FIELD_U32, struct fs_row, major),
	FIELD(FSBSTAT_A_FS_MINOR, FIELD_U32, struct fs_row, minor),
	TEXT(FSBSTAT_A_FS_TYPE, struct fs_row, type, sizeof(((struct fs_row *)0)->type)),
	FIELD(FSBSTAT_A_FS_FSYNCS, FIELD_U64, struct fs_row, sums.fsyncs),
	FIELD(FSBSTAT_A_FS_ERRORS, FIELD_U64, struct fs_row, sums.errors),
	FIELD(FSBSTAT_A_FS_COMMITS, FIELD_U64, struct fs_row, sums.commits),
};

_Static_assert(FSBSTAT_A_FS_MAX <= ATTR_MAX && FSBSTAT_A_FS_ALL_MAX <= ATTR_MAX,
	       "nest_read() has room for every attribute");

/* More than the module has room for; what a foreign one claims is not believed. */
#define ROWS_MAX 1024

static int read_row(struct value nest, struct fs_counts *fs, const char **why)
{
	struct value values[ATTR_MAX + 1];
	struct fs_row message = { .here = false }, *row;
	int err;

	nest_read(nest, values);
	err = READ_FIELDS(values, row_fields, &message, why);
	if (err)
		return err;
	if (!values[FSBSTAT_A_FS_LATENCY].data || fs->nr >= ROWS_MAX)
		return nest_bad(why, "a filesystem without latency, or too many");
	row = fs_new_row(fs, message.major, message.minor, message.type);
	if (!row)
		return nest_bad(why, "a filesystem twice");
	row->sums = message.sums;
	row->latency = calloc(1, sizeof(*row->latency));
	if (!row->latency)
		return -ENOMEM;
	return wire_samples(values[FSBSTAT_A_FS_LATENCY], row->latency, why);
}

int wire_fs(const void *bytes, size_t len, struct fs_counts *fs, const char **why)
{
	struct value values[ATTR_MAX + 1], message = { bytes, len };
	int err = 0;

	nest_read(message, values);
	if (values[FSBSTAT_A_FS_ALL].data) {
		struct value all[ATTR_MAX + 1];

		nest_read(values[FSBSTAT_A_FS_ALL], all);
		err = READ_FIELDS(all, all_fields, &fs->all, why);
	}
	if (!err && values[FSBSTAT_A_FS].data)
		err = read_row(values[FSBSTAT_A_FS], fs, why);
	return err;
}
