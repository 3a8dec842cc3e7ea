// SPDX-License-Identifier: GPL-2.0-or-later
/* store_write: runs, cells and trials into the store. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/store_private.h"
#include "json_bounded.h"

/* --- one row, by the list of fields --- */

/* "INSERT INTO run(name, ...) VALUES(?, ...)"; malloc'd, NULL: no memory. */
static char *insert_sql(const struct store_table *table)
{
	size_t size = 0, i;
	char *sql = NULL;
	FILE *to = open_memstream(&sql, &size);

	if (!to)
		return NULL;
	fprintf(to, "INSERT INTO %s(", table->name);
	for (i = 0; i < table->nr; i++)
		fprintf(to, "%s%s", i ? "," : "", table->field[i].name);
	if (table->parent)
		fprintf(to, ",%s", table->parent);
	fputs(") VALUES(", to);
	for (i = 0; i < table->nr + !!table->parent; i++)
		fputs(i ? ",?" : "?", to);
	fputc(')', to);
	if (fclose(to)) {
		free(sql);
		return NULL;
	}
	return sql;
}

static int bind_text(sqlite3_stmt *statement, int column, const char *text)
{
	return sqlite3_bind_text(statement, column, text ? text : "", -1, SQLITE_TRANSIENT);
}

static int bind_field(sqlite3_stmt *statement, int column, const struct field *field,
		      const void *row)
{
	const void *at = (const char *)row + field->offset;
	char digits[24];

	switch (field->kind) {
	case FIELD_TEXT:
	case FIELD_JSON:
		return bind_text(statement, column, *field_text(field, row));
	case FIELD_NUMBER:
		snprintf(digits, sizeof(digits), "%" PRIu64, *(const uint64_t *)at);
		return bind_text(statement, column, digits);
	case FIELD_BOOL:
		return sqlite3_bind_int(statement, column, *(const bool *)at);
	case FIELD_COUNT:
		return sqlite3_bind_int64(statement, column, *(const unsigned int *)at);
	case FIELD_REAL:
		/* SQLite makes NULL of what is no number; infinite it would keep. */
		if (!isfinite(*(const double *)at))
			return sqlite3_bind_null(statement, column);
		return sqlite3_bind_double(statement, column, *(const double *)at);
	case FIELD_STATE:
		return bind_text(statement, column,
				 trial_state_name(*(const enum trial_state *)at));
	}
	return SQLITE_MISUSE;
}

static int check_json(struct store *store, const struct store_table *table, const void *row,
		      struct trouble *trouble)
{
	for (size_t i = 0; i < table->nr; i++) {
		const struct field *field = &table->field[i];
		const char *text;
		json_error_t error;
		json_t *json;

		if (field->kind != FIELD_JSON)
			continue;
		text = *field_text(field, row);
		if (!text || !*text)
			continue;
		json = json_bounded_text(text, &error);
		if (!json_is_object(json)) {
			json_decref(json);
			return trouble_set(trouble, TROUBLE_FAILED, store->path, "",
					   "%s of a %s is no JSON object: %s", field->name,
					   table->name, json ? "something else" : error.text);
		}
		json_decref(json);
	}
	return 0;
}

int store_insert(struct store *store, const struct store_table *table, const void *row,
		 int64_t parent, int64_t *id, struct trouble *trouble)
{
	sqlite3_stmt *statement;
	int column = 1, err = 0;
	char *sql;

	if (check_json(store, table, row, trouble))
		return -1;
	sql = insert_sql(table);
	if (!sql)
		return trouble_memory(trouble, store->path);
	statement = store_prepare(store, sql, trouble);
	free(sql);
	if (!statement)
		return -1;
	for (size_t i = 0; i < table->nr && !err; i++)
		err = bind_field(statement, column++, &table->field[i], row);
	if (!err && table->parent)
		err = sqlite3_bind_int64(statement, column, parent);
	if (!err && sqlite3_step(statement) != SQLITE_DONE)
		err = -1;
	if (err && sqlite3_extended_errcode(store->db) == SQLITE_CONSTRAINT_UNIQUE)
		err = trouble_set(trouble, TROUBLE_FAILED, store->path, "",
				  "the same %s is stored there already", table->name);
	else if (err)
		err = store_fail(store, trouble);
	else if (id)
		*id = sqlite3_last_insert_rowid(store->db);
	sqlite3_finalize(statement);
	return err;
}

/* --- names --- */

int store_has_name(struct store *store, const char *name, struct trouble *trouble)
{
	sqlite3_stmt *statement = store_prepare(store, "SELECT 1 FROM run WHERE name = ?", trouble);
	int found = -1, step;

	if (!statement)
		return -1;
	if (!bind_text(statement, 1, name)) {
		step = sqlite3_step(statement);
		if (step == SQLITE_ROW || step == SQLITE_DONE)
			found = step == SQLITE_ROW;
	}
	if (found < 0)
		store_fail(store, trouble);
	sqlite3_finalize(statement);
	return found;
}

