// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * plan_time: how long a plan takes: the workloads, and what is around each of them (mkfs, mount,
 * waiting for the disk).  That is known from earlier trials on the same target, or estimated from
 * what mkfs and the preparation write; see plan.h.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bench/plan_parts.h"
#include "json_bounded.h"

/* Mount, waiting for the disk and unmounting of a trial, until they have been measured. */
#define AROUND_S 8
/* What disks write in a second, roughly, and where it is not known which they are. */
#define ROTATING_BYTES 100e6
#define SOLID_BYTES    300e6
/* ext2 to ext4 are made with all of their inodes: 256 bytes for each 16 KiB. */
#define INODE_SHARE 64

static double bytes_per_second(const struct target *target)
{
	return target->info.rotational == 0 ? SOLID_BYTES : ROTATING_BYTES;
}

static double guess_around(const struct cell *cell, const struct target *target)
{
	double bytes = 0, size = (double)target->size;

	if (!cell->fs->disk)
		return AROUND_S;
	if (!strncmp(cell->fs->name, "ext", 3))
		bytes += size / INODE_SHARE;
	if (cell->configuration->preparation == PREPARATION_FILL)
		bytes += size;
	return AROUND_S + bytes / bytes_per_second(target);
}

/* What trials like those of one cell took around the workload. */
struct learner {
	struct plan *plan;
	const struct target *target;
	double *sum;
	unsigned int *nr;
};

static double phases_seconds(const char *text)
{
	json_t *phases = json_bounded_text(text, NULL), *value;
	const char *key;
	double sum = 0;

	json_object_foreach(phases, key, value)
		sum += json_number_value(value) / 1e9;
	json_decref(phases);
	return sum;
}

static bool is_like(const struct cell *cell, json_t *asked)
{
	const char *fs = json_string_value(json_object_get(asked, "fs"));
	const char *preparation = json_string_value(json_object_get(asked, "preparation"));

	return fs && preparation && !strcmp(fs, cell->fs->name) &&
	       !strcmp(preparation, matrix_preparation_name(cell->configuration->preparation));
}

/* The cells of one configuration lie together, and have all that is around workloads in common. */
static bool is_like_before(const struct plan *plan, size_t i)
{
	return i && plan->cell[i].configuration == plan->cell[i - 1].configuration;
}

static void learn_one(void *arg, const struct store_time *time)
{
	struct learner *learner = arg;
	json_t *target = json_bounded_text(time->target, NULL);
	json_t *asked = json_bounded_text(time->asked, NULL);
	json_int_t size = json_integer_value(json_object_get(target, "size"));
	double around = phases_seconds(time->phases) - time->seconds;

	if (around <= 0 || size != (json_int_t)learner->target->size)
		goto out;
	for (size_t i = 0; i < learner->plan->nr_cells; i++) {
		if (is_like_before(learner->plan, i) || !is_like(&learner->plan->cell[i], asked))
			continue;
		learner->sum[i] += around;
		learner->nr[i]++;
	}
out:
	json_decref(target);
	json_decref(asked);
}

void plan_guess_time(struct plan *plan, const struct target *target)
{
	for (size_t i = 0; i < plan->nr_cells; i++)
		plan->cell[i].around_s = guess_around(&plan->cell[i], target);
	plan_estimate(plan);
}

int plan_learn(struct plan *plan, const struct target *target, struct store *store,
	       struct trouble *trouble)
{
	struct learner learner = {.plan = plan,
				  .target = target,
				  .sum = calloc(plan->nr_cells + 1, sizeof(double)),
				  .nr = calloc(plan->nr_cells + 1, sizeof(unsigned int))};
	const char *id = target->image ? "" : target_id(target);
	int err = learner.sum && learner.nr
			  ? store_times(store, id, learn_one, &learner, trouble)
			  : trouble_memory(trouble, plan->matrix.name);

	plan->nr_learned = 0;
	for (size_t i = 0; i < plan->nr_cells && !err; i++) {
		if (is_like_before(plan, i)) {
			learner.sum[i] = learner.sum[i - 1];
			learner.nr[i] = learner.nr[i - 1];
		}
		if (!learner.nr[i])
			continue;
		plan->cell[i].around_s = learner.sum[i] / learner.nr[i];
		plan->nr_learned++;
	}
	free(learner.sum);
	free(learner.nr);
	plan_estimate(plan);
	return err;
}

void plan_estimate(struct plan *plan)
{
	const struct matrix_repeat *repeat = &plan->matrix.repeat;
	double block = 0;
	size_t i;

	plan->seconds_min = 0;
	plan->seconds_max = 0;
	for (i = 0; i < plan->nr_cells; i++) {
		const struct cell *cell = &plan->cell[i];

		if (cell->unsupported)
			continue;
		if (cell->use->seconds <= 0)
			return;
		block += cell->use->seconds + (cell->around_s > 0 ? cell->around_s : AROUND_S);
	}
	plan->seconds_min = block * repeat->min;
	plan->seconds_max = block * repeat->max;
	if (repeat->max_seconds > 0 && plan->seconds_max > repeat->max_seconds)
		plan->seconds_max = repeat->max_seconds;
	if (plan->seconds_min > plan->seconds_max)
		plan->seconds_min = plan->seconds_max;
}
