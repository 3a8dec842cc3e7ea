// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * json_figures: the measured parts of a document, see json_figures.h.  json_pack()
 * takes the references it is given and fails on NULL, so a lack of memory anywhere
 * comes out as NULL at the top.
 */
#include "out/json_figures.h"

json_t *json_count(uint64_t value)
{
	return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

json_t *json_count_if(bool known, uint64_t value)
{
	return known ? json_count(value) : json_null();
}

static json_t *ios_and_bytes(uint64_t ios, uint64_t bytes)
{
	return json_pack("{s:o, s:o}", "ios", json_count(ios), "bytes", json_count(bytes));
}

static json_t *bio_json(const struct report_disk *disk, const struct bio_counts *bio)
{
	bool dropped = report_flags_dropped(disk);

	if (report_bio_silent(disk) || !figures_have(&disk->figures, LAYER_BIO))
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b}",
			 "read", ios_and_bytes(bio->read_ios, bio->read_bytes),
			 "write", ios_and_bytes(bio->write_ios, bio->write_bytes),
			 "discard", ios_and_bytes(bio->discard_ios, bio->discard_bytes),
			 "other", ios_and_bytes(bio->other_ios, bio->other_bytes),
			 "preflush", json_count_if(!dropped, bio->preflush),
			 "fua", json_count_if(!dropped, bio->fua),
			 "empty_flush", json_count_if(!dropped, bio->empty_flush),
			 "flags_dropped", dropped);
}

static json_t *percentiles_json(const struct latency *latency)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; object && i < HIST_PERCENTILES; i++) {
		json_t *value = json_count_if(latency->enough[i], latency->percentile_ns[i]);

		if (json_object_set_new(object, hist_percentiles[i].key, value)) {
			json_decref(object);
			object = NULL;
		}
	}
	return object;
}

static json_t *buckets_json(const struct hist *hist)
{
	json_t *array = json_array();
	uint32_t i;

	for (i = 0; array && hist && i < FSBSTAT_HIST_BUCKETS; i++)
		if (hist->bucket[i] &&
		    json_array_append_new(array, json_pack("[o, o]",
							   json_count(fsbstat_hist_low(i)),
							   json_count(hist->bucket[i])))) {
			json_decref(array);
			array = NULL;
		}
	return array;
}

json_t *json_latency(const struct latency *latency, bool buckets, const struct hist *hist)
{
	bool any = latency->count > 0;
	json_t *object;

	object = json_pack("{s:o, s:o, s:o, s:o, s:o, s:b, s:o}",
			   "count", json_count(latency->count),
			   "sum_ns", json_count(latency->sum_ns),
			   "mean_ns", any ? json_real((double)latency->sum_ns /
						      (double)latency->count) : json_null(),
			   "min_ns", json_count_if(any, latency->min_ns),
			   "max_ns", json_count_if(any, latency->max_ns),
			   "exact", any && latency->exact,
			   "percentile", percentiles_json(latency));
	if (object && buckets && json_object_set_new(object, "buckets", buckets_json(hist))) {
		json_decref(object);
		return NULL;
	}
	return object;
}

/* Null where requests ended but their times are not known, or a class has none. */
static bool latency_known(const struct figures *figures, unsigned int number,
			  unsigned int kind)
{
	const struct class_figures *class = &figures->class[number];

	if (!figures_have(figures, LAYER_LATENCY))
		return false;
	if (kind == FSBSTAT_HIST_DURABLE)
		return number == FSBSTAT_CLASS_WRITE || number == FSBSTAT_CLASS_FUA_WRITE;
	return !class->counts.ios || class->latency[kind].count;
}

