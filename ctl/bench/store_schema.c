// SPDX-License-Identifier: GPL-2.0-or-later
/* store_schema: the tables of the file (docs/store.md) and how an older one is brought on. */
#include <inttypes.h>
#include <stdio.h>

#include "bench/store_private.h"

#define APPLICATION_ID 0x66736274 /* "fsbt" */

/* Step i leads from version i to i + 1: the first one makes the tables. */
static const char *const steps[] = {
	"CREATE TABLE run("
	" id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, matrix TEXT NOT NULL,"
	" matrix_path TEXT NOT NULL, scale TEXT NOT NULL, baseline TEXT NOT NULL,"
	" seed TEXT NOT NULL, target TEXT NOT NULL, target_id TEXT NOT NULL,"
	" began TEXT NOT NULL, ended TEXT NOT NULL, state TEXT NOT NULL, fsbctl TEXT NOT NULL,"
	" module TEXT NOT NULL, kernel TEXT NOT NULL, machine TEXT NOT NULL,"
	" tools TEXT NOT NULL, disk TEXT NOT NULL, firmware TEXT NOT NULL);"
	"CREATE TABLE cell("
	" id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run(id),"
	" configuration TEXT NOT NULL, workload TEXT NOT NULL, title TEXT NOT NULL,"
	" unit TEXT NOT NULL, more_is_better INTEGER NOT NULL, asked TEXT NOT NULL,"
	" unsupported TEXT NOT NULL, stop TEXT NOT NULL,"
	" UNIQUE(run, configuration, workload));"
	"CREATE TABLE trial("
	" id INTEGER PRIMARY KEY, cell INTEGER NOT NULL REFERENCES cell(id),"
	" block INTEGER NOT NULL, place INTEGER NOT NULL, state TEXT NOT NULL,"
	" reason TEXT NOT NULL, score REAL, seconds REAL, sync_seconds REAL,"
	" began TEXT NOT NULL, mount_options TEXT NOT NULL, mkfs_output TEXT NOT NULL,"
	" output TEXT NOT NULL, device TEXT NOT NULL, phases TEXT NOT NULL,"
	" UNIQUE(cell, block));",
	/* Of older runs it cannot be told any more where they are from. */
	"ALTER TABLE run ADD COLUMN origin TEXT NOT NULL DEFAULT ''",
};

#define SCHEMA_VERSION ((int64_t)(sizeof(steps) / sizeof(steps[0])))

/* Views, triggers and virtual tables have no page of their own. */
#define COUNT_STRANGE                                                        \
	"SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index') " \
	"OR rootpage IS NULL OR rootpage < 1"

struct stamp {
	int64_t application, version, tables, strange;
};

static int read_stamp(struct store *store, struct stamp *stamp, struct trouble *trouble)
{
	if (store_number(store, "PRAGMA application_id", &stamp->application, trouble) ||
	    store_number(store, "PRAGMA user_version", &stamp->version, trouble) ||
	    store_number(store, "SELECT count(*) FROM sqlite_master", &stamp->tables,
			 trouble) ||
	    store_number(store, COUNT_STRANGE, &stamp->strange, trouble))
		return -1;
	/* Nothing at all: a file just made, or whose maker was killed in between. */
	if (!stamp->application && !stamp->version && !stamp->tables)
		return 0;
	if (stamp->application != APPLICATION_ID)
		return trouble_set(trouble, TROUBLE_FAILED, store->path,
				   "another file can be named with --db",
				   "a database of another program");
	if (stamp->strange)
		return trouble_set(trouble, TROUBLE_FAILED, store->path,
				   "another file can be named with --db",
				   "has views, triggers or virtual tables: not written by fsbctl");
	if (stamp->version < 1 || stamp->version > SCHEMA_VERSION)
		return trouble_set(trouble, TROUBLE_FAILED, store->path,
				   "use the newer fsbctl; its export can be imported here",
				   "its schema is version %" PRId64
				   ", this fsbctl knows those up to %" PRId64,
				   stamp->version, SCHEMA_VERSION);
	return 0;
}

/* Written even when there is nothing to do: who opens it for writing wants to know if he can. */
static int bring_on(struct store *store, struct trouble *trouble)
{
	struct stamp stamp;
	char pragma[96];
	int err;

	if (store_exec(store, "PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA",
		       trouble) ||
	    store_begin(store, trouble))
		return -1;
	/* Again, with the lock: another one may have come first. */
	err = read_stamp(store, &stamp, trouble);
	for (int64_t version = stamp.version; !err && version < SCHEMA_VERSION; version++)
		err = store_exec(store, steps[version], trouble);
	if (!err) {
		snprintf(pragma, sizeof(pragma),
			 "PRAGMA application_id = %d; PRAGMA user_version = %" PRId64,
			 APPLICATION_ID, SCHEMA_VERSION);
		err = store_exec(store, pragma, trouble);
	}
	return store_end(store, err, trouble);
}

int store_schema(struct store *store, enum store_mode mode, struct trouble *trouble)
{
	struct stamp stamp;

	if (read_stamp(store, &stamp, trouble))
		return -1;
	if (mode == STORE_READ && !stamp.tables)
		return trouble_set(trouble, TROUBLE_MISSING, store->path, "fsbctl run makes some",
				   "no runs are stored there");
	if (mode == STORE_READ && stamp.version == SCHEMA_VERSION)
		return 0;
	return bring_on(store, trouble);
}
