// SPDX-License-Identifier: GPL-2.0-or-later
/* plan_fit: which cells a target can have; see plan.h. */
#include "bench/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "bench/disk_facts.h"
#include "bench/kernel_module.h"
#include "bench/plan_parts.h"
#include "disk/kfile.h"
#include "size.h"

static const char loop_has_none[] =
	"an image has no drive: only scheduler, nr_requests and write_cache_kernel can be set";

/*
 * Behind a loop device there is the page cache of another filesystem, flushed on demand: it is
 * like a drive whose cache is on, and cannot be like another one.
 */
static int fit_image(struct cell *cell, struct trouble *trouble)
{
	char *cache = cell->settings.value[SETTING_WRITE_CACHE];

	if (!strcmp(cache, "on"))
		*cache = '\0';
	if (*cache || *cell->settings.value[SETTING_NCQ])
		return plan_cell_refuse(cell, trouble, "%s", loop_has_none);
	return 0;
}

/* Words such as "max" become what they come to on this disk. */
static void take_resolved(struct settings *settings, const struct settings_result *result)
{
	size_t i;

	for (i = 0; i < result->nr_changes; i++) {
		const struct settings_change *change = &result->change[i];
		enum setting setting = settings_by_name(change->name);

		if (setting < SETTINGS && *settings->value[setting])
			memcpy(settings->value[setting], change->is, SETTING_VALUE_MAX);
	}
}

/* Asks what setting them would do, and changes nothing. */
static int fit_settings(struct cell *cell, const struct target *target, struct trouble *trouble)
{
	struct settings_request request = {
		.target = target->device, .wanted = cell->settings, .dry_run = true};
	struct settings_result result;
	struct settings_error error;
	int ret = 0;

	if (settings_apply(&request, &result, &error))
		ret = plan_cell_refuse(cell, trouble, "%s", error.reason);
	else
		take_resolved(&cell->settings, &result);
	settings_result_free(&result);
	return ret;
}

/* Those that are loaded are in the disk's file; the kernel loads others when they are asked for. */
static bool has_scheduler(const struct disk *disk, const char *name)
{
	char list[256], module[SETTING_VALUE_MAX + 8], *state = NULL, *word;
	struct utsname kernel;

	if (kfile_read(list, sizeof(list), "/sys/block/%s/queue/scheduler", disk->name))
		return true; /* setting it says what is wrong */
	for (word = strtok_r(list, " []\n", &state); word; word = strtok_r(NULL, " []\n", &state))
		if (!strcmp(word, name))
			return true;
	snprintf(module, sizeof(module), "%s-iosched", name);
	return uname(&kernel) || kernel_module_is_there(kernel.release, name) ||
	       kernel_module_is_there(kernel.release, module);
}

static int fit_scheduler(struct cell *cell, const struct disk *disk, struct trouble *trouble)
{
	const char *name = cell->settings.value[SETTING_SCHEDULER];

	if (!*name || has_scheduler(disk, name))
		return 0;
	return plan_cell_refuse(cell, trouble, "this kernel has no scheduler %s", name);
}

static int fit_size(struct cell *cell, const char *what, uint64_t needs,
		    const struct target *target, struct trouble *trouble)
{
	char wanted[SIZE_TEXT_MAX], has[SIZE_TEXT_MAX];

	if (needs <= target->size)
		return 0;
	return plan_cell_refuse(cell, trouble, "%s needs %s, the target has %s", what,
				size_text(wanted, needs), size_text(has, target->size));
}

static int fit_configuration(struct cell *cell, const struct target *target,
			     struct trouble *trouble)
{
	if (!cell->fs->disk)
		return 0;
	if (fit_size(cell, cell->fs->name, cell->fs->min_bytes, target, trouble))
		return -1;
	if (target->image)
		return fit_image(cell, trouble);
	if (fit_scheduler(cell, &target->device.disk, trouble))
		return -1;
	if (cell->configuration->preparation == PREPARATION_TRIM &&
	    !target->info.discard_max_bytes &&
	    plan_cell_refuse(cell, trouble, "preparation trim: the disk takes no discards"))
		return -1;
	/* Without root the drive cannot be asked: the plan is made as if it could be set. */
	if (cell->unsupported || !settings_any(&cell->settings) || geteuid())
		return 0;
	return fit_settings(cell, target, trouble);
}

static int fit_workload(struct cell *cell, const struct target *target,
			const struct disk_facts *facts, struct trouble *trouble)
{
	char why[400];

	if (!cell->fs->disk)
		return 0;
	if (fit_size(cell, cell->use->label, cell->use->space, target, trouble))
		return -1;
	if (disk_facts_fit(facts, cell->use, why, sizeof(why)))
		return 0;
	return plan_cell_refuse(cell, trouble, "%s %s", cell->use->label, why);
}

int plan_fit(struct plan *plan, const struct target *target, struct trouble *trouble)
{
	const struct cell *done = NULL; /* of the same configuration, and can be had */
	struct disk_facts facts;
	size_t i;

	disk_facts_read(&facts, target);
	for (i = 0; i < plan->nr_cells; i++) {
		struct cell *cell = &plan->cell[i];

		if (cell->unsupported)
			continue;
		if (done && done->configuration == cell->configuration)
			cell->settings = done->settings;
		else if (fit_configuration(cell, target, trouble))
			return -1;
		done = cell->unsupported ? NULL : cell;
		if (fit_workload(cell, target, &facts, trouble))
			return -1;
	}
	plan_guess_time(plan, target);
	return 0;
}
