/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Attributes of a disk's counters: bios, requests, latencies, the ATA layer, and what
 * is written and not flushed.  Part of fsbstat.h, which says how they travel.
 */
#ifndef _UAPI_FSBSTAT_COUNTERS_H
#define _UAPI_FSBSTAT_COUNTERS_H

/**
 * enum fsbstat_bio_attr - what was asked of the disk, and merges; all u64
 * @FSBSTAT_A_BIO_UNSPEC: never used
 * @FSBSTAT_A_BIO_PAD: alignment of 64-bit values
 * @FSBSTAT_A_BIO_READ_IOS: read bios
 * @FSBSTAT_A_BIO_READ_BYTES: their bytes
 * @FSBSTAT_A_BIO_WRITE_IOS: write bios with data (zone append too)
 * @FSBSTAT_A_BIO_WRITE_BYTES: their bytes
 * @FSBSTAT_A_BIO_DISCARD_IOS: discard bios
 * @FSBSTAT_A_BIO_DISCARD_BYTES: their bytes
 * @FSBSTAT_A_BIO_OTHER_IOS: all other bios except empty flushes
 * @FSBSTAT_A_BIO_OTHER_BYTES: their bytes
 * @FSBSTAT_A_BIO_PREFLUSH: write bios with data and REQ_PREFLUSH
 * @FSBSTAT_A_BIO_FUA: write bios with data and REQ_FUA
 * @FSBSTAT_A_BIO_EMPTY_FLUSH: REQ_PREFLUSH bios without data
 * @FSBSTAT_A_BIO_READ_MERGES: bios and requests merged into another read
 * @FSBSTAT_A_BIO_WRITE_MERGES: the same for writes
 *
 * While the kernel's view of the write cache is "write through" it strips
 * REQ_PREFLUSH and REQ_FUA, and ends empty flushes, before any tracepoint
 * (submit_bio_noacct()): the three flush counters then stand still.
 */
enum fsbstat_bio_attr {
	FSBSTAT_A_BIO_UNSPEC,
	FSBSTAT_A_BIO_PAD,
	FSBSTAT_A_BIO_READ_IOS,
	FSBSTAT_A_BIO_READ_BYTES,
	FSBSTAT_A_BIO_WRITE_IOS,
	FSBSTAT_A_BIO_WRITE_BYTES,
	FSBSTAT_A_BIO_DISCARD_IOS,
	FSBSTAT_A_BIO_DISCARD_BYTES,
	FSBSTAT_A_BIO_OTHER_IOS,
	FSBSTAT_A_BIO_OTHER_BYTES,
	FSBSTAT_A_BIO_PREFLUSH,
	FSBSTAT_A_BIO_FUA,
	FSBSTAT_A_BIO_EMPTY_FLUSH,
	FSBSTAT_A_BIO_READ_MERGES,
	FSBSTAT_A_BIO_WRITE_MERGES,
};

#define FSBSTAT_A_BIO_MAX FSBSTAT_A_BIO_WRITE_MERGES

/**
 * enum fsbstat_class - request classes; each request is of exactly one
 * @FSBSTAT_CLASS_READ: REQ_OP_READ
 * @FSBSTAT_CLASS_WRITE: REQ_OP_WRITE without REQ_FUA, REQ_OP_ZONE_APPEND
 * @FSBSTAT_CLASS_FUA_WRITE: REQ_OP_WRITE that reaches the driver with REQ_FUA
 * @FSBSTAT_CLASS_FLUSH: REQ_OP_FLUSH
 * @FSBSTAT_CLASS_DISCARD: REQ_OP_DISCARD
 * @FSBSTAT_CLASS_WRITE_ZEROES: REQ_OP_WRITE_ZEROES
 * @FSBSTAT_CLASS_OTHER: passthrough, secure erase, zone management
 * @FSBSTAT_CLASSES: how many there are
 */
