// SPDX-License-Identifier: GPL-2.0-or-later
/* json_epochs: see json_epochs.h. */
#include "out/json_epochs.h"

#include "json_text.h"
#include "model/compare.h"

/* Appends what was made for it; NULL takes the array along. */
static json_t *appended(json_t *array, json_t *value)
{
	if (array && json_array_append_new(array, value) == 0)
		return array;
	json_decref(array);
	return NULL;
}

static json_t *number(int64_t value)
{
	return value < 0 ? json_null() : json_integer(value);
}

static json_t *word(const char *text)
{
	return *text ? json_text(text) : json_null();
}

static json_t *mounts_json(const struct option_set *options)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && i < options->nr_fs; i++)
		array = appended(array,
				 json_pack("{s:o, s:o, s:o}",
					   "source", json_text(options->fs[i].source),
					   "fstype", json_text(options->fs[i].fstype),
					   "options", json_text(options->fs[i].options)));
	return array;
}

static json_t *options_json(const struct option_set *options)
{
	const enum tristate cache = options->write_cache;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "mounts", mounts_json(options),
			 "write_cache", word(cache == ON ? "on" : cache == OFF ? "off" : ""),
			 "write_cache_kernel", word(options->write_cache_kernel),
			 "fua", options->fua < 0 ? json_null() : json_boolean(options->fua),
			 "ncq", number(options->ncq),
			 "queue_depth", number(options->queue_depth),
			 "scheduler", word(options->scheduler),
			 "nr_requests", number(options->nr_requests));
}

static json_t *change_json(const struct comparison *comparison)
{
	if (comparison->how != COMPARED)
		return json_null();
	return json_pack("{s:f, s:f, s:o}", "ratio", comparison->change.change, "low",
			 comparison->change.low, "high",
			 json_finite(comparison->change.high));
}

static json_t *rate_json(const struct epochs *epochs, unsigned int baseline, unsigned int set,
			 const struct rate *rate)
{
	struct comparison comparison;
	struct estimate estimate;

	estimate_of(&estimate, epochs, set, rate);
	compare_sets(&comparison, epochs, baseline, set, rate);
	return json_pack("{s:o, s:o, s:o, s:o}",
			 "mean", estimate.n ? json_real(estimate.value) : json_null(),
			 "half_95", estimate.half < 0 ? json_null() : json_real(estimate.half),
			 "change", change_json(&comparison),
			 "why_no_change", word(comparable_text(comparison.how)));
}

static json_t *rates_json(const struct epochs *epochs, unsigned int baseline, unsigned int set)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; object && i < RATES; i++)
		if (json_object_set_new(object, rates[i].key,
					rate_json(epochs, baseline, set, &rates[i]))) {
			json_decref(object);
			object = NULL;
		}
	return object;
}

json_t *json_option_sets(const struct epochs *epochs, unsigned int baseline)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && i < epochs->nr_sets; i++) {
		const struct epoch_set *set = &epochs->set[i];

		array = appended(array,
				 json_pack("{s:I, s:o, s:o, s:o, s:o, s:I, s:o, s:o}",
					   "set", (json_int_t)set->nr,
					   "derived_from", set->derived_from ?
						   json_integer(set->derived_from) : json_null(),
					   "name", json_text(set->name),
					   "title", json_text(set->title),
					   "options", options_json(&set->options),
					   "epochs", (json_int_t)set->n,
					   "held_ns", json_count(set->held_ns),
					   "rates", rates_json(epochs, baseline, set->nr)));
	}
	return array;
}

static uint64_t since(uint64_t time_ns, uint64_t origin_ns)
{
	return time_ns > origin_ns ? time_ns - origin_ns : 0;
}

static json_t *changed_json(const struct epoch_change *change, size_t nr, uint64_t origin_ns)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && i < nr; i++) {
		const struct option_change *option = &change[i].option;

		array = appended(array,
				 json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:s}",
					   "what", option_key_names[option->key], "source",
					   option->source ? json_text(option->source) : json_null(),
					   "from",
					   option->from ? json_text(option->from) : json_null(),
					   "to", option->to ? json_text(option->to) : json_null(),
					   "at_ns", json_count(since(change[i].at_ns, origin_ns)),
					   "error_ns", json_count(change[i].error_ns),
					   "seen", change[i].seen == EPOCH_NOTIFIED ? "notified" :
										      "polled"));
	}
	return array;
}

json_t *json_epochs(const struct report_disk *disk, uint64_t origin_ns)
{
	const struct epochs *epochs = &disk->epochs;
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && i < epochs->nr_epochs; i++) {
		const struct epoch *epoch = &epochs->epoch[i];
		json_t *object = json_pack("{s:I, s:o, s:o, s:o}", "set", (json_int_t)epoch->set,
					   "began_ns", json_count(since(epoch->began_ns,
									origin_ns)),
					   "held_ns", json_count(epoch->held_ns), "changed",
					   changed_json(epoch->change, epoch->nr_changes,
							origin_ns));

		if (object && json_set_figures(object, disk, &epoch->figures, NULL)) {
			json_decref(object);
			object = NULL;
		}
		array = appended(array, object);
	}
	return array;
}

json_t *json_unsettled(const struct epochs *epochs, uint64_t origin_ns)
{
	if (!epochs->nr_pending)
		return json_null();
	return json_pack("{s:o}", "changed",
			 changed_json(epochs->pending, epochs->nr_pending, origin_ns));
}
