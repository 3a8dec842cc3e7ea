// SPDX-License-Identifier: GPL-2.0-or-later
/* json_ata: the ATA layer of a document, see json_figures.h. */
#include "out/json_figures.h"

static json_t *tags_json(const struct ata_sums *sums)
{
	json_t *array = json_array();
	unsigned int tags;

	for (tags = 0; array && tags <= ATA_TAGS; tags++)
		if (json_array_append_new(array, json_count(sums->tags_ns[tags]))) {
			json_decref(array);
			array = NULL;
		}
	return array;
}

static json_t *ios_json(const struct ata_sums *sums, enum fsbstat_ata_kind kind)
{
	return json_pack("{s:o}", "ios", json_count(sums->kind[kind].ios));
}

static json_t *ncq_json(const struct ata_figures *ata, bool complete)
{
	const struct ata_sums *sums = &ata->sums;
	bool any = ata->elapsed_ns > sums->parts.error_ns;
	json_t *object;

	object = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			   "ios", json_count(ata_ncq_ios(sums)),
			   "read", ios_json(sums, FSBSTAT_ATA_NCQ_READ),
			   "write", ios_json(sums, FSBSTAT_ATA_NCQ_WRITE),
			   "fua_write", ios_json(sums, FSBSTAT_ATA_NCQ_FUA_WRITE),
			   "other", ios_json(sums, FSBSTAT_ATA_NCQ_OTHER),
			   "mean", any ? json_real(ata->tags_mean) : json_null(),
			   "max", json_count_if(any, ata->tags_max));
	if (object && complete && json_object_set_new(object, "time_ns", tags_json(sums))) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *busy_json(const struct ata_sums *sums, enum fsbstat_ata_kind kind)
{
	return json_pack("{s:o, s:o}", "ios", json_count(sums->kind[kind].ios), "busy_ns",
			 json_count(sums->kind[kind].busy_ns));
}

static json_t *latency_json(const struct ata_figures *ata, const struct delta *delta,
			    enum fsbstat_ata_hist_kind kind)
{
	return json_latency(&ata->latency[kind], delta, delta ? delta->ata->hist[kind] : NULL);
}

static json_t *flush_json(const struct ata_figures *ata, const struct delta *delta)
{
	const struct ata_kind *flush = &ata->sums.kind[FSBSTAT_ATA_FLUSH];

	return json_pack("{s:o, s:o, s:o}", "ios", json_count(flush->ios), "busy_ns",
			 json_count(flush->busy_ns), "histogram",
			 latency_json(ata, delta, FSBSTAT_ATA_HIST_ALONE));
}

static json_t *part_json(uint64_t sum_ns, uint64_t count)
{
	return json_pack("{s:o, s:o}", "sum_ns", json_count(sum_ns), "mean_ns",
			 count ? json_real((double)sum_ns / (double)count) : json_null());
}

static json_t *drain_json(const struct ata_figures *ata, const struct delta *delta)
{
	const struct ata_sums *sums = &ata->sums;

	return json_pack("{s:o, s:o, s:o, s:o}", "count", json_count(sums->drains),
			 "wait", part_json(sums->wait_ns, sums->drains),
			 "turnaround", part_json(sums->turnaround_ns, sums->drains),
			 "histogram", latency_json(ata, delta, FSBSTAT_ATA_HIST_DRAIN));
}

static json_t *refill_json(const struct ata_figures *ata, const struct delta *delta)
{
	return json_pack("{s:o, s:o, s:o}", "count", json_count(ata->sums.refills),
			 "censored", json_count(ata->sums.refills_censored),
			 "histogram", latency_json(ata, delta, FSBSTAT_ATA_HIST_REFILL));
}

static json_t *parts_json(const struct ata_parts *parts)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o}",
			 "idle_ns", json_count(parts->idle_ns),
			 "queued_ns", json_count(parts->queued_ns),
			 "drain_ns", json_count(parts->drain_ns),
			 "alone_ns", json_count(parts->alone_ns),
			 "error_ns", json_count(parts->error_ns));
}

json_t *json_ata(const struct figures *figures, const struct delta *delta)
{
	const struct ata_figures *ata = &figures->ata;
	const char *deferral, *why;

	if (!ata->elapsed_ns)
		return json_null();
	deferral = report_ata_deferral(figures, &why);
	return json_pack("{s:o, s:o, s:{s:o, s:o, s:o, s:o}, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "elapsed_ns", json_count(ata->elapsed_ns),
			 "ncq", ncq_json(ata, delta), "non_ncq",
			 "flush", flush_json(ata, delta),
			 "trim", busy_json(&ata->sums, FSBSTAT_ATA_TRIM),
			 "fua", busy_json(&ata->sums, FSBSTAT_ATA_FUA_WRITE),
			 "other", busy_json(&ata->sums, FSBSTAT_ATA_OTHER),
			 "time", parts_json(&ata->sums.parts),
			 "drain", drain_json(ata, delta), "refill", refill_json(ata, delta),
			 "tag_time_lost_ns", json_count(ata->sums.tag_time_lost_ns),
			 "errors", json_count(ata->sums.errors),
			 "deferral", deferral ? json_string(deferral) : json_null());
}
