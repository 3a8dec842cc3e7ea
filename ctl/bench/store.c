// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * store: opening the file, transactions, and what SQLite says as words for people.
 *
 * A rollback journal with synchronous=EXTRA: data, journal and the directory that the journal
 * leaves are all on stable storage when a call returns.  With FULL a power cut can bring the
 * journal back that had just been deleted, and with it the state before the trial; a write-ahead
 * log would be as safe, but comes with two files more that must not be lost or left behind
 * when somebody copies the first.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/store_private.h"
#include "xdg.h"

#define READ_WAIT_MS  5000
#define WRITE_WAIT_MS 30000 /* a trial has taken longer */

/*
 * A file may come from anywhere.  Reading 20000 trials takes a million steps of SQLite's machine;
 * no text that fsbctl stores is near the limit.
 */
#define TICKS_MAX    200000U /* of 1000 steps each, for one statement */
#define TEXT_MAX_MIB 64

#define HINT_OTHER   "another file can be named with --db"
#define HINT_DAMAGED "sqlite3 FILE .recover saves what can still be read"

char *store_default_path(void)
{
	char *folder = xdg_folder(XDG_DATA), *path = NULL;

	if (folder && asprintf(&path, "%s/runs.db", folder) < 0)
		path = NULL;
	free(folder);
	return path;
}

int store_fail(struct store *store, struct trouble *trouble)
{
	int code = sqlite3_errcode(store->db), error = sqlite3_system_errno(store->db);

	switch (code & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return trouble_set(trouble, TROUBLE_FAILED, store->path, HINT_OTHER,
				   "another program keeps it locked");
	case SQLITE_FULL:
		return trouble_set(trouble, TROUBLE_FAILED, store->path, HINT_OTHER,
				   "no space left on the filesystem it lies on");
	case SQLITE_READONLY:
	case SQLITE_PERM:
		return trouble_set(trouble, TROUBLE_FAILED, store->path, HINT_OTHER,
				   "cannot be written");
	case SQLITE_NOTADB:
		return trouble_set(trouble, TROUBLE_FAILED, store->path, HINT_OTHER,
				   "holds something else than runs of fsbctl");
	case SQLITE_CORRUPT:
		return trouble_set(trouble, TROUBLE_FAILED, store->path, HINT_DAMAGED,
				   "damaged, or cut short");
	case SQLITE_NOMEM:
		return trouble_memory(trouble, store->path);
	case SQLITE_INTERRUPT:
		return trouble_set(trouble, TROUBLE_FAILED, store->path, HINT_OTHER,
				   "reading it takes more than %u million steps: not written by fsbctl",
				   TICKS_MAX / 1000);
	case SQLITE_TOOBIG:
		return trouble_set(trouble, TROUBLE_FAILED, store->path, HINT_OTHER,
				   "has a text of more than %d MiB", TEXT_MAX_MIB);
	case SQLITE_CANTOPEN:
		return trouble_set(trouble, TROUBLE_FAILED, store->path, HINT_OTHER,
				   "it or its journal cannot be opened: %s",
				   error ? strerror(error) : "no reason given");
	case SQLITE_IOERR:
		return trouble_set(trouble, TROUBLE_FAILED, store->path, HINT_OTHER,
				   "cannot be read or written: %s",
				   error ? strerror(error) : sqlite3_errmsg(store->db));
	}
	return trouble_set(trouble, TROUBLE_FAILED, store->path, "", "%s",
			   sqlite3_errmsg(store->db));
}

int store_exec(struct store *store, const char *sql, struct trouble *trouble)
{
	store->ticks = 0;
	return sqlite3_exec(store->db, sql, NULL, NULL, NULL) ? store_fail(store, trouble) : 0;
}

sqlite3_stmt *store_prepare(struct store *store, const char *sql, struct trouble *trouble)
{
	sqlite3_stmt *statement = NULL;

	store->ticks = 0;
	if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL))
		store_fail(store, trouble);
	return statement;
}

int store_begin(struct store *store, struct trouble *trouble)
{
	return store_exec(store, "BEGIN IMMEDIATE", trouble);
}

int store_end(struct store *store, int err, struct trouble *trouble)
{
	if (!err)
		err = store_exec(store, "COMMIT", trouble);
	/* SQLite has already taken it back where it saw no way on. */
	if (err && !sqlite3_get_autocommit(store->db))
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return err;
}

int store_number(struct store *store, const char *sql, int64_t *number, struct trouble *trouble)
{
	sqlite3_stmt *statement = store_prepare(store, sql, trouble);
	int err = -1;

	if (!statement)
		return -1;
	if (sqlite3_step(statement) == SQLITE_ROW) {
		*number = sqlite3_column_int64(statement, 0);
		err = 0;
	} else {
		store_fail(store, trouble);
	}
	sqlite3_finalize(statement);
	return err;
}

/* --- the file --- */

static int sync_directory(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), err;

	if (fd < 0)
		return -1;
	err = fsync(fd);
	close(fd);
	return err;
}

