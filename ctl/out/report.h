/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report: everything a recording found out, as data; what text, csv and json show.
 * record fills it, the back-ends read it.  The judgements that all of them share
 * (is a figure known, do the two counts agree) are made here, once.
 */
#ifndef FSB_OUT_REPORT_H
#define FSB_OUT_REPORT_H

#include <stddef.h>

#include "disk/describe.h"
#include "disk/mounts.h"
#include "model/compare.h"
#include "model/owners.h"
#include "out/intervals.h"
#include "source/source.h"

/* What else is to be said; each line a sentence or two. */
struct warnings {
	char **line;
	size_t nr;
};

void warnings_add(struct warnings *warnings, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void warnings_free(struct warnings *warnings);

/* The disk and what lies on it at one end of the window. */
struct report_end {
	struct disk_info info;
	struct mounts mounts;
	struct diskstats stats;
	bool have_info;
	bool have_stats;
};

struct report_disk {
	struct disk disk;
	struct report_end begin, end; /* of the first and the last window */
	struct delta delta; /* all windows together */
	struct figures figures; /* of that */
	struct owners owners; /* who did that */
	struct owner_groups groups; /* of owners, as they are shown */
	char owners_unknown[256]; /* why there are none, "": there are */
	bool callers_lost; /* their calls of fsync are not known */
	struct diskstats counted; /* by /proc/diskstats in all windows together */
	bool compared; /* counted is known for every window */
	uint64_t requests_waiting; /* at most, where the window began */
	bool lost; /* the counters cannot be read any more */
	bool incomplete; /* for a reason that is among the warnings */
	bool silent; /* some of it was not counted: queue/iostats was off */
	bool iostats_on, iostats_off; /* queue/iostats, as seen so far */
	struct figures *run; /* one a run, report.nr_runs of them */
	struct intervals intervals; /* kept for a back-end that needs them at the end */
	struct epochs epochs; /* what held when, over all windows */
	struct warnings warnings;
};

struct report_run {
	int code; /* exit code, -1 when it did not exit */
	int signal; /* that ended it, 0: none */
	uint64_t wall_ns;
};

struct report {
	struct host host;
	unsigned int baseline; /* the option set that others are compared with, from 1 */
	const struct rate *rate; /* by what, in a table of them; NULL: what tells most */
	const char *source_name; /* "module", "diskstats", "file" */
	const char *missing[LAYERS]; /* why the source lacks a layer, NULL: it has it */
	char module_version[64];
	bool ata_hooks; /* the module can see what libata gives to disks */
	char via[256]; /* how DISK led to the disks, see struct disk_set */
	char **argv; /* the command, NULL: none */
	char start[40]; /* RFC 3339, UTC */
	struct report_run *run;
	unsigned int nr_runs;
	unsigned int wanted_runs;
	uint64_t wall_ns; /* all runs together */
	uint64_t origin_ns; /* CLOCK_MONOTONIC where the first window began */
	int code, signal; /* of the run that decides the exit status */
	bool cut_short; /* by a signal, or a command of ours that failed */
	bool sync; /* what was dirty was written within the window */
	uint64_t sync_ns;
	bool have_dirty;
	uint64_t dirty_bytes; /* in memory at the end, of all disks */
	struct report_disk *disk;
	size_t nr_disks;
};

void report_free(struct report *report);
void report_end_free(struct report_end *end);

/* Nothing is missing from this disk's figures. */
bool report_complete(const struct report *report, const struct report_disk *disk);

/* Why there is no figure of any kind. */
const char *report_nothing(const struct report_disk *disk);

/* "queue/iostats was off" or "... for part of the window"; NULL when it never was. */
const char *report_iostats(const struct report_disk *disk);

/* The kernel drops PREFLUSH and FUA before they can be seen (write through). */
bool report_flags_dropped(const struct report_disk *disk);

/* Requests flow and no bio is seen: this disk's bios cannot be counted. */
bool report_bio_silent(const struct report_disk *disk);

/* Why nothing is known of the ATA layer, or NULL when disk->figures.ata is filled. */
const char *report_ata_unknown(const struct report *report, const struct report_disk *disk);

/*
 * How commands that cannot be queued were kept back: "libata", "requeue", or NULL with
 * the reason in *why.
 */
const char *report_ata_deferral(const struct figures *figures, const char **why);

/*
 * For how long nothing was in flight, by the block layer.  Of several hardware queues only
 * /proc/diskstats knows, and only for the whole recording.  False: not known.
 */
bool report_idle(const struct report_disk *disk, const struct figures *figures, double *ns);

/* Discards are shown: there were some, or a filesystem on it is mounted with or without them. */
bool report_has_discards(const struct report_disk *disk);

/* Commands that were not queued, without flushes. */
uint64_t report_ata_others(const struct ata_sums *sums);

/* What the disk did about flushes; without the ATA layer, how long they were at the disk. */
double report_flush_ns(const struct figures *figures);

/* Why nothing is known of filesystems; NULL when it is. */
const char *report_fs_unknown(const struct report_disk *disk);

/* Where a superblock was mounted from the disk; NULL: not at either end. */
const struct mount *report_mount_of(const struct report_disk *disk, const struct fs_row *row);

/* What can be said of written data that no flush covers. */
enum unflushed {
	UNFLUSHED_UNKNOWN, /* the drive's cache is not known, or nothing was read */
	UNFLUSHED_CACHE_OFF, /* a completed write is safe: nothing is at risk */
	UNFLUSHED_NO_FLUSH, /* how much the drive has written by itself is anyone's guess */
	UNFLUSHED_KNOWN,
};

/* *why is the reason of the first two. */
enum unflushed report_unflushed(const struct report_disk *disk, const struct figures *figures,
				const char **why);

/* What asked for flushes. */
struct asked {
	bool known;
	uint64_t pre, empty, post, all;
};

void report_asked(const struct report_disk *disk, const struct bio_counts *bio,
		  struct asked *asked);

/* One count as /proc/diskstats has it and as the module has it. */
struct check {
	const char *name;
	uint64_t theirs, ours;
};

#define REPORT_CHECKS 4 /* reads, writes, discards, flushes */

/* Why they cannot be compared, or NULL when checks are filled. */
const char *report_check(const struct report_disk *disk, struct check checks[REPORT_CHECKS]);

#endif /* FSB_OUT_REPORT_H */
