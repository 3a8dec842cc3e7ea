// SPDX-License-Identifier: GPL-2.0-or-later
/* experiment_store: what is stored of a run when it begins, and read back; see experiment.h. */
#include "bench/experiment.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fsbstat_version.h"
#include "disk/place.h"
#include "json_bounded.h"
#include "json_text.h"
#include "timestamp.h"

static json_t *text_or_null(const char *text)
{
	return text && *text ? json_text(text) : json_null();
}

static char *take_json(json_t *object)
{
	char *text = object ? json_put_text(object, JSON_COMPACT) : NULL;

	json_decref(object);
	return text;
}

/* What is to be written, and the options that a run goes on with. */
static char *target_text(const struct experiment *experiment)
{
	const struct experiment_options *options = &experiment->options;
	const struct target *target = experiment->target;
	struct disk_place place = {.size = 0};
	json_t *begun = json_pack("{s:I, s:f, s:f, s:s}", "max_runs", (json_int_t)options->max_runs,
				  "max_seconds", options->max_seconds, "settle_seconds",
				  options->settle_s, "source", source_kind_name(options->source));

	if (!target->image)
		disk_place(&target->info, &place);
	return take_json(json_pack("{s:o, s:o, s:o, s:b, s:o, s:I, s:I, s:o}",
				   "id", text_or_null(target_id(target)),
				   "port", text_or_null(place.port),
				   "node", text_or_null(options->disk),
				   "partition", *target->device.partition != '\0',
				   "image", text_or_null(target->image),
				   "offset", (json_int_t)target->offset,
				   "size", (json_int_t)target->size, "options", begun));
}

/* Whole at once, or nothing of it. */
static int unpack(struct experiment_stored *stored, json_t *object)
{
	json_int_t offset, size, max_runs;
	json_t *node, *image;
	const char *source;
	int partition;

	if (json_unpack(object, "{s:o, s:b, s:o, s:I, s:I, s:{s:I, s:F, s:F, s:s}}", "node", &node,
			"partition", &partition, "image", &image, "offset", &offset, "size", &size,
			"options", "max_runs", &max_runs, "max_seconds",
			&stored->options.max_seconds, "settle_seconds", &stored->options.settle_s,
			"source", &source) ||
	    source_kind_parse(source, &stored->options.source) || offset < 0 || size <= 0)
		return -1;
	if (json_is_string(node))
		snprintf(stored->disk, sizeof(stored->disk), "%s", json_string_value(node));
	if (json_is_string(image))
		snprintf(stored->image, sizeof(stored->image), "%s", json_string_value(image));
	stored->partition = partition;
	stored->offset = (uint64_t)offset;
	stored->size = (uint64_t)size;
	stored->options.max_runs = (unsigned int)max_runs;
	return 0;
}

static void copy_text(char *to, size_t size, json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	snprintf(to, size, "%s", text ? text : "");
}

static void read_disk(struct experiment_disk *was, const struct store_run *run, json_t *target)
{
	json_t *disk = json_bounded_text(run->host.disk, NULL);

	snprintf(was->id, sizeof(was->id), "%s", run->target_id);
	copy_text(was->serial, sizeof(was->serial), disk, "serial");
	copy_text(was->wwn, sizeof(was->wwn), disk, "wwn");
	copy_text(was->model, sizeof(was->model), disk, "model");
	copy_text(was->port, sizeof(was->port), target, "port");
	was->size = json_integer_value(json_object_get(disk, "size_bytes"));
	json_decref(disk);
}

int experiment_read_stored(struct experiment_stored *stored, const struct store_run *run,
			   struct trouble *trouble)
{
	json_t *object = json_bounded_text(run->target, NULL);
	int err;

	memset(stored, 0, sizeof(*stored));
	err = unpack(stored, object);
	read_disk(&stored->was, run, object);
	json_decref(object);
	if (err || (!*stored->disk && !*stored->image))
		return trouble_set(trouble, TROUBLE_REFUSED, run->name, "",
				   "what it was begun with is not stored: fsbctl run did not make it");
	snprintf(stored->scale, sizeof(stored->scale), "%s", run->scale);
	stored->options.scale = *stored->scale ? stored->scale : NULL;
	stored->options.disk = *stored->disk ? stored->disk : NULL;
	return 0;
}

