// SPDX-License-Identifier: GPL-2.0-or-later
/* store_export: runs out of the store into a file, and from a file into the store. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/store_private.h"
#include "json_text.h"
#include "output_file.h"

static bool is_standard(const char *path)
{
	return !strcmp(path, "-");
}

/* --- out --- */

static int write_document(json_t *document, FILE *to)
{
	errno = 0;
	if (json_put(document, to, JSON_COMPACT) || fputc('\n', to) == EOF || fflush(to))
		return -1;
	return 0;
}

/* The name it has until it is complete. */
static FILE *open_beside(const char *path, char **temporary)
{
	FILE *to;

	if (asprintf(temporary, "%s.%ld", path, (long)getpid()) < 0) {
		*temporary = NULL;
		return NULL;
	}
	to = fopen(*temporary, "wxe");
	if (!to) {
		free(*temporary);
		*temporary = NULL;
	}
	return to;
}

static int write_file(json_t *document, const char *path)
{
	char *temporary = NULL;
	struct stat status;
	/* A pipe or a terminal is written to, not replaced. */
	bool special = !stat(path, &status) && !S_ISREG(status.st_mode);
	FILE *to = special ? output_file_open(path, false) : open_beside(path, &temporary);
	int err, saved;

	if (!to)
		return -1;
	err = write_document(document, to);
	if (!err && temporary)
		err = fsync(fileno(to));
	saved = errno;
	if (fclose(to) && !err) {
		err = -1;
		saved = errno;
	}
	if (!err && temporary && rename(temporary, path)) {
		err = -1;
		saved = errno;
	}
	if (err && temporary)
		unlink(temporary);
	free(temporary);
	errno = saved;
	return err;
}

int store_export(struct store *store, const char *name, const char *path, struct trouble *trouble)
{
	struct store_result result;
	json_t *document;
	int err;

	if (store_load(store, name, &result, trouble))
		return -1;
	document = store_document(&result, trouble);
	store_result_free(&result);
	if (!document)
		return -1;
	err = is_standard(path) ? write_document(document, stdout) : write_file(document, path);
	if (err)
		trouble_set(trouble, TROUBLE_FAILED, path, "", "cannot be written: %s",
			    errno ? strerror(errno) : "write failed");
	json_decref(document);
	return err;
}

/* --- in --- */

/* All of @from; NULL with errno, EFBIG when it has no end. */
static char *read_all(FILE *from, size_t *used)
{
	size_t size = 1 << 16;
	char *text = malloc(size), *more;

	*used = 0;
	while (text) {
		*used += fread(text + *used, 1, size - *used, from);
		if (*used < size)
			break;
		errno = EFBIG;
		more = size < RUN_BYTES_MAX ? realloc(text, size *= 2) : NULL;
		if (!more) {
			free(text);
			return NULL;
		}
		text = more;
	}
	if (text && ferror(from)) {
		free(text);
		return NULL;
	}
	return text;
}

static char *read_text(const char *path, size_t *size, struct trouble *trouble)
{
	bool standard = is_standard(path);
	FILE *from = standard ? stdin : fopen(path, "re");
	struct stat status;
	char *text = NULL;

	/* What a pipe has is known when it is read. */
	if (from && !fstat(fileno(from), &status) && S_ISREG(status.st_mode) &&
	    (uint64_t)status.st_size > RUN_BYTES_MAX)
		errno = EFBIG;
	else if (from)
		text = read_all(from, size);
	if (!text && errno == EFBIG)
		trouble_set(trouble, TROUBLE_USAGE, path, "fsbctl export writes one",
			    "longer than 512 MiB: not a run of fsbctl");
	else if (!text)
		trouble_set(trouble, TROUBLE_USAGE, path, "", "cannot be read: %s",
			    strerror(errno));
	if (from && !standard)
		fclose(from);
	return text;
}

/* "barrier" of "barrier-3": what a further run of the same is counted by. */
static char *matrix_of(const char *name)
{
	char *matrix = strdup(name), *mark;

	if (!matrix)
		return NULL;
	mark = strrchr(matrix, '-');
	if (mark && mark != matrix && mark[1] && strspn(mark + 1, "0123456789") == strlen(mark + 1))
		*mark = '\0';
	return matrix;
}

/* Keeps the name when it is free. */
static int rename_run(struct store *store, struct store_run *run, struct trouble *trouble)
{
	int taken = store_has_name(store, run->name, trouble);
	char *matrix, *name;

	if (taken <= 0)
		return taken;
	matrix = matrix_of(run->name);
	if (!matrix)
		return trouble_memory(trouble, run->name);
	name = store_free_name(store, matrix, trouble);
	free(matrix);
	if (!name)
		return -1;
	free(run->name);
	run->name = name;
	return 0;
}

static int insert_result(struct store *store, struct store_result *result, struct trouble *trouble)
{
	int err = rename_run(store, &result->run, trouble);

	if (!err)
		err = store_insert(store, &store_runs, &result->run, 0, &result->run.id, trouble);
	for (size_t i = 0; i < result->nr_cells && !err; i++)
		err = store_insert(store, &store_cells, &result->cell[i], result->run.id,
				   &result->cell[i].id, trouble);
	for (size_t i = 0; i < result->nr_trials && !err; i++)
		err = store_insert(store, &store_trials, &result->trial[i],
				   result->cell[result->trial[i].cell].id, NULL, trouble);
	return err;
}

static int add_result(struct store *store, struct store_result *result, char **name,
		      struct trouble *trouble)
{
	result->run.origin = strdup(STORE_IMPORTED);
	if (!result->run.origin)
		return trouble_memory(trouble, result->run.name);
	if (store_begin(store, trouble) ||
	    store_end(store, insert_result(store, result, trouble), trouble))
		return -1;
	*name = result->run.name;
	result->run.name = NULL;
	return 0;
}

int store_import(struct store *store, const char *path, char **name, bool *new,
		 struct trouble *trouble)
{
	struct store_result result;
	size_t size = 0;
	char *text = read_text(path, &size, trouble);
	int err, same;

	*name = NULL;
	*new = false;
	if (!text)
		return -1;
	err = store_undocument(&result, text, size, path, trouble);
	free(text);
	if (err)
		goto out;
	same = store_find_same(store, &result, name, trouble);
	*new = !same;
	err = same ? (same < 0 ? -1 : 0) : add_result(store, &result, name, trouble);
out:
	store_result_free(&result);
	return err;
}
