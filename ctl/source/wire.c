// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wire: the module's messages as structs, see wire.h.  First the attributes of each
 * nest as tables, then the messages.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/hist.h"
#include "source/wire.h"

#define WATCH(attr, type, member) FIELD(FSBSTAT_A_DISK_##attr, type, struct watch, member)
static const struct field watch_fields[] = {
	WATCH(MAJOR, FIELD_U32, major),
	WATCH(MINOR, FIELD_U32, minor),
	TEXT(FSBSTAT_A_DISK_NAME, struct watch, name, sizeof(((struct watch *)0)->name)),
	WATCH(ID, FIELD_U32, id),
	WATCH(STATE, FIELD_ENUM, state),
	WATCH(SETTLING, FIELD_BOOL, settling),
	WATCH(RESTARTS, FIELD_U32, restarts),
	WATCH(ADDED, FIELD_U64, added_ns),
	WATCH(QUEUES, FIELD_U32, queues),
	WATCH(SHARDS, FIELD_U32, shards),
	WATCH(DEPTH_LIMIT, FIELD_U32, depth_limit),
	WATCH(MEMORY, FIELD_U64, memory),
	WATCH(REFERENCES, FIELD_U32, references),
	WATCH(PERMANENT, FIELD_BOOL, permanent),
	WATCH(WRITE_CACHE, FIELD_ENUM, write_cache),
	WATCH(SETTINGS, FIELD_U32, settings),
	WATCH(LAYERS, FIELD_U32, layers),
};

#define BIO(attr, member) FIELD(FSBSTAT_A_BIO_##attr, FIELD_U64, struct bio_counts, member)
static const struct field bio_fields[] = {
	BIO(READ_IOS, read_ios),
	BIO(READ_BYTES, read_bytes),
	BIO(WRITE_IOS, write_ios),
	BIO(WRITE_BYTES, write_bytes),
	BIO(DISCARD_IOS, discard_ios),
	BIO(DISCARD_BYTES, discard_bytes),
	BIO(OTHER_IOS, other_ios),
	BIO(OTHER_BYTES, other_bytes),
	BIO(PREFLUSH, preflush),
	BIO(FUA, fua),
	BIO(EMPTY_FLUSH, empty_flush),
	BIO(READ_MERGES, read_merges),
	BIO(WRITE_MERGES, write_merges),
};

