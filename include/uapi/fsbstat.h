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
 *	<- ABI, FD [, LAYERS] [, PERMANENT]
 *	-> DISK { ... }
 *	LAYERS are those that the reader wants, all if it is left out.  A holder that asks
 *	again adds to its own.  A disk has the layers that any of its holders wants, and
 *	DISK.LAYERS says which; one that it gets later begins at 0 then (BIO_SINCE,
 *	ATA.START, FS_ALL.SINCE), and one that no holder wants any more is gone, with its
 *	counters: only a layer that one has asked for can be relied on.
 *	FD is a descriptor of the disk, open in the process that sends; it may be
 *	closed afterwards.  The module opens no device: an open can load modules and
 *	wait for a drive, and generic netlink holds a lock of all families meanwhile.
 *	The reference belongs to the sending socket and goes when the socket goes,
 *	however that comes about.  With PERMANENT it belongs to no socket and stays
 *	until DISK_DEL with PERMANENT; asking twice is one reference.
 *	Errors: EBADF FD is not open, ENOTBLK it is no block device, ENODEV its disk
 *	is being removed, EINVAL a partition, EOPNOTSUPP a device without requests
 *	(dm, md), E2BIG more memory than one disk may use, EBUSY the disk is being
 *	reconfigured, ENOMEM, EPERM, EPROTO.
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
 *	-> one message	  DISK { ... }, BIO { ... }, UNFLUSHED { ... }; no BIO without that layer
 *	   per histogram of what is not flushed  one message
 *				       UNFLUSHED_HIST { KIND, COUNT, SUM, MIN, MAX,
 *				       RUN { FIRST, VALUES }... }
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
 *  DISK_SET (do): tell the module what it never asks the drive itself
 *	<- ABI, MAJOR, MINOR, WRITE_CACHE
 *	-> acknowledgment only
 *	Kept for all readers, in DISK.  Errors: ENOENT not watched, EINVAL, EPERM,
 *	EPROTO.
 *
 *  FS_GET (dump): fsync calls and journal commits of every filesystem	<- ABI
 *	-> one message	  FS_ALL { MISSED, LOST }
 *	   per superblock FS { ..., LATENCY { COUNT, SUM, MIN, MAX, RUN ... } }
 *	Counted while any disk has the layer FS; FS_ALL.SINCE says since when, 0: it is not
 *	counted.  Which superblock lies on which disks is
 *	for the reader to find out.  Errors: EPERM, EPROTO, ENOMEM.
 *
 *  OWNERS_GET (dump): who submitted a disk's bios	<- ABI, MAJOR, MINOR
 *	-> one message	  BIO { ... }, the sums of all rows
 *	   per owner	  OWNER { TGID, COMM, MAJOR, MINOR, BIO { ... } }
 *	   one message	  OWNER { OTHER, BIO { ... } }, those the table had no room for
 *  CALLERS_GET (dump): who called fsync		<- ABI
 *	-> one message	  OWNER { FSYNCS }, the sum of all rows
 *	   per owner	  OWNER { TGID, COMM, MAJOR, MINOR, FSYNCS }
 *	   one message	  OWNER { OTHER, FSYNCS }
 *	Rows and OTHER add up to the sum exactly, within one dump.  TGID is left out
 *	for a reader outside the initial pid namespace.  Errors: ENOENT, ENODATA the disk
 *	has no layer BIO, EBUSY, EPERM, EPROTO, ENOMEM.
 *
 *  Events (multicast group FSBSTAT_MCGRP_EVENTS)
 *	DISK_ADDED, DISK_REMOVED, DISK_GONE, DISK_RESTARTED, DISK_SETTINGS: DISK { ... }
 *
 * Who may do what: reading needs CAP_PERFMON or CAP_SYS_ADMIN, adding, removing and
 * DISK_SET CAP_SYS_ADMIN, each in the initial user namespace; all work in the
 * initial network namespace only.  Latencies and counts of a disk tell one user
 * what another does, so reading is privileged as well; the module parameter
 * unprivileged_read=1 opens MODULE_GET, DISK_GET, SNAPSHOT_GET and FS_GET to every
 * process, never OWNERS_GET and CALLERS_GET, which name processes.  DISK_ADD and
 * DISK_DEL stay privileged: they cost memory and put work on the I/O path; so does
 * DISK_SET, which all readers believe.  Events carry no counters and need no
 * privilege.
 */
#ifndef _UAPI_FSBSTAT_H
#define _UAPI_FSBSTAT_H

#include <linux/types.h>

#define FSBSTAT_GENL_NAME	"fsbstat"
#define FSBSTAT_GENL_VERSION	3
#define FSBSTAT_MCGRP_EVENTS	"events"

/* Changes whenever a reader built for the old number would misread the new. */
#define FSBSTAT_ABI		3U

/*
 * Layers, a bit each: what is counted, and paid for, only while a reader wants it.  Requests are
 * always counted.
 */
#define FSBSTAT_LAYER_REQUEST	1U /* QUEUE, DEPTH, HIST, UNFLUSHED */
#define FSBSTAT_LAYER_BIO	2U /* BIO, OWNERS_GET */
#define FSBSTAT_LAYER_DRIVE	4U /* ATA; commands that change settings of the drive */
#define FSBSTAT_LAYER_FS	8U /* FS_GET, CALLERS_GET */
#define FSBSTAT_LAYERS_ALL	15U

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
 * @FSBSTAT_CMD_DISK_SET: tell the state of the drive's write cache
 * @FSBSTAT_CMD_FS_GET: fsync calls and journal commits (dump)
 * @FSBSTAT_CMD_OWNERS_GET: submitters of a disk's bios (dump)
 * @FSBSTAT_CMD_CALLERS_GET: callers of fsync (dump)
 * @FSBSTAT_CMD_DISK_SETTINGS: event: a command that changes settings of the drive
 *	went to it; its write cache is unknown until a reader looks
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
	FSBSTAT_CMD_DISK_SET,
	FSBSTAT_CMD_FS_GET,
	FSBSTAT_CMD_OWNERS_GET,
	FSBSTAT_CMD_CALLERS_GET,
	FSBSTAT_CMD_DISK_SETTINGS,
};

