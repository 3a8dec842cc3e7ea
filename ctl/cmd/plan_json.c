// SPDX-License-Identifier: GPL-2.0-or-later
/* plan_json: what a plan comes to, for a program; see run.h. */
#include "cmd/run.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "fsbstat_version.h"
#include "json_text.h"

static json_t *text(const char *value)
{
	return value && *value ? json_text(value) : json_null();
}

static json_t *seconds(double value)
{
	return value > 0 ? json_real(value) : json_null();
}

static json_t *settings_json(const struct settings *settings)
{
	json_t *object = json_object();
	int i;

	for (i = 0; object && i < SETTINGS; i++)
		if (json_object_set_new(object, settings_name((enum setting)i),
					text(settings->value[i]))) {
			json_decref(object);
			object = NULL;
		}
	return object;
}

static json_t *words_json(const struct tool_words *words)
{
	json_t *array = words->nr ? json_array() : json_null();

	for (size_t i = 0; array && i < words->nr; i++)
		if (json_array_append_new(array, json_text(words->word[i]))) {
			json_decref(array);
			array = NULL;
		}
	return array;
}

/* The commands of a cell; a command that cannot be made is the plan's affair, and null here. */
static void commands_json(const struct cell *cell, const struct target *target, json_t **make,
			  json_t **mount)
{
	struct tool_words make_words, mount_words;
	struct trouble trouble;
	bool known = !cell->unsupported &&
		     !plan_commands(cell, target, &make_words, &mount_words, &trouble);

	*make = known ? words_json(&make_words) : json_null();
	*mount = known ? words_json(&mount_words) : json_null();
	if (cell->unsupported)
		return;
	tool_words_free(&make_words);
	tool_words_free(&mount_words);
}

static json_t *cell_json(const struct cell *cell, const struct target *target)
{
	const struct workload_use *use = cell->use;
	json_t *make, *mount;

	commands_json(cell, target, &make, &mount);
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o}",
			 "mkfs_command", make, "mount_command", mount, "name",
			 json_text(cell->name), "configuration",
			 json_text(cell->configuration->name), "workload", json_text(use->label),
			 "fs", json_text(cell->fs->name), "mount", text(cell->mount.options),
			 "mount_note", text(cell->mount.note), "emulated", cell->mount.emulated,
			 "settings", settings_json(&cell->settings), "space_bytes",
			 use->space ? json_integer((json_int_t)use->space) : json_null(), "seconds",
			 seconds(use->seconds), "unsupported", text(cell->unsupported));
}

static json_t *cells_json(const struct plan *plan, const struct target *target)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && i < plan->nr_cells; i++)
		if (json_array_append_new(array, cell_json(&plan->cell[i], target))) {
			json_decref(array);
			array = NULL;
		}
	return array;
}

/* Names of cells, in the order of the first block. */
static json_t *order_json(const struct plan *plan)
{
	size_t i, *order = calloc(plan->nr_cells, sizeof(*order));
	json_t *array = order ? json_array() : NULL;

	if (order)
		plan_order(plan, 1, order);
	for (i = 0; array && i < plan->nr_cells; i++)
		if (json_array_append_new(array, json_text(plan->cell[order[i]].name))) {
			json_decref(array);
			array = NULL;
		}
	free(order);
	return array;
}

static json_t *packages_json(const struct plan *plan)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && i < plan->nr_packages; i++)
		if (json_array_append_new(array, json_text(plan->package[i]))) {
			json_decref(array);
			array = NULL;
		}
	return array;
}

static json_t *target_json(const struct target *target)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:o, s:o}", "id",
			 text(target->image ? "" : target_id(target)), "disk",
			 text(target->device.disk.name), "partition",
			 text(target->device.partition), "image", text(target->image), "offset",
			 (json_int_t)target->offset, "size", (json_int_t)target->size, "capacity",
			 (json_int_t)target->capacity, "now", text(target->now), "others",
			 text(target->others));
}

static json_t *resume_json(const struct run *run)
{
	const struct store_run *stored = &run->stored.run;

	if (!run->options.resume)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:I}", "run", json_text(stored->name), "state",
			 json_text(store_state_name(stored)), "origin", text(stored->origin),
			 "trials", (json_int_t)run->stored.nr_trials);
}

/* What an interrupted run has left on the disk. */
static json_t *left_json(const struct run *run)
{
	if (!*run->left.run && !run->target.is_left && !run->left_settings)
		return json_null();
	return json_pack("{s:o, s:o, s:b}", "run", text(run->left.run), "mounted",
			 text(run->target.is_left ? run->left_at : ""), "settings_wait",
			 run->left_settings);
}

static json_t *warnings_json(const struct plan *plan)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < plan->nr_warnings; i++) {
		const struct plan_warning *warning = &plan->warning[i];

		if (json_array_append_new(array,
					  json_pack("{s:i, s:o, s:o}", "line", (int)warning->line,
						    "text", json_text(warning->text), "hint",
						    text(warning->hint)))) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

static void add_file(void *arg, const struct plan_file *file)
{
	json_t *one = json_pack("{s:s, s:o, s:o, s:o, s:b}", "kind", file->kind, "name",
				text(file->name), "path", json_text(file->path), "owner",
				text(file->owner), "others_can_change", file->others);

	/* Without memory the array is given up as a whole. */
	if (json_array_append_new(*(json_t **)arg, one)) {
		json_decref(*(json_t **)arg);
		*(json_t **)arg = NULL;
	}
}

static json_t *files_json(const struct plan *plan)
{
	json_t *array = json_array();

	plan_files(plan, add_file, &array);
	return array;
}

int plan_json(FILE *to, const struct run *run)
{
	const struct plan *plan = &run->plan;
	const struct matrix_repeat *repeat = &plan->matrix.repeat;
	json_t *document;
	char seed[24];
	int ret;

	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)plan->seed);
	document = json_pack("{s:s, s:s, s:{s:s}, s:{s:o, s:o}, s:s, s:o, s:o, s:o, s:o, s:o, "
			     "s:b, s:o, s:{s:i, s:i, s:o}, s:o, s:o, s:o}",
			     "schema", "fsbstat/1", "kind", "plan", "tool", "version",
			     FSBSTAT_VERSION, "matrix", "name", json_text(plan->matrix.name),
			     "path", json_text(plan->matrix.path), "seed", seed, "scale",
			     text(run->options.scale), "target", target_json(&run->target), "cells",
			     cells_json(plan, &run->target), "order", order_json(plan),
			     "missing_packages", packages_json(plan), "needs_checked",
			     !plan->unasked, "resume", resume_json(run), "repeat", "min",
			     (int)repeat->min, "max", (int)repeat->max, "max_seconds",
			     seconds(repeat->max_seconds), "seconds_min",
			     seconds(plan->seconds_min), "seconds_max", seconds(plan->seconds_max),
			     "store", json_text(run->db));
	if (!document)
		return -1;
	if (json_object_set_new(document, "warnings", warnings_json(plan)) ||
	    json_object_set_new(document, "left", left_json(run)) ||
	    json_object_set_new(document, "files", files_json(plan))) {
		json_decref(document);
		return -1;
	}
	ret = json_put(document, to, JSON_INDENT(2));
	json_decref(document);
	fputc('\n', to);
	return ret;
}
