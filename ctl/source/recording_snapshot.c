// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * recording_snapshot: all counters of a disk as JSON and back, see recording.h.  A further
 * counter is a further line in one of the tables.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/figures.h"
#include "source/members.h"
#include "source/recording.h"

#define U64(of, member) MEMBER(#member, MEMBER_U64, of, member)
#define U32(of, member) MEMBER(#member, MEMBER_U32, of, member)

static const struct member_row watch_rows[] = {
	U32(struct watch, major),
	U32(struct watch, minor),
	MEMBER_CHARS("name", struct watch, name),
	U32(struct watch, id),
	MEMBER("state", MEMBER_U32, struct watch, state),
	MEMBER("settling", MEMBER_BOOL, struct watch, settling),
	MEMBER("silent", MEMBER_BOOL, struct watch, silent),
	U32(struct watch, restarts),
	U64(struct watch, added_ns),
	U32(struct watch, queues),
	U32(struct watch, shards),
	U32(struct watch, depth_limit),
	U64(struct watch, memory),
	U32(struct watch, references),
	MEMBER("permanent", MEMBER_BOOL, struct watch, permanent),
	MEMBER("write_cache", MEMBER_U32, struct watch, write_cache),
	U32(struct watch, settings),
};

static const struct member_row bio_rows[] = {
	U64(struct bio_counts, read_ios),
	U64(struct bio_counts, read_bytes),
	U64(struct bio_counts, write_ios),
	U64(struct bio_counts, write_bytes),
	U64(struct bio_counts, discard_ios),
	U64(struct bio_counts, discard_bytes),
	U64(struct bio_counts, other_ios),
	U64(struct bio_counts, other_bytes),
	U64(struct bio_counts, preflush),
	U64(struct bio_counts, fua),
	U64(struct bio_counts, empty_flush),
	U64(struct bio_counts, read_merges),
	U64(struct bio_counts, write_merges),
};

static const struct member_row kernel_rows[] = {
	U64(struct kernel_counts, read_merges),
	U64(struct kernel_counts, write_merges),
	U64(struct kernel_counts, discard_merges),
	U64(struct kernel_counts, read_ns),
	U64(struct kernel_counts, write_ns),
	U64(struct kernel_counts, discard_ns),
	U64(struct kernel_counts, flush_ns),
	U64(struct kernel_counts, busy_ns),
	U64(struct kernel_counts, waiting_ns),
};

static const struct member_row queue_rows[] = {
	U32(struct queue_counts, index),
	MEMBER("inflight", MEMBER_U32, struct queue_counts, edge.inflight),
	U32(struct queue_counts, depth_max),
	MEMBER("start_ns", MEMBER_U64, struct queue_counts, edge.start_ns),
	MEMBER("time_ns", MEMBER_U64, struct queue_counts, edge.time_ns),
	MEMBER("device_ns", MEMBER_U64, struct queue_counts, edge.device_ns),
	MEMBER("requeued_ns", MEMBER_U64, struct queue_counts, edge.requeued_ns),
	MEMBER("inflight_age_ns", MEMBER_U64, struct queue_counts, edge.inflight_age_ns),
	MEMBER("unmatched", MEMBER_U64, struct queue_counts, quality.unmatched),
	MEMBER("untracked", MEMBER_U64, struct queue_counts, quality.untracked),
	MEMBER("displaced", MEMBER_U64, struct queue_counts, quality.displaced),
	MEMBER("partial", MEMBER_U64, struct queue_counts, quality.partial),
	MEMBER("sequence_end", MEMBER_U64, struct queue_counts, quality.sequence_end),
	MEMBER("sequence_end_empty", MEMBER_U64, struct queue_counts, quality.sequence_end_empty),
	MEMBER("sequence_end_errors", MEMBER_U64, struct queue_counts, quality.sequence_end_errors),
	MEMBER("clock_anomalies", MEMBER_U64, struct queue_counts, quality.clock_anomalies),
	MEMBER("other_writes", MEMBER_U64, struct queue_counts, quality.other_writes),
};

