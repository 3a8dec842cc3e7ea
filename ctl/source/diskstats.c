// SPDX-License-Identifier: GPL-2.0-or-later
/* diskstats: see diskstats.h; and the backend that reads them from sysfs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk/kfile.h"
#include "source/backend.h"
#include "source/diskstats.h"

#define SECTOR 512
#define MS_NS 1000000ULL

const uint32_t diskstats_missing =
	LAYER_BIT(LAYER_CLASSES) | LAYER_BIT(LAYER_LATENCY) | LAYER_BIT(LAYER_DEPTH) |
	LAYER_BIT(LAYER_BIO) | LAYER_BIT(LAYER_ATA) | LAYER_BIT(LAYER_UNFLUSHED) |
	LAYER_BIT(LAYER_FS) | LAYER_BIT(LAYER_OWNERS);

static const char *const reasons[LAYERS] = {
	[LAYER_CLASSES] =
		"in /proc/diskstats FUA writes, write zeroes and empty flushes are among the writes",
	[LAYER_LATENCY] = "/proc/diskstats has sums of times only, waiting included",
	[LAYER_DEPTH] = "/proc/diskstats has no time at each depth",
	[LAYER_BIO] = "/proc/diskstats does not tell what was asked for",
	[LAYER_ATA] = "needs the kernel module",
	[LAYER_UNFLUSHED] = "needs the kernel module",
	[LAYER_FS] = "needs the kernel module",
	[LAYER_OWNERS] = "needs the kernel module",
};

/* How wide the kernel prints a counter, in bits. */
enum width { WIDTH_NONE = 0, WIDTH_32 = 32, WIDTH_LONG = 8 * sizeof(long) };

#define FIELD(member, width) { offsetof(struct diskstats, member), width }
static const struct {
	size_t offset;
	enum width width;
} fields[] = {
	FIELD(read_ios, WIDTH_LONG), FIELD(read_merges, WIDTH_LONG),
	FIELD(read_sectors, WIDTH_LONG), FIELD(read_ms, WIDTH_32),
	FIELD(write_ios, WIDTH_LONG), FIELD(write_merges, WIDTH_LONG),
	FIELD(write_sectors, WIDTH_LONG), FIELD(write_ms, WIDTH_32),
	FIELD(inflight, WIDTH_NONE), FIELD(busy_ms, WIDTH_32), FIELD(waiting_ms, WIDTH_32),
	FIELD(discard_ios, WIDTH_LONG), FIELD(discard_merges, WIDTH_LONG),
	FIELD(discard_sectors, WIDTH_LONG), FIELD(discard_ms, WIDTH_32),
	FIELD(flush_ios, WIDTH_LONG), FIELD(flush_ms, WIDTH_32),
};

#define FIELDS (sizeof(fields) / sizeof(fields[0]))

static uint64_t *member(struct diskstats *stats, size_t i)
{
	return (uint64_t *)((char *)stats + fields[i].offset);
}

static uint64_t value(const struct diskstats *stats, size_t i)
{
	return *(const uint64_t *)((const char *)stats + fields[i].offset);
}

/*
 * A counter that has gone back has wrapped when it was in its upper half and is in the lower
 * one now; nothing counts half a range between two looks.  False: it began again.
 */
static bool step_of(uint64_t before, uint64_t now, enum width width, uint64_t *step)
{
	uint64_t half = 1ULL << (width - 1);

	*step = now - before;
	if (now >= before)
		return true;
	if (width == WIDTH_32)
		*step = (uint32_t)*step;
	return width < 64 && before >= half && *step < half;
}

int diskstats_subtract(struct diskstats *delta, const struct diskstats *b,
		       const struct diskstats *a)
{
	struct diskstats result = { .inflight = b->inflight };
	size_t i;

	for (i = 0; i < FIELDS; i++)
		if (fields[i].width != WIDTH_NONE &&
		    !step_of(value(a, i), value(b, i), fields[i].width, member(&result, i)))
			return -ERANGE;
	*delta = result;
	return 0;
}

void diskstats_add(struct diskstats *into, const struct diskstats *from)
{
	size_t i;

	for (i = 0; i < FIELDS; i++)
		if (fields[i].width != WIDTH_NONE)
			*member(into, i) += value(from, i);
	into->inflight = from->inflight;
}

void diskstats_begin(struct diskstats_track *track, const struct diskstats *stats, uint64_t now_ns)
{
	*track = (struct diskstats_track){ .last = *stats, .added_ns = now_ns, .time_ns = now_ns,
					   .sum.inflight = stats->inflight };
}

/* What a new device has counted up to now may be of any time: it is not taken. */
void diskstats_take(struct diskstats_track *track, const struct diskstats *stats, uint64_t now_ns)
{
	uint32_t restarts = track->restarts + 1;
	struct diskstats step;

	if (diskstats_subtract(&step, stats, &track->last)) {
		diskstats_begin(track, stats, now_ns);
		track->restarts = restarts;
		return;
	}
	diskstats_add(&track->sum, &step);
	track->last = *stats;
	track->time_ns = now_ns;
}