enum fsbstat_class {
	FSBSTAT_CLASS_READ,
	FSBSTAT_CLASS_WRITE,
	FSBSTAT_CLASS_FUA_WRITE,
	FSBSTAT_CLASS_FLUSH,
	FSBSTAT_CLASS_DISCARD,
	FSBSTAT_CLASS_WRITE_ZEROES,
	FSBSTAT_CLASS_OTHER,
	FSBSTAT_CLASSES,
};

/**
 * enum fsbstat_queue_attr - one hardware queue (or the shared tag set)
 * @FSBSTAT_A_QUEUE_UNSPEC: never used
 * @FSBSTAT_A_QUEUE_PAD: alignment of 64-bit values
 * @FSBSTAT_A_QUEUE_INDEX: u32, number of the hardware queue
 * @FSBSTAT_A_QUEUE_INFLIGHT: u32, requests issued and not completed
 * @FSBSTAT_A_QUEUE_DEPTH_MAX: u32, most of them at once
 * @FSBSTAT_A_QUEUE_START: u64, when this queue's clock began, ns
 * @FSBSTAT_A_QUEUE_TIME: u64, when it was read, ns; the depth values sum to
 *	TIME - START to the nanosecond
 * @FSBSTAT_A_QUEUE_DEVICE_NS: u64, sum of all device latencies; the sum of depth
 *	x time equals DEVICE_NS + REQUEUED_NS + INFLIGHT_AGE_NS
 * @FSBSTAT_A_QUEUE_REQUEUED_NS: u64, time between an issue and the requeue that
 *	took it back
 * @FSBSTAT_A_QUEUE_INFLIGHT_AGE_NS: u64, age of the requests in flight, summed
 * @FSBSTAT_A_QUEUE_UNMATCHED: u64, completions of started requests that were
 *	never seen issued, though the disk had settled
 * @FSBSTAT_A_QUEUE_UNTRACKED: u64, completions of requests in flight when the
 *	disk was added, and requests on a queue or tag that did not exist then
 * @FSBSTAT_A_QUEUE_DISPLACED: u64, requests whose tag was taken by another before
 *	their requeue was reported; they are out of the queue from then on
 * @FSBSTAT_A_QUEUE_PARTIAL: u64, completions of a part of a request
 * @FSBSTAT_A_QUEUE_SEQUENCE_END: u64, ends of flush sequences of writes with data
 * @FSBSTAT_A_QUEUE_SEQUENCE_END_EMPTY: u64, ends of empty flushes; /proc/diskstats
 *	counts each as a write
 * @FSBSTAT_A_QUEUE_SEQUENCE_END_ERRORS: u64, those of both that failed
 * @FSBSTAT_A_QUEUE_CLOCK_ANOMALIES: u64, durations that came out negative
 * @FSBSTAT_A_QUEUE_OTHER_WRITES: u64, requests of class OTHER that write and are
 *	no passthrough; /proc/diskstats counts them as writes
 * @FSBSTAT_A_QUEUE_CLASS: nest of &enum fsbstat_class_attr, one per class
 */
enum fsbstat_queue_attr {
	FSBSTAT_A_QUEUE_UNSPEC,
	FSBSTAT_A_QUEUE_PAD,
	FSBSTAT_A_QUEUE_INDEX,
	FSBSTAT_A_QUEUE_INFLIGHT,
	FSBSTAT_A_QUEUE_DEPTH_MAX,
	FSBSTAT_A_QUEUE_START,
	FSBSTAT_A_QUEUE_TIME,
	FSBSTAT_A_QUEUE_DEVICE_NS,
	FSBSTAT_A_QUEUE_REQUEUED_NS,
	FSBSTAT_A_QUEUE_INFLIGHT_AGE_NS,
	FSBSTAT_A_QUEUE_UNMATCHED,
	FSBSTAT_A_QUEUE_UNTRACKED,
	FSBSTAT_A_QUEUE_DISPLACED,
	FSBSTAT_A_QUEUE_PARTIAL,
	FSBSTAT_A_QUEUE_SEQUENCE_END,
	FSBSTAT_A_QUEUE_SEQUENCE_END_EMPTY,
	FSBSTAT_A_QUEUE_SEQUENCE_END_ERRORS,
	FSBSTAT_A_QUEUE_CLOCK_ANOMALIES,
	FSBSTAT_A_QUEUE_OTHER_WRITES,
	FSBSTAT_A_QUEUE_CLASS,
};

