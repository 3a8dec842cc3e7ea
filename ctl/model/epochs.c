// SPDX-License-Identifier: GPL-2.0-or-later
/* epochs: see epochs.h. */
#include "model/epochs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void epochs_init(struct epochs *epochs, uint64_t settle_ns)
{
	memset(epochs, 0, sizeof(*epochs));
	epochs->settle_ns = settle_ns;
}

static void changes_free(struct epoch_change *change, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		option_change_free(&change[i].option);
	free(change);
}

void epochs_free(struct epochs *epochs)
{
	size_t i;

	for (i = 0; i < epochs->nr_epochs; i++)
		changes_free(epochs->epoch[i].change, epochs->epoch[i].nr_changes);
	for (i = 0; i < epochs->nr_sets; i++) {
		option_set_free(&epochs->set[i].options);
		delta_free(&epochs->set[i].delta);
	}
	free(epochs->epoch);
	free(epochs->set);
	changes_free(epochs->pending, epochs->nr_pending);
	option_set_free(&epochs->now);
	delta_free(&epochs->delta);
	memset(epochs, 0, sizeof(*epochs));
}

static struct epoch *open_epoch(const struct epochs *epochs)
{
	struct epoch *last = epochs->nr_epochs ? &epochs->epoch[epochs->nr_epochs - 1] : NULL;

	return last && last->open ? last : NULL;
}

const struct epoch *epochs_open(const struct epochs *epochs)
{
	return open_epoch(epochs);
}

unsigned int epochs_current(const struct epochs *epochs)
{
	const struct epoch *open = open_epoch(epochs);

	return open ? open->set : 0;
}

const struct epoch_set *epochs_set(const struct epochs *epochs, unsigned int nr)
{
	return nr && nr <= epochs->nr_sets ? &epochs->set[nr - 1] : NULL;
}

/* --- sets --- */

/* The set that needs the fewest words; of several the one that held last. */
static int nearest_set(const struct epochs *epochs, const struct option_set *options,
		       unsigned int *nearest)
{
	unsigned int last = epochs->nr_epochs ? epochs->epoch[epochs->nr_epochs - 1].set : 0;
	struct option_changes changes;
	size_t least = SIZE_MAX, i;
	int err = 0;

	*nearest = 0;
	for (i = 0; i < epochs->nr_sets && !err; i++) {
		err = option_changes_of(&changes, &epochs->set[i].options, options);
		if (changes.nr < least || (changes.nr == least && epochs->set[i].nr == last)) {
			least = changes.nr;
			*nearest = epochs->set[i].nr;
		}
		option_changes_free(&changes);
	}
	return err;
}

static int name_set(const struct epochs *epochs, struct epoch_set *set)
{
	const struct epoch_set *from = epochs_set(epochs, set->derived_from);
	size_t used = 0;

	/* Without a word of it the first set is meant. */
	if (set->derived_from > 1)
		used = (size_t)snprintf(set->name, sizeof(set->name), "=%u, ", set->derived_from);
	option_set_title(set->title, sizeof(set->title), &set->options);
	return option_set_name(set->name + used, sizeof(set->name) - used, &set->options,
			       from ? &from->options : NULL);
}

