// SPDX-License-Identifier: GPL-2.0-or-later
/* store_read: runs, cells and trials out of the store. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/store_private.h"

/* Rows of a struct each, as they come. */
struct rows {
	char *row;
	size_t nr, allocated;
	size_t bytes; /* of all texts */
};

static int read_text(sqlite3_stmt *statement, int column, char **text)
{
	const char *value = (const char *)sqlite3_column_text(statement, column);

	/* NULL also where there was no memory to convert it. */
	if (!value && sqlite3_column_type(statement, column) != SQLITE_NULL)
		return -1;
	*text = strdup(value ? value : "");
	return *text ? 0 : -1;
}

/* Also of a file that somebody has had a hand in: what cannot be is the least there is. */
static int read_field(sqlite3_stmt *statement, int column, const struct field *field, void *row)
{
	void *at = (char *)row + field->offset;
	const char *text;

	switch (field->kind) {
	case FIELD_TEXT:
	case FIELD_JSON:
		return read_text(statement, column, field_text(field, row));
	case FIELD_NUMBER:
		text = (const char *)sqlite3_column_text(statement, column);
		*(uint64_t *)at = text ? strtoull(text, NULL, 10) : 0;
		return 0;
	case FIELD_BOOL:
		*(bool *)at = sqlite3_column_int(statement, column) != 0;
		return 0;
	case FIELD_COUNT:
		*(unsigned int *)at = (unsigned int)sqlite3_column_int64(statement, column);
		return 0;
	case FIELD_REAL:
		*(double *)at = sqlite3_column_type(statement, column) == SQLITE_NULL
					? NAN
					: sqlite3_column_double(statement, column);
		return 0;
	case FIELD_STATE:
		text = (const char *)sqlite3_column_text(statement, column);
		if (!text || !trial_state_parse(text, at))
			*(enum trial_state *)at = TRIAL_INVALID;
		return 0;
	}
	return -1;
}

/* The columns of a query: id, what it belongs to where it does, then the fields. */
static char *select_sql(const struct store_table *table, const char *rest)
{
	size_t size = 0;
	char *sql = NULL;
	FILE *to = open_memstream(&sql, &size);

	if (!to)
		return NULL;
	fprintf(to, "SELECT t.id%s%s", table->parent ? ",t." : "",
		table->parent ? table->parent : "");
	for (size_t i = 0; i < table->nr; i++)
		fprintf(to, ",t.%s", table->field[i].name);
	fprintf(to, " FROM %s t %s", table->name, rest);
	if (fclose(to)) {
		free(sql);
		return NULL;
	}
	return sql;
}

/* A run and a cell begin with their id; a trial with its cell's. */
static int read_row(sqlite3_stmt *statement, const struct store_table *table, struct rows *rows)
{
	int column = table->parent ? 2 : 1;
	char *row;

	if (rows->nr == rows->allocated) {
		size_t more = rows->allocated ? 2 * rows->allocated : 16;

		row = realloc(rows->row, more * table->size);
		if (!row)
			return -1;
		rows->row = row;
		rows->allocated = more;
	}
	row = rows->row + rows->nr++ * table->size;
	memset(row, 0, table->size);
	*(int64_t *)row = sqlite3_column_int64(statement, table == &store_trials ? 1 : 0);
	for (size_t i = 0; i < table->nr; i++, column++) {
		if (read_field(statement, column, &table->field[i], row))
			return -1;
		rows->bytes += (size_t)sqlite3_column_bytes(statement, column);
	}
	return 0;
}

_Static_assert(!offsetof(struct store_run, id), "read_row() puts the number first");
_Static_assert(!offsetof(struct store_cell, id), "read_row() puts the number first");
_Static_assert(!offsetof(struct store_trial, cell), "read_row() puts the number first");

/* All rows of a query with at most one parameter, a text or else a number. */
static int read_rows(struct store *store, const struct store_table *table, const char *rest,
		     const char *text, int64_t number, struct rows *rows, struct trouble *trouble)
{
	char *sql = select_sql(table, rest);
	sqlite3_stmt *statement;
	int step, err = 0;

	if (!sql)
		return trouble_memory(trouble, store->path);
	statement = store_prepare(store, sql, trouble);
	free(sql);
	if (!statement)
		return -1;
	if (strchr(rest, '?'))
		err = text ? sqlite3_bind_text(statement, 1, text, -1, SQLITE_TRANSIENT)
			   : sqlite3_bind_int64(statement, 1, number);
	if (err) {
		err = store_fail(store, trouble);
		goto out;
	}
	while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
		if (read_row(statement, table, rows)) {
			err = trouble_memory(trouble, store->path);
			goto out;
		}
		if (rows->bytes > RUN_BYTES_MAX) {
			err = trouble_set(trouble, TROUBLE_FAILED, store->path, "",
					  "a run with more than %zu MiB of texts",
					  RUN_BYTES_MAX >> 20);
			goto out;
		}
	}
	if (step != SQLITE_DONE)
		err = store_fail(store, trouble);
out:
	sqlite3_finalize(statement);
	return err;
}

