// SPDX-License-Identifier: GPL-2.0-or-later
/* json: all of a run's results as one document, fsbstat-results/1. */
#include "results/results.h"

#include <errno.h>

#include <jansson.h>

#include <fsbstat_version.h>

#include "json_bounded.h"
#include "json_text.h"

/* An object stored as text; null when there is none. */
static json_t *object(const char *text)
{
	json_t *value = json_bounded_text(text, NULL);

	return value ? value : json_null();
}

static json_t *stats_json(const struct stats *stats)
{
	return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b}",
			 "n", (json_int_t)stats->n,
			 "mean", json_finite(stats->mean),
			 "sd", json_finite(stats->sd),
			 "se", json_finite(stats->se),
			 "low", json_finite(stats->low),
			 "high", json_finite(stats->high),
			 "cv", json_finite(stats->cv),
			 "min", json_finite(stats->min),
			 "q1", json_finite(stats->q1),
			 "median", json_finite(stats->median),
			 "q3", json_finite(stats->q3),
			 "max", json_finite(stats->max),
			 "bimodal", stats->bimodal);
}

static json_t *device_json(const struct device_figures *device)
{
	if (!device->have)
		return json_null();
	return json_pack("{s:f, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:b, s:b,"
			 " s:o, s:o, s:o}",
			 "seconds", device->seconds,
			 "flush_per_s", json_finite(device->flush_per_s),
			 "fua_per_s", json_finite(device->fua_per_s),
			 "ncq_mean", json_finite(device->ncq_mean),
			 "depth_mean", json_finite(device->depth_mean),
			 "flush_drain_share", json_finite(device->flush_drain_share),
			 "drain_known", device->drain_known,
			 "write_p99_ns", json_finite(device->write_p99_ns),
			 "read_bytes_per_s", json_finite(device->read_bytes),
			 "write_bytes_per_s", json_finite(device->write_bytes),
			 "unflushed_max_bytes", json_finite(device->unflushed_max_bytes),
			 "no_flush", device->no_flush,
			 "no_fua", device->no_fua,
			 "idle_share", json_finite(device->idle_share),
			 "discard_per_s", json_finite(device->discard_per_s),
			 "discard_bytes_per_s", json_finite(device->discard_bytes));
}

static json_t *change_json(const struct change *change)
{
	if (!change->known)
		return json_null();
	return json_pack("{s:f, s:f, s:o}", "change", change->change, "low", change->low, "high",
			 json_finite(change->high));
}

static json_t *samples_json(const struct cell_result *cell)
{
	json_t *array = json_array();

	for (size_t i = 0; i < cell->n; i++) {
		const struct store_trial *trial = cell->trial[i];
		json_t *sample = json_pack("{s:I, s:f, s:s, s:o, s:o, s:f}", "block",
					   (json_int_t)trial->block, "score", trial->score, "state",
					   trial_state_name(trial->state), "seconds",
					   json_finite(trial->seconds), "sync_seconds",
					   json_finite(trial->sync_seconds), "outlier",
					   stats_outlier(&cell->stats, cell->sample[i]));

		if (json_array_append_new(array, sample)) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *cell_json(const struct results *results, const struct cell_result *cell)
{
	const struct store_cell *stored = cell->cell;
	char why[1024];

	results_why(results, cell, why, sizeof(why));
	return json_pack("{s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I,"
			 " s:I, s:o, s:o, s:o}",
			 "configuration", json_text(stored->configuration), "workload",
			 json_text(stored->workload), "title", json_text(stored->title), "unit",
			 json_text(stored->unit), "more_is_better", stored->more_is_better, "asked",
			 object(stored->asked), "stop", json_text(stored->stop), "why",
			 *why ? json_text(why) : json_null(), "stats", stats_json(&cell->stats),
			 "samples", samples_json(cell), "change", change_json(&cell->change),
			 "device", device_json(&cell->device), "failed", (json_int_t)cell->failed,
			 "invalid", (json_int_t)cell->invalid, "noisy", (json_int_t)cell->noisy,
			 "reason", json_text(cell->reason), "noise", json_text(cell->noise),
			 "mount_options", json_text(cell->mount_options));
}

static json_t *run_json(const struct store_run *run)
{
	char seed[24];

	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)run->seed);
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o,"
			 " s:o}",
			 "name", json_text(run->name), "state", json_text(store_state_name(run)),
			 "began", json_text(run->began), "ended", json_text(run->ended),
			 "matrix_path", json_text(run->matrix_path), "scale",
			 json_text(run->scale), "seed", seed,
			 "target", object(run->target), "fsbctl", json_text(run->fsbctl), "module",
			 json_text(run->module), "kernel", json_text(run->host.kernel), "machine",
			 json_text(run->host.machine), "tools", object(run->host.tools), "disk",
			 object(run->host.disk), "firmware", json_text(run->host.firmware));
}

static json_t *document_of(const struct results *results)
{
	json_t *cells = json_array(), *document;

	for (size_t i = 0; i < results->nr_cells; i++) {
		if (json_array_append_new(cells, cell_json(results, &results->cell[i]))) {
			json_decref(cells);
			return NULL;
		}
	}
	document = json_pack("{s:s, s:{s:s}, s:o, s:o, s:o}", "schema", "fsbstat-results/1", "tool",
			     "version", FSBSTAT_VERSION, "run", run_json(&results->stored->run),
			     "baseline", json_text(results->baseline), "cells", cells);
	return document;
}

static int show(FILE *to, const struct results *results)
{
	json_t *document = document_of(results);
	int err;

	if (!document)
		return -ENOMEM;
	err = json_put(document, to, JSON_COMPACT) || fputc('\n', to) == EOF;
	json_decref(document);
	/* What could not be written is seen by whoever closes the file. */
	return err && !ferror(to) ? -ENOMEM : 0;
}

const struct results_ops results_json = {.name = "json", .show = show};
