/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Generic netlink family "fsbstat": the contract between fsbstat.ko and its
 * readers.
 *
 * Every request except FSBSTAT_CMD_MODULE_GET carries FSBSTAT_A_ABI; a module
 * that speaks another ABI refuses it with -EPROTO and names both numbers in the
 * extended ack.  Requests are validated strictly: an attribute that a command
 * does not know is an error.  Numbers are host endian, times are nanoseconds of
 * CLOCK_MONOTONIC, sizes are bytes.  Counters are 64 bit, start at 0 when the
 * disk is added (or restarted, see FSBSTAT_A_DISK_RESTARTS) and never go back.
 *
 * Requests and replies
 *
 *  MODULE_GET (do)
 *	<- nothing (the one way to learn the ABI)
 *	-> MODULE { ABI, VERSION, DISKS, MEMORY, GENERATION, UNPRIVILEGED_READ,
 *		    HOOK { NAME, STATE, REQUIRED }... }
 *
 *  DISK_ADD (do): start counting, or take one more reference
 *	<- ABI, MAJOR, MINOR [, PERMANENT]
 *	-> DISK { ... }
 *	The reference belongs to the sending socket and goes when the socket goes,
 *	however that comes about.  With PERMANENT it belongs to nobody and stays
 *	until DISK_DEL with PERMANENT; asking twice is one reference.
 *	Errors: ENODEV no such block device, EINVAL a partition, EOPNOTSUPP a
 *	device without requests (dm, md), E2BIG more memory than one disk may
 *	use, EBUSY the disk is being removed or reconfigured, ENOMEM, EPERM,
 *	EPROTO.
 *
 *  DISK_DEL (do): give a reference back
 *	<- ABI, MAJOR, MINOR [, PERMANENT]
 *	-> acknowledgment only
 *	The disk goes with its last reference.  Errors: ENOENT nothing to give
 *	back (not watched, or this socket holds no reference), EPERM, EPROTO.
 *
 *  DISK_GET (do): one disk			<- ABI, MAJOR, MINOR
 *	     (dump): every watched disk		<- ABI
 *	-> DISK { ... }, one message a disk
 *
 *  SNAPSHOT_GET (dump): every counter of one disk
 *	<- ABI, MAJOR, MINOR
 *	-> one message	  DISK { ... }, BIO { ... }
 *	   if any was seen one message  ATA { ..., KIND { ... } x 8 }
 *	   per queue	  one message  QUEUE { ..., CLASS { ... } x 7 }
 *	   per queue	  messages     DEPTH { QUEUE, FIRST, VALUES }...
 *	   per histogram  one message  HIST { QUEUE, CLASS, KIND, COUNT, SUM, MIN,
 *				       MAX, RUN { FIRST, VALUES }... }
 *	   per histogram of the ATA layer  one message
 *				       ATA_HIST { KIND, COUNT, SUM, MIN, MAX,
 *				       RUN { FIRST, VALUES }... }
 *	Everything is copied when the dump starts; a reader that reads slowly
 *	changes nothing.  All scalars of one QUEUE message (its CLASS nests too)
 *	and its DEPTH values are of the one instant QUEUE.TIME; each HIST is
 *	consistent in itself (the values of its runs sum to COUNT) and may be
 *	some microseconds younger.  Empty histograms and empty buckets are not sent.
 *	The reader puts the messages together by QUEUE and CLASS.  Errors: ENOENT
 *	not watched, EBUSY too many snapshots are being read, ENOMEM, EPERM, EPROTO.
 *
 *  Events (multicast group FSBSTAT_MCGRP_EVENTS)
 *	DISK_ADDED, DISK_REMOVED, DISK_GONE, DISK_RESTARTED: DISK { ... }
 *
 * Who may do what: every command needs CAP_NET_ADMIN in the initial user
 * namespace and works in the initial network namespace only.  Latencies and
 * counts of a disk tell one user what another does, so reading is privileged as
 * well; the module parameter unprivileged_read=1 opens MODULE_GET, DISK_GET and
 * SNAPSHOT_GET to everybody.  DISK_ADD and DISK_DEL stay privileged: they cost
 * memory and put work on the I/O path.  Events carry no counters and need no
 * privilege.
 */
#ifndef _UAPI_FSBSTAT_H
#define _UAPI_FSBSTAT_H

#include <linux/types.h>

#define FSBSTAT_GENL_NAME	"fsbstat"
#define FSBSTAT_GENL_VERSION	1
#define FSBSTAT_MCGRP_EVENTS	"events"

/* Changes whenever a reader built for the old number would misread the new. */
#define FSBSTAT_ABI		1U

/* No dump message is larger; a reader's receive buffer must hold one. */
#define FSBSTAT_MSG_MAX		16384U
/* Most values in one DEPTH message. */
#define FSBSTAT_DEPTH_CHUNK	1024U