/* The N of "MATRIX-N"; 0 when @name is not like that. */
static unsigned long number_of(const char *name, const char *matrix_name)
{
	size_t len = strlen(matrix_name);
	const char *digits = name + len + 1;

	if (strncmp(name, matrix_name, len) || name[len] != '-' || !*digits || strlen(digits) > 9 ||
	    strspn(digits, "0123456789") != strlen(digits))
		return 0;
	return strtoul(digits, NULL, 10);
}

char *store_free_name(struct store *store, const char *matrix_name, struct trouble *trouble)
{
	sqlite3_stmt *statement = store_prepare(store, "SELECT name FROM run", trouble);
	unsigned long last = 0;
	char *name = NULL;
	int step;

	if (!statement)
		return NULL;
	while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
		const char *taken = (const char *)sqlite3_column_text(statement, 0);
		unsigned long number = taken ? number_of(taken, matrix_name) : 0;

		if (number > last)
			last = number;
	}
	if (step != SQLITE_DONE) {
		store_fail(store, trouble);
	} else if (asprintf(&name, "%s-%lu", matrix_name, last + 1) < 0) {
		name = NULL;
		trouble_memory(trouble, store->path);
	}
	sqlite3_finalize(statement);
	return name;
}

/* --- what others call --- */

static int name_run(struct store *store, struct store_run *run, const char *matrix_name,
		    struct trouble *trouble)
{
	int taken;

	if (!run->name) {
		run->name = store_free_name(store, matrix_name, trouble);
		return run->name ? 0 : -1;
	}
	taken = store_has_name(store, run->name, trouble);
	if (taken > 0)
		return trouble_set(trouble, TROUBLE_USAGE, run->name,
				   "fsbctl runs lists the names there are",
				   "there is a run of that name already");
	return taken;
}

int store_run_add(struct store *store, struct store_run *run, const char *matrix_name,
		  struct store_cell *cell, size_t nr_cells, struct trouble *trouble)
{
	bool named = run->name;
	int64_t id = 0;
	int err;

	if (store_begin(store, trouble))
		return -1;
	err = name_run(store, run, matrix_name, trouble);
	if (!err)
		err = store_insert(store, &store_runs, run, 0, &id, trouble);
	/* Before others can see it. */
	if (!err)
		err = store_run_hold(store, id, run->name, trouble);
	for (size_t i = 0; i < nr_cells && !err; i++)
		err = store_insert(store, &store_cells, &cell[i], id, &cell[i].id, trouble);
	err = store_end(store, err, trouble);
	if (!err) {
		run->id = id;
	} else if (!named) {
		free(run->name);
		run->name = NULL;
	}
	return err;
}

/* Runs @sql with up to two texts and the id last; -1 when it changed no row. */
static int update(struct store *store, const char *sql, const char *first, const char *second,
		  int64_t id, struct trouble *trouble)
{
	sqlite3_stmt *statement = store_prepare(store, sql, trouble);
	int column = 1, err;

	if (!statement)
		return -1;
	err = bind_text(statement, column++, first);
	if (!err && second)
		err = bind_text(statement, column++, second);
	if (!err)
		err = sqlite3_bind_int64(statement, column, id);
	if (err || sqlite3_step(statement) != SQLITE_DONE)
		err = store_fail(store, trouble);
	else if (sqlite3_changes(store->db) != 1)
		err = trouble_set(trouble, TROUBLE_FAILED, store->path, "",
				  "there is no run or cell number %" PRId64, id);
	sqlite3_finalize(statement);
	return err;
}

int store_run_state(struct store *store, int64_t run, const char *state, const char *ended,
		    struct trouble *trouble)
{
	return update(store, "UPDATE run SET state = ?, ended = ? WHERE id = ?", state,
		      ended ? ended : "", run, trouble);
}

int store_cell_stop(struct store *store, int64_t cell, const char *stop, struct trouble *trouble)
{
	return update(store, "UPDATE cell SET stop = ? WHERE id = ?", stop, NULL, cell, trouble);
}

int store_trial_add(struct store *store, const struct store_trial *trial, struct trouble *trouble)
{
	int moved = 0;

	/* SQLite would go on with a file that has no name any more. */
	if (!sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) && moved)
		return trouble_set(trouble, TROUBLE_FAILED, store->path, "",
				   "it has been removed or replaced meanwhile");
	return store_insert(store, &store_trials, trial, trial->cell, NULL, trouble);
}
