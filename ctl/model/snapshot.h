/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot: all counters of one disk at one instant, and a delta: the difference
 * of two.  Plain data, no input or output; every command and every source speaks
 * in these terms.  Times are nanoseconds of CLOCK_MONOTONIC, sizes are bytes.
 *
 * Ownership: a struct snapshot owns its queues; snapshot_free() releases what it
 * points to (not the struct itself) and may be called twice.
 */
#ifndef FSB_MODEL_SNAPSHOT_H
#define FSB_MODEL_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fsbstat.h>
#include <fsbstat_hist.h>

#include "model/ata.h"
#include "model/fs.h"
#include "model/unflushed.h"

struct hist {
	uint64_t count;
	uint64_t sum_ns;
	uint64_t min_ns; /* meaningless while count is 0 */
	uint64_t max_ns;
	bool exact; /* min and max are of exactly these samples */
	uint64_t bucket[FSBSTAT_HIST_BUCKETS];
};

struct class_counts {
	uint64_t ios;
	uint64_t bytes;
	uint64_t errors;
	uint64_t requeues;
	uint64_t busy;
	uint64_t not_sent;
	uint64_t not_sent_bytes;
};

/* A queue's side of the exact identities, at one instant. */
struct queue_edge {
	uint32_t inflight;
	uint64_t start_ns;
	uint64_t time_ns;
	uint64_t device_ns;
	uint64_t requeued_ns;
	uint64_t inflight_age_ns;
};

/* What tells how far the counts can be trusted. */
struct quality_counts {
	uint64_t unmatched;
	uint64_t untracked;
	uint64_t displaced;
	uint64_t partial;
	uint64_t sequence_end;
	uint64_t sequence_end_empty;
	uint64_t sequence_end_errors;
	uint64_t clock_anomalies;
	uint64_t other_writes;
};

/* One hardware queue (or the shared tag set of all). */
struct queue_counts {
	uint32_t index;
	uint32_t depth_max;
	struct queue_edge edge;
	struct quality_counts quality;
	struct class_counts class[FSBSTAT_CLASSES];
	uint32_t nr_depth; /* values in depth_ns: limit + 1 */
	uint64_t *depth_ns; /* time at each depth, owned */
	struct hist *hist[FSBSTAT_CLASSES][FSBSTAT_HIST_KINDS]; /* NULL: empty; owned */
};

struct bio_counts {
	uint64_t read_ios, read_bytes;
	uint64_t write_ios, write_bytes;
	uint64_t discard_ios, discard_bytes;
	uint64_t other_ios, other_bytes;
	uint64_t preflush, fua, empty_flush;
	uint64_t read_merges, write_merges;
};

/* How the module describes a watched disk. */
struct watch {
	uint32_t major, minor;
	char name[32];
	uint32_t id;
	enum fsbstat_disk_state state;
	bool settling;
	bool silent; /* the kernel has been told not to count: no number says anything */
	uint32_t restarts;
	uint64_t added_ns;
	uint32_t queues; /* hardware queues */
	uint32_t shards; /* queue_counts, 1 with shared tags */
	uint32_t depth_limit;
	uint64_t memory;
	uint32_t references;
	bool permanent;
	enum fsbstat_write_cache write_cache; /* of the drive, as somebody told the module */
	uint32_t settings; /* commands seen that change settings of the drive */
	uint32_t layers; /* FSBSTAT_LAYER_BIO and so on, of the module alone */
};

/* What a source may be unable to tell. */
enum layer {
	LAYER_CLASSES, /* fua_write, write_zeroes, other apart from write; errors, requeues */
	LAYER_LATENCY, /* histograms */
	LAYER_DEPTH, /* time at each depth */
	LAYER_BIO,
	LAYER_ATA,
	LAYER_UNFLUSHED,
	LAYER_FS,
	LAYER_OWNERS,
	LAYERS,
};

#define LAYER_BIT(layer) (1U << (layer))

/* What /proc/diskstats has and the module does not; of a snapshot that lacks LAYER_LATENCY. */
struct kernel_counts {
	uint64_t read_merges, write_merges, discard_merges;
	/* From a request's allocation to its end, waiting included; kept in milliseconds. */
	uint64_t read_ns, write_ns, discard_ns, flush_ns;
	uint64_t busy_ns; /* something was in flight */
	uint64_t waiting_ns; /* those times of all requests together */
};

struct snapshot {
	uint32_t missing; /* LAYER_BIT()s of what its source cannot tell; 0 from the module */
	struct kernel_counts kernel;
	struct watch watch;
	struct bio_counts bio;
	uint32_t nr_queues;
	struct queue_counts *queue;
	struct ata_counts *ata; /* NULL: no ATA command of the disk has been seen; owned */
	struct fs_counts *fs; /* NULL: nothing is known of filesystems; owned */
	struct unflushed_counts unflushed;
};

void snapshot_free(struct snapshot *snap);

/*
 * How a source builds one: snap->watch first, then the queues, then what belongs to
 * a queue.  Nothing a source was told is believed: what does not fit is -EBADMSG.
 * The queue is copied from @scalars; its depth_ns is allocated here, hist is empty.
 */
int snapshot_add_queue(struct snapshot *snap, const struct queue_counts *scalars);
struct queue_counts *snapshot_queue(const struct snapshot *snap, uint32_t index);
int queue_set_depth(struct queue_counts *queue, uint32_t first, const void *values, size_t bytes);
/* NULL: no such class or kind, there already, or no memory. */
struct hist *queue_new_hist(struct queue_counts *queue, unsigned int class, unsigned int kind);

#endif /* FSB_MODEL_SNAPSHOT_H */