/**
 * enum fsbstat_cmd - commands and events
 * @FSBSTAT_CMD_UNSPEC: never used
 * @FSBSTAT_CMD_MODULE_GET: the module's ABI, version and hooks
 * @FSBSTAT_CMD_DISK_ADD: watch a disk, or take a further reference on it
 * @FSBSTAT_CMD_DISK_DEL: give a reference back
 * @FSBSTAT_CMD_DISK_GET: describe one watched disk (do) or all (dump)
 * @FSBSTAT_CMD_SNAPSHOT_GET: all counters of one disk (dump)
 * @FSBSTAT_CMD_DISK_ADDED: event: a disk is now watched
 * @FSBSTAT_CMD_DISK_REMOVED: event: the last reference went
 * @FSBSTAT_CMD_DISK_GONE: event: the device vanished; its last counters stay
 *	readable until the last reference goes
 * @FSBSTAT_CMD_DISK_RESTARTED: event: the device changed its hardware queues;
 *	all its counters began again at 0
 */
enum fsbstat_cmd {
	FSBSTAT_CMD_UNSPEC,
	FSBSTAT_CMD_MODULE_GET,
	FSBSTAT_CMD_DISK_ADD,
	FSBSTAT_CMD_DISK_DEL,
	FSBSTAT_CMD_DISK_GET,
	FSBSTAT_CMD_SNAPSHOT_GET,
	FSBSTAT_CMD_DISK_ADDED,
	FSBSTAT_CMD_DISK_REMOVED,
	FSBSTAT_CMD_DISK_GONE,
	FSBSTAT_CMD_DISK_RESTARTED,
};

#define FSBSTAT_CMD_MAX FSBSTAT_CMD_DISK_RESTARTED

/**
 * enum fsbstat_attr - attributes of a message
 * @FSBSTAT_A_UNSPEC: never used
 * @FSBSTAT_A_PAD: alignment of 64-bit values
 * @FSBSTAT_A_ABI: u32, the sender's %FSBSTAT_ABI
 * @FSBSTAT_A_MAJOR: u32, major number of the whole disk, 0 to 4095
 * @FSBSTAT_A_MINOR: u32, minor number of the whole disk, 0 to 2^20 - 1
 * @FSBSTAT_A_PERMANENT: flag, the reference is the permanent one
 * @FSBSTAT_A_MODULE: nest of &enum fsbstat_module_attr
 * @FSBSTAT_A_DISK: nest of &enum fsbstat_disk_attr
 * @FSBSTAT_A_BIO: nest of &enum fsbstat_bio_attr
 * @FSBSTAT_A_QUEUE: nest of &enum fsbstat_queue_attr
 * @FSBSTAT_A_DEPTH: nest of &enum fsbstat_depth_attr
 * @FSBSTAT_A_HIST: nest of &enum fsbstat_hist_attr
 * @FSBSTAT_A_ATA: nest of &enum fsbstat_ata_attr; absent while no ATA command of
 *	the disk has been seen
 * @FSBSTAT_A_ATA_HIST: nest of &enum fsbstat_hist_attr, its KIND of
 *	&enum fsbstat_ata_hist_kind; no QUEUE, no CLASS
 */
enum fsbstat_attr {
	FSBSTAT_A_UNSPEC,
	FSBSTAT_A_PAD,
	FSBSTAT_A_ABI,
	FSBSTAT_A_MAJOR,
	FSBSTAT_A_MINOR,
	FSBSTAT_A_PERMANENT,
	FSBSTAT_A_MODULE,
	FSBSTAT_A_DISK,
	FSBSTAT_A_BIO,
	FSBSTAT_A_QUEUE,
	FSBSTAT_A_DEPTH,
	FSBSTAT_A_HIST,
	FSBSTAT_A_ATA,
	FSBSTAT_A_ATA_HIST,
};

#define FSBSTAT_A_MAX FSBSTAT_A_ATA_HIST

/**
 * enum fsbstat_module_attr - the module as a whole
 * @FSBSTAT_A_MODULE_UNSPEC: never used
 * @FSBSTAT_A_MODULE_PAD: alignment of 64-bit values
 * @FSBSTAT_A_MODULE_ABI: u32, the module's %FSBSTAT_ABI
 * @FSBSTAT_A_MODULE_VERSION: string, the module's version
 * @FSBSTAT_A_MODULE_DISKS: u32, disks watched now
 * @FSBSTAT_A_MODULE_GENERATION: u32, changes whenever a disk is added, removed,
 *	gone or restarted
 * @FSBSTAT_A_MODULE_MEMORY: u64, bytes used for all watched disks
 * @FSBSTAT_A_MODULE_UNPRIVILEGED_READ: u8, 1 when anybody may read counters
 * @FSBSTAT_A_MODULE_HOOK: nest of &enum fsbstat_hook_attr, one per tracepoint
 */