/* Makes @path and what leads to it; each new entry is durable. */
static int make_directory(const char *path)
{
	char *copy, *parent;
	int err = -1;

	if (!mkdir(path, 0700))
		err = 0;
	else if (errno == EEXIST)
		return 0;
	copy = strdup(path);
	if (!copy)
		return -1;
	parent = dirname(copy);
	if (err && errno == ENOENT && strcmp(parent, path))
		err = make_directory(parent) ? -1 : mkdir(path, 0700);
	if (!err)
		err = sync_directory(parent);
	free(copy);
	return err;
}

static int make_file(const char *path)
{
	char *copy = strdup(path), *directory;
	int err = -1, fd;

	if (!copy)
		return -1;
	directory = dirname(copy);
	if (!make_directory(directory)) {
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd >= 0) {
			err = sync_directory(directory);
			close(fd);
		} else if (errno == EEXIST) {
			err = 0;
		}
	}
	free(copy);
	return err;
}

/* sudo fsbctl run keeps its runs in root's home, where its caller may not even look. */
static int no_such_file(const char *path, struct trouble *trouble)
{
	char *own = store_default_path(), *roots = geteuid() ? xdg_root_folder(XDG_DATA) : NULL;
	char hint[480] = "fsbctl run makes some; " HINT_OTHER;

	if (own && roots && !strcmp(own, path))
		snprintf(hint, sizeof(hint),
			 "sudo fsbctl run keeps its runs in %.300s/runs.db:\nsudo fsbctl report "
			 "shows them, or give run and report the same --db",
			 roots);
	free(own);
	free(roots);
	return trouble_set(trouble, TROUBLE_MISSING, path, hint,
			   "no runs are stored there: no such file");
}

/* There is a file that SQLite may have a look at. */
static int find_file(const char *path, enum store_mode mode, struct trouble *trouble)
{
	struct stat status;

	if (!stat(path, &status)) {
		if (S_ISREG(status.st_mode))
			return 0;
		return trouble_set(trouble, TROUBLE_USAGE, path, HINT_OTHER, "no regular file");
	}
	if (errno == ENOENT && mode == STORE_READ)
		return no_such_file(path, trouble);
	if (errno != ENOENT || make_file(path))
		return trouble_set(trouble, TROUBLE_FAILED, path, HINT_OTHER, "cannot be made: %s",
				   strerror(errno));
	return 0;
}

/* SQLite reads zeros where the last page is cut off. */
static int check_length(struct store *store, struct trouble *trouble)
{
	struct stat status;
	int64_t pages, size;

	if (store_number(store, "PRAGMA page_count", &pages, trouble) ||
	    store_number(store, "PRAGMA page_size", &size, trouble))
		return -1;
	if (stat(store->path, &status))
		return trouble_set(trouble, TROUBLE_FAILED, store->path, "", "%s", strerror(errno));
	if (status.st_size / size >= pages)
		return 0;
	return trouble_set(trouble, TROUBLE_FAILED, store->path, HINT_DAMAGED, "cut short");
}

static int tick(void *data)
{
	struct store *store = data;

	return ++store->ticks > TICKS_MAX;
}

/* The file may come from elsewhere: nothing in its schema is to run code, or without end. */
static void distrust(struct store *store)
{
	sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, TEXT_MAX_MIB << 20);
	sqlite3_progress_handler(store->db, 1000, tick, store);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
}

static int set_up(struct store *store, enum store_mode mode, struct trouble *trouble)
{
	sqlite3_extended_result_codes(store->db, 1);
	sqlite3_busy_timeout(store->db, mode == STORE_WRITE ? WRITE_WAIT_MS : READ_WAIT_MS);
	distrust(store);
	if (store_exec(store,
		       "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;"
		       "PRAGMA foreign_keys = ON",
		       trouble) ||
	    check_length(store, trouble) || store_schema(store, mode, trouble))
		return -1;
	if (mode == STORE_READ)
		return store_exec(store, "PRAGMA query_only = ON", trouble);
	return 0;
}

/*
 * For reading too it is opened for writing if it may be: what a killed program left half done
 * has to be taken back first.
 */
int store_open(struct store **result, const char *path, enum store_mode mode,
	       struct trouble *trouble)
{
	struct store *store;
	int err;

	*result = NULL;
	if (find_file(path, mode, trouble))
		return -1;
	store = calloc(1, sizeof(*store));
	if (store) {
		store->hold = -1;
		store->path = strdup(path);
	}
	if (!store || !store->path) {
		free(store);
		return trouble_memory(trouble, path);
	}
	err = sqlite3_open_v2(path, &store->db, SQLITE_OPEN_READWRITE, NULL);
	if (err && !store->db)
		err = trouble_memory(trouble, path);
	else if (err)
		err = store_fail(store, trouble);
	else
		err = set_up(store, mode, trouble);
	if (err) {
		store_close(store);
		return err;
	}
	store_hold_open(store);
	*result = store;
	return 0;
}

const char *store_path(const struct store *store)
{
	return store->path;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	sqlite3_close(store->db);
	store_hold_close(store);
	free(store->path);
	free(store);
}