#define FSBSTAT_CMD_MAX FSBSTAT_CMD_DISK_SETTINGS

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
 * @FSBSTAT_A_UNFLUSHED: nest of &enum fsbstat_unflushed_attr
 * @FSBSTAT_A_UNFLUSHED_HIST: nest of &enum fsbstat_hist_attr, its KIND of
 *	&enum fsbstat_unflushed_hist_kind; no QUEUE, no CLASS
 * @FSBSTAT_A_WRITE_CACHE: u8, &enum fsbstat_write_cache
 * @FSBSTAT_A_FS_ALL: nest of &enum fsbstat_fs_all_attr
 * @FSBSTAT_A_FS: nest of &enum fsbstat_fs_attr
 * @FSBSTAT_A_OWNER: nest of &enum fsbstat_owner_attr
 * @FSBSTAT_A_FD: u32, descriptor of a disk, open in the process that sends
 * @FSBSTAT_A_LAYERS: u32, bits %FSBSTAT_LAYER_REQUEST and so on
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
	FSBSTAT_A_UNFLUSHED,
	FSBSTAT_A_UNFLUSHED_HIST,
	FSBSTAT_A_WRITE_CACHE,
	FSBSTAT_A_FS_ALL,
	FSBSTAT_A_FS,
	FSBSTAT_A_OWNER,
	FSBSTAT_A_FD,
	FSBSTAT_A_LAYERS,
};

#define FSBSTAT_A_MAX FSBSTAT_A_LAYERS

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
 * enum fsbstat_hook_attr - one place in the kernel the module can listen at
 * @FSBSTAT_A_HOOK_UNSPEC: never used
 * @FSBSTAT_A_HOOK_NAME: string, name of the tracepoint or function
 * @FSBSTAT_A_HOOK_STATE: u8, &enum fsbstat_hook_state
 * @FSBSTAT_A_HOOK_REQUIRED: flag, without it nothing can be counted
 * @FSBSTAT_A_HOOK_KIND: u8, &enum fsbstat_hook_kind
 */
enum fsbstat_hook_attr {
	FSBSTAT_A_HOOK_UNSPEC,
	FSBSTAT_A_HOOK_NAME,
	FSBSTAT_A_HOOK_STATE,
	FSBSTAT_A_HOOK_REQUIRED,
	FSBSTAT_A_HOOK_KIND,
};

#define FSBSTAT_A_HOOK_MAX FSBSTAT_A_HOOK_KIND

/**
 * enum fsbstat_hook_kind - what a hook is
 * @FSBSTAT_HOOK_TRACEPOINT: a tracepoint
 * @FSBSTAT_HOOK_FUNCTION: entry and return of a function (kretprobe)
 */
enum fsbstat_hook_kind {
	FSBSTAT_HOOK_TRACEPOINT,
	FSBSTAT_HOOK_FUNCTION,
};

/**
 * enum fsbstat_hook_state - where a hook stands
 * @FSBSTAT_HOOK_MISSING: this kernel has no such tracepoint or function, or the
 *	module that has it is not loaded
 * @FSBSTAT_HOOK_IDLE: found, not attached (no disk has its layer)
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
 * @FSBSTAT_A_DISK_WRITE_CACHE: u8, &enum fsbstat_write_cache, as last told by
 *	DISK_SET; unknown again after a command that may have changed it, and without
 *	the layer DRIVE, which sees such commands
 * @FSBSTAT_A_DISK_SETTINGS: u32, how many commands that change settings of the
 *	drive have been seen on their way to it
 * @FSBSTAT_A_DISK_LAYERS: u32, layers that are counted
 * @FSBSTAT_A_DISK_BIO_SINCE: u64, when counting of bios began, ns; absent without that layer
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
	FSBSTAT_A_DISK_WRITE_CACHE,
	FSBSTAT_A_DISK_SETTINGS,
	FSBSTAT_A_DISK_LAYERS,
	FSBSTAT_A_DISK_BIO_SINCE,
};

#define FSBSTAT_A_DISK_MAX FSBSTAT_A_DISK_BIO_SINCE

/**
 * enum fsbstat_write_cache - whether the drive acknowledges writes from its cache
 * @FSBSTAT_WRITE_CACHE_UNKNOWN: nobody has told
 * @FSBSTAT_WRITE_CACHE_ON: it does
 * @FSBSTAT_WRITE_CACHE_OFF: a completed write is safe
 *
 * The drive's own state, not the kernel's view of it (queue/write_cache).
 */
enum fsbstat_write_cache {
	FSBSTAT_WRITE_CACHE_UNKNOWN,
	FSBSTAT_WRITE_CACHE_ON,
	FSBSTAT_WRITE_CACHE_OFF,
};

#define FSBSTAT_WRITE_CACHE_MAX FSBSTAT_WRITE_CACHE_OFF

/**
 * enum fsbstat_disk_state - whether the device is there
 * @FSBSTAT_DISK_LIVE: it is counted
 * @FSBSTAT_DISK_GONE: it vanished; the counters are the last ones
 */
enum fsbstat_disk_state {
	FSBSTAT_DISK_LIVE,
	FSBSTAT_DISK_GONE,
};

#include "fsbstat_counters.h"
#include "fsbstat_fs.h"

#endif /* _UAPI_FSBSTAT_H */