enum fsbstat_module_attr {
	FSBSTAT_A_MODULE_UNSPEC,
	FSBSTAT_A_MODULE_PAD,
	FSBSTAT_A_MODULE_ABI,
	FSBSTAT_A_MODULE_VERSION,
	FSBSTAT_A_MODULE_DISKS,
	FSBSTAT_A_MODULE_GENERATION,
	FSBSTAT_A_MODULE_MEMORY,
	FSBSTAT_A_MODULE_UNPRIVILEGED_READ,
	FSBSTAT_A_MODULE_HOOK,
};

#define FSBSTAT_A_MODULE_MAX FSBSTAT_A_MODULE_HOOK

/**
 * enum fsbstat_hook_attr - one tracepoint the module can listen to
 * @FSBSTAT_A_HOOK_UNSPEC: never used
 * @FSBSTAT_A_HOOK_NAME: string, name of the tracepoint
 * @FSBSTAT_A_HOOK_STATE: u8, &enum fsbstat_hook_state
 * @FSBSTAT_A_HOOK_REQUIRED: flag, without it nothing can be counted
 */
enum fsbstat_hook_attr {
	FSBSTAT_A_HOOK_UNSPEC,
	FSBSTAT_A_HOOK_NAME,
	FSBSTAT_A_HOOK_STATE,
	FSBSTAT_A_HOOK_REQUIRED,
};

#define FSBSTAT_A_HOOK_MAX FSBSTAT_A_HOOK_REQUIRED

/**
 * enum fsbstat_hook_state - where a hook stands
 * @FSBSTAT_HOOK_MISSING: this kernel has no such tracepoint
 * @FSBSTAT_HOOK_IDLE: found, not attached (no disk is watched)
 * @FSBSTAT_HOOK_ATTACHED: attached
 */
enum fsbstat_hook_state {
	FSBSTAT_HOOK_MISSING,
	FSBSTAT_HOOK_IDLE,
	FSBSTAT_HOOK_ATTACHED,
};

/**
 * enum fsbstat_disk_attr - one watched disk
 * @FSBSTAT_A_DISK_UNSPEC: never used
 * @FSBSTAT_A_DISK_PAD: alignment of 64-bit values
 * @FSBSTAT_A_DISK_MAJOR: u32
 * @FSBSTAT_A_DISK_MINOR: u32
 * @FSBSTAT_A_DISK_NAME: string, the kernel's name when the disk was added
 * @FSBSTAT_A_DISK_ID: u32, number of this watch; never used again for another
 * @FSBSTAT_A_DISK_STATE: u8, &enum fsbstat_disk_state
 * @FSBSTAT_A_DISK_SETTLING: u8, 1 while requests issued before the disk was
 *	added are still in flight: depth is a lower bound until then
 * @FSBSTAT_A_DISK_RESTARTS: u32, how often the counters began again at 0
 * @FSBSTAT_A_DISK_ADDED: u64, when counting began, ns
 * @FSBSTAT_A_DISK_QUEUES: u32, hardware queues
 * @FSBSTAT_A_DISK_SHARDS: u32, number of QUEUE messages: @FSBSTAT_A_DISK_QUEUES,
 *	or 1 where all hardware queues share one set of tags
 * @FSBSTAT_A_DISK_DEPTH_LIMIT: u32, tags in a QUEUE
 * @FSBSTAT_A_DISK_MEMORY: u64, bytes used for this disk
 * @FSBSTAT_A_DISK_REFERENCES: u32, references held by sockets
 * @FSBSTAT_A_DISK_PERMANENT: u8, 1 when the permanent reference is held
 */
enum fsbstat_disk_attr {
	FSBSTAT_A_DISK_UNSPEC,
	FSBSTAT_A_DISK_PAD,
	FSBSTAT_A_DISK_MAJOR,
	FSBSTAT_A_DISK_MINOR,
	FSBSTAT_A_DISK_NAME,
	FSBSTAT_A_DISK_ID,
	FSBSTAT_A_DISK_STATE,
	FSBSTAT_A_DISK_SETTLING,
	FSBSTAT_A_DISK_RESTARTS,
	FSBSTAT_A_DISK_ADDED,
	FSBSTAT_A_DISK_QUEUES,
	FSBSTAT_A_DISK_SHARDS,
	FSBSTAT_A_DISK_DEPTH_LIMIT,
	FSBSTAT_A_DISK_MEMORY,
	FSBSTAT_A_DISK_REFERENCES,
	FSBSTAT_A_DISK_PERMANENT,
};

#define FSBSTAT_A_DISK_MAX FSBSTAT_A_DISK_PERMANENT

/**
 * enum fsbstat_disk_state - whether the device is there
 * @FSBSTAT_DISK_LIVE: it is counted
 * @FSBSTAT_DISK_GONE: it vanished; the counters are the last ones
 */
enum fsbstat_disk_state {
	FSBSTAT_DISK_LIVE,
	FSBSTAT_DISK_GONE,
};

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
 * @FSBSTAT_A_ATA_TAGS_MAX: u32, most of them at once
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

#endif /* _UAPI_FSBSTAT_H */
