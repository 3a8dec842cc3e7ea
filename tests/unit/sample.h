/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sample: made-up snapshots for the unit tests, counted the way the module counts. */
#ifndef FSB_TESTS_SAMPLE_H
#define FSB_TESTS_SAMPLE_H

#include "model/hist.h"
#include "unit.h"

/* xorshift: the same numbers on every machine. */
static inline uint64_t sample_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static inline void sample_hist(struct hist *hist, uint64_t ns)
{
	if (!hist->count || ns < hist->min_ns)
		hist->min_ns = ns;
	if (!hist->count || ns > hist->max_ns)
		hist->max_ns = ns;
	hist->count++;
	hist->sum_ns += ns;
	hist->bucket[fsbstat_hist_index(ns)]++;
}

/* A disk that has been watched since 1 s and has done nothing yet. */
static inline void sample_begin(struct snapshot *snap, uint32_t queues, uint32_t limit)
{
	struct queue_counts queue;

	memset(snap, 0, sizeof(*snap));
	snap->watch = (struct watch){ .major = 8, .minor = 0, .name = "sda", .id = 7,
				      .added_ns = 1000000000, .queues = queues,
				      .shards = queues, .depth_limit = limit,
				      .write_cache = FSBSTAT_WRITE_CACHE_ON };
	snap->unflushed.time_ns = 1000000000;
	for (uint32_t i = 0; i < queues; i++) {
		memset(&queue, 0, sizeof(queue));
		queue.index = i;
		queue.edge.start_ns = 1000000000;
		queue.edge.time_ns = 1000000000;
		assert_int_equal(snapshot_add_queue(snap, &queue), 0);
	}
}

/* One request of a class: waited, was at the device. */
static inline void sample_request(struct queue_counts *queue, unsigned int class, uint64_t bytes,
				  uint64_t queue_ns, uint64_t device_ns)
{
	const uint64_t ns[] = { [FSBSTAT_HIST_QUEUE] = queue_ns,
				[FSBSTAT_HIST_DEVICE] = device_ns };

	queue->class[class].ios++;
	queue->class[class].bytes += bytes;
	queue->edge.device_ns += device_ns;
	for (unsigned int kind = FSBSTAT_HIST_QUEUE; kind <= FSBSTAT_HIST_DEVICE; kind++) {
		if (!queue->hist[class][kind])
			assert_non_null(queue_new_hist(queue, class, kind));
		sample_hist(queue->hist[class][kind], ns[kind]);
	}
}

/* Time that passes at a depth. */
static inline void sample_time(struct queue_counts *queue, uint32_t depth, uint64_t ns)
{
	queue->depth_ns[depth] += ns;
	queue->edge.time_ns += ns;
}

/* Commands of the disk have been seen: since it is watched, it has been idle. */
static inline struct ata_counts *sample_ata(struct snapshot *snap, uint64_t idle_ns)
{
	struct ata_counts *ata = calloc(1, sizeof(*ata));

	assert_non_null(ata);
	ata->start_ns = 1000000000;
	ata->time_ns = ata->start_ns + idle_ns;
	ata->sums.parts.idle_ns = idle_ns;
	ata->sums.tags_ns[0] = idle_ns;
	snap->ata = ata;
	return ata;
}

/* Time of one part that passes with so many tags in use. */
static inline void sample_ata_time(struct ata_counts *ata, uint64_t *part, uint32_t tags,
				   uint64_t ns)
{
	*part += ns;
	ata->sums.tags_ns[tags] += ns;
	ata->time_ns += ns;
}

/* A sample of a drain, a flush alone or a refill. */
static inline void sample_ata_hist(struct ata_counts *ata, unsigned int kind, uint64_t ns)
{
	if (!ata->hist[kind])
		assert_non_null(ata_new_hist(ata, kind));
	sample_hist(ata->hist[kind], ns);
}

/* A filesystem on the disk, or elsewhere, that has been used. */
static inline void sample_fs(struct snapshot *snap, uint32_t minor, const char *type, bool here,
			     uint64_t commits, unsigned int calls, uint64_t ns)
{
	struct fs_row *row = NULL;

	if (!snap->fs)
		snap->fs = calloc(1, sizeof(*snap->fs));
	assert_non_null(snap->fs);
	for (size_t i = 0; i < snap->fs->nr; i++)
		if (snap->fs->row[i].minor == minor && !strcmp(snap->fs->row[i].type, type))
			row = &snap->fs->row[i];
	if (!row)
		row = fs_new_row(snap->fs, 8, minor, type);
	assert_non_null(row);
	row->here = here;
	row->sums.fsyncs += calls;
	row->sums.commits += commits;
	if (!row->latency)
		row->latency = calloc(1, sizeof(*row->latency));
	assert_non_null(row->latency);
	for (unsigned int i = 0; i < calls; i++)
		sample_hist(row->latency, ns);
}

