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

/* Whatever is wrong with mkfs options, it is before anything is made with them. */
static int check_mkfs(const struct plan *plan, const struct cell *cell, struct trouble *trouble)
{
	const struct configuration *configuration = cell->configuration;
	struct tool_words words = {.nr = 0};
	int ret;

	if (!cell->fs->disk)
		return 0;
	ret = filesystem_make_words(cell->fs, "", 0, configuration->mkfs, &words, trouble);
	tool_words_free(&words);
	if (ret && trouble->kind == TROUBLE_USAGE)
		plan_place(plan, configuration->mkfs_line, trouble->object,
			   sizeof(trouble->object));
	return ret;
}

/* The line of the mount option that is wrong. */
static unsigned int line_of_option(const struct cell *cell)
{
	const struct configuration *configuration = cell->configuration;

	return configuration->mount_line ? configuration->mount_line[cell->mount.wrong]
					 : configuration->line;
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
	if (check_mkfs(plan, cell, trouble))
		return -1;
	if (filesystem_plan_mount(cell->fs, &wish, &cell->mount, trouble)) {
		if (trouble->kind == TROUBLE_USAGE)
			plan_place(plan, line_of_option(cell), trouble->object,
				   sizeof(trouble->object));
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

/* The cells of one configuration lie together, and have all that in common. */
static int like_the_one_before(struct cell *cell, struct trouble *trouble)
{
	const struct cell *before = cell - 1;

	cell->settings = before->settings;
	cell->mount = before->mount;
	if (!before->unsupported)
		return 0;
	return plan_cell_refuse(cell, trouble, "%s", before->unsupported);
}

int plan_support_configurations(struct plan *plan, const char *release, struct trouble *trouble)
{
	size_t i;

	for (i = 0; i < plan->nr_cells; i++) {
		struct cell *cell = &plan->cell[i];

		if (i && cell->configuration == cell[-1].configuration) {
			if (like_the_one_before(cell, trouble))
				return -1;
		} else if (configuration_support(plan, cell, release, trouble)) {
			return -1;
		}
	}
	return 0;
}

/* Why a workload, or one use of it, cannot run here. */
struct answer {
	bool known;
	char *why; /* NULL: it can */
};

/* 0, also when it cannot run; -1 with *trouble: no memory. */
static int take_answer(struct answer *answer, int err, const char *object, struct trouble *trouble)
{
	answer->known = true;
	answer->why = err ? strdup(trouble->reason) : NULL;
	return err && !answer->why ? trouble_memory(trouble, object) : 0;
}

static int ask_tools(struct plan *plan, struct answer *answer, const struct workload *workload,
		     struct trouble *trouble)
{
	size_t i;

	if (answer->known)
		return 0;
	if (take_answer(answer, workload_tools(workload, trouble), workload->name, trouble))
		return -1;
	for (i = 0; answer->why && i < workload->nr_packages; i++)
		if (need_package(plan, workload->package[i], trouble))
			return -1;
	return 0;
}

/* Each question is asked once: a matrix may have thousands of cells. */
static int workload_support(struct plan *plan, struct cell *cell, bool look_only,
			    struct answer *of_workload, struct answer *of_use,
			    struct trouble *trouble)
{
	const struct workload_use *use = cell->use;
	struct answer *tools = &of_workload[use->workload - plan->workloads.workload];
	struct answer *needs = &of_use[use - plan->use];

	if (ask_tools(plan, tools, use->workload, trouble))
		return -1;
	if (tools->why)
		return plan_cell_refuse(cell, trouble, "%s", tools->why);
	if (look_only) {
		plan->unasked |= *use->workload->needs != '\0';
		return 0;
	}
	if (!needs->known && take_answer(needs, workload_needs(use, trouble), use->label, trouble))
		return -1;
	return needs->why ? plan_cell_refuse(cell, trouble, "%s", needs->why) : 0;
}

static void free_answers(struct answer *answers, size_t nr)
{
	size_t i;

	for (i = 0; answers && i < nr; i++)
		free(answers[i].why);
	free(answers);
}

int plan_support_workloads(struct plan *plan, bool look_only, struct trouble *trouble)
{
	struct answer *of_workload = calloc(plan->workloads.nr + 1, sizeof(*of_workload));
	struct answer *of_use = calloc(plan->nr_uses + 1, sizeof(*of_use));
	int ret = of_workload && of_use ? 0 : trouble_memory(trouble, plan->matrix.name);
	size_t i;

	for (i = 0; i < plan->nr_cells && !ret; i++)
		if (!plan->cell[i].unsupported)
			ret = workload_support(plan, &plan->cell[i], look_only, of_workload, of_use,
					       trouble);
	free_answers(of_workload, plan->workloads.nr);
	free_answers(of_use, plan->nr_uses);
	return ret;
}
