/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record: what one disk, or several at once, did while a command ran or time passed.
 * record_run() is the whole of it; the other functions are its parts, a file each:
 *
 *	record.c	the order of things
 *	window.c	one window: first counts, command, last counts
 *	guard.c		between fsbctl and the command: ends it when fsbctl is killed
 *	descendants.c	all that the command has started
 *	member.c	one disk: its counts, rows and sums
 *	owners.c	who did what on it
 *	phase.c		commands around the window (--prepare, --cleanup)
 *	sync.c		what is dirty is written out within it (--sync)
 *	look.c		settings and mounts
 *	epoch.c		what was counted while they held
 *	elsewhere.c	did the command work on another disk?
 *	keep.c		the recorded file (--snapshots)
 *	replay.c	the same report again, from such a file (--from)
 *	span.c		the same around code of the caller's, see span.h
 *
 * Called by cmd/record.c.
 */
#ifndef FSB_RECORD_RECORD_H
#define FSB_RECORD_RECORD_H

#include "disk/disk.h"
#include "disk/mount_watch.h"
#include "out/out.h"
#include "record/child.h"
#include "record/descendants.h"
#include "record/events.h"
#include "source/recorder.h"
#include "source/source.h"

struct record_options {
	const char *disk;
	double seconds; /* -w, 0: no end */
	double interval; /* -I, 0: none */
	uint64_t settle_ns; /* belongs to no epoch after a change */
	unsigned int baseline; /* the option set that others are compared with */
	const struct rate *rate; /* as in struct report */
	unsigned int runs;
	const char *prepare, *cleanup;
	bool sync;
	bool quiet;
	enum source_kind source;
	uint32_t layers; /* to be counted, 0: all */
	const char *snapshots; /* file to record to, NULL: none */
	const char *from; /* recording to replay instead, NULL: none */
	const char *output; /* NULL: stdout, or stderr with a command; "-": stdout */
	const struct out_ops *format;
	char **argv; /* NULL: no command */
};

/* One recorded disk beside what the report says of it. */
struct member {
	struct snapshot first; /* where the window began */
	struct snapshot last; /* where the last interval ended */
	struct owners owners; /* at the window's begin */
	struct owners callers; /* of fsync, on any disk */
	bool have_callers;
	struct diskstats stats; /* at the window's begin */
	bool have_stats;
	bool vanished; /* said so already */
	bool silence_told; /* that it was not counted, or not compared */
	bool silent; /* something of this window was not counted */
	uint64_t suspended_ns; /* at the window's begin */
	struct snapshot noticed; /* where a change was noticed last */
	const struct snapshot *counted; /* which of first, last and noticed is the latest */
	struct delta since; /* counted since the last look */
	uint64_t at_ns; /* when that was last counted */
	struct option_set options; /* what the last look saw */
	bool have_options;
	unsigned int intervals; /* in this window so far */
	struct report_interval row; /* the last one */
	bool have_row;
};

struct recording {
	const struct record_options *options;
	struct source *source;
	struct recorder *recorder; /* NULL: none */
	bool rows; /* intervals are shown */
	bool keep_rows; /* and kept for the report */
	unsigned int look_every; /* settings are looked at every so many intervals */
	struct mount_watch *mounts; /* NULL: nothing tells of them */
	struct events events;
	struct disk_set found; /* what DISK named, and has come to that since */
	struct descendants descendants; /* what the command that runs has started */
	bool told_to_end; /* they were sent a signal */
	struct out out;
	bool began; /* something was written to out */
	struct report report;
	struct member *member; /* report.nr_disks of them */
	unsigned int signals; /* taken so far */
	int signal; /* the last one */
	int status; /* exit status so far */
	char when[24]; /* of record_when() */
	bool stop; /* no further run */
};

/* Returns the exit status; errors have been printed. */
int record_run(const struct record_options *options);

/* --- parts --- */

/* One run's window.  0, or the exit status that ends the recording (printed why). */
int window_run(struct recording *rec, unsigned int run);

/* Why a wait ended. */
enum wait_end { WAIT_CHILD, WAIT_SIGNAL, WAIT_TIME, WAIT_DISKS_GONE, WAIT_FAILED };

/*
 * Waits for the child (NULL: for a signal).  Passes signals on, and kills at the
 * second.  In the window itself intervals, -w and vanished disks are seen to.
 */
enum wait_end window_wait(struct recording *rec, struct child *child, bool in_window);

/* child_hold(), and what it starts will be known.  0 or -1 with errno. */
int window_hold(struct recording *rec, struct child *child, const struct child_plan *plan);

/*
 * Ends what a command that has ended left running, SIGTERM first: it would go on writing into
 * the next run.  Says so in a warning.
 */
