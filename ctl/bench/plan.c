// SPDX-License-Identifier: GPL-2.0-or-later
/* plan: cells out of a matrix, workloads and filesystems; see plan.h. */
#include "bench/plan.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>

#include "bench/plan_parts.h"

static int no_memory(const struct plan *plan, struct trouble *trouble)
{
	return trouble_memory(trouble, plan->matrix.path ? plan->matrix.path : "matrix");
}

void plan_place(const struct plan *plan, unsigned int line, char *buf, size_t size)
{
	snprintf(buf, size, "%s:%u", plan->matrix.path, line);
}

static int load_matrix(struct plan *plan, const struct plan_options *options,
		       struct trouble *trouble)
{
	char *path;
	int ret;

	if (options->text)
		return matrix_parse(&plan->matrix, options->matrix, options->text, trouble);
	path = matrix_find(options->matrix, trouble);
	if (!path)
		return -1;
	ret = matrix_load(&plan->matrix, path, trouble);
	free(path);
	return ret;
}

static int load_uses(struct plan *plan, const char *scale, struct trouble *trouble)
{
	size_t i;

	for (i = 0; i < plan->matrix.nr_workloads; i++) {
		const struct matrix_workload *line = &plan->matrix.workload[i];

		if (workload_use_parse(&plan->workloads, line->text, scale, &plan->use,
				       &plan->nr_uses, trouble)) {
			plan_place(plan, line->line, trouble->object, sizeof(trouble->object));
			return -1;
		}
	}
	return 0;
}

static bool matches(const char *pattern, const char *name)
{
	return !pattern || fnmatch(pattern, name, 0) == 0;
}

static bool is_excluded(const struct plan *plan, const struct configuration *configuration,
			const struct workload_use *use)
{
	size_t i;

	for (i = 0; i < plan->matrix.nr_exclusions; i++) {
		const struct matrix_exclusion *exclusion = &plan->matrix.exclusion[i];

		if (matches(exclusion->configuration, configuration->name) &&
		    (matches(exclusion->workload, use->label) ||
		     matches(exclusion->workload, use->workload->name)))
			return true;
	}
	return false;
}

static bool have_once(const struct plan *plan, const struct workload_use *use)
{
	size_t i;

	for (i = 0; i < plan->nr_cells; i++)
		if (plan->cell[i].use == use)
			return true;
	return false;
}

/* Adds a cell, unless it is not to be. */
static int add_cell(struct plan *plan, const struct configuration *configuration,
		    const struct workload_use *use, const char *only)
{
	struct cell *cell = &plan->cell[plan->nr_cells];
	char *name;

	if (is_excluded(plan, configuration, use) || (use->once && have_once(plan, use)))
		return 0;
	if (asprintf(&name, "%s/%s", configuration->name, use->label) < 0)
		return -1;
	if (!matches(only, name)) {
		free(name);
		return 0;
	}
	memset(cell, 0, sizeof(*cell));
	cell->configuration = configuration;
	cell->use = use;
	cell->name = name;
	plan->nr_cells++;
	return 0;
}

static int make_cells(struct plan *plan, const char *only, struct trouble *trouble)
{
	struct matrix *matrix = &plan->matrix;
	size_t i, k;

	plan->cell = calloc(matrix->nr_configurations * plan->nr_uses + 1, sizeof(*plan->cell));
	if (!plan->cell)
		return no_memory(plan, trouble);
	for (i = 0; i < matrix->nr_configurations; i++)
		for (k = 0; k < plan->nr_uses; k++)
			if (add_cell(plan, &matrix->configuration[i], &plan->use[k], only))
				return no_memory(plan, trouble);
	if (plan->nr_cells)
		return 0;
	if (only)
		return trouble_set(trouble, TROUBLE_USAGE, "--only",
				   "a shell pattern for names of cells, as --plan lists them",
				   "no cell is called like %s", only);
	return trouble_set(trouble, TROUBLE_USAGE, matrix->path, "", "there is no cell in it");
}

/* All names of filesystems, for the hint. */
static void list_filesystems(const struct filesystem_table *table, char *buf, size_t size)
{
	size_t i, used = 0;

	used += (size_t)snprintf(buf, size, "known are");
	for (i = 0; i < table->nr && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s %s", i ? "," : "",
					 table->filesystem[i].name);
}

static int find_filesystem(struct plan *plan, struct cell *cell, struct trouble *trouble)
{
	char object[sizeof(trouble->object)], hint[sizeof(trouble->hint)];

	cell->fs = filesystem_find(&plan->filesystems, cell->configuration->fs);
	if (cell->fs)
		return 0;
	plan_place(plan, cell->configuration->line, object, sizeof(object));
	list_filesystems(&plan->filesystems, hint, sizeof(hint));
	return trouble_set(trouble, TROUBLE_USAGE, object, hint, "no filesystem is called %s",
			   cell->configuration->fs);
}

/* The matrix's caps and the command line's, which wins. */
static void take_caps(struct plan *plan, const struct plan_options *options)
{
	struct matrix_repeat *repeat = &plan->matrix.repeat;

	if (options->max_runs)
		repeat->max = options->max_runs;
	if (repeat->min > repeat->max)
		repeat->min = repeat->max;
	if (options->max_seconds > 0)
		repeat->max_seconds = options->max_seconds;
}

static int take_seed(struct plan *plan, const struct plan_options *options, struct trouble *trouble)
{
	if (options->have_seed)
		plan->seed = options->seed;
	else if (plan->matrix.have_seed)
		plan->seed = plan->matrix.seed;
	/* 32 bits are enough, and can be typed again. */
	else if (getrandom(&plan->seed, sizeof(uint32_t), 0) != sizeof(uint32_t))
		return trouble_set(trouble, TROUBLE_FAILED, "getrandom", "--seed N gives one", "%s",
				   strerror(errno));
	return 0;
}

int plan_make(struct plan *plan, const struct plan_options *options, struct trouble *trouble)
{
	struct utsname kernel;
	size_t i;

	memset(plan, 0, sizeof(*plan));
	if (load_matrix(plan, options, trouble) ||
	    workload_library_load(&plan->workloads, trouble) ||
	    filesystem_table_load(&plan->filesystems, trouble) ||
	    load_uses(plan, options->scale, trouble) || make_cells(plan, options->only, trouble))
		return -1;
	if (uname(&kernel))
		return trouble_set(trouble, TROUBLE_FAILED, "uname", "", "%s", strerror(errno));
	for (i = 0; i < plan->nr_cells; i++)
		if (find_filesystem(plan, &plan->cell[i], trouble))
			return -1;
	if (plan_support_configurations(plan, kernel.release, trouble) ||
	    plan_warn(plan, trouble) || plan_support_workloads(plan, options->look_only, trouble))
		return -1;
	take_caps(plan, options);
	if (plan_scale(plan, options->scale, trouble))
		return -1;
	if (take_seed(plan, options, trouble))
		return -1;
	plan_estimate(plan);
	return 0;
}

void plan_free(struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->nr_cells; i++) {
		free(plan->cell[i].name);
		free(plan->cell[i].unsupported);
	}
	free(plan->cell);
	for (i = 0; i < plan->nr_packages; i++)
		free(plan->package[i]);
	free(plan->package);
	plan_warnings_free(plan);
	workload_uses_free(plan->use, plan->nr_uses);
	filesystem_table_free(&plan->filesystems);
	workload_library_free(&plan->workloads);
	matrix_free(&plan->matrix);
	memset(plan, 0, sizeof(*plan));
}