static json_t *class_json(const struct figures *figures, unsigned int number,
			  const struct delta *delta)
{
	const struct class_figures *class = &figures->class[number];
	bool known = figures_class_known(figures, number);
	bool all = figures_have(figures, LAYER_CLASSES), any_merges, any_total;
	json_t *object, *latency;
	uint64_t merges, total = 0;
	unsigned int kind;

	any_merges = figures_merges(figures, number, &merges);
	any_total = figures_total(figures, number, &total);
	object = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			   "ios", json_count_if(known, class->counts.ios),
			   "bytes", json_count_if(known, class->counts.bytes),
			   "errors", json_count_if(all, class->counts.errors),
			   "requeues", json_count_if(all, class->counts.requeues),
			   "busy", json_count_if(all, class->counts.busy),
			   "not_sent", json_count_if(all, class->counts.not_sent),
			   "not_sent_bytes", json_count_if(all, class->counts.not_sent_bytes),
			   "merges", json_count_if(any_merges, merges),
			   "total_ns", json_count_if(any_total, total));
	for (kind = 0; object && kind < FSBSTAT_HIST_KINDS; kind++) {
		const struct hist *hist = delta ? delta->class[number].hist[kind] : NULL;

		latency = latency_known(figures, number, kind) ?
				  json_latency(&class->latency[kind], delta, hist) : json_null();
		if (json_object_set_new(object, kind_names[kind], latency)) {
			json_decref(object);
			object = NULL;
		}
	}
	return object;
}

static json_t *request_json(const struct figures *figures, const struct delta *delta)
{
	json_t *object = json_object();
	unsigned int class;

	for (class = 0; object && class < FSBSTAT_CLASSES; class++)
		if (json_object_set_new(object, class_names[class],
					class_json(figures, class, delta))) {
			json_decref(object);
			object = NULL;
		}
	return object;
}

static json_t *times_json(const struct queue_delta *queue)
{
	json_t *array = json_array();
	uint32_t depth;

	for (depth = 0; array && depth < queue->nr_depth; depth++)
		if (json_array_append_new(array, json_count(queue->depth_ns[depth]))) {
			json_decref(array);
			array = NULL;
		}
	return array;
}

/* One side of the identities: they hold between the two edges of a single window. */
static json_t *edge_json(const struct queue_edge *edge, bool single)
{
	if (!single)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}",
			 "inflight", json_count(edge->inflight),
			 "start_ns", json_count(edge->start_ns),
			 "time_ns", json_count(edge->time_ns),
			 "device_ns", json_count(edge->device_ns),
			 "requeued_ns", json_count(edge->requeued_ns),
			 "inflight_age_ns", json_count(edge->inflight_age_ns));
}

