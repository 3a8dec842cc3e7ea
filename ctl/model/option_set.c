// SPDX-License-Identifier: GPL-2.0-or-later
/* option_set: settings and mounts as one value; how two differ.  See option_set.h. */
#include "model/option_set.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/mount_words.h"

const char *const option_key_names[OPTION_KEYS] = {
	"write_cache", "write_cache_kernel", "fua",	    "ncq",
	"queue_depth", "scheduler",	     "nr_requests", "mount",
};

static int by_source(const void *a, const void *b)
{
	const struct option_fs *left = a, *right = b;

	return strcmp(left->source, right->source);
}

static int add_fs(struct option_set *set, const char *source, const char *fstype,
		  const char *options)
{
	struct option_fs *fs = &set->fs[set->nr_fs++];

	fs->source = strdup(source);
	fs->fstype = strdup(fstype);
	fs->options = strdup(options);
	return fs->source && fs->fstype && fs->options ? 0 : -ENOMEM;
}

int option_set_of(struct option_set *set, const struct disk_info *info,
		  const struct mounts *mounts)
{
	size_t i;
	int err = 0;

	memset(set, 0, sizeof(*set));
	set->write_cache = info->write_cache;
	memcpy(set->write_cache_kernel, info->write_cache_kernel, sizeof(set->write_cache_kernel));
	set->fua = info->fua;
	set->ncq = info->ncq;
	set->queue_depth = info->queue_depth;
	memcpy(set->scheduler, info->scheduler, sizeof(set->scheduler));
	set->nr_requests = info->nr_requests;
	set->fs = calloc(mounts->nr ? mounts->nr : 1, sizeof(*set->fs));
	if (!set->fs)
		return -ENOMEM;
	for (i = 0; i < mounts->nr && !err; i++)
		err = add_fs(set, mounts->mount[i].source, mounts->mount[i].fstype,
			     mounts->mount[i].options);
	if (!err)
		qsort(set->fs, set->nr_fs, sizeof(*set->fs), by_source);
	return err;
}

int option_set_copy(struct option_set *set, const struct option_set *from)
{
	size_t i;
	int err = 0;

	*set = *from;
	set->nr_fs = 0;
	set->fs = calloc(from->nr_fs ? from->nr_fs : 1, sizeof(*set->fs));
	if (!set->fs)
		return -ENOMEM;
	for (i = 0; i < from->nr_fs && !err; i++)
		err = add_fs(set, from->fs[i].source, from->fs[i].fstype, from->fs[i].options);
	return err;
}

void option_set_free(struct option_set *set)
{
	size_t i;

	for (i = 0; i < set->nr_fs; i++) {
		free(set->fs[i].source);
		free(set->fs[i].fstype);
		free(set->fs[i].options);
	}
	free(set->fs);
	set->fs = NULL;
	set->nr_fs = 0;
}

/* --- differences --- */

static const char *state(enum tristate value, const char *on, const char *off)
{
	return value == ON ? on : value == OFF ? off : "unknown";
}

static int add(struct option_changes *changes, enum option_key key, char *source, char *from,
	       char *to)
{
	struct option_change change = { key, source, from, to }, *grown;

	grown = realloc(changes->change, (changes->nr + 1) * sizeof(*grown));
	if (!grown) {
		option_change_free(&change);
		return -ENOMEM;
	}
	changes->change = grown;
	grown[changes->nr++] = change;
	return 0;
}

static int add_text(struct option_changes *changes, enum option_key key, const char *from,
		    const char *to)
{
	char *before, *after;

	if (!strcmp(from, to))
		return 0;
	before = strdup(*from ? from : "unknown");
	after = strdup(*to ? to : "unknown");
	if (before && after)
		return add(changes, key, NULL, before, after);
	free(before);
	free(after);
	return -ENOMEM;
}

static int add_number(struct option_changes *changes, enum option_key key, int64_t from,
		      int64_t to)
{
	char before[32] = "", after[32] = "";

	if (from >= 0)
		snprintf(before, sizeof(before), "%" PRId64, from);
	if (to >= 0)
		snprintf(after, sizeof(after), "%" PRId64, to);
	return add_text(changes, key, before, after);
}