#define FSBSTAT_A_QUEUE_MAX FSBSTAT_A_QUEUE_CLASS

/**
 * enum fsbstat_class_attr - the requests of one class on one queue
 * @FSBSTAT_A_CLASS_UNSPEC: never used
 * @FSBSTAT_A_CLASS_PAD: alignment of 64-bit values
 * @FSBSTAT_A_CLASS_CLASS: u8, &enum fsbstat_class
 * @FSBSTAT_A_CLASS_IOS: u64, requests that were issued and ended
 * @FSBSTAT_A_CLASS_BYTES: u64, bytes of their completions, partial ones too
 * @FSBSTAT_A_CLASS_ERRORS: u64, those that ended with an error
 * @FSBSTAT_A_CLASS_REQUEUES: u64, issued requests the driver gave back
 * @FSBSTAT_A_CLASS_BUSY: u64, requests the driver would not take (not issued)
 * @FSBSTAT_A_CLASS_NOT_SENT: u64, requests that ended without being at the
 *	device (dead or offline device); not in IOS
 * @FSBSTAT_A_CLASS_NOT_SENT_BYTES: u64, their bytes; not in BYTES
 */
enum fsbstat_class_attr {
	FSBSTAT_A_CLASS_UNSPEC,
	FSBSTAT_A_CLASS_PAD,
	FSBSTAT_A_CLASS_CLASS,
	FSBSTAT_A_CLASS_IOS,
	FSBSTAT_A_CLASS_BYTES,
	FSBSTAT_A_CLASS_ERRORS,
	FSBSTAT_A_CLASS_REQUEUES,
	FSBSTAT_A_CLASS_BUSY,
	FSBSTAT_A_CLASS_NOT_SENT,
	FSBSTAT_A_CLASS_NOT_SENT_BYTES,
};

#define FSBSTAT_A_CLASS_MAX FSBSTAT_A_CLASS_NOT_SENT_BYTES

/**
 * enum fsbstat_depth_attr - a stretch of one queue's time at each depth
 * @FSBSTAT_A_DEPTH_UNSPEC: never used
 * @FSBSTAT_A_DEPTH_QUEUE: u32, the queue's index
 * @FSBSTAT_A_DEPTH_FIRST: u32, the depth the first value belongs to
 * @FSBSTAT_A_DEPTH_VALUES: array of u64, ns spent at FIRST, FIRST + 1, ... (at
 *	most %FSBSTAT_DEPTH_CHUNK values, unaligned in the message)
 */
enum fsbstat_depth_attr {
	FSBSTAT_A_DEPTH_UNSPEC,
	FSBSTAT_A_DEPTH_QUEUE,
	FSBSTAT_A_DEPTH_FIRST,
	FSBSTAT_A_DEPTH_VALUES,
};

#define FSBSTAT_A_DEPTH_MAX FSBSTAT_A_DEPTH_VALUES

/**
 * enum fsbstat_hist_kind - what a histogram measures
 * @FSBSTAT_HIST_QUEUE: request allocated (start_time_ns) to first issue; does
 *	not hold the wait for a tag
 * @FSBSTAT_HIST_DEVICE: last issue to completion
 * @FSBSTAT_HIST_DURABLE: request allocated to end of its flush sequence; only
 *	for the classes WRITE and FUA_WRITE
 * @FSBSTAT_HIST_KINDS: how many there are
 */
enum fsbstat_hist_kind {
	FSBSTAT_HIST_QUEUE,
	FSBSTAT_HIST_DEVICE,
	FSBSTAT_HIST_DURABLE,
	FSBSTAT_HIST_KINDS,
};

