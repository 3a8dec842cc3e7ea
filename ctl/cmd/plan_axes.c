// SPDX-License-Identifier: GPL-2.0-or-later
/* plan_axes: what the cells of a plan differ in, and how many that makes; see run.h. */
#include "cmd/run.h"

#include <stdlib.h>
#include <string.h>

/* What configurations can differ in: what is written, not what it comes to on this disk. */
enum axis { AXIS_FS, AXIS_MKFS, AXIS_MOUNT, AXIS_BARRIER, AXIS_CACHE, AXIS_PREPARATION, AXES };

static const char *const axis_names[AXES] = {
	[AXIS_FS] = "filesystem",     [AXIS_MKFS] = "mkfs",   [AXIS_MOUNT] = "mount",
	[AXIS_BARRIER] = "barrier",   [AXIS_CACHE] = "cache", [AXIS_PREPARATION] = "preparation",
};

static const char *value_of(const struct configuration *configuration, int axis)
{
	static const char *const numbers[] = {"0", "1", "2"};

	switch (axis) {
	case AXIS_FS:
		return configuration->fs;
	case AXIS_MKFS:
		return configuration->mkfs;
	case AXIS_MOUNT:
		return configuration->mount;
	case AXIS_BARRIER:
		return configuration->barrier == UNKNOWN ? ""
							 : numbers[configuration->barrier == ON];
	case AXIS_CACHE:
		return numbers[configuration->cache];
	case AXIS_PREPARATION:
		return numbers[configuration->preparation];
	default:
		return configuration->settings.value[axis - AXES];
	}
}

static const char *name_of(int axis)
{
	return axis < AXES ? axis_names[axis] : settings_name((enum setting)(axis - AXES));
}

/* The configurations of the plan, each once; malloc'd, NULL: no memory. */
static const struct configuration **configurations_of(const struct plan *plan, size_t *nr)
{
	const struct configuration **list = calloc(plan->nr_cells + 1, sizeof(*list));

	*nr = 0;
	for (size_t i = 0; list && i < plan->nr_cells; i++)
		if (!*nr || plan->cell[i].configuration != list[*nr - 1])
			list[(*nr)++] = plan->cell[i].configuration;
	return list;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static size_t count_values(const struct configuration *const *list, size_t nr, int axis,
			   const char **room)
{
	size_t i, values = 0;

	for (i = 0; i < nr; i++)
		room[i] = value_of(list[i], axis);
	qsort(room, nr, sizeof(*room), by_text);
	for (i = 0; i < nr; i++)
		values += !i || strcmp(room[i], room[i - 1]);
	return values;
}

static size_t count_workloads(const struct plan *plan)
{
	size_t i, k, nr = 0;

	for (i = 0; i < plan->nr_uses; i++) {
		for (k = 0; k < plan->nr_cells && plan->cell[k].use != &plan->use[i]; k++)
			;
		nr += k < plan->nr_cells;
	}
	return nr;
}

/* "filesystem 3 x barrier 2", or with commas where not all combinations are there. */
static size_t print_axes(FILE *to, const struct configuration *const *list, size_t nr,
			 const char **room, const char *between)
{
	size_t product = 1;

	for (int axis = 0; axis < (int)AXES + (int)SETTINGS; axis++) {
		size_t values = count_values(list, nr, axis, room);

		if (values < 2)
			continue;
		if (to)
			fprintf(to, "%s%s %zu", product > 1 ? between : "", name_of(axis), values);
		product = product > nr ? product : product * values;
	}
	return product;
}

static void print_all(FILE *to, const struct plan *plan, const struct configuration *const *list,
		      size_t nr, const char **room)
{
	const struct matrix_repeat *repeat = &plan->matrix.repeat;
	size_t workloads = count_workloads(plan);
	bool full = print_axes(NULL, list, nr, room, "") == nr;

	if (full && nr > 1) {
		print_axes(to, list, nr, room, " x ");
	} else {
		fprintf(to, "%zu configuration%s", nr, nr == 1 ? "" : "s");
		if (nr > 1) {
			fputs(" (", to);
			print_axes(to, list, nr, room, ", ");
			fputc(')', to);
		}
	}
	fprintf(to, " x workload %zu%s%zu cell%s, ", workloads,
		nr * workloads == plan->nr_cells ? " = " : ", without those left out ",
		plan->nr_cells, plan->nr_cells == 1 ? "" : "s");
	if (repeat->min == repeat->max)
		fprintf(to, "%u run%s of each", repeat->max, repeat->max == 1 ? "" : "s");
	else
		fprintf(to, "%u to %u runs of each", repeat->min, repeat->max);
}

char *plan_axes(const struct plan *plan)
{
	size_t nr, size;
	const struct configuration **list = configurations_of(plan, &nr);
	const char **room = calloc(nr + 1, sizeof(*room));
	char *text = NULL;
	FILE *to = list && room ? open_memstream(&text, &size) : NULL;

	if (to) {
		print_all(to, plan, list, nr, room);
		if (fclose(to)) {
			free(text);
			text = NULL;
		}
	}
	free(list);
	free(room);
	return text;
}