#define QUEUE(attr, type, member) \
	FIELD(FSBSTAT_A_QUEUE_##attr, type, struct queue_counts, member)
static const struct field queue_fields[] = {
	QUEUE(INDEX, FIELD_U32, index),
	QUEUE(INFLIGHT, FIELD_U32, edge.inflight),
	QUEUE(DEPTH_MAX, FIELD_U32, depth_max),
	QUEUE(START, FIELD_U64, edge.start_ns),
	QUEUE(TIME, FIELD_U64, edge.time_ns),
	QUEUE(DEVICE_NS, FIELD_U64, edge.device_ns),
	QUEUE(REQUEUED_NS, FIELD_U64, edge.requeued_ns),
	QUEUE(INFLIGHT_AGE_NS, FIELD_U64, edge.inflight_age_ns),
	QUEUE(UNMATCHED, FIELD_U64, quality.unmatched),
	QUEUE(UNTRACKED, FIELD_U64, quality.untracked),
	QUEUE(DISPLACED, FIELD_U64, quality.displaced),
	QUEUE(PARTIAL, FIELD_U64, quality.partial),
	QUEUE(SEQUENCE_END, FIELD_U64, quality.sequence_end),
	QUEUE(SEQUENCE_END_EMPTY, FIELD_U64, quality.sequence_end_empty),
	QUEUE(SEQUENCE_END_ERRORS, FIELD_U64, quality.sequence_end_errors),
	QUEUE(CLOCK_ANOMALIES, FIELD_U64, quality.clock_anomalies),
	QUEUE(OTHER_WRITES, FIELD_U64, quality.other_writes),
};

struct class_message {
	unsigned int class;
	struct class_counts counts;
};

#define CLASS(attr, member) \
	FIELD(FSBSTAT_A_CLASS_##attr, FIELD_U64, struct class_message, counts.member)
static const struct field class_fields[] = {
	FIELD(FSBSTAT_A_CLASS_CLASS, FIELD_ENUM, struct class_message, class),
	CLASS(IOS, ios),
	CLASS(BYTES, bytes),
	CLASS(ERRORS, errors),
	CLASS(REQUEUES, requeues),
	CLASS(BUSY, busy),
	CLASS(NOT_SENT, not_sent),
	CLASS(NOT_SENT_BYTES, not_sent_bytes),
};

/* DEPTH, and each RUN of a HIST: where the values begin. */
struct values_message {
	uint32_t queue;
	uint32_t first;
};

static const struct field depth_fields[] = {
	FIELD(FSBSTAT_A_DEPTH_QUEUE, FIELD_U32, struct values_message, queue),
	FIELD(FSBSTAT_A_DEPTH_FIRST, FIELD_U32, struct values_message, first),
};

static const struct field run_fields[] = {
	FIELD(FSBSTAT_A_RUN_FIRST, FIELD_U32, struct values_message, first),
};

struct hist_message {
	uint32_t queue;
	unsigned int class, kind;
	struct hist hist; /* all but the buckets */
};

#define HIST(attr, type, member) FIELD(FSBSTAT_A_HIST_##attr, type, struct hist_message, member)
static const struct field hist_kind_fields[] = {
	HIST(KIND, FIELD_ENUM, kind),
};

static const struct field hist_fields[] = {
	HIST(COUNT, FIELD_U64, hist.count),
	HIST(SUM, FIELD_U64, hist.sum_ns),
	HIST(MIN, FIELD_U64, hist.min_ns),
	HIST(MAX, FIELD_U64, hist.max_ns),
};

/* Those of requests say whose as well. */
static const struct field hist_of_fields[] = {
	HIST(QUEUE, FIELD_U32, queue),
	HIST(CLASS, FIELD_ENUM, class),
};

#define ATA(attr, type, member) FIELD(FSBSTAT_A_ATA_##attr, type, struct ata_counts, member)
static const struct field ata_fields[] = {
	ATA(START, FIELD_U64, start_ns),
	ATA(TIME, FIELD_U64, time_ns),
	ATA(TAGS, FIELD_U32, tags),
	ATA(TAGS_MAX, FIELD_U32, tags_max),
	ATA(IDLE_NS, FIELD_U64, sums.parts.idle_ns),
	ATA(QUEUED_NS, FIELD_U64, sums.parts.queued_ns),
	ATA(DRAIN_NS, FIELD_U64, sums.parts.drain_ns),
	ATA(ALONE_NS, FIELD_U64, sums.parts.alone_ns),
	ATA(ERROR_NS, FIELD_U64, sums.parts.error_ns),
	ATA(ERRORS, FIELD_U64, sums.errors),
	ATA(DRAINS, FIELD_U64, sums.drains),
	ATA(WAIT_NS, FIELD_U64, sums.wait_ns),
	ATA(TURNAROUND_NS, FIELD_U64, sums.turnaround_ns),
	ATA(REFILLS, FIELD_U64, sums.refills),
	ATA(REFILLS_CENSORED, FIELD_U64, sums.refills_censored),
	ATA(TAG_TIME_LOST_NS, FIELD_U64, sums.tag_time_lost_ns),
};

struct ata_kind_message {
	unsigned int kind;
	struct ata_kind counts;
};

static const struct field ata_kind_fields[] = {
	FIELD(FSBSTAT_A_ATA_KIND_KIND, FIELD_ENUM, struct ata_kind_message, kind),
	FIELD(FSBSTAT_A_ATA_KIND_IOS, FIELD_U64, struct ata_kind_message, counts.ios),
	FIELD(FSBSTAT_A_ATA_KIND_BUSY_NS, FIELD_U64, struct ata_kind_message, counts.busy_ns),
};

#define UNFLUSHED(attr, member) \
	FIELD(FSBSTAT_A_UNFLUSHED_##attr, FIELD_U64, struct unflushed_counts, member)
static const struct field unflushed_fields[] = {
	UNFLUSHED(TIME, time_ns),
	UNFLUSHED(WRITTEN, written),
	UNFLUSHED(COVERED, covered),
	UNFLUSHED(SINCE, since_ns),
	UNFLUSHED(INTEGRAL, integral),
	UNFLUSHED(FLUSHES, flushes),
};

#define HOOK(attr, type, member) FIELD(FSBSTAT_A_HOOK_##attr, type, struct module_hook, member)
static const struct field hook_fields[] = {
	TEXT(FSBSTAT_A_HOOK_NAME, struct module_hook, name,
	     sizeof(((struct module_hook *)0)->name)),
	HOOK(STATE, FIELD_ENUM, state),
	HOOK(REQUIRED, FIELD_FLAG, required),
};

/* Earlier modules had tracepoints only, and did not say so. */
static const struct field hook_kind_fields[] = {
	HOOK(KIND, FIELD_ENUM, kind),
};

#define MODULE(attr, type, member) \
	FIELD(FSBSTAT_A_MODULE_##attr, type, struct module_info, member)
static const struct field module_fields[] = {
	MODULE(ABI, FIELD_U32, abi),
	TEXT(FSBSTAT_A_MODULE_VERSION, struct module_info, version,
	     sizeof(((struct module_info *)0)->version)),
	MODULE(DISKS, FIELD_U32, disks),
	MODULE(GENERATION, FIELD_U32, generation),
	MODULE(MEMORY, FIELD_U64, memory),
	MODULE(UNPRIVILEGED_READ, FIELD_BOOL, unprivileged_read),
};

_Static_assert(FSBSTAT_A_MAX <= ATTR_MAX && FSBSTAT_A_MODULE_MAX <= ATTR_MAX &&
	       FSBSTAT_A_HOOK_MAX <= ATTR_MAX && FSBSTAT_A_DISK_MAX <= ATTR_MAX &&
	       FSBSTAT_A_BIO_MAX <= ATTR_MAX && FSBSTAT_A_QUEUE_MAX <= ATTR_MAX &&
	       FSBSTAT_A_CLASS_MAX <= ATTR_MAX && FSBSTAT_A_DEPTH_MAX <= ATTR_MAX &&
	       FSBSTAT_A_HIST_MAX_ATTR <= ATTR_MAX && FSBSTAT_A_RUN_MAX <= ATTR_MAX &&
	       FSBSTAT_A_ATA_MAX <= ATTR_MAX && FSBSTAT_A_ATA_KIND_MAX <= ATTR_MAX &&
	       FSBSTAT_A_UNFLUSHED_MAX <= ATTR_MAX,
	       "nest_read() has room for every attribute");
_Static_assert(sizeof(enum fsbstat_disk_state) == sizeof(unsigned int) &&
	       sizeof(enum fsbstat_write_cache) == sizeof(unsigned int) &&
	       sizeof(enum fsbstat_hook_state) == sizeof(unsigned int),
	       "FIELD_ENUM fills enumerations");

static void read_message(const void *bytes, size_t len, struct value *values)
{
	struct value message = { bytes, len };

	nest_read(message, values);
}

static int read_hooks(struct value nest, struct module_info *info, const char **why)
{
	const size_t room = sizeof(info->hook) / sizeof(info->hook[0]);
	struct value values[ATTR_MAX + 1], value;
	unsigned int type;
	int err = 0;

	while (!err && info->nr_hooks < room && nest_next(&nest, &type, &value)) {
		if (type != FSBSTAT_A_MODULE_HOOK)
			continue;
		nest_read(value, values);
		err = READ_FIELDS(values, hook_fields, &info->hook[info->nr_hooks], why);
		if (!err && values[FSBSTAT_A_HOOK_KIND].data)
			err = READ_FIELDS(values, hook_kind_fields, &info->hook[info->nr_hooks],
					  why);
		if (!err)
			info->nr_hooks++;
	}
	return err;
}

int wire_module(const void *bytes, size_t len, struct module_info *info, const char **why)
{
	struct value values[ATTR_MAX + 1], nest;
	int err;

	memset(info, 0, sizeof(*info));
	read_message(bytes, len, values);
	nest = values[FSBSTAT_A_MODULE];
	if (!nest.data)
		return nest_bad(why, "no MODULE");
	nest_read(nest, values);
	err = READ_FIELDS(values, module_fields, info, why);
	return err ? err : read_hooks(nest, info, why);
}

static int read_watch(struct value nest, struct watch *watch, const char **why)
{
	struct value values[ATTR_MAX + 1];

	nest_read(nest, values);
	return READ_FIELDS(values, watch_fields, watch, why);
}

int wire_watch(const void *bytes, size_t len, struct watch *watch, const char **why)
{
	struct value values[ATTR_MAX + 1];

	read_message(bytes, len, values);
	if (!values[FSBSTAT_A_DISK].data)
		return nest_bad(why, "no DISK");
	return read_watch(values[FSBSTAT_A_DISK], watch, why);
}

int wire_bio(struct value nest, struct bio_counts *bio, const char **why)
{
	struct value values[ATTR_MAX + 1];

	nest_read(nest, values);
	return READ_FIELDS(values, bio_fields, bio, why);
}

static int read_queue(struct value nest, struct snapshot *snap, const char **why)
{
	struct value values[ATTR_MAX + 1], value;
	struct queue_counts queue;
	unsigned int type;
	int err;

	memset(&queue, 0, sizeof(queue));
	nest_read(nest, values);
	err = READ_FIELDS(values, queue_fields, &queue, why);
	while (!err && nest_next(&nest, &type, &value)) {
		struct class_message message;

		if (type != FSBSTAT_A_QUEUE_CLASS)
			continue;
		nest_read(value, values);
		err = READ_FIELDS(values, class_fields, &message, why);
		/* A class of a later module is one more attribute to ignore. */
		if (!err && message.class < FSBSTAT_CLASSES)
			queue.class[message.class] = message.counts;
	}
	if (err)
		return err;
	*why = "impossible queue";
	return snapshot_add_queue(snap, &queue);
}

static int read_depth(struct value nest, struct snapshot *snap, const char **why)
{
	struct value values[ATTR_MAX + 1], list;
	struct values_message message;
	struct queue_counts *queue;
	int err;

	nest_read(nest, values);
	err = READ_FIELDS(values, depth_fields, &message, why);
	if (err)
		return err;
	queue = snapshot_queue(snap, message.queue);
	list = values[FSBSTAT_A_DEPTH_VALUES];
	if (!queue || !list.data)
		return nest_bad(why, "depth of no queue");
	*why = "impossible depth";
	return queue_set_depth(queue, message.first, list.data, list.len);
}

static int read_runs(struct value nest, struct hist *hist, const char **why)
{
	struct value values[ATTR_MAX + 1], value, list;
	struct values_message message;
	unsigned int type;
	int err = 0;

	while (!err && nest_next(&nest, &type, &value)) {
		if (type != FSBSTAT_A_HIST_RUN)
			continue;
		nest_read(value, values);
		err = READ_FIELDS(values, run_fields, &message, why);
		if (err)
			return err;
		list = values[FSBSTAT_A_RUN_VALUES];
		*why = "impossible bucket";
		err = list.data ? hist_set_run(hist, message.first, list.data, list.len) :
				  -EBADMSG;
	}
	return err;
}

/* Everything of a histogram, into new memory whose owner is *to. */
static int read_hist_into(struct value nest, const struct hist_message *message, struct hist *to,
			  const char **why)
{
	int err;

	if (!to)
		return -ENOMEM;
	*to = message->hist;
	err = read_runs(nest, to, why);
	if (!err && !hist_consistent(to))
		err = nest_bad(why, "a histogram's buckets do not sum to its count");
	return err;
}

int wire_samples(struct value nest, struct hist *hist, const char **why)
{
	struct value values[ATTR_MAX + 1];
	struct hist_message message;
	int err;

	memset(&message, 0, sizeof(message));
	nest_read(nest, values);
	err = READ_FIELDS(values, hist_fields, &message, why);
	return err ? err : read_hist_into(nest, &message, hist, why);
}

/* Which histogram a nest is of, and all but its buckets; its attributes for the rest. */
static int read_hist_head(struct value nest, struct value *values, struct hist_message *message,
			  const char **why)
{
	int err;

	memset(message, 0, sizeof(*message));
	nest_read(nest, values);
	err = READ_FIELDS(values, hist_fields, message, why);
	return err ? err : READ_FIELDS(values, hist_kind_fields, message, why);
}

static int read_hist(struct value nest, struct snapshot *snap, const char **why)
{
	struct value values[ATTR_MAX + 1];
	struct hist_message message;
	struct queue_counts *queue;
	int err = read_hist_head(nest, values, &message, why);

	if (!err)
		err = READ_FIELDS(values, hist_of_fields, &message, why);
	if (err)
		return err;
	if (message.class >= FSBSTAT_CLASSES || message.kind >= FSBSTAT_HIST_KINDS)
		return 0; /* of a later module */
	queue = snapshot_queue(snap, message.queue);
	if (!queue || queue->hist[message.class][message.kind])
		return nest_bad(why, "histogram of no queue, or twice");
	return read_hist_into(nest, &message, queue_new_hist(queue, message.class, message.kind),
			      why);
}

static int read_ata_kinds(struct value nest, struct ata_counts *ata, const char **why)
{
	struct value values[ATTR_MAX + 1], value;
	struct ata_kind_message message;
	unsigned int type;
	int err = 0;

	while (!err && nest_next(&nest, &type, &value)) {
		if (type != FSBSTAT_A_ATA_KIND)
			continue;
		nest_read(value, values);
		err = READ_FIELDS(values, ata_kind_fields, &message, why);
		if (!err && message.kind < FSBSTAT_ATA_KINDS)
			ata->sums.kind[message.kind] = message.counts;
	}
	return err;
}

static int read_ata(struct value nest, struct snapshot *snap, const char **why)
{
	struct value values[ATTR_MAX + 1], list;
	int err;

	if (snap->ata)
		return nest_bad(why, "ATA counts twice");
	snap->ata = calloc(1, sizeof(*snap->ata));
	if (!snap->ata)
		return -ENOMEM;
	nest_read(nest, values);
	err = READ_FIELDS(values, ata_fields, snap->ata, why);
	if (!err)
		err = read_ata_kinds(nest, snap->ata, why);
	if (err)
		return err;
	list = values[FSBSTAT_A_ATA_TIME_NS];
	if (!list.data || ata_set_tags(snap->ata, list.data, list.len))
		return nest_bad(why, "impossible number of tags");
	if (!ata_consistent(snap->ata))
		return nest_bad(why, "the parts of ATA time are not the whole");
	return 0;
}

static int read_ata_hist(struct value nest, struct snapshot *snap, const char **why)
{
	struct value values[ATTR_MAX + 1];
	struct hist_message message;
	int err = read_hist_head(nest, values, &message, why);

	if (err)
		return err;
	if (message.kind >= FSBSTAT_ATA_HISTS)
		return 0; /* of a later module */
	if (!snap->ata || snap->ata->hist[message.kind])
		return nest_bad(why, "histogram of no ATA counts, or twice");
	return read_hist_into(nest, &message, ata_new_hist(snap->ata, message.kind), why);
}

static int read_unflushed(struct value nest, struct unflushed_counts *counts, const char **why)
{
	struct value values[ATTR_MAX + 1];
	int err;

	if (counts->time_ns)
		return nest_bad(why, "UNFLUSHED twice");
	nest_read(nest, values);
	err = READ_FIELDS(values, unflushed_fields, counts, why);
	if (!err && (!counts->time_ns || !unflushed_consistent(counts)))
		err = nest_bad(why, "more was flushed than written");
	return err;
}

static int read_unflushed_hist(struct value nest, struct unflushed_counts *counts,
			       const char **why)
{
	struct value values[ATTR_MAX + 1];
	struct hist_message message;
	int err = read_hist_head(nest, values, &message, why);

	if (err)
		return err;
	if (message.kind >= FSBSTAT_UNFLUSHED_HISTS)
		return 0; /* of a later module */
	if (counts->hist[message.kind])
		return nest_bad(why, "histogram of what is not flushed, twice");
	return read_hist_into(nest, &message, unflushed_new_hist(counts, message.kind), why);
}

/* What belongs to the disk as a whole and is not of its ATA link. */
static int read_disk_messages(const struct value *values, struct snapshot *snap, const char **why)
{
	int err = 0;

	if (values[FSBSTAT_A_DISK].data)
		err = read_watch(values[FSBSTAT_A_DISK], &snap->watch, why);
	if (!err && values[FSBSTAT_A_BIO].data)
		err = wire_bio(values[FSBSTAT_A_BIO], &snap->bio, why);
	if (!err && values[FSBSTAT_A_UNFLUSHED].data)
		err = read_unflushed(values[FSBSTAT_A_UNFLUSHED], &snap->unflushed, why);
	if (!err && values[FSBSTAT_A_UNFLUSHED_HIST].data)
		err = read_unflushed_hist(values[FSBSTAT_A_UNFLUSHED_HIST], &snap->unflushed, why);
	return err;
}

int wire_snapshot(const void *bytes, size_t len, struct snapshot *snap, const char **why)
{
	struct value values[ATTR_MAX + 1];
	int err;

	read_message(bytes, len, values);
	err = read_disk_messages(values, snap, why);
	if (!err && values[FSBSTAT_A_QUEUE].data)
		err = read_queue(values[FSBSTAT_A_QUEUE], snap, why);
	if (!err && values[FSBSTAT_A_DEPTH].data)
		err = read_depth(values[FSBSTAT_A_DEPTH], snap, why);
	if (!err && values[FSBSTAT_A_HIST].data)
		err = read_hist(values[FSBSTAT_A_HIST], snap, why);
	if (!err && values[FSBSTAT_A_ATA].data)
		err = read_ata(values[FSBSTAT_A_ATA], snap, why);
	if (!err && values[FSBSTAT_A_ATA_HIST].data)
		err = read_ata_hist(values[FSBSTAT_A_ATA_HIST], snap, why);
	return err;
}

int wire_snapshot_end(const struct snapshot *snap, const char **why)
{
	if (!snap->nr_queues || snap->nr_queues != snap->watch.shards)
		return nest_bad(why, "not every queue came");
	return 0;
}