/**
 * enum fsbstat_hist_attr - one latency histogram
 * @FSBSTAT_A_HIST_UNSPEC: never used
 * @FSBSTAT_A_HIST_PAD: alignment of 64-bit values
 * @FSBSTAT_A_HIST_QUEUE: u32, the queue's index
 * @FSBSTAT_A_HIST_CLASS: u8, &enum fsbstat_class
 * @FSBSTAT_A_HIST_KIND: u8, &enum fsbstat_hist_kind
 * @FSBSTAT_A_HIST_COUNT: u64, samples
 * @FSBSTAT_A_HIST_SUM: u64, their sum, ns
 * @FSBSTAT_A_HIST_MIN: u64, the least since the disk was added, ns
 * @FSBSTAT_A_HIST_MAX: u64, the greatest since the disk was added, ns
 * @FSBSTAT_A_HIST_RUN: nest of &enum fsbstat_run_attr, one for each stretch of
 *	buckets that are not empty, in ascending order
 */
enum fsbstat_hist_attr {
	FSBSTAT_A_HIST_UNSPEC,
	FSBSTAT_A_HIST_PAD,
	FSBSTAT_A_HIST_QUEUE,
	FSBSTAT_A_HIST_CLASS,
	FSBSTAT_A_HIST_KIND,
	FSBSTAT_A_HIST_COUNT,
	FSBSTAT_A_HIST_SUM,
	FSBSTAT_A_HIST_MIN,
	FSBSTAT_A_HIST_MAX,
	FSBSTAT_A_HIST_RUN,
};

#define FSBSTAT_A_HIST_MAX_ATTR FSBSTAT_A_HIST_RUN

/**
 * enum fsbstat_run_attr - neighbouring buckets of a histogram
 * @FSBSTAT_A_RUN_UNSPEC: never used
 * @FSBSTAT_A_RUN_FIRST: u32, index of the first bucket (see fsbstat_hist.h)
 * @FSBSTAT_A_RUN_VALUES: array of u64, samples in FIRST, FIRST + 1, ...
 *	(unaligned in the message)
 */
enum fsbstat_run_attr {
	FSBSTAT_A_RUN_UNSPEC,
	FSBSTAT_A_RUN_FIRST,
	FSBSTAT_A_RUN_VALUES,
};

#define FSBSTAT_A_RUN_MAX FSBSTAT_A_RUN_VALUES

/**
 * enum fsbstat_ata_kind - ATA commands by protocol and command code
 * @FSBSTAT_ATA_NCQ_READ: READ FPDMA QUEUED
 * @FSBSTAT_ATA_NCQ_WRITE: WRITE FPDMA QUEUED
 * @FSBSTAT_ATA_NCQ_FUA_WRITE: WRITE FPDMA QUEUED with FUA (device register bit 7)
 * @FSBSTAT_ATA_NCQ_OTHER: queued commands without user data, or with SEND/RECEIVE
 * @FSBSTAT_ATA_FLUSH: FLUSH CACHE, FLUSH CACHE EXT
 * @FSBSTAT_ATA_TRIM: DATA SET MANAGEMENT, not queued
 * @FSBSTAT_ATA_FUA_WRITE: WRITE DMA FUA EXT, WRITE MULTIPLE FUA EXT
 * @FSBSTAT_ATA_OTHER: all other non-queued ones (reads and writes too when NCQ is off)
 * @FSBSTAT_ATA_KINDS: how many there are
 */
enum fsbstat_ata_kind {
	FSBSTAT_ATA_NCQ_READ,
	FSBSTAT_ATA_NCQ_WRITE,
	FSBSTAT_ATA_NCQ_FUA_WRITE,
	FSBSTAT_ATA_NCQ_OTHER,
	FSBSTAT_ATA_FLUSH,
	FSBSTAT_ATA_TRIM,
	FSBSTAT_ATA_FUA_WRITE,
	FSBSTAT_ATA_OTHER,
	FSBSTAT_ATA_KINDS,
};

