/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source: where counts come from, behind one interface: the kernel module, what the
 * kernel itself keeps (/proc/diskstats, sysfs), or a recording of either.  For
 * commands and record/; whatever builds on it needs no root and no disk to be tested.
 *
 *	source_open()		which source
 *	source_watch()		which disks (a recording: all in it, done by itself)
 *	source_step()		the next instant: of a live source it is now
 *	source_snapshot() ...	what disk i is like at that instant
 *	source_close()
 *
 * Functions return 0 or a negative error number unless they say otherwise;
 * source_error() then has the reason and source_hint() how to go on ("": nothing to say).
 */
#ifndef FSB_SOURCE_SOURCE_H
#define FSB_SOURCE_SOURCE_H

#include "disk/describe.h"
#include "disk/mounts.h"
#include "model/owners.h"
#include "model/snapshot.h"
#include "source/host.h"

enum source_kind {
	SOURCE_AUTO, /* the module, loaded if need be; where that cannot be, diskstats */
	SOURCE_MODULE,
	SOURCE_DISKSTATS,
	SOURCE_FILE,
};

/* "auto", "module", "diskstats", "file"; SOURCE_AUTO to SOURCE_DISKSTATS by name. */
const char *source_kind_name(enum source_kind kind);
int source_kind_parse(const char *name, enum source_kind *kind);

struct source;
struct module;

/*
 * @path: the recording, for SOURCE_FILE alone.  *source is set even on failure (for
 * source_error()); close it in any case.
 */
int source_open(struct source **source, enum source_kind kind, const char *path);
void source_close(struct source *source);
const char *source_error(const struct source *source);
const char *source_hint(const struct source *source);

/* --- what it is; valid until it is closed --- */

/* What it came to be, never SOURCE_AUTO. */
enum source_kind source_kind(const struct source *source);
/* What made the counts: SOURCE_MODULE or SOURCE_DISKSTATS, of a recording too. */
enum source_kind source_counted_by(const struct source *source);
/*
 * One line, or "": SOURCE_AUTO had to do without the module; a recording has turned out to
 * break off (known after its last instant).  The second has what follows from that.
 */
const char *source_notice(const struct source *source);
const char *source_notice_more(const struct source *source);
/* "" without the module. */
const char *source_module_version(const struct source *source);
/* The module can see what libata gives to disks. */
bool source_sees_ata(const struct source *source);
/* For what only the module can do; NULL with any other source. */
struct module *source_module(struct source *source);
/* Why snapshots lack a layer; NULL when they have it. */
const char *source_missing(const struct source *source, enum layer layer);
/* The machine that was, or is, counted. */
const struct host *source_host(const struct source *source);

/* --- disks --- */

/*
 * What is to be counted, FSBSTAT_LAYER_BIO and so on; before source_watch(), which counts all
 * layers otherwise.  Sources without a choice take no notice.
 */
void source_want(struct source *source, uint32_t layers);

/*
 * Counts the disks of @set from now on, as long as the source is open.  They are known
 * by their place in it.  On failure *culprit (may be NULL) is the disk at fault.  Not for
 * recordings.
 */
int source_watch(struct source *source, const struct disk_set *set, size_t *culprit);
size_t source_nr_disks(const struct source *source);
const struct disk *source_disk(const struct source *source, size_t i);
/* How DISK led to them, see struct disk_set; "" else. */
const char *source_via(const struct source *source);

/* --- instants --- */

enum source_phase {
	PHASE_BEGIN, /* a window of a recording begins */
	PHASE_TICK,
	PHASE_END, /* a window of a recording ends */
	PHASE_NOTICE, /* between ticks: a setting or a mount may just have changed */
};

struct source_instant {
	enum source_phase phase; /* of a live source: PHASE_TICK */
	unsigned int run; /* from 1; of a live source: 1 */
	uint64_t realtime_ns; /* CLOCK_REALTIME */
	uint64_t gap_ns; /* since the instant before, of a recording; else 0 */
};

/*
 * Goes on to the next instant: 1, or 0 at the end of a recording.  A live source never
 * ends, and its functions below always tell what is now.
 */
int source_step(struct source *source, struct source_instant *instant);

/*
 * All counters of disk i, owned by the caller from now on (snapshot_free()); snap->missing
 * says which layers are not in it.
 */
int source_snapshot(struct source *source, size_t i, struct snapshot *snap);
/*
 * Who did what on disk i, owned by the caller (owners_free()); of a recording at the ends of
 * windows only.  -EOPNOTSUPP where the source never tells.
 */
int source_owners(struct source *source, size_t i, struct owners *owners);
/* The name of a device that did something, for owners. */
void source_device_name(struct source *source, uint32_t major, uint32_t minor,
			char name[DISK_NAME_MAX]);
/* /proc/diskstats as they stand, whatever the source is. */
int source_stats(struct source *source, size_t i, struct diskstats *stats);

/* Settings and mounts; owned by the caller (source_look_free()). */
struct source_look {
	bool have_info; /* the disk is there */
	struct disk_info info;
	bool have_mounts;
	struct mounts mounts;
};

int source_look(struct source *source, size_t i, struct source_look *look);
void source_look_free(struct source_look *look);
/*
 * source_snapshot(), and source_look() right after it, at less than the price of both.  A
 * disk that could be counted but not looked at has no info.
 */
int source_observe(struct source *source, size_t i, struct snapshot *snap,
		   struct source_look *look);

/* Why disk i is no longer counted; NULL when it is. */
const char *source_vanished(struct source *source, size_t i);

/* Its requests from before source_watch() have ended. */
bool source_settled(struct source *source);

/* --- events, for poll() --- */

/* That a disk has gone or is counted anew, source_vanished() and its counts tell. */
enum source_event_kind {
	SOURCE_DISK_SETTINGS, /* a command that changes settings went to the drive, anybody's */
	SOURCE_EVENTS_LOST, /* some have been lost: look at everything */
};

struct source_event {
	enum source_event_kind kind;
	uint32_t major, minor;
};

/* Readable when source_event() has something to say; -1 where nothing ever comes. */
int source_fd(const struct source *source);
/* 1 and an event, 0 when there is none now. */
int source_event(struct source *source, struct source_event *event);

#endif /* FSB_SOURCE_SOURCE_H */
