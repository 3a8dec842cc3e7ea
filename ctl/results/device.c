// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * device: sums over the documents fsbstat/1 of a cell's trials.  Rates and shares are sums of
 * counts over sums of time, so a long window weighs more than a short one.  A document may
 * have come with an imported run: what is not of the expected kind is not known.
 */
#include "results/device.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "json_bounded.h"
#include "model/hist.h"

/* Of the documents in which both are known. */
struct ratio {
	double part, whole;
};

struct sums {
	struct ratio flush, fua, ncq, share, idle, depth, read, write, discards, discarded;
	double seconds, unflushed;
	struct hist *write_latency; /* NULL: none yet */
	bool shares_without_drain, shares_with_drain;
	struct device_figures *figures;
};

static json_t *at(json_t *value, const char *path)
{
	char key[32];

	while (*path && value) {
		size_t len = strcspn(path, "/");

		snprintf(key, sizeof(key), "%.*s", (int)len, path);
		value = json_object_get(value, key);
		path += len + (path[len] == '/');
	}
	return value;
}

/* NAN: null, missing, negative or no number. */
static double number_at(json_t *value, const char *path)
{
	json_t *number = at(value, path);

	return json_is_number(number) && json_number_value(number) >= 0 ? json_number_value(number)
									: NAN;
}

static void add(struct ratio *ratio, double part, double whole)
{
	if (!isfinite(part) || !(whole > 0))
		return;
	ratio->part += part;
	ratio->whole += whole;
}

static double value_of(const struct ratio *ratio)
{
	return ratio->whole > 0 ? ratio->part / ratio->whole : NAN;
}

static void add_requests(struct sums *sums, json_t *document, double seconds)
{
	double fua_bytes = number_at(document, "request/fua_write/bytes");

	add(&sums->flush, number_at(document, "request/flush/ios"), seconds);
	add(&sums->fua, number_at(document, "request/fua_write/ios"), seconds);
	add(&sums->read, number_at(document, "request/read/bytes"), seconds);
	/* From diskstats FUA writes are among the writes. */
	add(&sums->write,
	    number_at(document, "request/write/bytes") + (isnan(fua_bytes) ? 0 : fua_bytes),
	    seconds);
	add(&sums->discards, number_at(document, "request/discard/ios"), seconds);
	add(&sums->discarded, number_at(document, "request/discard/bytes"), seconds);
	add(&sums->depth, number_at(document, "depth/mean") * seconds, seconds);
	if (json_is_false(at(document, "device/fua")))
		sums->figures->no_fua = true;
}

/* Time-weighted over all documents: tags x time over time. */
static void add_ncq(struct sums *sums, json_t *document)
{
	json_t *times = at(document, "ata/ncq/time_ns"), *time;
	double weighted = 0, total = 0;
	size_t tags;

	json_array_foreach(times, tags, time) {
		if (!json_is_number(time) || json_number_value(time) < 0)
			return;
		weighted += (double)tags * json_number_value(time);
		total += json_number_value(time);
	}
	add(&sums->ncq, weighted, total);
}

/*
 * Behind libata: the time in which the queue ran empty for commands that are not queued, and
 * that in which a flush was alone on the disk.  Elsewhere the device time of flushes.
 */
static void add_share(struct sums *sums, json_t *document, double seconds)
{
	double drain = number_at(document, "ata/time/drain_ns");
	double alone = number_at(document, "ata/non_ncq/flush/busy_ns");
	double elapsed = number_at(document, "ata/elapsed_ns");
	double device = number_at(document, "request/flush/device/sum_ns");

	if (isfinite(drain + alone) && elapsed > 0) {
		add(&sums->share, drain + alone, elapsed);
		sums->shares_with_drain = true;
		return;
	}
	if (isnan(device))
		device = number_at(document, "request/flush/total_ns");
	add(&sums->share, device / 1e9, seconds);
	sums->shares_without_drain |= isfinite(device);
}

