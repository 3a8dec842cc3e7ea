// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * plan_order: the order of a block's cells.  A seed means the same order on every machine:
 * SplitMix64 feeds Fisher and Yates' shuffle, from the last cell down.  docs/run.md
 * describes it.
 */
#include "bench/plan.h"

static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static uint64_t next(uint64_t *state)
{
	*state += 0x9e3779b97f4a7c15ULL;
	return mix(*state);
}

/* 0 to n - 1, each as likely as any other. */
static size_t below(uint64_t *state, uint64_t n)
{
	uint64_t limit = UINT64_MAX - UINT64_MAX % n, value;

	do
		value = next(state);
	while (value >= limit);
	return (size_t)(value % n);
}

static void shuffle(uint64_t *state, size_t *order, size_t n)
{
	size_t i, k, kept;

	for (i = n; i > 1; i--) {
		k = below(state, i);
		kept = order[i - 1];
		order[i - 1] = order[k];
		order[k] = kept;
	}
}

/* Where the cells of the configuration that begins at @from end. */
static size_t group_end(const struct plan *plan, size_t from)
{
	size_t to = from;

	while (to < plan->nr_cells &&
	       plan->cell[to].configuration == plan->cell[from].configuration)
		to++;
	return to;
}

/*
 * One filesystem serves all trials of a configuration: those stay together, and both
 * the configurations and the cells of each are shuffled.  First @order has the first cell
 * of each, then from its end on each makes room for all of its cells, which never needs
 * the place of one that is still to come.
 */
static void shuffle_groups(const struct plan *plan, uint64_t *state, size_t *order)
{
	size_t i, k, first, len, end = plan->nr_cells, nr = 0;

	for (i = 0; i < plan->nr_cells; i = group_end(plan, i))
		order[nr++] = i;
	shuffle(state, order, nr);
	for (i = nr; i-- > 0; end -= len) {
		first = order[i];
		len = group_end(plan, first) - first;
		for (k = 0; k < len; k++)
			order[end - len + k] = first + k;
		shuffle(state, order + end - len, len);
	}
}

void plan_order(const struct plan *plan, unsigned int block, size_t *order)
{
	uint64_t state = plan->seed ^ mix(block);
	size_t i;

	for (i = 0; i < plan->nr_cells; i++)
		order[i] = i;
	if (plan->matrix.order == ORDER_LISTED)
		return;
	if (plan->matrix.keep_fs)
		shuffle_groups(plan, &state, order);
	else
		shuffle(&state, order, plan->nr_cells);
}