static int add_set(struct epochs *epochs, const struct option_set *options)
{
	struct epoch_set *grown, *set;
	int err;

	grown = realloc(epochs->set, (epochs->nr_sets + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	epochs->set = grown;
	set = &grown[epochs->nr_sets];
	memset(set, 0, sizeof(*set));
	set->nr = (unsigned int)epochs->nr_sets + 1;
	err = nearest_set(epochs, options, &set->derived_from);
	if (!err)
		err = option_set_copy(&set->options, options);
	if (!err)
		err = name_set(epochs, set);
	if (err)
		option_set_free(&set->options);
	else
		epochs->nr_sets++;
	return err;
}

static int number_of(struct epochs *epochs, const struct option_set *options, unsigned int *nr)
{
	size_t i;
	int err;

	for (i = 0; i < epochs->nr_sets; i++) {
		if (option_set_equal(&epochs->set[i].options, options)) {
			*nr = epochs->set[i].nr;
			return 0;
		}
	}
	err = add_set(epochs, options);
	*nr = (unsigned int)epochs->nr_sets;
	return err;
}

/* --- epochs --- */

static int begin_epoch(struct epochs *epochs)
{
	struct epoch *grown, *epoch;
	unsigned int set;
	int err = number_of(epochs, &epochs->now, &set);

	if (err)
		return err;
	grown = realloc(epochs->epoch, (epochs->nr_epochs + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	epochs->epoch = grown;
	epoch = &grown[epochs->nr_epochs++];
	memset(epoch, 0, sizeof(*epoch));
	epoch->set = set;
	epoch->began_ns = epochs->now_ns;
	epoch->ended_ns = epochs->now_ns;
	epoch->open = true;
	epoch->change = epochs->pending;
	epoch->nr_changes = epochs->nr_pending;
	epochs->pending = NULL;
	epochs->nr_pending = 0;
	return 0;
}

static void end_epoch(struct epochs *epochs)
{
	struct epoch *epoch = open_epoch(epochs);

	if (!epoch)
		return;
	epoch->open = false;
	delta_free(&epochs->delta);
	memset(&epochs->delta, 0, sizeof(epochs->delta));
	if (epoch->held_ns)
		return;
	/* Nothing was counted in it: as if things had not settled yet. */
	epochs->pending = epoch->change;
	epochs->nr_pending = epoch->nr_changes;
	epochs->nr_epochs--;
}

static int count(struct epochs *epochs, uint64_t at_ns, const struct delta *delta)
{
	struct epoch *epoch = open_epoch(epochs);
	struct epoch_set *set;
	int err;

	if (!epoch)
		return 0;
	epoch->ended_ns = at_ns;
	if (!delta || !delta->elapsed_ns)
		return 0;
	set = &epochs->set[epoch->set - 1];
	err = delta_add(&epochs->delta, delta);
	if (!err)
		err = delta_add(&set->delta, delta);
	if (err)
		return err;
	set->n += !epoch->held_ns;
	set->held_ns += delta->elapsed_ns;
	epoch->held_ns += delta->elapsed_ns;
	figures_of(&epoch->figures, &epochs->delta);
	return 0;
}

/*
 * That a value was not known for a moment is no change of its own: "on -> unknown" and
 * "unknown -> off" are one, which came when the first did.
 */
static bool fold(struct epochs *epochs, struct option_change *option)
{
	size_t i;

	for (i = 0; i < epochs->nr_pending; i++) {
		struct option_change *earlier = &epochs->pending[i].option;

		if (earlier->key != option->key || option->key == OPTION_MOUNT ||
		    strcmp(earlier->to, option->from))
			continue;
		/* What it said at first may still have been what it had said before. */
		if (strcmp(earlier->to, "unknown") && strcmp(earlier->to, earlier->from))
			continue;
		free(earlier->to);
		earlier->to = option->to;
		option->to = NULL;
		option_change_free(option);
		return true;
	}
	return false;
}

static int note_changes(struct epochs *epochs, const struct epoch_change *when,
			const struct option_set *set)
{
	struct option_changes changes;
	struct epoch_change *grown;
	size_t i;
	int err = option_changes_of(&changes, &epochs->now, set);

	if (err)
		goto out;
	err = -ENOMEM;
	grown = realloc(epochs->pending, (epochs->nr_pending + changes.nr) * sizeof(*grown));
	if (!grown)
		goto out;
	epochs->pending = grown;
	for (i = 0; i < changes.nr; i++) {
		if (fold(epochs, &changes.change[i]))
			continue;
		grown = &epochs->pending[epochs->nr_pending++];
		*grown = *when;
		grown->option = changes.change[i];
	}
	changes.nr = 0; /* they are pending's now */
	err = 0;
out:
	option_changes_free(&changes);
	return err;
}

static int replace_now(struct epochs *epochs, const struct option_set *set)
{
	struct option_set copy;
	int err = option_set_copy(&copy, set);

	if (err) {
		option_set_free(&copy);
		return err;
	}
	option_set_free(&epochs->now);
	epochs->now = copy;
	return 0;
}

static int first_look(struct epochs *epochs, uint64_t at_ns, const struct option_set *set)
{
	int err = replace_now(epochs, set);

	if (err)
		return err;
	epochs->have_now = true;
	epochs->now_ns = at_ns;
	return begin_epoch(epochs);
}

int epochs_feed(struct epochs *epochs, uint64_t at_ns, enum epoch_seen seen,
		const struct option_set *set, const struct delta *delta)
{
	struct epoch_change when = { .at_ns = at_ns, .seen = seen };
	bool changed;
	int err = 0;

	if (!epochs->have_now)
		return first_look(epochs, at_ns, set);
	changed = !option_set_equal(&epochs->now, set);
	/* Where in it a change lies that was found by polling is not known. */
	if (!changed || seen == EPOCH_NOTIFIED)
		err = count(epochs, at_ns, delta);
	if (!err && changed) {
		if (seen == EPOCH_POLLED)
			when.error_ns = at_ns - epochs->now_ns;
		end_epoch(epochs);
		err = note_changes(epochs, &when, set);
		if (!err)
			err = replace_now(epochs, set);
		epochs->settled_ns = at_ns + epochs->settle_ns;
	}
	epochs->now_ns = at_ns;
	if (!err && !open_epoch(epochs) && at_ns >= epochs->settled_ns)
		err = begin_epoch(epochs);
	return err;
}

void epochs_break(struct epochs *epochs)
{
	end_epoch(epochs);
}
