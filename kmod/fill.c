// SPDX-License-Identifier: GPL-2.0-only
#include <net/netlink.h>

#include <fsbstat_version.h>

#include "fill.h"
#include "fsync.h"
#include "hooks.h"
#include "snapshot.h"

static u8 fsb_hook_state(bool found, bool attached)
{
	if (!found)
		return FSBSTAT_HOOK_MISSING;
	return attached ? FSBSTAT_HOOK_ATTACHED : FSBSTAT_HOOK_IDLE;
}

static int fsb_fill_hook(struct sk_buff *skb, const char *name, u8 state, bool required, u8 kind)
{
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_MODULE_HOOK);

	if (!nest || nla_put_string(skb, FSBSTAT_A_HOOK_NAME, name) ||
	    nla_put_u8(skb, FSBSTAT_A_HOOK_STATE, state) ||
	    nla_put_u8(skb, FSBSTAT_A_HOOK_KIND, kind) ||
	    (required && nla_put_flag(skb, FSBSTAT_A_HOOK_REQUIRED)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fsb_fill_tracepoint(struct sk_buff *skb, const struct fsb_hook *hook)
{
	u8 state = fsb_hook_state(hook->tracepoint, READ_ONCE(hook->attached));

	return fsb_fill_hook(skb, hook->name, state, hook->required, FSBSTAT_HOOK_TRACEPOINT);
}

static int fsb_fill_function(struct sk_buff *skb, unsigned int index)
{
	struct fsb_function function;

	fsb_fsync_describe(index, &function);
	return fsb_fill_hook(skb, function.name, fsb_hook_state(function.found, function.attached),
			     false, FSBSTAT_HOOK_FUNCTION);
}

/**
 * fsb_fill_module() - the MODULE nest
 * @skb: message
 * @module_info: &struct fsb_module_info
 *
 * Return: 0 or -EMSGSIZE.
 */
int fsb_fill_module(struct sk_buff *skb, const void *module_info)
{
	const struct fsb_module_info *info = module_info;
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_MODULE);
	unsigned int i;

	if (!nest || nla_put_u32(skb, FSBSTAT_A_MODULE_ABI, FSBSTAT_ABI) ||
	    nla_put_string(skb, FSBSTAT_A_MODULE_VERSION, FSBSTAT_VERSION) ||
	    nla_put_u32(skb, FSBSTAT_A_MODULE_DISKS, info->targets.disks) ||
	    nla_put_u32(skb, FSBSTAT_A_MODULE_GENERATION, info->targets.generation) ||
	    nla_put_u64_64bit(skb, FSBSTAT_A_MODULE_MEMORY, info->targets.memory,
			      FSBSTAT_A_MODULE_PAD) ||
	    nla_put_u8(skb, FSBSTAT_A_MODULE_UNPRIVILEGED_READ, info->unprivileged_read))
		return -EMSGSIZE;
	for (i = 0; i < fsb_hooks_count(); i++)
		if (fsb_fill_tracepoint(skb, fsb_hook_get(i)))
			return -EMSGSIZE;
	for (i = 0; i < fsb_fsync_count(); i++)
		if (fsb_fill_function(skb, i))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/**
 * fsb_fill_disk() - the DISK nest
 * @skb: message
 * @target_info: &struct fsb_target_info
 *
 * Return: 0 or -EMSGSIZE.
 */
int fsb_fill_disk(struct sk_buff *skb, const void *target_info)
{
	const struct fsb_target_info *info = target_info;
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_DISK);

	if (!nest || nla_put_u32(skb, FSBSTAT_A_DISK_MAJOR, MAJOR(info->dev)) ||
	    nla_put_u32(skb, FSBSTAT_A_DISK_MINOR, MINOR(info->dev)) ||
	    nla_put_string(skb, FSBSTAT_A_DISK_NAME, info->name) ||
	    nla_put_u32(skb, FSBSTAT_A_DISK_ID, info->id) ||
	    nla_put_u8(skb, FSBSTAT_A_DISK_STATE, info->state) ||
	    nla_put_u8(skb, FSBSTAT_A_DISK_SETTLING, info->settling) ||
	    nla_put_u32(skb, FSBSTAT_A_DISK_RESTARTS, info->restarts) ||
	    nla_put_u64_64bit(skb, FSBSTAT_A_DISK_ADDED, info->start, FSBSTAT_A_DISK_PAD) ||
	    nla_put_u32(skb, FSBSTAT_A_DISK_QUEUES, info->geometry.queues) ||
	    nla_put_u32(skb, FSBSTAT_A_DISK_SHARDS, info->shards) ||
	    nla_put_u32(skb, FSBSTAT_A_DISK_DEPTH_LIMIT, info->geometry.depth) ||
	    nla_put_u64_64bit(skb, FSBSTAT_A_DISK_MEMORY, info->memory, FSBSTAT_A_DISK_PAD) ||
	    nla_put_u32(skb, FSBSTAT_A_DISK_REFERENCES, info->references) ||
	    nla_put_u8(skb, FSBSTAT_A_DISK_PERMANENT, info->permanent) ||
	    nla_put_u8(skb, FSBSTAT_A_DISK_WRITE_CACHE, info->write_cache) ||
	    nla_put_u32(skb, FSBSTAT_A_DISK_SETTINGS, info->settings) ||
	    nla_put_u32(skb, FSBSTAT_A_DISK_LAYERS, info->layers) ||
	    (info->bio_since && nla_put_u64_64bit(skb, FSBSTAT_A_DISK_BIO_SINCE, info->bio_since,
						  FSBSTAT_A_DISK_PAD)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/**
 * fsb_fill_u64s() - counters, one attribute each
 * @skb: message
 * @list: which
 * @nr: how many
 * @pad: attribute that aligns them
 * @from: the structure they are in
 *
 * Return: 0 or -EMSGSIZE.
 */
int fsb_fill_u64s(struct sk_buff *skb, const struct fsb_u64_attr *list, size_t nr, int pad,
		  const void *from)
{
	for (; nr > 0; nr--, list++)
		if (nla_put_u64_64bit(skb, list->attr, *(const u64 *)(from + list->offset), pad))
			return -EMSGSIZE;
	return 0;
}

/**
 * fsb_fill_bio() - a nest of &enum fsbstat_bio_attr
 * @skb: message
 * @attr: type of the nest
 * @bio: counts
 * @merges: merges, or NULL where they are not counted
 *
 * Return: 0 or -EMSGSIZE.
 */
int fsb_fill_bio(struct sk_buff *skb, int attr, const struct fsb_bio_counts *bio,
		 const struct fsb_merge_counts *merges)
{
	static const struct fsb_u64_attr list[] = {
		FSB_U64(BIO_READ_IOS, struct fsb_bio_counts, read_ios),
		FSB_U64(BIO_READ_BYTES, struct fsb_bio_counts, read_bytes),
		FSB_U64(BIO_WRITE_IOS, struct fsb_bio_counts, write_ios),
		FSB_U64(BIO_WRITE_BYTES, struct fsb_bio_counts, write_bytes),
		FSB_U64(BIO_DISCARD_IOS, struct fsb_bio_counts, discard_ios),
		FSB_U64(BIO_DISCARD_BYTES, struct fsb_bio_counts, discard_bytes),
		FSB_U64(BIO_OTHER_IOS, struct fsb_bio_counts, other_ios),
		FSB_U64(BIO_OTHER_BYTES, struct fsb_bio_counts, other_bytes),
		FSB_U64(BIO_PREFLUSH, struct fsb_bio_counts, preflush),
		FSB_U64(BIO_FUA, struct fsb_bio_counts, fua),
		FSB_U64(BIO_EMPTY_FLUSH, struct fsb_bio_counts, empty_flush),
	};
	static const struct fsb_u64_attr merge_list[] = {
		FSB_U64(BIO_READ_MERGES, struct fsb_merge_counts, reads),
		FSB_U64(BIO_WRITE_MERGES, struct fsb_merge_counts, writes),
	};
	static const struct fsb_merge_counts none;
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest || fsb_fill_u64s(skb, list, ARRAY_SIZE(list), FSBSTAT_A_BIO_PAD, bio) ||
	    fsb_fill_u64s(skb, merge_list, ARRAY_SIZE(merge_list), FSBSTAT_A_BIO_PAD,
			  merges ?: &none))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fsb_fill_class(struct sk_buff *skb, u8 class, const struct fsb_class_counts *counts)
{
	static const struct fsb_u64_attr list[] = {
		FSB_U64(CLASS_IOS, struct fsb_class_counts, ios),
		FSB_U64(CLASS_BYTES, struct fsb_class_counts, bytes),
		FSB_U64(CLASS_ERRORS, struct fsb_class_counts, errors),
		FSB_U64(CLASS_REQUEUES, struct fsb_class_counts, requeues),
		FSB_U64(CLASS_BUSY, struct fsb_class_counts, busy),
		FSB_U64(CLASS_NOT_SENT, struct fsb_class_counts, not_sent),
		FSB_U64(CLASS_NOT_SENT_BYTES, struct fsb_class_counts, not_sent_bytes),
	};
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_QUEUE_CLASS);

	if (!nest || nla_put_u8(skb, FSBSTAT_A_CLASS_CLASS, class) ||
	    fsb_fill_u64s(skb, list, ARRAY_SIZE(list), FSBSTAT_A_CLASS_PAD, counts))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* depth x now - sum of issue times: exact although both may have wrapped. */
static u64 fsb_inflight_age(const struct fsb_shard_counts *counts)
{
	return counts->depth * counts->time - counts->issue_sum;
}

static int fsb_fill_queue(struct sk_buff *skb, u32 index, const struct fsb_shard_counts *counts)
{
	static const struct fsb_u64_attr list[] = {
		FSB_U64(QUEUE_START, struct fsb_shard_counts, start),
		FSB_U64(QUEUE_TIME, struct fsb_shard_counts, time),
		FSB_U64(QUEUE_DEVICE_NS, struct fsb_shard_counts, device_ns),
		FSB_U64(QUEUE_REQUEUED_NS, struct fsb_shard_counts, requeued_ns),
		FSB_U64(QUEUE_UNMATCHED, struct fsb_shard_counts, unmatched),
		FSB_U64(QUEUE_UNTRACKED, struct fsb_shard_counts, untracked),
		FSB_U64(QUEUE_DISPLACED, struct fsb_shard_counts, displaced),
		FSB_U64(QUEUE_PARTIAL, struct fsb_shard_counts, partial),
		FSB_U64(QUEUE_SEQUENCE_END, struct fsb_shard_counts, sequence_end),
		FSB_U64(QUEUE_SEQUENCE_END_EMPTY, struct fsb_shard_counts, sequence_end_empty),
		FSB_U64(QUEUE_SEQUENCE_END_ERRORS, struct fsb_shard_counts, sequence_end_errors),
		FSB_U64(QUEUE_CLOCK_ANOMALIES, struct fsb_shard_counts, clock_anomalies),
		FSB_U64(QUEUE_OTHER_WRITES, struct fsb_shard_counts, other_writes),
	};
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_QUEUE);
	unsigned int class;

	if (!nest || nla_put_u32(skb, FSBSTAT_A_QUEUE_INDEX, index) ||
	    nla_put_u32(skb, FSBSTAT_A_QUEUE_INFLIGHT, counts->depth) ||
	    nla_put_u32(skb, FSBSTAT_A_QUEUE_DEPTH_MAX, counts->depth_max) ||
	    nla_put_u64_64bit(skb, FSBSTAT_A_QUEUE_INFLIGHT_AGE_NS, fsb_inflight_age(counts),
			      FSBSTAT_A_QUEUE_PAD) ||
	    fsb_fill_u64s(skb, list, ARRAY_SIZE(list), FSBSTAT_A_QUEUE_PAD, counts))
		return -EMSGSIZE;
	for (class = 0; class < FSBSTAT_CLASSES; class++)
		if (fsb_fill_class(skb, class, &counts->class[class]))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fsb_fill_depth(struct sk_buff *skb, u32 index, u32 first, u32 nr, const u64 *values)
{
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_DEPTH);

	if (!nest || nla_put_u32(skb, FSBSTAT_A_DEPTH_QUEUE, index) ||
	    nla_put_u32(skb, FSBSTAT_A_DEPTH_FIRST, first) ||
	    nla_put(skb, FSBSTAT_A_DEPTH_VALUES, nr * sizeof(*values), values))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fsb_fill_runs(struct sk_buff *skb, const struct fsb_hist *hist)
{
	struct nlattr *nest;
	u32 first, end;

	for (first = 0; first < FSBSTAT_HIST_BUCKETS; first = end + 1) {
		end = first;
		while (end < FSBSTAT_HIST_BUCKETS && hist->bucket[end])
			end++;
		if (end == first)
			continue;
		nest = nla_nest_start(skb, FSBSTAT_A_HIST_RUN);
		if (!nest || nla_put_u32(skb, FSBSTAT_A_RUN_FIRST, first) ||
		    nla_put(skb, FSBSTAT_A_RUN_VALUES, (end - first) * sizeof(u64),
			    &hist->bucket[first]))
			return -EMSGSIZE;
		nla_nest_end(skb, nest);
	}
	return 0;
}

/**
 * fsb_fill_hist() - the nest of a histogram
 * @skb: message
 * @attr: type of the nest
 * @id: whose it is
 * @hist: the histogram
 *
 * Return: 0 or -EMSGSIZE.
 */
int fsb_fill_hist(struct sk_buff *skb, int attr, struct fsb_hist_id id,
		  const struct fsb_hist *hist)
{
	static const struct fsb_u64_attr list[] = {
		FSB_U64(HIST_SUM, struct fsb_hist, sum),
		FSB_U64(HIST_MIN, struct fsb_hist, min),
		FSB_U64(HIST_MAX, struct fsb_hist, max),
	};
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest || (id.queue >= 0 && nla_put_u32(skb, FSBSTAT_A_HIST_QUEUE, id.queue)) ||
	    (id.class >= 0 && nla_put_u8(skb, FSBSTAT_A_HIST_CLASS, id.class)) ||
	    (id.kind >= 0 && nla_put_u8(skb, FSBSTAT_A_HIST_KIND, id.kind)) ||
	    nla_put_u64_64bit(skb, FSBSTAT_A_HIST_COUNT, fsb_hist_count(hist),
			      FSBSTAT_A_HIST_PAD) ||
	    fsb_fill_u64s(skb, list, ARRAY_SIZE(list), FSBSTAT_A_HIST_PAD, hist) ||
	    fsb_fill_runs(skb, hist))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fsb_fill_ata_kind(struct sk_buff *skb, u8 kind, const struct fsb_ata_kind_counts *counts)
{
	static const struct fsb_u64_attr list[] = {
		FSB_U64(ATA_KIND_IOS, struct fsb_ata_kind_counts, ios),
		FSB_U64(ATA_KIND_BUSY_NS, struct fsb_ata_kind_counts, busy_ns),
	};
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_ATA_KIND);

	if (!nest || nla_put_u8(skb, FSBSTAT_A_ATA_KIND_KIND, kind) ||
	    fsb_fill_u64s(skb, list, ARRAY_SIZE(list), FSBSTAT_A_ATA_KIND_PAD, counts))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fsb_fill_ata(struct sk_buff *skb, const struct fsb_ata_counts *ata)
{
	static const struct fsb_u64_attr list[] = {
		FSB_U64(ATA_START, struct fsb_ata_counts, start),
		FSB_U64(ATA_TIME, struct fsb_ata_counts, time),
		FSB_U64(ATA_IDLE_NS, struct fsb_ata_counts, idle_ns),
		FSB_U64(ATA_QUEUED_NS, struct fsb_ata_counts, queued_ns),
		FSB_U64(ATA_DRAIN_NS, struct fsb_ata_counts, drain_ns),
		FSB_U64(ATA_ALONE_NS, struct fsb_ata_counts, alone_ns),
		FSB_U64(ATA_ERROR_NS, struct fsb_ata_counts, error_ns),
		FSB_U64(ATA_ERRORS, struct fsb_ata_counts, errors),
		FSB_U64(ATA_DRAINS, struct fsb_ata_counts, drains),
		FSB_U64(ATA_WAIT_NS, struct fsb_ata_counts, wait_ns),
		FSB_U64(ATA_TURNAROUND_NS, struct fsb_ata_counts, turnaround_ns),
		FSB_U64(ATA_REFILLS, struct fsb_ata_counts, refills),
		FSB_U64(ATA_REFILLS_CENSORED, struct fsb_ata_counts, refills_censored),
		FSB_U64(ATA_TAG_TIME_LOST_NS, struct fsb_ata_counts, tag_time_lost_ns),
	};
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_ATA);
	unsigned int kind;

	if (!nest || nla_put_u32(skb, FSBSTAT_A_ATA_TAGS, ata->tags) ||
	    nla_put_u32(skb, FSBSTAT_A_ATA_TAGS_MAX, ata->tags_max) ||
	    nla_put(skb, FSBSTAT_A_ATA_TIME_NS, sizeof(ata->time_ns), ata->time_ns) ||
	    fsb_fill_u64s(skb, list, ARRAY_SIZE(list), FSBSTAT_A_ATA_PAD, ata))
		return -EMSGSIZE;
	for (kind = 0; kind < FSBSTAT_ATA_KINDS; kind++)
		if (fsb_fill_ata_kind(skb, kind, &ata->kind[kind]))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fsb_fill_unflushed(struct sk_buff *skb, const struct fsb_unflushed_counts *unflushed)
{
	static const struct fsb_u64_attr list[] = {
		FSB_U64(UNFLUSHED_TIME, struct fsb_unflushed_counts, time),
		FSB_U64(UNFLUSHED_WRITTEN, struct fsb_unflushed_counts, written),
		FSB_U64(UNFLUSHED_COVERED, struct fsb_unflushed_counts, covered),
		FSB_U64(UNFLUSHED_SINCE, struct fsb_unflushed_counts, since),
		FSB_U64(UNFLUSHED_INTEGRAL, struct fsb_unflushed_counts, integral),
		FSB_U64(UNFLUSHED_FLUSHES, struct fsb_unflushed_counts, flushes),
	};
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_UNFLUSHED);

	if (!nest || fsb_fill_u64s(skb, list, ARRAY_SIZE(list), FSBSTAT_A_UNFLUSHED_PAD, unflushed))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* Parts of a shard, in order: the QUEUE message, DEPTH messages, histograms. */
enum { FSB_PART_QUEUE, FSB_PART_DEPTH, FSB_PART_HISTS };
#define FSB_PARTS (FSB_PART_HISTS + FSBSTAT_CLASSES * FSBSTAT_HIST_KINDS)

static const struct fsb_hist *fsb_part_hist(const struct fsb_shard_copy *copy, u32 part)
{
	u32 i = part - FSB_PART_HISTS;
	int slot = fsb_hist_slot(i / FSBSTAT_HIST_KINDS, i % FSBSTAT_HIST_KINDS);

	return slot < 0 ? NULL : &copy->hist[slot];
}

/* Whether a part has nothing (more) to send. */
static bool fsb_part_empty(const struct fsb_shard_copy *copy, const struct fsb_fill_cursor *cursor)
{
	const struct fsb_hist *hist;

	switch (cursor->part) {
	case FSB_PART_QUEUE:
		return false;
	case FSB_PART_DEPTH:
		return cursor->depth > copy->counts.depth_max;
	default:
		hist = fsb_part_hist(copy, cursor->part);
		return !hist || fsb_hist_empty(hist);
	}
}

/* Messages of the disk as a whole, before those of its shards. */
enum {
	FSB_STAGE_DISK,
	FSB_STAGE_UNFLUSHED_HISTS,
	FSB_STAGE_ATA = FSB_STAGE_UNFLUSHED_HISTS + FSBSTAT_UNFLUSHED_HISTS,
	FSB_STAGE_ATA_HISTS,
	FSB_STAGE_SHARDS = FSB_STAGE_ATA_HISTS + FSBSTAT_ATA_HISTS,
};

/* The histogram of a stage that is one. */
static const struct fsb_hist *fsb_stage_hist(const struct fsb_snapshot *snapshot, u32 stage)
{
	if (stage < FSB_STAGE_ATA)
		return &snapshot->unflushed_hist[stage - FSB_STAGE_UNFLUSHED_HISTS];
	return &snapshot->ata_hist[stage - FSB_STAGE_ATA_HISTS];
}

static bool fsb_stage_empty(const struct fsb_snapshot *snapshot, u32 stage)
{
	switch (stage) {
	case FSB_STAGE_DISK:
		return false;
	case FSB_STAGE_ATA:
		return !snapshot->ata.seen;
	default:
		return fsb_hist_empty(fsb_stage_hist(snapshot, stage));
	}
}

static int fsb_fill_bios(struct sk_buff *skb, const struct fsb_snapshot *snapshot)
{
	if (!(snapshot->info.layers & FSBSTAT_LAYER_BIO))
		return 0;
	return fsb_fill_bio(skb, FSBSTAT_A_BIO, &snapshot->bio, &snapshot->merges);
}

static int fsb_fill_stage(struct sk_buff *skb, const struct fsb_snapshot *snapshot, u32 stage)
{
	struct fsb_hist_id id = { .queue = -1, .class = -1, .kind = stage - FSB_STAGE_ATA_HISTS };
	int attr = FSBSTAT_A_ATA_HIST;

	switch (stage) {
	case FSB_STAGE_DISK:
		return fsb_fill_disk(skb, &snapshot->info) ?:
		       fsb_fill_bios(skb, snapshot) ?:
		       fsb_fill_unflushed(skb, &snapshot->unflushed);
	case FSB_STAGE_ATA:
		return fsb_fill_ata(skb, &snapshot->ata);
	default:
		if (stage < FSB_STAGE_ATA) {
			attr = FSBSTAT_A_UNFLUSHED_HIST;
			id.kind = stage - FSB_STAGE_UNFLUSHED_HISTS;
		}
		return fsb_fill_hist(skb, attr, id, fsb_stage_hist(snapshot, stage));
	}
}

/**
 * fsb_snapshot_done() - whether everything of a snapshot has been sent
 * @copy: the snapshot
 * @cursor: how far the dump has come
 *
 * Return: true when nothing is left.
 */
bool fsb_snapshot_done(const void *copy, struct fsb_fill_cursor *cursor)
{
	const struct fsb_snapshot *snapshot = copy;

	for (; cursor->stage < FSB_STAGE_SHARDS; cursor->stage++)
		if (!fsb_stage_empty(snapshot, cursor->stage))
			return false;
	while (cursor->shard < snapshot->nr_shards) {
		if (cursor->part < FSB_PARTS &&
		    !fsb_part_empty(&snapshot->shard[cursor->shard], cursor))
			return false;
		cursor->depth = 0;
		if (++cursor->part >= FSB_PARTS) {
			cursor->part = 0;
			cursor->shard++;
		}
	}
	return true;
}

static int fsb_fill_part(struct sk_buff *skb, const struct fsb_shard_copy *copy,
			 struct fsb_fill_cursor *cursor)
{
	u32 i = cursor->part - FSB_PART_HISTS, nr;
	struct fsb_hist_id id = {
		.queue = cursor->shard,
		.class = i / FSBSTAT_HIST_KINDS,
		.kind = i % FSBSTAT_HIST_KINDS,
	};
	int err;

	switch (cursor->part) {
	case FSB_PART_QUEUE:
		err = fsb_fill_queue(skb, cursor->shard, &copy->counts);
		break;
	case FSB_PART_DEPTH:
		nr = min(copy->counts.depth_max + 1 - cursor->depth, FSBSTAT_DEPTH_CHUNK);
		err = fsb_fill_depth(skb, cursor->shard, cursor->depth, nr,
				     copy->depth_ns + cursor->depth);
		if (!err)
			cursor->depth += nr;
		return err;
	default:
		err = fsb_fill_hist(skb, FSBSTAT_A_HIST, id, fsb_part_hist(copy, cursor->part));
	}
	if (!err)
		cursor->part++;
	return err;
}

/**
 * fsb_fill_snapshot() - the next message of a snapshot
 * @skb: message
 * @copy: the snapshot
 * @cursor: how far the dump has come
 *
 * Return: 0 or -EMSGSIZE.
 */
int fsb_fill_snapshot(struct sk_buff *skb, const void *copy, struct fsb_fill_cursor *cursor)
{
	const struct fsb_snapshot *snapshot = copy;
	int err;

	if (cursor->stage == FSB_STAGE_SHARDS)
		return fsb_fill_part(skb, &snapshot->shard[cursor->shard], cursor);
	err = fsb_fill_stage(skb, snapshot, cursor->stage);
	cursor->stage += !err;
	return err;
}
