// SPDX-License-Identifier: GPL-2.0-or-later
/* owners: tables, their differences and groups, see owners.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/owners.h"
#include "model/words.h"

void owners_free(struct owners *owners)
{
	free(owners->row);
	memset(owners, 0, sizeof(*owners));
}

static bool same_owner(const struct owner *a, const struct owner *b)
{
	return !strncmp(a->comm, b->comm, sizeof(a->comm)) && a->major == b->major &&
	       a->minor == b->minor && a->have_tgid == b->have_tgid && a->tgid == b->tgid;
}

static struct owner *find(const struct owners *owners, const struct owner *key)
{
	size_t i;

	for (i = 0; i < owners->nr; i++)
		if (same_owner(&owners->row[i], key))
			return &owners->row[i];
	return NULL;
}

/* Another row; NULL when memory ran out. */
static struct owner *append(struct owners *owners, const struct owner *owner)
{
	struct owner *grown = realloc(owners->row, (owners->nr + 1) * sizeof(*grown));

	if (!grown)
		return NULL;
	owners->row = grown;
	grown[owners->nr] = *owner;
	return &grown[owners->nr++];
}

int owners_count(struct owners *owners, const struct owner *owner)
{
	struct owner *row = find(owners, owner);

	if (!row)
		return append(owners, owner) ? 0 : -ENOMEM;
	words_add(&row->counts, &owner->counts, WORDS(row->counts));
	return 0;
}

int owners_add(struct owners *into, const struct owners *from)
{
	size_t i;
	int err = 0;

	words_add(&into->sum, &from->sum, WORDS(into->sum));
	words_add(&into->other, &from->other, WORDS(into->other));
	for (i = 0; i < from->nr && !err; i++)
		err = owners_count(into, &from->row[i]);
	return err;
}

static bool idle(const struct owner_counts *counts)
{
	static const struct owner_counts none;

	return !memcmp(counts, &none, sizeof(none));
}

static int subtract_row(struct owners *delta, const struct owner *b, const struct owners *a)
{
	const struct owner *before = find(a, b);
	struct owner owner = *b;

	if (before && words_subtract(&owner.counts, &b->counts, &before->counts,
				     WORDS(owner.counts)))
		return -ERANGE;
	if (idle(&owner.counts))
		return 0;
	return append(delta, &owner) ? 0 : -ENOMEM;
}

int owners_subtract(struct owners *delta, const struct owners *b, const struct owners *a)
{
	size_t i;
	int err;

	memset(delta, 0, sizeof(*delta));
	err = words_subtract(&delta->sum, &b->sum, &a->sum, WORDS(delta->sum));
	if (!err)
		err = words_subtract(&delta->other, &b->other, &a->other, WORDS(delta->other));
	/* Rows are never taken away. */
	for (i = 0; i < a->nr && !err; i++)
		err = find(b, &a->row[i]) ? 0 : -ERANGE;
	for (i = 0; i < b->nr && !err; i++)
		err = subtract_row(delta, &b->row[i], a);
	if (err)
		owners_free(delta);
	return err;
}

bool owners_consistent(const struct owners *owners)
{
	struct owner_counts all = owners->other;
	size_t i;

	for (i = 0; i < owners->nr; i++)
		words_add(&all, &owners->row[i].counts, WORDS(all));
	return !memcmp(&all, &owners->sum, sizeof(all));
}

uint64_t owner_bios(const struct owner_counts *counts)
{
	const struct bio_counts *bio = &counts->bio;

	return bio->read_ios + bio->write_ios + bio->discard_ios + bio->other_ios +
	       bio->empty_flush;
}

uint64_t owner_bytes(const struct owner_counts *counts)
{
	const struct bio_counts *bio = &counts->bio;

	return bio->read_bytes + bio->write_bytes + bio->discard_bytes + bio->other_bytes;
}

void owner_groups_free(struct owner_groups *groups)
{
	free(groups->group);
	memset(groups, 0, sizeof(*groups));
}

/* A name for the group; that of a kworker says which of many it happened to be. */
static void group_name(char comm[FSBSTAT_COMM_LEN], const struct owner *owner)
{
	static const char worker[] = "kworker";

	memcpy(comm, owner->comm, FSBSTAT_COMM_LEN);
	if (!strncmp(comm, worker, sizeof(worker) - 1) && comm[sizeof(worker) - 1] == '/')
		memset(comm + sizeof(worker) - 1, 0, FSBSTAT_COMM_LEN - (sizeof(worker) - 1));
}

static struct owner_group *group_of(struct owner_groups *groups, const struct owner *owner)
{
	struct owner_group *group;
	char comm[FSBSTAT_COMM_LEN];
	size_t i;

	group_name(comm, owner);
	for (i = 0; i < groups->nr; i++) {
		group = &groups->group[i];
		if (!strncmp(group->comm, comm, sizeof(comm)) && group->major == owner->major &&
		    group->minor == owner->minor)
			return group;
	}
	group = &groups->group[groups->nr++];
	memcpy(group->comm, comm, sizeof(comm));
	group->major = owner->major;
	group->minor = owner->minor;
	return group;
}

/* A process counts once, whatever its tasks are called. */
static bool first_of_process(const struct owners *owners, size_t row)
{
	const struct owner *owner = &owners->row[row], *before;
	char comm[FSBSTAT_COMM_LEN], other[FSBSTAT_COMM_LEN];
	size_t i;

	group_name(comm, owner);
	for (i = 0; i < row; i++) {
		before = &owners->row[i];
		group_name(other, before);
		if (before->tgid == owner->tgid && before->major == owner->major &&
		    before->minor == owner->minor && !strncmp(comm, other, sizeof(comm)))
			return false;
	}
	return true;
}

static uint64_t asked(const struct owner_group *group, bool fua)
{
	const struct bio_counts *bio = &group->counts.bio;

	return bio->preflush + bio->empty_flush + (fua ? bio->fua : 0);
}

static int descending(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

static int compare(const struct owner_group *a, const struct owner_group *b, bool fua)
{
	int order = descending(asked(a, fua), asked(b, fua));

	if (!order)
		order = descending(a->counts.bio.write_bytes, b->counts.bio.write_bytes);
	if (!order)
		order = descending(owner_bios(&a->counts), owner_bios(&b->counts));
	return order ? order : strncmp(a->comm, b->comm, sizeof(a->comm));
}

static int compare_fua(const void *a, const void *b)
{
	return compare(a, b, true);
}

static int compare_no_fua(const void *a, const void *b)
{
	return compare(a, b, false);
}

int owners_group(struct owner_groups *groups, const struct owners *owners, bool fua)
{
	struct owner_group *group;
	size_t i;

	owner_groups_free(groups);
	groups->group = calloc(owners->nr ? owners->nr : 1, sizeof(*groups->group));
	if (!groups->group)
		return -ENOMEM;
	for (i = 0; i < owners->nr; i++) {
		const struct owner *owner = &owners->row[i];

		group = group_of(groups, owner);
		words_add(&group->counts, &owner->counts, WORDS(group->counts));
		if (owner->have_tgid && first_of_process(owners, i))
			group->tasks++;
	}
	qsort(groups->group, groups->nr, sizeof(*groups->group),
	      fua ? compare_fua : compare_no_fua);
	return 0;
}
