// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * store_same: whether the run of a document is stored already.  A run is known by what it had when
 * it began; a document of it that was made later may have more trials, and tells more of its end.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/store_private.h"

/* What a run has not got when it begins, or may have another of in another store. */
static bool may_differ(const struct field *field)
{
	static const char *const names[] = {"name", "state", "ended", "stop"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(field->name, names[i]))
			return true;
	return field->local;
}

static bool same_text(const struct field *field, const void *a, const void *b)
{
	const char *first, *second;

	if (field->kind != FIELD_TEXT && field->kind != FIELD_JSON)
		return false;
	first = *field_text(field, a);
	second = *field_text(field, b);
	return !strcmp(first ? first : "", second ? second : "");
}

/* As documents have it: a document writes bytes that are no UTF-8, and objects, in its own way. */
static bool same_field(const struct field *field, const void *a, const void *b)
{
	json_t *first, *second;
	bool same;

	if (same_text(field, a, b))
		return true;
	first = store_field_json(field, a);
	second = store_field_json(field, b);
	same = first && second && json_equal(first, second);
	json_decref(first);
	json_decref(second);
	return same;
}

static bool same_row(const struct store_table *table, const void *a, const void *b)
{
	for (size_t i = 0; i < table->nr; i++)
		if (!may_differ(&table->field[i]) && !same_field(&table->field[i], a, b))
			return false;
	return true;
}

/* All that @part has, @whole has. */
static bool is_part(const struct store_result *part, const struct store_result *whole)
{
	size_t i;

	if (part->nr_cells != whole->nr_cells || part->nr_trials > whole->nr_trials)
		return false;
	for (i = 0; i < part->nr_cells; i++)
		if (!same_row(&store_cells, &part->cell[i], &whole->cell[i]))
			return false;
	/* In a document a trial's cell is an index. */
	for (i = 0; i < part->nr_trials; i++) {
		const struct store_trial *trial = &part->trial[i];

		if (whole->cell[trial->cell].id != whole->trial[i].cell ||
		    !same_row(&store_trials, trial, &whole->trial[i]))
			return false;
	}
	return true;
}

int store_find_same(struct store *store, const struct store_result *result, char **name,
		    struct trouble *trouble)
{
	struct store_result stored;
	struct store_run *runs;
	size_t nr, i;
	int same = 0;

	*name = NULL;
	if (store_list(store, &runs, &nr, trouble))
		return -1;
	for (i = 0; i < nr && !same; i++) {
		if (!same_row(&store_runs, &result->run, &runs[i]))
			continue;
		if (store_load(store, runs[i].name, &stored, trouble)) {
			same = -1;
			break;
		}
		same = is_part(result, &stored);
		store_result_free(&stored);
		if (!same)
			continue;
		*name = runs[i].name;
		runs[i].name = NULL;
	}
	store_runs_free(runs, nr);
	return same;
}