/* One of @from and @to may be NULL. */
static int add_mount(struct option_changes *changes, const struct option_fs *from,
		     const struct option_fs *to)
{
	char *source = strdup(from ? from->source : to->source), *before = NULL, *after = NULL;
	int err = source ? 0 : -ENOMEM;

	if (!err && from && to && !strcmp(from->fstype, to->fstype))
		err = mount_words(from->options, to->options, &before, &after);
	else if (!err && ((from && asprintf(&before, "%s %s", from->fstype, from->options) < 0) ||
			  (to && asprintf(&after, "%s %s", to->fstype, to->options) < 0)))
		err = -ENOMEM;
	if (!err)
		return add(changes, OPTION_MOUNT, source, before, after);
	free(source);
	free(before);
	return err;
}

static bool fs_same(const struct option_fs *a, const struct option_fs *b)
{
	return !strcmp(a->source, b->source) && !strcmp(a->fstype, b->fstype) &&
	       mount_options_same(a->options, b->options);
}

/* Both are in the order of their sources; each step takes one of one or of both. */
static int mount_changes(struct option_changes *changes, const struct option_set *from,
			 const struct option_set *to)
{
	size_t i = 0, k = 0;
	int err = 0;

	while (!err && (i < from->nr_fs || k < to->nr_fs)) {
		const struct option_fs *a = i < from->nr_fs ? &from->fs[i] : NULL;
		const struct option_fs *b = k < to->nr_fs ? &to->fs[k] : NULL;
		int order = !a ? 1 : !b ? -1 : strcmp(a->source, b->source);

		if (order <= 0)
			i++;
		if (order >= 0)
			k++;
		if (order)
			err = add_mount(changes, order < 0 ? a : NULL, order < 0 ? NULL : b);
		else if (!fs_same(a, b))
			err = add_mount(changes, a, b);
	}
	return err;
}

static bool is_ata(const struct option_set *a, const struct option_set *b)
{
	return a->ncq >= 0 || b->ncq >= 0;
}

static int depth_changes(struct option_changes *changes, const struct option_set *from,
			 const struct option_set *to)
{
	if (is_ata(from, to))
		return add_number(changes, OPTION_NCQ, from->ncq, to->ncq);
	return add_number(changes, OPTION_QUEUE_DEPTH, from->queue_depth, to->queue_depth);
}

int option_changes_of(struct option_changes *changes, const struct option_set *from,
		      const struct option_set *to)
{
	memset(changes, 0, sizeof(*changes));
	if (mount_changes(changes, from, to) ||
	    add_text(changes, OPTION_WRITE_CACHE, state(from->write_cache, "on", "off"),
		     state(to->write_cache, "on", "off")) ||
	    add_text(changes, OPTION_WRITE_CACHE_KERNEL, from->write_cache_kernel,
		     to->write_cache_kernel) ||
	    add_text(changes, OPTION_FUA, state((enum tristate)from->fua, "yes", "no"),
		     state((enum tristate)to->fua, "yes", "no")) ||
	    depth_changes(changes, from, to) ||
	    add_text(changes, OPTION_SCHEDULER, from->scheduler, to->scheduler) ||
	    add_number(changes, OPTION_NR_REQUESTS, from->nr_requests, to->nr_requests))
		return -ENOMEM;
	return 0;
}

bool option_set_equal(const struct option_set *a, const struct option_set *b)
{
	bool same = a->nr_fs == b->nr_fs;
	size_t i;

	for (i = 0; same && i < a->nr_fs; i++)
		same = fs_same(&a->fs[i], &b->fs[i]);
	return same && a->write_cache == b->write_cache &&
	       !strcmp(a->write_cache_kernel, b->write_cache_kernel) && a->fua == b->fua &&
	       a->ncq == b->ncq && (is_ata(a, b) || a->queue_depth == b->queue_depth) &&
	       !strcmp(a->scheduler, b->scheduler) && a->nr_requests == b->nr_requests;
}

void option_change_free(struct option_change *change)
{
	free(change->source);
	free(change->from);
	free(change->to);
	memset(change, 0, sizeof(*change));
}

void option_changes_free(struct option_changes *changes)
{
	size_t i;

	for (i = 0; i < changes->nr; i++)
		option_change_free(&changes->change[i]);
	free(changes->change);
	memset(changes, 0, sizeof(*changes));
}
