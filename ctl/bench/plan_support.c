// SPDX-License-Identifier: GPL-2.0-or-later
/* plan_support: what kernel and installed programs make of a cell; see plan_parts.h. */
#include "bench/plan_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tool.h"

int plan_cell_refuse(struct cell *cell, struct trouble *trouble, const char *format, ...)
{
	va_list args;
	int ret;

	if (cell->unsupported)
		return 0;
	va_start(args, format);
	ret = vasprintf(&cell->unsupported, format, args);
	va_end(args);
	if (ret >= 0)
		return 0;
	cell->unsupported = NULL;
	return trouble_memory(trouble, cell->name);
}

static int need_package(struct plan *plan, const char *package, struct trouble *trouble)
{
	char **grown;
	size_t i;

	for (i = 0; i < plan->nr_packages; i++)
		if (!strcmp(plan->package[i], package))
			return 0;
	grown = realloc(plan->package, (plan->nr_packages + 1) * sizeof(*grown));
	if (!grown)
		return trouble_memory(trouble, package);
	plan->package = grown;
	grown[plan->nr_packages] = strdup(package);
	return grown[plan->nr_packages++] ? 0 : trouble_memory(trouble, package);
}

/* The program of a command line is nowhere to be found. */
static bool is_missing(const char *command)
{
	char program[128], *path;

	snprintf(program, sizeof(program), "%.*s", (int)strcspn(command, " "), command);
	path = *program ? tool_find(program) : NULL;
	free(path);
	return *program && !path;
}

/* By the configuration alone: the same for all of its cells. */
static int configuration_support(struct plan *plan, struct cell *cell, const char *release,
				 struct trouble *trouble)
{
	const struct configuration *configuration = cell->configuration;
	const struct filesystem_wish wish = {.mount = configuration->mount,
					     .barrier = configuration->barrier,
					     .emulate = configuration->emulate,
					     .kernel = release};
	char *view = cell->settings.value[SETTING_WRITE_CACHE_KERNEL];

	cell->settings = configuration->settings;
	if (filesystem_plan_mount(cell->fs, &wish, &cell->mount, trouble)) {
		if (trouble->kind != TROUBLE_MISSING)
			return -1;
		return plan_cell_refuse(cell, trouble, "%s", trouble->reason);
	}
	if (cell->mount.emulated && *view && strcmp(view, "write through"))
		return plan_cell_refuse(cell, trouble,
					"write_cache_kernel contradicts the emulated barrier");
	if (cell->mount.emulated)
		strcpy(view, "write through");
	if (filesystem_usable(cell->fs, release, trouble) == 0)
		return 0;
	if (is_missing(cell->fs->mkfs) && need_package(plan, cell->fs->package, trouble))
		return -1;
	return plan_cell_refuse(cell, trouble, "%s", trouble->reason);
}

static int workload_support(struct plan *plan, struct cell *cell, struct trouble *trouble)
{
	const struct workload *workload = cell->use->workload;
	char reason[sizeof(trouble->reason)];
	size_t i;

	if (cell->unsupported || workload_usable(cell->use, trouble) == 0)
		return 0;
	snprintf(reason, sizeof(reason), "%s", trouble->reason);
	for (i = 0; workload_missing_tool(workload) && i < workload->nr_packages; i++)
		if (need_package(plan, workload->package[i], trouble))
			return -1;
	return plan_cell_refuse(cell, trouble, "%s", reason);
}

int plan_cell_support(struct plan *plan, size_t i, const char *release, struct trouble *trouble)
{
	struct cell *cell = &plan->cell[i];
	const struct cell *before = i ? &plan->cell[i - 1] : NULL;
	bool known = before && before->configuration == cell->configuration;

	/* What stands against the cell before it may be that one's workload. */
	if (known && !before->unsupported) {
		cell->settings = before->settings;
		cell->mount = before->mount;
	} else if (configuration_support(plan, cell, release, trouble)) {
		return -1;
	}
	return workload_support(plan, cell, trouble);
}