/* By the link where it is known; what an older version stored has the time at depth 0. */
static void add_idle(struct sums *sums, json_t *document, double seconds)
{
	double link = number_at(document, "ata/time/idle_ns");
	double elapsed = number_at(document, "ata/elapsed_ns");
	double block = number_at(document, "depth/idle_ns");
	json_t *none = json_array_get(at(document, "depth/time_ns"), 0);

	if (isfinite(link) && elapsed > 0) {
		add(&sums->idle, link, elapsed);
		return;
	}
	if (isnan(block) && json_is_number(none) && json_number_value(none) >= 0)
		block = json_number_value(none);
	add(&sums->idle, block / 1e9, seconds);
}

static int add_latency(struct sums *sums, json_t *document)
{
	json_t *latency = at(document, "request/write/device"), *bucket;
	double least = number_at(latency, "min_ns"), most = number_at(latency, "max_ns");
	struct hist *hist;
	size_t i;
	int err;

	if (isnan(least) || isnan(most) || most >= 1e18)
		return 0;
	hist = calloc(1, sizeof(*hist));
	if (!hist)
		return -ENOMEM;
	json_array_foreach(json_object_get(latency, "buckets"), i, bucket) {
		json_int_t low = json_integer_value(json_array_get(bucket, 0));
		json_int_t count = json_integer_value(json_array_get(bucket, 1));

		if (low < 0 || count < 0 || count > INT64_MAX / 1000000)
			continue;
		hist->bucket[fsbstat_hist_index((uint64_t)low)] += (uint64_t)count;
		hist->count += (uint64_t)count;
	}
	hist->min_ns = (uint64_t)least;
	hist->max_ns = (uint64_t)most;
	err = hist_merge_into(&sums->write_latency, hist);
	free(hist);
	return err;
}

static void add_unflushed(struct sums *sums, json_t *document)
{
	double bytes = number_at(document, "unflushed/bytes_max");

	if (json_is_object(at(document, "unflushed")) && isnan(bytes))
		sums->figures->no_flush = true;
	if (isfinite(bytes) && !(sums->unflushed >= bytes))
		sums->unflushed = bytes;
}

static int add_document(struct sums *sums, const char *text)
{
	json_t *document = json_bounded_text(text, NULL);
	const char *kind = json_string_value(json_object_get(document, "kind"));
	double seconds = number_at(document, "elapsed_ns") / 1e9;
	int err = 0;

	if (kind && !strcmp(kind, "disk")) {
		sums->figures->have = true;
		if (seconds > 0)
			sums->seconds += seconds;
		add_requests(sums, document, seconds);
		add_ncq(sums, document);
		add_share(sums, document, seconds);
		add_idle(sums, document, seconds);
		add_unflushed(sums, document);
		err = add_latency(sums, document);
	}
	json_decref(document);
	return err;
}

static void conclude(struct device_figures *figures, const struct sums *sums)
{
	uint64_t p99;

	figures->seconds = sums->seconds;
	figures->flush_per_s = value_of(&sums->flush);
	figures->fua_per_s = value_of(&sums->fua);
	figures->ncq_mean = value_of(&sums->ncq);
	figures->flush_drain_share = value_of(&sums->share);
	figures->idle_share = value_of(&sums->idle);
	figures->depth_mean = value_of(&sums->depth);
	figures->discard_per_s = value_of(&sums->discards);
	figures->discard_bytes = value_of(&sums->discarded);
	figures->read_bytes = value_of(&sums->read);
	figures->write_bytes = value_of(&sums->write);
	figures->drain_known = sums->shares_with_drain && !sums->shares_without_drain;
	figures->write_p99_ns = NAN;
	if (sums->write_latency && hist_percentile(sums->write_latency, 9900, &p99))
		figures->write_p99_ns = (double)p99;
	/* One trial without a flush is enough: no figure holds for all of them. */
	figures->unflushed_max_bytes = figures->no_flush ? NAN : sums->unflushed;
}

int device_figures_of(struct device_figures *figures, const struct cell_result *cell)
{
	struct sums sums = {.unflushed = NAN, .figures = figures};
	int err = 0;

	*figures = (struct device_figures){0};
	for (size_t i = 0; i < cell->n && !err; i++)
		if (*cell->trial[i]->device)
			err = add_document(&sums, cell->trial[i]->device);
	conclude(figures, &sums);
	free(sums.write_latency);
	return err;
}
