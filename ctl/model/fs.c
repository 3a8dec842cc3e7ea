// SPDX-License-Identifier: GPL-2.0-or-later
/* fs: calls of fsync and commits by superblock, and their difference, see fs.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/fs.h"
#include "model/hist.h"
#include "model/words.h"

void fs_counts_free(struct fs_counts *fs)
{
	size_t i;

	if (!fs)
		return;
	for (i = 0; i < fs->nr; i++)
		free(fs->row[i].latency);
	free(fs->row);
	free(fs);
}

static const struct fs_row *find_row(const struct fs_counts *fs, uint32_t major, uint32_t minor,
				     const char *type)
{
	size_t i;

	for (i = 0; i < fs->nr; i++)
		if (fs->row[i].major == major && fs->row[i].minor == minor &&
		    !strcmp(fs->row[i].type, type))
			return &fs->row[i];
	return NULL;
}

struct fs_row *fs_new_row(struct fs_counts *fs, uint32_t major, uint32_t minor, const char *type)
{
	struct fs_row *grown, *row;

	if (strlen(type) >= sizeof(row->type) || find_row(fs, major, minor, type))
		return NULL;
	grown = realloc(fs->row, (fs->nr + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	fs->row = grown;
	row = &grown[fs->nr++];
	memset(row, 0, sizeof(*row));
	row->major = major;
	row->minor = minor;
	strcpy(row->type, type);
	return row;
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
	words_add(&delta->sums, &sums, WORDS(sums));
	if (!b->latency)
		return a->latency && a->latency->count ? -ERANGE : 0;
	err = hist_subtract(&hist, b->latency, a->latency);
	return err ? err : hist_merge_into(&delta->latency, &hist);
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
		if (!find_row(b, a->row[i].major, a->row[i].minor, a->row[i].type))
			err = -ERANGE;
	for (i = 0; i < b->nr && !err; i++)
		err = add_row(result, &b->row[i], find_row(a, b->row[i].major, b->row[i].minor,
							   b->row[i].type));
	result->calls = result->calls || result->sums.fsyncs;
	result->journal = result->journal || result->sums.commits;
	return err;
}

int fs_add(struct fs_delta **into, const struct fs_delta *from)
{
	struct fs_delta *sum = *into ? *into : calloc(1, sizeof(*sum));

	if (!sum)
		return -ENOMEM;
	*into = sum;
	sum->calls = sum->calls || from->calls;
	sum->journal = sum->journal || from->journal;
	words_add(&sum->all, &from->all, WORDS(sum->all));
	words_add(&sum->sums, &from->sums, WORDS(sum->sums));
	return from->latency ? hist_merge_into(&sum->latency, from->latency) : 0;
}

void fs_delta_free(struct fs_delta *delta)
{
	if (delta)
		free(delta->latency);
	free(delta);
}
