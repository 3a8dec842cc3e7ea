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
	    nla_put_u32(skb, FSBSTAT_A_DISK_SETTINGS, info->settings))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/**
 * fsb_fill_u64s() - counters, one attribute each
 * @skb: message
 * @list: the counters
 * @nr: how many
 * @pad: attribute that aligns them
 *
 * Return: 0 or -EMSGSIZE.
 */
int fsb_fill_u64s(struct sk_buff *skb, const struct fsb_fill_u64 *list, size_t nr, int pad)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (nla_put_u64_64bit(skb, list[i].attr, list[i].value, pad))
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
	const struct fsb_fill_u64 list[] = {
		{ FSBSTAT_A_BIO_READ_IOS, bio->read_ios },
		{ FSBSTAT_A_BIO_READ_BYTES, bio->read_bytes },
		{ FSBSTAT_A_BIO_WRITE_IOS, bio->write_ios },
		{ FSBSTAT_A_BIO_WRITE_BYTES, bio->write_bytes },
		{ FSBSTAT_A_BIO_DISCARD_IOS, bio->discard_ios },
		{ FSBSTAT_A_BIO_DISCARD_BYTES, bio->discard_bytes },
		{ FSBSTAT_A_BIO_OTHER_IOS, bio->other_ios },
		{ FSBSTAT_A_BIO_OTHER_BYTES, bio->other_bytes },
		{ FSBSTAT_A_BIO_PREFLUSH, bio->preflush },
		{ FSBSTAT_A_BIO_FUA, bio->fua },
		{ FSBSTAT_A_BIO_EMPTY_FLUSH, bio->empty_flush },
		{ FSBSTAT_A_BIO_READ_MERGES, merges ? merges->reads : 0 },
		{ FSBSTAT_A_BIO_WRITE_MERGES, merges ? merges->writes : 0 },
	};
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest || fsb_fill_u64s(skb, list, ARRAY_SIZE(list), FSBSTAT_A_BIO_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fsb_fill_class(struct sk_buff *skb, u8 class, const struct fsb_class_counts *counts)
{
	const struct fsb_fill_u64 list[] = {
		{ FSBSTAT_A_CLASS_IOS, counts->ios },
		{ FSBSTAT_A_CLASS_BYTES, counts->bytes },
		{ FSBSTAT_A_CLASS_ERRORS, counts->errors },
		{ FSBSTAT_A_CLASS_REQUEUES, counts->requeues },
		{ FSBSTAT_A_CLASS_BUSY, counts->busy },
		{ FSBSTAT_A_CLASS_NOT_SENT, counts->not_sent },
		{ FSBSTAT_A_CLASS_NOT_SENT_BYTES, counts->not_sent_bytes },
	};
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_QUEUE_CLASS);

	if (!nest || nla_put_u8(skb, FSBSTAT_A_CLASS_CLASS, class) ||
	    fsb_fill_u64s(skb, list, ARRAY_SIZE(list), FSBSTAT_A_CLASS_PAD))
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
	const struct fsb_fill_u64 list[] = {
		{ FSBSTAT_A_QUEUE_START, counts->start },
		{ FSBSTAT_A_QUEUE_TIME, counts->time },
		{ FSBSTAT_A_QUEUE_DEVICE_NS, counts->device_ns },
		{ FSBSTAT_A_QUEUE_REQUEUED_NS, counts->requeued_ns },
		{ FSBSTAT_A_QUEUE_INFLIGHT_AGE_NS, fsb_inflight_age(counts) },
		{ FSBSTAT_A_QUEUE_UNMATCHED, counts->unmatched },
		{ FSBSTAT_A_QUEUE_UNTRACKED, counts->untracked },
		{ FSBSTAT_A_QUEUE_DISPLACED, counts->displaced },
		{ FSBSTAT_A_QUEUE_PARTIAL, counts->partial },
		{ FSBSTAT_A_QUEUE_SEQUENCE_END, counts->sequence_end },
		{ FSBSTAT_A_QUEUE_SEQUENCE_END_EMPTY, counts->sequence_end_empty },
		{ FSBSTAT_A_QUEUE_SEQUENCE_END_ERRORS, counts->sequence_end_errors },
		{ FSBSTAT_A_QUEUE_CLOCK_ANOMALIES, counts->clock_anomalies },
		{ FSBSTAT_A_QUEUE_OTHER_WRITES, counts->other_writes },
	};
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_QUEUE);
	unsigned int class;

	if (!nest || nla_put_u32(skb, FSBSTAT_A_QUEUE_INDEX, index) ||
	    nla_put_u32(skb, FSBSTAT_A_QUEUE_INFLIGHT, counts->depth) ||
	    nla_put_u32(skb, FSBSTAT_A_QUEUE_DEPTH_MAX, counts->depth_max) ||
	    fsb_fill_u64s(skb, list, ARRAY_SIZE(list), FSBSTAT_A_QUEUE_PAD))
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
 * fsb_fill_samples() - what a histogram nest says of its samples
 * @skb: message
 * @hist: the histogram
 *
 * Return: 0 or -EMSGSIZE.
 */
