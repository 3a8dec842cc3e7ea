// SPDX-License-Identifier: GPL-2.0-or-later
/* store_delete: runs out of the store, with their cells and trials. */
#include "bench/store_private.h"

/* Children first: the tables refer to each other. */
static const char *const statements[] = {
	"DELETE FROM trial WHERE cell IN (SELECT id FROM cell WHERE run = ?)",
	"DELETE FROM cell WHERE run = ?",
	"DELETE FROM run WHERE id = ?",
};

static int delete_rows(struct store *store, const char *sql, int64_t run, struct trouble *trouble)
{
	sqlite3_stmt *statement = store_prepare(store, sql, trouble);
	int err;

	if (!statement)
		return -1;
	err = sqlite3_bind_int64(statement, 1, run) || sqlite3_step(statement) != SQLITE_DONE;
	if (err)
		err = store_fail(store, trouble);
	sqlite3_finalize(statement);
	return err;
}

static int delete_run(struct store *store, const struct store_run *run, struct trouble *trouble)
{
	/* What is in progress stays, and what is not is not resumed meanwhile. */
	int err = store_run_hold(store, run->id, run->name, trouble);

	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]) && !err; i++)
		err = delete_rows(store, statements[i], run->id, trouble);
	return err;
}

int store_delete(struct store *store, const struct store_run *run, size_t nr,
		 struct trouble *trouble)
{
	int err = store_begin(store, trouble);

	if (err)
		return -1;
	for (size_t i = 0; i < nr && !err; i++)
		err = delete_run(store, &run[i], trouble);
	err = store_end(store, err, trouble);
	/* Their numbers may be given to new runs. */
	for (size_t i = 0; i < nr; i++)
		store_run_let_go(store, run[i].id);
	return err;
}
