// SPDX-License-Identifier: GPL-2.0-or-later
/* fs: calls of fsync and commits by superblock, and their difference, see fs.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/fs.h"
#include "model/hist.h"
#include "model/words.h"

static void rows_free(struct fs_row *row, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		free(row[i].latency);
	free(row);
}

void fs_counts_free(struct fs_counts *fs)
{
	if (!fs)
		return;
	rows_free(fs->row, fs->nr);
	free(fs);
}

static struct fs_row *find_row(struct fs_row *rows, size_t nr, const struct fs_row *like)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (rows[i].major == like->major && rows[i].minor == like->minor &&
		    !strcmp(rows[i].type, like->type))
			return &rows[i];
	return NULL;
}

/* A row more, zeroed but for its key.  NULL: no memory. */
static struct fs_row *append_row(struct fs_row **rows, size_t *nr, const struct fs_row *like)
{
	struct fs_row *grown = realloc(*rows, (*nr + 1) * sizeof(*grown)), *row;

	if (!grown)
		return NULL;
	*rows = grown;
	row = &grown[(*nr)++];
	memset(row, 0, sizeof(*row));
	row->major = like->major;
	row->minor = like->minor;
	memcpy(row->type, like->type, sizeof(row->type));
	return row;
}

struct fs_row *fs_new_row(struct fs_counts *fs, uint32_t major, uint32_t minor, const char *type)
{
	struct fs_row like = { .major = major, .minor = minor };

	if (strlen(type) >= sizeof(like.type))
		return NULL;
	strcpy(like.type, type);
	if (find_row(fs->row, fs->nr, &like))
		return NULL;
	return append_row(&fs->row, &fs->nr, &like);
}

/* To the sum of all, and to the row's own. */
static int add_counts(struct fs_delta *delta, const struct fs_row *key, const struct fs_sums *sums,
		      const struct hist *latency)
{
	struct fs_row *row = find_row(delta->row, delta->nr, key);
	int err = 0;

	if (!row)
		row = append_row(&delta->row, &delta->nr, key);
	if (!row)
		return -ENOMEM;
	row->here = true;
	words_add(&row->sums, sums, WORDS(*sums));
	words_add(&delta->sums, sums, WORDS(*sums));
	if (latency && latency->count) {
		err = hist_merge_into(&row->latency, latency);
		if (!err)
			err = hist_merge_into(&delta->latency, latency);
	}
	return err;
}

static int add_row(struct fs_delta *delta, const struct fs_row *b, const struct fs_row *a)
{
	static const struct fs_row none;
	struct fs_sums sums;
	struct hist hist;
	int err;

	if (!a)
		a = &none;
	if (!b->here && !a->here)
		return 0;
	err = words_subtract(&sums, &b->sums, &a->sums, WORDS(sums));
	if (err)
		return err;
	if (!b->latency) {
		if (a->latency && a->latency->count)
			return -ERANGE;
		return add_counts(delta, b, &sums, NULL);
	}
	err = hist_subtract(&hist, b->latency, a->latency);
	return err ? err : add_counts(delta, b, &sums, &hist);
}

int fs_subtract(struct fs_delta **delta, const struct fs_counts *b, const struct fs_counts *a)
{
	struct fs_delta *result = calloc(1, sizeof(*result));
	size_t i;
	int err;

	*delta = result;
	if (!result)
		return -ENOMEM;
	result->calls = a->calls || b->calls;
	result->journal = a->journal || b->journal;
	err = words_subtract(&result->all, &b->all, &a->all, WORDS(result->all));
	for (i = 0; i < a->nr && !err; i++)
		if (!find_row(b->row, b->nr, &a->row[i]))
			err = -ERANGE;
	for (i = 0; i < b->nr && !err; i++)
		err = add_row(result, &b->row[i], find_row(a->row, a->nr, &b->row[i]));
	result->calls = result->calls || result->sums.fsyncs;
	result->journal = result->journal || result->sums.commits;
	return err;
}

int fs_add(struct fs_delta **into, const struct fs_delta *from)
{
	struct fs_delta *sum = *into ? *into : calloc(1, sizeof(*sum));
	size_t i;
	int err = 0;

	if (!sum)
		return -ENOMEM;
	*into = sum;
	sum->calls = sum->calls || from->calls;
	sum->journal = sum->journal || from->journal;
	words_add(&sum->all, &from->all, WORDS(sum->all));
	for (i = 0; i < from->nr && !err; i++)
		err = add_counts(sum, &from->row[i], &from->row[i].sums, from->row[i].latency);
	return err;
}

void fs_delta_free(struct fs_delta *delta)
{
	if (!delta)
		return;
	free(delta->latency);
	rows_free(delta->row, delta->nr);
	free(delta);
}