int fsb_fill_samples(struct sk_buff *skb, const struct fsb_hist *hist)
{
	const struct fsb_fill_u64 list[] = {
		{ FSBSTAT_A_HIST_COUNT, hist->count },
		{ FSBSTAT_A_HIST_SUM, hist->sum },
		{ FSBSTAT_A_HIST_MIN, hist->min },
		{ FSBSTAT_A_HIST_MAX, hist->max },
	};

	if (fsb_fill_u64s(skb, list, ARRAY_SIZE(list), FSBSTAT_A_HIST_PAD))
		return -EMSGSIZE;
	return fsb_fill_runs(skb, hist);
}

static int fsb_fill_hist(struct sk_buff *skb, const struct fsb_hist *hist, u8 kind)
{
	if (nla_put_u8(skb, FSBSTAT_A_HIST_KIND, kind))
		return -EMSGSIZE;
	return fsb_fill_samples(skb, hist);
}

static int fsb_fill_shard_hist(struct sk_buff *skb, u32 index, u8 class, u8 kind,
			       const struct fsb_hist *hist)
{
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_HIST);

	if (!nest || nla_put_u32(skb, FSBSTAT_A_HIST_QUEUE, index) ||
	    nla_put_u8(skb, FSBSTAT_A_HIST_CLASS, class) || fsb_fill_hist(skb, hist, kind))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fsb_fill_ata_kind(struct sk_buff *skb, u8 kind, const struct fsb_ata_kind_counts *counts)
{
	const struct fsb_fill_u64 list[] = {
		{ FSBSTAT_A_ATA_KIND_IOS, counts->ios },
		{ FSBSTAT_A_ATA_KIND_BUSY_NS, counts->busy_ns },
	};
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_ATA_KIND);

	if (!nest || nla_put_u8(skb, FSBSTAT_A_ATA_KIND_KIND, kind) ||
	    fsb_fill_u64s(skb, list, ARRAY_SIZE(list), FSBSTAT_A_ATA_KIND_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fsb_fill_ata(struct sk_buff *skb, const struct fsb_ata_counts *ata)
{
	const struct fsb_fill_u64 list[] = {
		{ FSBSTAT_A_ATA_START, ata->start },
		{ FSBSTAT_A_ATA_TIME, ata->time },
		{ FSBSTAT_A_ATA_IDLE_NS, ata->idle_ns },
		{ FSBSTAT_A_ATA_QUEUED_NS, ata->queued_ns },
		{ FSBSTAT_A_ATA_DRAIN_NS, ata->drain_ns },
		{ FSBSTAT_A_ATA_ALONE_NS, ata->alone_ns },
		{ FSBSTAT_A_ATA_ERROR_NS, ata->error_ns },
		{ FSBSTAT_A_ATA_ERRORS, ata->errors },
		{ FSBSTAT_A_ATA_DRAINS, ata->drains },
		{ FSBSTAT_A_ATA_WAIT_NS, ata->wait_ns },
		{ FSBSTAT_A_ATA_TURNAROUND_NS, ata->turnaround_ns },
		{ FSBSTAT_A_ATA_REFILLS, ata->refills },
		{ FSBSTAT_A_ATA_REFILLS_CENSORED, ata->refills_censored },
		{ FSBSTAT_A_ATA_TAG_TIME_LOST_NS, ata->tag_time_lost_ns },
	};
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_ATA);
	unsigned int kind;

	if (!nest || nla_put_u32(skb, FSBSTAT_A_ATA_TAGS, ata->tags) ||
	    nla_put_u32(skb, FSBSTAT_A_ATA_TAGS_MAX, ata->tags_max) ||
	    nla_put(skb, FSBSTAT_A_ATA_TIME_NS, sizeof(ata->time_ns), ata->time_ns) ||
	    fsb_fill_u64s(skb, list, ARRAY_SIZE(list), FSBSTAT_A_ATA_PAD))
		return -EMSGSIZE;
	for (kind = 0; kind < FSBSTAT_ATA_KINDS; kind++)
		if (fsb_fill_ata_kind(skb, kind, &ata->kind[kind]))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fsb_fill_unflushed(struct sk_buff *skb, const struct fsb_unflushed_counts *unflushed)
{
	const struct fsb_fill_u64 list[] = {
		{ FSBSTAT_A_UNFLUSHED_TIME, unflushed->time },
		{ FSBSTAT_A_UNFLUSHED_WRITTEN, unflushed->written },
		{ FSBSTAT_A_UNFLUSHED_COVERED, unflushed->covered },
		{ FSBSTAT_A_UNFLUSHED_SINCE, unflushed->since },
		{ FSBSTAT_A_UNFLUSHED_INTEGRAL, unflushed->integral },
		{ FSBSTAT_A_UNFLUSHED_FLUSHES, unflushed->flushes },
	};
	struct nlattr *nest = nla_nest_start(skb, FSBSTAT_A_UNFLUSHED);

	if (!nest || fsb_fill_u64s(skb, list, ARRAY_SIZE(list), FSBSTAT_A_UNFLUSHED_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* A histogram of the disk as a whole. */
static int fsb_fill_disk_hist(struct sk_buff *skb, int attr, u8 kind, const struct fsb_hist *hist)
{
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest || fsb_fill_hist(skb, hist, kind))
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
		return !hist || !hist->count;
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
		return !fsb_stage_hist(snapshot, stage)->count;
	}
}

static int fsb_fill_stage(struct sk_buff *skb, const struct fsb_snapshot *snapshot, u32 stage)
{
	switch (stage) {
	case FSB_STAGE_DISK:
		return fsb_fill_disk(skb, &snapshot->info) ?:
		       fsb_fill_bio(skb, FSBSTAT_A_BIO, &snapshot->bio, &snapshot->merges) ?:
		       fsb_fill_unflushed(skb, &snapshot->unflushed);
	case FSB_STAGE_ATA:
		return fsb_fill_ata(skb, &snapshot->ata);
	default:
		if (stage < FSB_STAGE_ATA)
			return fsb_fill_disk_hist(skb, FSBSTAT_A_UNFLUSHED_HIST,
						  stage - FSB_STAGE_UNFLUSHED_HISTS,
						  fsb_stage_hist(snapshot, stage));
		return fsb_fill_disk_hist(skb, FSBSTAT_A_ATA_HIST, stage - FSB_STAGE_ATA_HISTS,
					  fsb_stage_hist(snapshot, stage));
	}
}

/**
 * fsb_fill_done() - whether everything has been sent
 * @cursor: where the dump stands; moved to the next part that has something to send
 * @snapshot: what is dumped
 *
 * Return: true when nothing is left.
 */
bool fsb_fill_done(struct fsb_fill_cursor *cursor, const struct fsb_snapshot *snapshot)
{
	for (; cursor->stage < FSB_STAGE_SHARDS; cursor->stage++)
		if (!fsb_stage_empty(snapshot, cursor->stage))
			return false;
	while (cursor->shard < snapshot->nr_shards) {
		if (cursor->part < FSB_PARTS &&
		    !fsb_part_empty(snapshot->shard[cursor->shard], cursor))
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
		err = fsb_fill_shard_hist(skb, cursor->shard, i / FSBSTAT_HIST_KINDS,
					  i % FSBSTAT_HIST_KINDS,
					  fsb_part_hist(copy, cursor->part));
	}
	if (!err)
		cursor->part++;
	return err;
}

/**
 * fsb_fill_snapshot() - the next message of a snapshot's dump
 * @skb: message
 * @snapshot: what is dumped
 * @cursor: where the dump stands, fsb_fill_done() was false; moved on success
 *
 * Return: 0 or -EMSGSIZE.
 */
int fsb_fill_snapshot(struct sk_buff *skb, const struct fsb_snapshot *snapshot,
		      struct fsb_fill_cursor *cursor)
{
	int err;

	if (cursor->stage == FSB_STAGE_SHARDS)
		return fsb_fill_part(skb, snapshot->shard[cursor->shard], cursor);
	err = fsb_fill_stage(skb, snapshot, cursor->stage);
	if (!err)
		cursor->stage++;
	return err;
}
