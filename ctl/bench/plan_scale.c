// SPDX-License-Identifier: GPL-2.0-or-later
/* plan_scale: how much of the disk is needed at the scale of a plan; see plan_parts.h. */
#include "bench/plan_parts.h"

#define MIB ((uint64_t)1 << 20)
/* What the scale "small" is made for; with room for the journal of every filesystem. */
#define LEAST	(512 * MIB)
#define GRAIN	(64 * MIB)
#define QUARTER 4 /* free space: a full filesystem is a slow one */

/* Of the workload that needs most; 0: of one it is not known. */
static uint64_t most_space(const struct plan *plan)
{
	uint64_t most = 0;

	for (size_t i = 0; i < plan->nr_uses; i++) {
		if (!plan->use[i].space)
			return 0;
		if (plan->use[i].space > most)
			most = plan->use[i].space;
	}
	return most;
}

/* One of them writes less or takes less time than as it is written in the matrix. */
static int is_smaller(const struct plan *plan, bool *smaller, struct trouble *trouble)
{
	struct workload_use *uses = NULL;
	size_t nr = 0, i;
	int err = 0;

	for (i = 0; i < plan->matrix.nr_workloads && !err; i++)
		err = workload_use_parse(&plan->workloads, plan->matrix.workload[i].text, NULL,
					 &uses, &nr, trouble);
	*smaller = false;
	/* Lists stay as they are, so there are as many, in the same order. */
	for (i = 0; i < nr && i < plan->nr_uses && !err; i++)
		*smaller |= plan->use[i].space < uses[i].space ||
			    plan->use[i].seconds < uses[i].seconds;
	workload_uses_free(uses, nr);
	/* Values that only the scale makes right say nothing. */
	return err && trouble->kind != TROUBLE_USAGE ? -1 : 0;
}

static uint64_t size_for(const struct plan *plan, uint64_t space)
{
	uint64_t size = space + space / QUARTER;

	for (size_t i = 0; i < plan->nr_cells; i++)
		if (size < plan->cell[i].fs->min_bytes)
			size = plan->cell[i].fs->min_bytes;
	size += (GRAIN - size % GRAIN) % GRAIN;
	return size < LEAST ? LEAST : size;
}

int plan_scale(struct plan *plan, const char *scale, struct trouble *trouble)
{
	uint64_t space = most_space(plan), size;
	bool smaller;

	plan->size = plan->matrix.size;
	if (!scale || !plan->size || !space)
		return 0;
	if (is_smaller(plan, &smaller, trouble))
		return -1;
	size = smaller ? size_for(plan, space) : plan->size;
	if (size >= plan->size)
		return 0;
	plan->size = size;
	plan->sized_by_scale = true;
	return 0;
}