static const struct member_row class_rows[] = {
	U64(struct class_counts, ios),
	U64(struct class_counts, bytes),
	U64(struct class_counts, errors),
	U64(struct class_counts, requeues),
	U64(struct class_counts, busy),
	U64(struct class_counts, not_sent),
	U64(struct class_counts, not_sent_bytes),
};

static const struct member_row hist_rows[] = {
	U64(struct hist, count),
	U64(struct hist, sum_ns),
	U64(struct hist, min_ns),
	U64(struct hist, max_ns),
};

#define ATA(type, member, key) MEMBER(key, type, struct ata_counts, member)
static const struct member_row ata_rows[] = {
	ATA(MEMBER_U64, start_ns, "start_ns"),
	ATA(MEMBER_U64, time_ns, "time_ns"),
	ATA(MEMBER_U32, tags, "tags"),
	ATA(MEMBER_U32, tags_max, "tags_max"),
	ATA(MEMBER_U64, sums.parts.idle_ns, "idle_ns"),
	ATA(MEMBER_U64, sums.parts.queued_ns, "queued_ns"),
	ATA(MEMBER_U64, sums.parts.drain_ns, "drain_ns"),
	ATA(MEMBER_U64, sums.parts.alone_ns, "alone_ns"),
	ATA(MEMBER_U64, sums.parts.error_ns, "error_ns"),
	ATA(MEMBER_U64, sums.errors, "errors"),
	ATA(MEMBER_U64, sums.drains, "drains"),
	ATA(MEMBER_U64, sums.wait_ns, "wait_ns"),
	ATA(MEMBER_U64, sums.turnaround_ns, "turnaround_ns"),
	ATA(MEMBER_U64, sums.refills, "refills"),
	ATA(MEMBER_U64, sums.refills_censored, "refills_censored"),
	ATA(MEMBER_U64, sums.tag_time_lost_ns, "tag_time_lost_ns"),
};

static const struct member_row ata_kind_rows[] = {
	U64(struct ata_kind, ios),
	U64(struct ata_kind, busy_ns),
};

static const struct member_row unflushed_rows[] = {
	U64(struct unflushed_counts, time_ns),
	U64(struct unflushed_counts, written),
	U64(struct unflushed_counts, covered),
	U64(struct unflushed_counts, since_ns),
	U64(struct unflushed_counts, integral),
	U64(struct unflushed_counts, flushes),
};

static const struct member_row fs_rows[] = {
	MEMBER("missed", MEMBER_U64, struct fs_counts, all.missed),
	MEMBER("lost", MEMBER_U64, struct fs_counts, all.lost),
	MEMBER("calls", MEMBER_BOOL, struct fs_counts, calls),
	MEMBER("journal", MEMBER_BOOL, struct fs_counts, journal),
};

static const struct member_row superblock_rows[] = {
	U32(struct fs_row, major),
	U32(struct fs_row, minor),
	MEMBER_CHARS("type", struct fs_row, type),
	MEMBER("here", MEMBER_BOOL, struct fs_row, here),
	MEMBER("fsyncs", MEMBER_U64, struct fs_row, sums.fsyncs),
	MEMBER("errors", MEMBER_U64, struct fs_row, sums.errors),
	MEMBER("commits", MEMBER_U64, struct fs_row, sums.commits),
};

static const struct member_table watch_table = MEMBER_TABLE(watch_rows),
	bio_table = MEMBER_TABLE(bio_rows), kernel_table = MEMBER_TABLE(kernel_rows),
	queue_table = MEMBER_TABLE(queue_rows), class_table = MEMBER_TABLE(class_rows),
	hist_table = MEMBER_TABLE(hist_rows), ata_table = MEMBER_TABLE(ata_rows),
	ata_kind_table = MEMBER_TABLE(ata_kind_rows), fs_table = MEMBER_TABLE(fs_rows),
	superblock_table = MEMBER_TABLE(superblock_rows),
	unflushed_table = MEMBER_TABLE(unflushed_rows);

static const char *const unflushed_hist_names[FSBSTAT_UNFLUSHED_HISTS] = {
	[FSBSTAT_UNFLUSHED_HIST_BYTES] = "bytes",
	[FSBSTAT_UNFLUSHED_HIST_AGE] = "age",
};