static json_t *settings_json(const struct settings *settings)
{
	json_t *object = json_object();
	int i;

	for (i = 0; object && i < SETTINGS; i++)
		if (json_object_set_new(object, settings_name((enum setting)i),
					text_or_null(settings->value[i]))) {
			json_decref(object);
			object = NULL;
		}
	return object;
}

static json_t *barrier_json(enum tristate barrier)
{
	return barrier == UNKNOWN ? json_null() : json_string(barrier == ON ? "on" : "off");
}

static char *asked_text(const struct cell *cell)
{
	const struct configuration *asked = cell->configuration;

	return take_json(json_pack("{s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:s, s:s}",
				   "fs", json_text(asked->fs), "mkfs", text_or_null(asked->mkfs),
				   "mount", text_or_null(cell->mount.options),
				   "mount_note", text_or_null(cell->mount.note),
				   "barrier", barrier_json(asked->barrier),
				   "emulated", cell->mount.emulated,
				   "settings", settings_json(&cell->settings),
				   "cache", asked->cache == CACHE_WARM ? "warm" : "cold",
				   "preparation", matrix_preparation_name(asked->preparation)));
}

void experiment_cells_free(struct store_cell *cells, size_t nr)
{
	size_t i;

	for (i = 0; cells && i < nr; i++) {
		free(cells[i].configuration);
		free(cells[i].workload);
		free(cells[i].title);
		free(cells[i].unit);
		free(cells[i].asked);
		free(cells[i].unsupported);
		free(cells[i].stop);
	}
	free(cells);
}

static int describe_cell(struct store_cell *to, const struct cell *cell)
{
	to->configuration = strdup(cell->configuration->name);
	to->workload = strdup(cell->use->label);
	to->title = strdup(cell->use->title);
	to->unit = strdup(cell->use->workload->unit);
	to->more_is_better = cell->use->workload->more_is_better;
	to->asked = asked_text(cell);
	to->unsupported = strdup(cell->unsupported ? cell->unsupported : "");
	to->stop = strdup("");
	return to->configuration && to->workload && to->title && to->unit && to->asked &&
			       to->unsupported && to->stop
		       ? 0
		       : -1;
}

void experiment_run_free(struct store_run *run)
{
	free(run->name);
	free(run->matrix);
	free(run->matrix_path);
	free(run->scale);
	free(run->baseline);
	free(run->target);
	free(run->target_id);
	free(run->began);
	free(run->ended);
	free(run->state);
	free(run->fsbctl);
	free(run->module);
	free(run->origin);
	free(run->host.kernel);
	free(run->host.machine);
	free(run->host.tools);
	free(run->host.disk);
	free(run->host.firmware);
	memset(run, 0, sizeof(*run));
}

static int describe_run(struct experiment *experiment)
{
	const struct matrix *matrix = &experiment->plan->matrix;
	const char *id = target_id(experiment->target), *scale = experiment->options.scale;
	struct store_run *run = &experiment->run;

	run->matrix = strdup(matrix->text);
	run->matrix_path = strdup(matrix->path);
	run->scale = strdup(scale ? scale : "");
	run->baseline = strdup(matrix->configuration[matrix->baseline].name);
	run->seed = experiment->plan->seed;
	run->target = target_text(experiment);
	run->target_id = strdup(id ? id : "");
	run->began = timestamp_new();
	run->ended = strdup("");
	run->state = strdup("running");
	run->fsbctl = strdup(FSBSTAT_VERSION);
	run->module = strdup(source_module_version(span_source(experiment->span)));
	return run->matrix && run->matrix_path && run->scale && run->baseline && run->target &&
			       run->target_id && run->began && run->ended && run->state &&
			       run->fsbctl && run->module
		       ? 0
		       : -1;
}

int experiment_describe(struct experiment *experiment, struct store_cell **cells,
			struct trouble *trouble)
{
	const struct plan *plan = experiment->plan;
	size_t i;

	*cells = calloc(plan->nr_cells, sizeof(**cells));
	if (!*cells || describe_run(experiment))
		return trouble_memory(trouble, plan->matrix.name);
	for (i = 0; i < plan->nr_cells; i++)
		if (describe_cell(&(*cells)[i], &plan->cell[i]))
			return trouble_memory(trouble, plan->cell[i].name);
	return experiment_host(experiment, &experiment->run.host, trouble);
}