/**
 * enum fsbstat_ata_attr - what the disk was given at its ATA link
 * @FSBSTAT_A_ATA_UNSPEC: never used
 * @FSBSTAT_A_ATA_PAD: alignment of 64-bit values
 * @FSBSTAT_A_ATA_START: u64, when this clock began, ns
 * @FSBSTAT_A_ATA_TIME: u64, when it was read, ns
 * @FSBSTAT_A_ATA_TAGS: u32, NCQ tags in use
 * @FSBSTAT_A_ATA_TAGS_MAX: u32, the most that any time was spent with
 * @FSBSTAT_A_ATA_TIME_NS: array of u64, ns with 0, 1, ... 32 NCQ tags in use; the
 *	values and ERROR_NS sum to TIME - START to the nanosecond
 * @FSBSTAT_A_ATA_IDLE_NS: u64, nothing at the disk and nothing drained for
 * @FSBSTAT_A_ATA_QUEUED_NS: u64, working on queued commands, none waiting for the
 *	queue to drain
 * @FSBSTAT_A_ATA_DRAIN_NS: u64, a non-queued command waits for the queue to drain
 * @FSBSTAT_A_ATA_ALONE_NS: u64, a non-queued command is at the disk
 * @FSBSTAT_A_ATA_ERROR_NS: u64, error handling; the five sum to TIME - START
 * @FSBSTAT_A_ATA_ERRORS: u64, commands that failed
 * @FSBSTAT_A_ATA_DRAINS: u64, non-queued commands that had to wait for queued ones
 * @FSBSTAT_A_ATA_WAIT_NS: u64, of them: first issue of the request to the end of the
 *	last queued command
 * @FSBSTAT_A_ATA_TURNAROUND_NS: u64, of them: from then to the issue of the command
 * @FSBSTAT_A_ATA_REFILLS: u64, refills measured (histogram REFILL)
 * @FSBSTAT_A_ATA_REFILLS_CENSORED: u64, refills cut short by the next drain, by
 *	100 ms, or by an error; in no histogram
 * @FSBSTAT_A_ATA_TAG_TIME_LOST_NS: u64, tags x time below the depth before the
 *	drain, from its wait to the end of its refill: an upper bound
 * @FSBSTAT_A_ATA_KIND: nest of &enum fsbstat_ata_kind_attr, one per kind
 */
enum fsbstat_ata_attr {
	FSBSTAT_A_ATA_UNSPEC,
	FSBSTAT_A_ATA_PAD,
	FSBSTAT_A_ATA_START,
	FSBSTAT_A_ATA_TIME,
	FSBSTAT_A_ATA_TAGS,
	FSBSTAT_A_ATA_TAGS_MAX,
	FSBSTAT_A_ATA_TIME_NS,
	FSBSTAT_A_ATA_IDLE_NS,
	FSBSTAT_A_ATA_QUEUED_NS,
	FSBSTAT_A_ATA_DRAIN_NS,
	FSBSTAT_A_ATA_ALONE_NS,
	FSBSTAT_A_ATA_ERROR_NS,
	FSBSTAT_A_ATA_ERRORS,
	FSBSTAT_A_ATA_DRAINS,
	FSBSTAT_A_ATA_WAIT_NS,
	FSBSTAT_A_ATA_TURNAROUND_NS,
	FSBSTAT_A_ATA_REFILLS,
	FSBSTAT_A_ATA_REFILLS_CENSORED,
	FSBSTAT_A_ATA_TAG_TIME_LOST_NS,
	FSBSTAT_A_ATA_KIND,
};

#define FSBSTAT_A_ATA_MAX FSBSTAT_A_ATA_KIND

/**
 * enum fsbstat_ata_kind_attr - the commands of one kind
 * @FSBSTAT_A_ATA_KIND_UNSPEC: never used
 * @FSBSTAT_A_ATA_KIND_PAD: alignment of 64-bit values
 * @FSBSTAT_A_ATA_KIND_KIND: u8, &enum fsbstat_ata_kind
 * @FSBSTAT_A_ATA_KIND_IOS: u64, commands issued
 * @FSBSTAT_A_ATA_KIND_BUSY_NS: u64, for non-queued kinds, issue to completion
 */