static json_t *queues_json(const struct delta *delta)
{
	json_t *array = json_array();
	bool single = delta->windows == 1;
	uint32_t i;

	for (i = 0; array && i < delta->nr_queues; i++) {
		const struct queue_delta *queue = &delta->queue[i];
		json_t *object;

		object = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
				   "index", json_count(queue->index),
				   "elapsed_ns", json_count(queue->elapsed_ns),
				   "mean", json_real(queue_depth_mean(queue)),
				   "max", json_count(queue_depth_max(queue)),
				   "limit", json_count(delta->depth_limit),
				   "time_ns", times_json(queue),
				   "begin", edge_json(&queue->begin, single),
				   "end", edge_json(&queue->end, single));
		if (json_array_append_new(array, object)) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

/* The time at each depth of a whole disk is known with one queue only. */
static json_t *depth_json(const struct report_disk *disk, const struct figures *figures,
			  const struct delta *delta)
{
	bool known = figures_have(figures, LAYER_DEPTH);
	bool single = figures->nr_queues == 1 && known;
	double idle;
	bool idle_known = report_idle(disk, figures, &idle);
	json_t *object;

	object = json_pack("{s:o, s:o, s:o}", "mean",
			   figures->nr_queues ? json_real(figures->depth_mean) : json_null(),
			   "max", json_count_if(single, figures->depth_max),
			   "idle_ns", json_count_if(idle_known, (uint64_t)idle));
	if (!object || !delta)
		return object;
	if (json_object_set_new(object, "limit",
				json_count_if(figures->nr_queues && known,
					      (uint64_t)delta->depth_limit * delta->nr_queues)) ||
	    json_object_set_new(object, "time_ns",
				single ? times_json(&delta->queue[0]) : json_null()) ||
	    json_object_set_new(object, "queues",
				known ? queues_json(delta) : json_array())) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *flush_json(const struct report_disk *disk, const struct figures *figures)
{
	struct asked asked;

	report_asked(disk, &figures->bio, &asked);
	return json_pack("{s:{s:o, s:o, s:o}, s:o}", "asked",
			 "pre", json_count_if(asked.known, asked.pre),
			 "empty", json_count_if(asked.known, asked.empty),
			 "post", json_count_if(asked.known, asked.post),
			 "sent", json_count(figures->class[FSBSTAT_CLASS_FLUSH].counts.ios));
}

static int set_known(json_t *object, const struct report_disk *disk,
		     const struct figures *figures, const struct delta *delta)
{
	if (json_object_set_new(object, "elapsed_ns", json_count(figures->elapsed_ns)) ||
	    json_object_set_new(object, "bio", bio_json(disk, &figures->bio)) ||
	    json_object_set_new(object, "request", request_json(figures, delta)) ||
	    json_object_set_new(object, "inflight",
				json_pack("{s:o, s:o}", "begin",
					  json_count(figures->inflight_begin), "end",
					  json_count(figures->inflight_end))) ||
	    json_object_set_new(object, "depth", depth_json(disk, figures, delta)) ||
	    json_object_set_new(object, "ata", json_ata(figures, delta)) ||
	    json_object_set_new(object, "flush", flush_json(disk, figures)) ||
	    json_object_set_new(object, "fs", json_fs(disk, figures, delta)) ||
	    json_object_set_new(object, "unflushed", json_unflushed(disk, figures)))
		return -1;
	return 0;
}

int json_set_figures(json_t *object, const struct report_disk *disk,
		     const struct figures *figures, const struct delta *delta)
{
	static const char *const keys[] = { "elapsed_ns", "bio", "request", "inflight", "depth",
					    "ata", "flush", "fs", "unflushed" };
	size_t i;

	if (figures->elapsed_ns)
		return set_known(object, disk, figures, delta);
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (json_object_set_new(object, keys[i], json_null()))
			return -1;
	return 0;
}

static json_t *spread_json(const struct spread *spread)
{
	bool any = spread->n > 0;

	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "n", json_count(spread->n),
			 "mean", any ? json_real(spread->mean) : json_null(),
			 "se", spread->se >= 0 ? json_real(spread->se) : json_null(),
			 "min", any ? json_real(spread->min) : json_null(),
			 "max", any ? json_real(spread->max) : json_null());
}

json_t *json_summary(const struct report *report, const struct report_disk *disk)
{
	json_t *object = json_object(), *of_class;
	struct spread spread;
	unsigned int class;
	size_t i;
	int err = object ? 0 : -1;

	spread_of_elapsed_s(&spread, disk->run, report->nr_runs);
	err = err ? err : json_object_set_new(object, "elapsed_s", spread_json(&spread));
	spread_of_depth_mean(&spread, disk->run, report->nr_runs);
	err = err ? err : json_object_set_new(object, "depth_mean", spread_json(&spread));
	for (class = 0; !err && class < FSBSTAT_CLASSES; class++) {
		of_class = json_object();
		err = json_object_set_new(object, class_names[class], of_class);
		for (i = 0; !err && i < CLASS_FIGURES; i++) {
			spread_of_class(&spread, disk->run, report->nr_runs, class,
					&class_figures[i]);
			err = json_object_set_new(of_class, class_figures[i].key,
						  spread_json(&spread));
		}
	}
	if (!err)
		return object;
	json_decref(object);
	return NULL;
}
