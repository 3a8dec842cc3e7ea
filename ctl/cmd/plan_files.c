// SPDX-License-Identifier: GPL-2.0-or-later
/* plan_files: the files that decide what a plan runs and did not come with fsbctl; see run.h. */
#include "cmd/run.h"

#include <string.h>
#include <sys/stat.h>

#include "bench/data_dir.h"
#include "trusted.h"

/* What was named by its path is shown where another user can change it. */
static void look_at(struct plan_file *file, bool always, plan_file_show *show, void *arg)
{
	char why[400] = "";
	struct stat status;

	file->others = trusted_path(file->path, TRUSTED_CALLER, why, sizeof(why));
	if (!always && !file->others)
		return;
	file->owner = stat(file->path, &status) ? NULL : trusted_user_name(status.st_uid);
	show(arg, file);
}

static void look_at_added(struct plan_file *file, plan_file_show *show, void *arg)
{
	if (data_is_added(file->path))
		look_at(file, true, show, arg);
}

void plan_files(const struct plan *plan, plan_file_show *show, void *arg)
{
	struct plan_file matrix = {.kind = "matrix", .name = "", .path = plan->matrix.path};
	const char *fs = "", *workload = "";

	/* The text of a run that is resumed is the store's. */
	if (*plan->matrix.path)
		look_at(&matrix, data_is_added(matrix.path), show, arg);
	for (size_t i = 0; i < plan->nr_cells; i++) {
		const struct cell *cell = &plan->cell[i];
		struct plan_file file = {.kind = "filesystem"};

		if (strcmp(cell->fs->name, fs)) {
			fs = cell->fs->name;
			file.name = fs;
			file.path = cell->fs->source;
			look_at_added(&file, show, arg);
		}
		if (cell->configuration != plan->cell[0].configuration ||
		    !strcmp(cell->use->workload->name, workload))
			continue;
		file.kind = "workload";
		workload = cell->use->workload->name;
		file.name = workload;
		file.path = cell->use->workload->path;
		look_at_added(&file, show, arg);
	}
}