static const char *const ata_kind_names[FSBSTAT_ATA_KINDS] = {
	"ncq_read", "ncq_write", "ncq_fua_write", "ncq_other", "flush", "trim", "fua", "other",
};

static const char *const ata_hist_names[FSBSTAT_ATA_HISTS] = { "drain", "alone", "refill" };

const char *const recording_layers[LAYERS] = {
	"classes", "latency", "depth", "bio", "ata", "unflushed", "fs", "owners",
};

/* --- to JSON --- */

/* Takes @value over; an empty object or array is left out.  0 or -1. */
static int set_some(json_t *object, const char *key, json_t *value)
{
	if (value && !json_object_size(value) && !json_array_size(value)) {
		json_decref(value);
		return 0;
	}
	return json_object_set_new(object, key, value);
}

static json_t *hist_json(const struct hist *hist)
{
	json_t *object = members_json(&hist_table, hist);

	if (object &&
	    set_some(object, "buckets", members_sparse(hist->bucket, FSBSTAT_HIST_BUCKETS))) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *class_json(const struct queue_counts *queue, unsigned int class)
{
	json_t *object = members_json(&class_table, &queue->class[class]);
	unsigned int kind;
	int err = object ? 0 : -1;

	for (kind = 0; !err && kind < FSBSTAT_HIST_KINDS; kind++)
		if (queue->hist[class][kind])
			err = set_some(object, kind_names[kind],
				       hist_json(queue->hist[class][kind]));
	if (!err)
		return object;
	json_decref(object);
	return NULL;
}

static json_t *queue_json(const struct queue_counts *queue)
{
	json_t *object = members_json(&queue_table, queue);
	unsigned int class;
	int err = object ? 0 : -1;

	if (!err)
		err = set_some(object, "depth_ns",
			       members_sparse(queue->depth_ns, queue->nr_depth));
	for (class = 0; !err && class < FSBSTAT_CLASSES; class++)
		err = set_some(object, class_names[class], class_json(queue, class));
	if (!err)
		return object;
	json_decref(object);
	return NULL;
}

static json_t *queues_json(const struct snapshot *snap)
{
	json_t *array = json_array();
	uint32_t i;

	for (i = 0; array && i < snap->nr_queues; i++)
		if (json_array_append_new(array, queue_json(&snap->queue[i]))) {
			json_decref(array);
			array = NULL;
		}
	return array;
}

static json_t *ata_json(const struct ata_counts *ata)
{
	json_t *object = members_json(&ata_table, ata);
	unsigned int i;
	int err = object ? 0 : -1;

	if (!err)
		err = set_some(object, "tags_ns",
			       members_sparse(ata->sums.tags_ns, ATA_TAGS + 1));
	for (i = 0; !err && i < FSBSTAT_ATA_KINDS; i++)
		err = set_some(object, ata_kind_names[i],
			       members_json(&ata_kind_table, &ata->sums.kind[i]));
	for (i = 0; !err && i < FSBSTAT_ATA_HISTS; i++)
		if (ata->hist[i])
			err = json_object_set_new(object, ata_hist_names[i],
						  hist_json(ata->hist[i]));
	if (!err)
		return object;
	json_decref(object);
	return NULL;
}

static json_t *unflushed_json(const struct unflushed_counts *counts)
{
	json_t *object = members_json(&unflushed_table, counts);
	unsigned int i;
	int err = object ? 0 : -1;

	for (i = 0; !err && i < FSBSTAT_UNFLUSHED_HISTS; i++)
		if (counts->hist[i])
			err = json_object_set_new(object, unflushed_hist_names[i],
						  hist_json(counts->hist[i]));
	if (!err)
		return object;
	json_decref(object);
	return NULL;
}

static json_t *superblock_json(const struct fs_row *row)
{
	json_t *object = members_json(&superblock_table, row);

	if (object && row->latency &&
	    json_object_set_new(object, "latency", hist_json(row->latency))) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *fs_json(const struct fs_counts *fs)
{
	json_t *object = members_json(&fs_table, fs), *rows = json_array();
	size_t i;

	for (i = 0; rows && i < fs->nr; i++)
		if (json_array_append_new(rows, superblock_json(&fs->row[i]))) {
			json_decref(rows);
			rows = NULL;
		}
	if (!object || json_object_set_new(object, "superblocks", rows)) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *missing_json(uint32_t missing)
{
	json_t *array = json_array();
	unsigned int layer;

	for (layer = 0; array && layer < LAYERS; layer++)
		if ((missing & LAYER_BIT(layer)) &&
		    json_array_append_new(array, json_string(recording_layers[layer]))) {
			json_decref(array);
			array = NULL;
		}
	return array;
}

json_t *recording_snapshot_json(const struct snapshot *snap)
{
	json_t *object = json_object();

	if (!object || set_some(object, "missing", missing_json(snap->missing)) ||
	    set_some(object, "watch", members_json(&watch_table, &snap->watch)) ||
	    set_some(object, "bio", members_json(&bio_table, &snap->bio)) ||
	    set_some(object, "kernel", members_json(&kernel_table, &snap->kernel)) ||
	    set_some(object, "queues", queues_json(snap)) ||
	    set_some(object, "unflushed", unflushed_json(&snap->unflushed)) ||
	    (snap->ata && json_object_set_new(object, "ata", ata_json(snap->ata))) ||
	    (snap->fs && json_object_set_new(object, "fs", fs_json(snap->fs)))) {
		json_decref(object);
		return NULL;
	}
	return object;
}

/* --- from JSON --- */

static int hist_get(const json_t *json, struct hist *hist)
{
	if (!hist)
		return -ENOMEM;
	if (members_get(json, &hist_table, hist) ||
	    members_get_sparse(json_object_get(json, "buckets"), hist->bucket,
			       FSBSTAT_HIST_BUCKETS) ||
	    !hist_consistent(hist))
		return -EBADMSG;
	return 0;
}

static int class_get(const json_t *json, struct queue_counts *queue, unsigned int class)
{
	unsigned int kind;
	int err = members_get(json, &class_table, &queue->class[class]);

	for (kind = 0; !err && kind < FSBSTAT_HIST_KINDS; kind++) {
		const json_t *hist = json_object_get(json, kind_names[kind]);

		if (hist)
			err = hist_get(hist, queue_new_hist(queue, class, kind));
	}
	return err;
}

static int queue_get(const json_t *json, struct snapshot *snap)
{
	struct queue_counts scalars, *queue;
	unsigned int class;
	int err;

	memset(&scalars, 0, sizeof(scalars));
	err = members_get(json, &queue_table, &scalars);
	if (!err)
		err = snapshot_add_queue(snap, &scalars);
	if (err)
		return err;
	queue = &snap->queue[snap->nr_queues - 1];
	err = members_get_sparse(json_object_get(json, "depth_ns"), queue->depth_ns,
				 queue->nr_depth);
	for (class = 0; !err && class < FSBSTAT_CLASSES; class++) {
		const json_t *of_class = json_object_get(json, class_names[class]);

		if (of_class)
			err = class_get(of_class, queue, class);
	}
	return err;
}

static int queues_get(const json_t *json, struct snapshot *snap)
{
	const json_t *queue;
	size_t i;
	int err = 0;

	/* Everything is told by the clock of the first. */
	if (!json_array_size(json))
		return -EBADMSG;
	json_array_foreach(json, i, queue) {
		err = queue_get(queue, snap);
		if (err)
			break;
	}
	return err;
}

static int ata_get(const json_t *json, struct snapshot *snap)
{
	struct ata_counts *ata = calloc(1, sizeof(*ata));
	unsigned int i;
	int err;

	snap->ata = ata;
	if (!ata)
		return -ENOMEM;
	err = members_get(json, &ata_table, ata);
	if (!err)
		err = members_get_sparse(json_object_get(json, "tags_ns"), ata->sums.tags_ns,
					 ATA_TAGS + 1);
	for (i = 0; !err && i < FSBSTAT_ATA_KINDS; i++) {
		const json_t *kind = json_object_get(json, ata_kind_names[i]);

		if (kind)
			err = members_get(kind, &ata_kind_table, &ata->sums.kind[i]);
	}
	for (i = 0; !err && i < FSBSTAT_ATA_HISTS; i++) {
		const json_t *hist = json_object_get(json, ata_hist_names[i]);

		if (hist)
			err = hist_get(hist, ata_new_hist(ata, i));
	}
	return err ? err : ata_consistent(ata) ? 0 : -EBADMSG;
}

static int unflushed_get(const json_t *json, struct unflushed_counts *counts)
{
	unsigned int i;
	int err = members_get(json, &unflushed_table, counts);

	for (i = 0; !err && i < FSBSTAT_UNFLUSHED_HISTS; i++) {
		const json_t *hist = json_object_get(json, unflushed_hist_names[i]);

		if (hist)
			err = hist_get(hist, unflushed_new_hist(counts, i));
	}
	return err ? err : unflushed_consistent(counts) ? 0 : -EBADMSG;
}

static int superblock_get(const json_t *json, struct fs_counts *fs)
{
	const json_t *latency = json_object_get(json, "latency");
	struct fs_row key, *row;

	memset(&key, 0, sizeof(key));
	if (members_get(json, &superblock_table, &key))
		return -EBADMSG;
	row = fs_new_row(fs, key.major, key.minor, key.type);
	if (!row)
		return -EBADMSG;
	row->here = key.here;
	row->sums = key.sums;
	if (!latency)
		return 0;
	row->latency = calloc(1, sizeof(*row->latency));
	return hist_get(latency, row->latency);
}

static int fs_get(const json_t *json, struct snapshot *snap)
{
	const json_t *row;
	size_t i;
	int err;

	snap->fs = calloc(1, sizeof(*snap->fs));
	if (!snap->fs)
		return -ENOMEM;
	err = members_get(json, &fs_table, snap->fs);
	json_array_foreach(json_object_get(json, "superblocks"), i, row)
		if (!err)
			err = superblock_get(row, snap->fs);
	return err;
}

/* Layers of a later fsbctl are none that anybody asks for. */
static void missing_get(const json_t *json, uint32_t *missing)
{
	const json_t *name;
	unsigned int layer;
	size_t i;

	json_array_foreach(json, i, name)
		for (layer = 0; layer < LAYERS; layer++)
			if (json_is_string(name) &&
			    !strcmp(json_string_value(name), recording_layers[layer]))
				*missing |= LAYER_BIT(layer);
}

static int get_some(const json_t *json, const char *key, const struct member_table *table,
		    void *into)
{
	const json_t *value = json_object_get(json, key);

	return value ? members_get(value, table, into) : 0;
}

int recording_snapshot_get(const json_t *json, struct snapshot *snap, const char **why)
{
	const json_t *ata = json_object_get(json, "ata"), *fs = json_object_get(json, "fs");
	const json_t *unflushed = json_object_get(json, "unflushed");
	int err;

	memset(snap, 0, sizeof(*snap));
	missing_get(json_object_get(json, "missing"), &snap->missing);
	*why = "watch";
	err = get_some(json, "watch", &watch_table, &snap->watch);
	if (!err && snap->watch.state != FSBSTAT_DISK_LIVE &&
	    snap->watch.state != FSBSTAT_DISK_GONE)
		err = -EBADMSG;
	if (!err && snap->watch.write_cache > FSBSTAT_WRITE_CACHE_MAX)
		err = -EBADMSG;
	if (!err) {
		*why = "bio";
		err = get_some(json, "bio", &bio_table, &snap->bio);
	}
	if (!err) {
		*why = "kernel";
		err = get_some(json, "kernel", &kernel_table, &snap->kernel);
	}
	if (!err) {
		*why = "queues";
		err = queues_get(json_object_get(json, "queues"), snap);
	}
	if (!err && ata) {
		*why = "ata";
		err = ata_get(ata, snap);
	}
	if (!err && unflushed) {
		*why = "unflushed";
		err = unflushed_get(unflushed, &snap->unflushed);
	}
	if (!err && fs) {
		*why = "fs";
		err = fs_get(fs, snap);
	}
	return err;
}