static int read_run(struct store *store, const char *name, struct store_result *result,
		    struct trouble *trouble)
{
	struct rows rows = {0};
	int err = read_rows(store, &store_runs,
			    name ? "WHERE name = ?" : "ORDER BY id DESC LIMIT 1", name, 0, &rows,
			    trouble);

	if (rows.nr) {
		memcpy(&result->run, rows.row, sizeof(result->run));
		result->run.activity = store_run_activity(store, &result->run);
	}
	free(rows.row);
	if (err || rows.nr)
		return err;
	if (!name)
		return trouble_set(trouble, TROUBLE_MISSING, store->path, "fsbctl run makes some",
				   "no runs are stored there");
	return trouble_set(trouble, TROUBLE_USAGE, name, "fsbctl runs lists those there are",
			   "there is no run of that name in %s", store->path);
}

static int read_result(struct store *store, const char *name, struct store_result *result,
		       struct trouble *trouble)
{
	struct rows cells = {0}, trials = {0};
	int err = read_run(store, name, result, trouble);

	if (!err)
		err = read_rows(store, &store_cells, "WHERE t.run = ? ORDER BY t.id", NULL,
				result->run.id, &cells, trouble);
	result->cell = (struct store_cell *)cells.row;
	result->nr_cells = cells.nr;
	if (!err)
		err = read_rows(store, &store_trials,
				"JOIN cell c ON c.id = t.cell WHERE c.run = ? ORDER BY t.id", NULL,
				result->run.id, &trials, trouble);
	result->trial = (struct store_trial *)trials.row;
	result->nr_trials = trials.nr;
	return err;
}

int store_load(struct store *store, const char *name, struct store_result *result,
	       struct trouble *trouble)
{
	int err;

	*result = (struct store_result){0};
	/* One state of the file, whatever is added meanwhile. */
	if (store_exec(store, "BEGIN", trouble))
		return -1;
	err = store_end(store, read_result(store, name, result, trouble), trouble);
	if (err)
		store_result_free(result);
	return err;
}

void store_result_free(struct store_result *result)
{
	store_row_free(&store_runs, &result->run);
	for (size_t i = 0; i < result->nr_cells; i++)
		store_row_free(&store_cells, &result->cell[i]);
	for (size_t i = 0; i < result->nr_trials; i++)
		store_row_free(&store_trials, &result->trial[i]);
	free(result->cell);
	free(result->trial);
	*result = (struct store_result){0};
}

int store_list(struct store *store, struct store_run **runs, size_t *nr, struct trouble *trouble)
{
	struct rows rows = {0};
	int err = read_rows(store, &store_runs, "ORDER BY t.id", NULL, 0, &rows, trouble);

	*runs = (struct store_run *)rows.row;
	*nr = rows.nr;
	if (err) {
		store_runs_free(*runs, *nr);
		*runs = NULL;
		*nr = 0;
	}
	for (size_t i = 0; i < *nr; i++)
		(*runs)[i].activity = store_run_activity(store, &(*runs)[i]);
	return err;
}

void store_runs_free(struct store_run *runs, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		store_row_free(&store_runs, &runs[i]);
	free(runs);
}

int store_count(struct store *store, int64_t run, size_t *trials, struct trouble *trouble)
{
	static const char sql[] = "SELECT count(*) FROM trial t JOIN cell c ON c.id = t.cell "
				  "WHERE c.run = ?";
	sqlite3_stmt *statement = store_prepare(store, sql, trouble);
	int err = 0;

	if (!statement)
		return -1;
	if (!sqlite3_bind_int64(statement, 1, run) && sqlite3_step(statement) == SQLITE_ROW)
		*trials = (size_t)sqlite3_column_int64(statement, 0);
	else
		err = store_fail(store, trouble);
	sqlite3_finalize(statement);
	return err;
}

static const char *column_text(sqlite3_stmt *statement, int column)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);

	return text ? text : "";
}

int store_times(struct store *store, const char *target_id,
		void (*each)(void *arg, const struct store_time *time), void *arg,
		struct trouble *trouble)
{
	static const char sql[] = "SELECT r.target, c.asked, t.phases, t.seconds FROM trial t "
				  "JOIN cell c ON c.id = t.cell JOIN run r ON r.id = c.run "
				  "WHERE r.target_id = ? AND t.state IN ('ok', 'noisy') "
				  "ORDER BY t.id DESC LIMIT 1000";
	sqlite3_stmt *statement = store_prepare(store, sql, trouble);
	int step = SQLITE_ERROR;

	if (!statement)
		return -1;
	if (!sqlite3_bind_text(statement, 1, target_id, -1, SQLITE_TRANSIENT))
		while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
			const struct store_time time = {
				.target = column_text(statement, 0),
				.asked = column_text(statement, 1),
				.phases = column_text(statement, 2),
				.seconds = sqlite3_column_double(statement, 3),
			};

			each(arg, &time);
		}
	if (step != SQLITE_DONE)
		store_fail(store, trouble);
	sqlite3_finalize(statement);
	return step == SQLITE_DONE ? 0 : -1;
}
