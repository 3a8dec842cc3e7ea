// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * store: an SQLite file that fsbctl has not made, as --db may name one.  The input is the file
 * itself, or SQL that makes it.
 */
#include <sqlite3.h>
#include <unistd.h>

#include "bench/store.h"
#include "fuzz.h"
#include "results/results.h"

#define MAGIC "SQLite format 3"

/* Steps of SQLite's machine that a script may take, in thousands. */
#define STEPS_MAX 50

static int tired(void *steps)
{
	return ++*(int *)steps > STEPS_MAX;
}

static void make_file(const char *path, const char *sql)
{
	sqlite3 *db;
	int steps = 0;

	unlink(path);
	fuzz_must(!sqlite3_open(path, &db), path);
	/* Neither a file beside the input, nor one that grows for ever. */
	sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 100000);
	sqlite3_progress_handler(db, 1000, tired, &steps);
	sqlite3_exec(db, "PRAGMA synchronous = OFF; PRAGMA max_page_count = 500", 0, 0, 0);
	sqlite3_exec(db, sql, 0, 0, 0);
	fuzz_must(!sqlite3_close(db), path);
}

static void look_at(struct store *store, const char *name)
{
	struct store_result result;
	struct results results;
	struct trouble trouble;
	size_t nr;

	if (store_load(store, name, &result, &trouble))
		return;
	store_count(store, result.run.id, &nr, &trouble);
	if (!results_make(&results, &result, NULL))
		results_text.show(fuzz_nowhere(), &results);
	results_free(&results);
	store_result_free(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *path = strdup(fuzz_path("input"));
	struct store_run *runs;
	struct trouble trouble;
	struct store *store;
	char *sql;
	size_t nr;

	fuzz_must(!!path, "strdup");
	if (size >= sizeof(MAGIC) && !memcmp(data, MAGIC, sizeof(MAGIC))) {
		fuzz_file(data, size);
	} else {
		sql = fuzz_text(data, size);
		make_file(path, sql);
		free(sql);
	}
	if (!store_open(&store, path, STORE_READ, &trouble)) {
		if (!store_list(store, &runs, &nr, &trouble))
			store_runs_free(runs, nr);
		look_at(store, NULL);
		look_at(store, "a-1");
		store_close(store);
	}
	free(path);
	return 0;
}