void window_end_rest(struct recording *rec, bool in_window);

/*
 * Mounts and drives that something was heard of.  Taken even outside a window, or it would be
 * heard of again and again.
 */
void window_notices(struct recording *rec, bool in_window);

/*
 * A process that is not the user's command, to its end: a group of its own, without input, its
 * output to stderr.  0, or -1 (printed).
 */
int phase_run(struct recording *rec, const char *object, struct child_plan *plan,
	      struct child *child);
/* --prepare and --cleanup: 0 when the command ended with status 0. */
int phase_command(struct recording *rec, const char *option, const char *command);
/* --sync */
void phase_sync(struct recording *rec);

/* The module keeps for all readers what was seen of the drive's cache. */
void member_tell_cache(struct recording *rec, size_t i);
/* The line of a recording's instant, or nothing without a recorder. */
void keep_head(struct recording *rec);
void keep_look(struct recording *rec, size_t i, const struct source_look *look);
/* @owners: NULL when they are not known, source_error() says why. */
void keep_owners(struct recording *rec, size_t i, const struct owners *owners);
/* Who called fsync during the window, on filesystems of the disk. */
void keep_callers(struct recording *rec, size_t i, const struct owners *callers);
void keep_instant(struct recording *rec, size_t i, enum source_phase phase,
		  const struct snapshot *snap, const struct diskstats *stats);
void keep_run(struct recording *rec, const struct report_run *run);
void keep_end(struct recording *rec);
/* 0, or -1 when the file is not whole (printed). */
int keep_close(struct recording *rec);

/* Everything of a recorded file instead of windows; 0, or -1 (printed). */
int replay_head(struct recording *rec);
int replay_windows(struct recording *rec);

/* Counts of member i at the begin and the end of a window; 0, or -1: source_error() says why. */
int member_begin(struct recording *rec, size_t i);
void member_interval(struct recording *rec, size_t i, unsigned int run);
/* The counts where something was noticed, after look_noticed(). */
void member_noticed(struct recording *rec, size_t i);
void member_end(struct recording *rec, size_t i, unsigned int run);
/* The window ends with the last interval; what else there was is not known. */
void member_cut(struct recording *rec, size_t i, unsigned int run);
/* Why the disk is no longer counted; NULL when it is. */
const char *member_vanished(struct recording *rec, size_t i);
void member_free(struct member *member);

/*
 * Who did what, around the counts of a window; @same: counting has not begun again in it.
 * At last they are grouped and their devices named.
 */
void owners_begin(struct recording *rec, size_t i);
void owners_end(struct recording *rec, size_t i, bool same);
void owners_lost(struct report_disk *disk);
void owners_finish(struct recording *rec, size_t i);

/* Describes the disk as it is now; at the ends of a window. */
void look(struct recording *rec, size_t i);
/* The same within a window. */
void look_again(struct recording *rec, size_t i);

/* Has a disk come below DISK that is not counted?  Says so in a warning. */
void look_below(struct recording *rec);

/* Something said that this, and only this, may have changed just now. */
enum noticed { NOTICED_MOUNTS, NOTICED_DRIVE };

/* True when it has. */
bool look_noticed(struct recording *rec, size_t i, enum noticed what);

/*
 * What was counted up to @now, which then is kept in @place (NULL: nowhere); and what the
 * last look saw, together with all that was counted since the look before.
 */
void epoch_count(struct recording *rec, size_t i, const struct snapshot *now,
		 const struct snapshot *place);
void epoch_feed(struct recording *rec, size_t i, enum epoch_seen seen);
/* The ends of a window: after member->first was taken, after the last look. */
void epoch_begin(struct recording *rec, size_t i);
void epoch_end(struct recording *rec, size_t i);

/* For messages: " in run 2" when there are several, else "". */
const char *record_when(struct recording *rec, unsigned int run);

/* Warns when the command worked elsewhere and the disk stayed idle. */
void elsewhere_warn(const struct report *report, struct report_disk *disk);

/* Where rows and report go; the file is emptied before the first of them. */
struct out *record_out(struct recording *rec);

/* What the report says of where its numbers come from, and of when. */
void record_describe_source(struct recording *rec);
void record_note_start(struct report *report);

/* How many intervals make a second, when they are shorter; at least 1. */
unsigned int record_look_every(double interval);

/* Room for the disks and runs; 0 or -ENOMEM. */
int record_room(struct recording *rec, const struct disk_set *set, unsigned int runs);

/* Counts another run in; @result decides the exit status when it is the first that failed. */
void record_run_ended(struct recording *rec, const struct report_run *result);

/* A line on stderr unless -q: "fsbctl: DISK: ..." */
void record_notice(const struct recording *rec, const char *object, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif /* FSB_RECORD_RECORD_H */