static inline void sample_copy_fs(struct snapshot *to, const struct fs_counts *from)
{
	to->fs = calloc(1, sizeof(*to->fs));
	assert_non_null(to->fs);
	to->fs->all = from->all;
	to->fs->calls = from->calls;
	to->fs->journal = from->journal;
	for (size_t i = 0; i < from->nr; i++) {
		struct fs_row *row = fs_new_row(to->fs, from->row[i].major, from->row[i].minor,
						from->row[i].type);

		assert_non_null(row);
		row->here = from->row[i].here;
		row->sums = from->row[i].sums;
		row->latency = calloc(1, sizeof(*row->latency));
		assert_non_null(row->latency);
		*row->latency = *from->row[i].latency;
	}
}

/* Time passes; so many bytes are held that no flush covers. */
static inline void sample_unflushed_time(struct unflushed_counts *counts, uint64_t ns)
{
	counts->time_ns += ns;
	counts->integral += (counts->written - counts->covered) / 512 * (ns / 1024);
}

static inline void sample_write(struct unflushed_counts *counts, uint64_t bytes)
{
	if (!counts->since_ns)
		counts->since_ns = counts->time_ns;
	counts->written += bytes;
}

/* A flush that covers everything. */
static inline void sample_flush(struct unflushed_counts *counts)
{
	const uint64_t now[] = {
		[FSBSTAT_UNFLUSHED_HIST_BYTES] = counts->written - counts->covered,
		[FSBSTAT_UNFLUSHED_HIST_AGE] = counts->time_ns - counts->since_ns };

	for (unsigned int kind = 0; kind < FSBSTAT_UNFLUSHED_HISTS; kind++) {
		if (kind == FSBSTAT_UNFLUSHED_HIST_AGE && !counts->since_ns)
			continue;
		if (!counts->hist[kind])
			assert_non_null(unflushed_new_hist(counts, kind));
		sample_hist(counts->hist[kind], now[kind]);
	}
	counts->flushes++;
	counts->covered = counts->written;
	counts->since_ns = 0;
}

static inline void sample_copy_ata(struct snapshot *to, const struct ata_counts *from)
{
	*sample_ata(to, 0) = *from;
	memset(to->ata->hist, 0, sizeof(to->ata->hist));
	for (unsigned int kind = 0; kind < FSBSTAT_ATA_HISTS; kind++)
		if (from->hist[kind])
			*ata_new_hist(to->ata, kind) = *from->hist[kind];
}

/* A copy of its own, as a later read would be. */
static inline void sample_copy(struct snapshot *to, const struct snapshot *from)
{
	memset(to, 0, sizeof(*to));
	to->watch = from->watch;
	to->bio = from->bio;
	for (uint32_t i = 0; i < from->nr_queues; i++) {
		const struct queue_counts *queue = &from->queue[i];

		assert_int_equal(snapshot_add_queue(to, queue), 0);
		memcpy(to->queue[i].depth_ns, queue->depth_ns,
		       queue->nr_depth * sizeof(*queue->depth_ns));
		for (unsigned int class = 0; class < FSBSTAT_CLASSES; class++)
			for (unsigned int kind = 0; kind < FSBSTAT_HIST_KINDS; kind++)
				if (queue->hist[class][kind])
					*queue_new_hist(&to->queue[i], class, kind) =
						*queue->hist[class][kind];
	}
	if (from->ata)
		sample_copy_ata(to, from->ata);
	if (from->fs)
		sample_copy_fs(to, from->fs);
	to->unflushed = from->unflushed;
	memset(to->unflushed.hist, 0, sizeof(to->unflushed.hist));
	for (unsigned int kind = 0; kind < FSBSTAT_UNFLUSHED_HISTS; kind++)
		if (from->unflushed.hist[kind])
			*unflushed_new_hist(&to->unflushed, kind) = *from->unflushed.hist[kind];
}

#endif /* FSB_TESTS_SAMPLE_H */