enum fsbstat_ata_kind_attr {
	FSBSTAT_A_ATA_KIND_UNSPEC,
	FSBSTAT_A_ATA_KIND_PAD,
	FSBSTAT_A_ATA_KIND_KIND,
	FSBSTAT_A_ATA_KIND_IOS,
	FSBSTAT_A_ATA_KIND_BUSY_NS,
};

#define FSBSTAT_A_ATA_KIND_MAX FSBSTAT_A_ATA_KIND_BUSY_NS

/**
 * enum fsbstat_ata_hist_kind - histograms of the ATA layer
 * @FSBSTAT_ATA_HIST_DRAIN: wait + turnaround of commands that had to wait
 * @FSBSTAT_ATA_HIST_ALONE: issue to completion of FLUSH CACHE (EXT)
 * @FSBSTAT_ATA_HIST_REFILL: end of a non-queued command until 90 % of the depth
 *	before its wait is back, where that was two tags or more
 * @FSBSTAT_ATA_HISTS: how many there are
 */
enum fsbstat_ata_hist_kind {
	FSBSTAT_ATA_HIST_DRAIN,
	FSBSTAT_ATA_HIST_ALONE,
	FSBSTAT_ATA_HIST_REFILL,
	FSBSTAT_ATA_HISTS,
};

/**
 * enum fsbstat_unflushed_attr - written, and not covered by a flush
 * @FSBSTAT_A_UNFLUSHED_UNSPEC: never used
 * @FSBSTAT_A_UNFLUSHED_PAD: alignment of 64-bit values
 * @FSBSTAT_A_UNFLUSHED_TIME: u64, when this was read, ns
 * @FSBSTAT_A_UNFLUSHED_WRITTEN: u64, bytes of successfully completed writes without
 *	REQ_FUA (classes WRITE and WRITE_ZEROES)
 * @FSBSTAT_A_UNFLUSHED_COVERED: u64, those of them that had completed when a flush
 *	that has since succeeded was given to the device; WRITTEN - COVERED is an
 *	upper bound of what a power cut takes from a drive that caches
 * @FSBSTAT_A_UNFLUSHED_SINCE: u64, when the first write beyond COVERED completed,
 *	ns; 0: there is none
 * @FSBSTAT_A_UNFLUSHED_INTEGRAL: u64, WRITTEN - COVERED in sectors of 512 bytes,
 *	summed over time in units of 1024 ns, modulo 2^64: the difference of two
 *	values over the time between them is the mean
 * @FSBSTAT_A_UNFLUSHED_FLUSHES: u64, flushes that succeeded, passthrough ones of
 *	ATA too
 */
enum fsbstat_unflushed_attr {
	FSBSTAT_A_UNFLUSHED_UNSPEC,
	FSBSTAT_A_UNFLUSHED_PAD,
	FSBSTAT_A_UNFLUSHED_TIME,
	FSBSTAT_A_UNFLUSHED_WRITTEN,
	FSBSTAT_A_UNFLUSHED_COVERED,
	FSBSTAT_A_UNFLUSHED_SINCE,
	FSBSTAT_A_UNFLUSHED_INTEGRAL,
	FSBSTAT_A_UNFLUSHED_FLUSHES,
};

#define FSBSTAT_A_UNFLUSHED_MAX FSBSTAT_A_UNFLUSHED_FLUSHES

/**
 * enum fsbstat_unflushed_hist_kind - how far it had come, just before each flush that
 *	succeeded had its effect
 * @FSBSTAT_UNFLUSHED_HIST_BYTES: WRITTEN - COVERED; bytes in place of ns
 * @FSBSTAT_UNFLUSHED_HIST_AGE: time since the first write beyond COVERED; no sample
 *	where there was none
 * @FSBSTAT_UNFLUSHED_HISTS: how many there are
 */
enum fsbstat_unflushed_hist_kind {
	FSBSTAT_UNFLUSHED_HIST_BYTES,
	FSBSTAT_UNFLUSHED_HIST_AGE,
	FSBSTAT_UNFLUSHED_HISTS,
};

#endif /* _UAPI_FSBSTAT_COUNTERS_H */