static void class_of(struct class_counts *class, uint64_t ios, uint64_t sectors)
{
	class->ios = ios;
	class->bytes = sectors * SECTOR;
}

int diskstats_snapshot(const struct diskstats_track *track, const struct disk *disk,
		       struct snapshot *snap)
{
	const struct diskstats *sum = &track->sum;
	struct queue_counts queue = { .edge = { .inflight = (uint32_t)sum->inflight,
						.start_ns = track->added_ns,
						.time_ns = track->time_ns } };

	memset(snap, 0, sizeof(*snap));
	snap->missing = diskstats_missing;
	snap->watch = (struct watch){
		.major = disk->major, .minor = disk->minor, .added_ns = track->added_ns,
		.state = track->gone ? FSBSTAT_DISK_GONE : FSBSTAT_DISK_LIVE,
		.restarts = track->restarts, .queues = 1, .shards = 1,
		.silent = track->silent,
	};
	memcpy(snap->watch.name, disk->name, sizeof(snap->watch.name));
	snap->kernel = (struct kernel_counts){
		.read_merges = sum->read_merges, .write_merges = sum->write_merges,
		.discard_merges = sum->discard_merges, .read_ns = sum->read_ms * MS_NS,
		.write_ns = sum->write_ms * MS_NS, .discard_ns = sum->discard_ms * MS_NS,
		.flush_ns = sum->flush_ms * MS_NS, .busy_ns = sum->busy_ms * MS_NS,
		.waiting_ns = sum->waiting_ms * MS_NS,
	};
	class_of(&queue.class[FSBSTAT_CLASS_READ], sum->read_ios, sum->read_sectors);
	class_of(&queue.class[FSBSTAT_CLASS_WRITE], sum->write_ios, sum->write_sectors);
	class_of(&queue.class[FSBSTAT_CLASS_DISCARD], sum->discard_ios, sum->discard_sectors);
	class_of(&queue.class[FSBSTAT_CLASS_FLUSH], sum->flush_ios, 0);
	return snapshot_add_queue(snap, &queue);
}

/* --- the backend --- */

struct tracked {
	struct diskstats_track track;
	int64_t diskseq; /* -1 before 5.15 */
};

static int diskstats_open(struct source *source, const char *path)
{
	size_t i;

	(void)path;
	for (i = 0; i < LAYERS; i++)
		snprintf(source->missing[i], sizeof(source->missing[i]), "%s", reasons[i]);
	return 0;
}

static void diskstats_close(struct source *source)
{
	free(source->own);
	source->own = NULL;
}

static int64_t diskseq(const struct disk *disk)
{
	return kfile_number("/sys/dev/block/%u:%u/diskseq", disk->major, disk->minor);
}

/* Kernels that have no such file count always. */
static bool is_silent(const struct disk *disk)
{
	return !kfile_number("/sys/dev/block/%u:%u/queue/iostats", disk->major, disk->minor);
}

static int diskstats_watch(struct source *source, size_t *culprit)
{
	struct tracked *tracked = calloc(source->disks.nr ? source->disks.nr : 1,
					 sizeof(*tracked));
	struct diskstats stats;
	size_t i;
	int err;

	source->own = tracked;
	if (!tracked)
		return source_fail(source, -ENOMEM, "", "%s", strerror(ENOMEM));
	for (i = 0; i < source->disks.nr; i++) {
		*culprit = i;
		err = live_stats(source, i, &stats);
		if (err)
			return err;
		diskstats_begin(&tracked[i].track, &stats, live_now_ns());
		tracked[i].diskseq = diskseq(&source->disks.disk[i]);
		tracked[i].track.silent = is_silent(&source->disks.disk[i]);
	}
	return 0;
}

/* A disk that is gone stays what it was, even if another comes by its number. */
static void look_again(struct source *source, size_t i)
{
	struct tracked *tracked = (struct tracked *)source->own + i;
	struct diskstats stats;

	if (tracked->track.gone)
		return;
	if (live_stats(source, i, &stats) ||
	    diskseq(&source->disks.disk[i]) != tracked->diskseq)
		tracked->track.gone = true;
	else
		diskstats_take(&tracked->track, &stats, live_now_ns());
	tracked->track.silent = is_silent(&source->disks.disk[i]);
}

static int diskstats_read(struct source *source, size_t i, struct snapshot *snap)
{
	const struct tracked *tracked = (struct tracked *)source->own + i;
	int err;

	look_again(source, i);
	err = diskstats_snapshot(&tracked->track, &source->disks.disk[i], snap);
	return err ? source_fail(source, err, "", "%s", strerror(-err)) : 0;
}

static const char *diskstats_vanished(struct source *source, size_t i)
{
	const struct tracked *tracked = (struct tracked *)source->own + i;

	look_again(source, i);
	return tracked->track.gone ? "the device is gone" : NULL;
}

const struct source_ops diskstats_ops = {
	.open = diskstats_open,
	.close = diskstats_close,
	.watch = diskstats_watch,
	.step = live_step,
	.snapshot = diskstats_read,
	.stats = live_stats,
	.look = live_look,
	.vanished = diskstats_vanished,
};
