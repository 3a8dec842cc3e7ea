/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store_private: what the parts of the store share.  For ctl/bench/store*.c alone.
 *
 *	store.c		opening and closing, troubles, transactions
 *	store_fields.c	which columns and keys there are: the one list for SQL and JSON
 *	store_schema.c	tables, and how an older file is brought on
 *	store_write.c, store_read.c, store_delete.c
 *	store_hold.c	which runs are at work, by locks
 *	store_document.c	a run as JSON and back, with all checks; knows no SQLite
 *	store_pieces.c	the text of such a document in pieces
 *	store_same.c	whether a document is of a run that is stored
 *	store_export.c	files of that
 */
#ifndef FSB_BENCH_STORE_PRIVATE_H
#define FSB_BENCH_STORE_PRIVATE_H

#include <jansson.h>
#include <sqlite3.h>

#include "bench/store.h"

struct store {
	sqlite3 *db;
	char *path;
	int hold; /* descriptor of the file for the locks of runs, -1: none */
	unsigned int ticks; /* thousands of steps of the statement that runs */
};

/* Of a run with all that is known of it: one of 10000 trials with their outputs stays under it. */
#define RUN_BYTES_MAX ((size_t)512 << 20)

/* --- fields --- */

enum field_kind {
	FIELD_TEXT, /* char * */
	FIELD_JSON, /* char *: an object's text or "" */
	FIELD_NUMBER, /* uint64_t; of all 64 bits, so SQL and JSON have its digits as text */
	FIELD_BOOL,
	FIELD_COUNT, /* unsigned int, from 1 */
	FIELD_REAL, /* double; NAN is NULL */
	FIELD_STATE, /* enum trial_state, by name */
};

struct field {
	const char *name; /* of the column and of the key */
	enum field_kind kind;
	size_t offset; /* in the table's struct */
	bool local; /* of this file alone: in no document */
};

struct store_table {
	const char *name;
	const char *parent; /* column with the id of what it belongs to; NULL: none */
	const struct field *field;
	size_t nr;
	size_t size; /* of the struct */
};

extern const struct store_table store_runs, store_cells, store_trials;

char **field_text(const struct field *field, const void *row);
/* Frees the texts of a row. */
void store_row_free(const struct store_table *table, void *row);

/* --- store.c --- */

/* What SQLite said last, in words for a person; returns -1. */
int store_fail(struct store *store, struct trouble *trouble);
int store_exec(struct store *store, const char *sql, struct trouble *trouble);
/* NULL with *trouble. */
sqlite3_stmt *store_prepare(struct store *store, const char *sql, struct trouble *trouble);
/* Takes the lock for writing at once. */
int store_begin(struct store *store, struct trouble *trouble);
/* Commits when @err is 0, else takes all back.  Returns @err, or -1 with *trouble. */
int store_end(struct store *store, int err, struct trouble *trouble);
/* The number a query gives: a pragma, a count. */
int store_number(struct store *store, const char *sql, int64_t *number, struct trouble *trouble);

/* --- store_schema.c --- */

/* Refuses what is not ours or newer; makes or brings on the tables. */
int store_schema(struct store *store, enum store_mode mode, struct trouble *trouble);

/* --- store_write.c --- */

int store_insert(struct store *store, const struct store_table *table, const void *row,
		 int64_t parent, int64_t *id, struct trouble *trouble);
/* The name that a new run of that matrix gets; malloc'd, NULL with *trouble. */
char *store_free_name(struct store *store, const char *matrix_name, struct trouble *trouble);
/* Whether there is a run of that name: 1, 0, or -1 with *trouble. */
int store_has_name(struct store *store, const char *name, struct trouble *trouble);

/* --- store_hold.c --- */

void store_hold_open(struct store *store);
/* After sqlite3_close(): closing any descriptor of a file drops SQLite's locks on it. */
void store_hold_close(struct store *store);
void store_run_let_go(struct store *store, int64_t run);
enum store_activity store_run_activity(const struct store *store, const struct store_run *run);

/* --- store_document.c --- */

/* NULL with *trouble. */
json_t *store_document(const struct store_result *result, struct trouble *trouble);
/*
 * Checks all of a document and fills @result, in which a trial's cell is an index.  -1 with
 * *trouble, whose reason names the key.  store_result_free() in either case.
 */
int store_undocument(struct store_result *result, const char *text, size_t size, const char *path,
		     struct trouble *trouble);

/* A field as the document has it; NULL: no memory, or an object's text is none. */
json_t *store_field_json(const struct field *field, const void *row);

/* --- store_same.c --- */

/*
 * The run that @result, out of a document, is a copy of or an earlier state of: 1 with *name
 * (malloc'd), 0 without, -1 with *trouble.
 */
int store_find_same(struct store *store, const struct store_result *result, char **name,
		    struct trouble *trouble);

#endif /* FSB_BENCH_STORE_PRIVATE_H */
