// SPDX-License-Identifier: GPL-2.0-or-later
/* report: what a recording found out, see report.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/mount_words.h"
#include "out/report.h"
#include "source/fs.h"

void warnings_add(struct warnings *warnings, const char *format, ...)
{
	char **grown, *line;
	va_list args;
	int len;

	va_start(args, format);
	len = vasprintf(&line, format, args);
	va_end(args);
	if (len < 0)
		return;
	grown = realloc(warnings->line, (warnings->nr + 1) * sizeof(*grown));
	if (!grown) {
		free(line);
		return;
	}
	warnings->line = grown;
	warnings->line[warnings->nr++] = line;
}

void warnings_free(struct warnings *warnings)
{
	size_t i;

	for (i = 0; i < warnings->nr; i++)
		free(warnings->line[i]);
	free(warnings->line);
	*warnings = (struct warnings){ NULL, 0 };
}

void report_end_free(struct report_end *end)
{
	mounts_free(&end->mounts);
	memset(end, 0, sizeof(*end));
}

void report_free(struct report *report)
{
	size_t i;

	for (i = 0; i < report->nr_disks; i++) {
		struct report_disk *disk = &report->disk[i];

		report_end_free(&disk->begin);
		report_end_free(&disk->end);
		delta_free(&disk->delta);
		owners_free(&disk->owners);
		owner_groups_free(&disk->groups);
		free(disk->run);
		intervals_free(&disk->intervals);
		epochs_free(&disk->epochs);
		warnings_free(&disk->warnings);
	}
	free(report->disk);
	free(report->run);
	report->disk = NULL;
	report->nr_disks = 0;
	report->run = NULL;
	report->nr_runs = 0;
}

bool report_complete(const struct report *report, const struct report_disk *disk)
{
	return !report->cut_short && !disk->lost && !disk->incomplete && !disk->silent &&
	       !disk->delta.restarted && !disk->delta.gone;
}

const char *report_iostats(const struct report_disk *disk)
{
	if (!disk->iostats_off && !disk->silent)
		return NULL;
	return disk->iostats_on ? "queue/iostats was off for part of the window" :
				  "queue/iostats was off";
}

const char *report_nothing(const struct report_disk *disk)
{
	return disk->silent ? report_iostats(disk) : "the counters could not be read at the end";
}

bool report_flags_dropped(const struct report_disk *disk)
{
	return !strcmp(disk->begin.info.write_cache_kernel, "write through") ||
	       !strcmp(disk->end.info.write_cache_kernel, "write through");
}

/*
 * Requests that end early in the window may have had their bios before it, so a few
 * without any bio say nothing.
 */
bool report_bio_silent(const struct report_disk *disk)
{
	const struct bio_counts *bio = &disk->delta.bio;
	const struct class_delta *class = disk->delta.class;
	uint64_t requests = class[FSBSTAT_CLASS_READ].counts.ios +
			    class[FSBSTAT_CLASS_WRITE].counts.ios +
			    class[FSBSTAT_CLASS_FUA_WRITE].counts.ios;

	return figures_have(&disk->figures, LAYER_BIO) &&
	       !bio->read_ios && !bio->write_ios && !bio->empty_flush &&
	       requests > disk->requests_waiting;
}

const char *report_ata_unknown(const struct report *report, const struct report_disk *disk)
{
	if (disk->figures.ata.elapsed_ns)
		return NULL;
	if (report->missing[LAYER_ATA])
		return report->missing[LAYER_ATA];
	if (!disk->delta.windows)
		return report_nothing(disk);
	if (disk->begin.have_info && disk->begin.info.ncq < 0)
		return "not behind libata";
	if (!report->ata_hooks)
		return "libata's tracepoints are missing, fsbctl check says why";
	return "no ATA command seen yet";
}

/*
 * A kernel that cannot hold a flush back requeues its request.  Error handling
 * requeues too, whatever the kernel does otherwise.
 */
const char *report_ata_deferral(const struct figures *figures, const char **why)
{
	const struct ata_sums *sums = &figures->ata.sums;

	if (!figures->class[FSBSTAT_CLASS_FLUSH].counts.requeues) {
		*why = "no command had to wait for the queue";
		return sums->drains ? "libata" : NULL;
	}
	*why = "errors make the kernel requeue flushes as well";
	return sums->errors || sums->parts.error_ns ? NULL : "requeue";
}

bool report_idle(const struct report_disk *disk, const struct figures *figures, double *ns)
{
	*ns = figures->idle_ns;
	if (figures->nr_queues == 1 || !figures_have(figures, LAYER_DEPTH))
		return true;
	if (figures != &disk->figures || !disk->compared || report_iostats(disk))
		return false;
	*ns = (double)figures->elapsed_ns - (double)disk->counted.busy_ms * 1e6;
	/* It is counted in ticks. */
	*ns = *ns > 0 ? *ns : 0;
	return true;
}

static bool mounted_with(const struct mounts *mounts, const char *option)
{
	size_t i;

	for (i = 0; i < mounts->nr; i++)
		if (mount_options_name(mounts->mount[i].options, option))
			return true;
	return false;
}

bool report_has_discards(const struct report_disk *disk)
{
	return disk->figures.class[FSBSTAT_CLASS_DISCARD].counts.ios ||
	       mounted_with(&disk->begin.mounts, "discard") ||
	       mounted_with(&disk->end.mounts, "discard");
}

uint64_t report_ata_others(const struct ata_sums *sums)
{
	return sums->kind[FSBSTAT_ATA_TRIM].ios + sums->kind[FSBSTAT_ATA_FUA_WRITE].ios +
	       sums->kind[FSBSTAT_ATA_OTHER].ios;
}

double report_flush_ns(const struct figures *figures)
{
	const struct ata_figures *ata = &figures->ata;

	if (ata->elapsed_ns)
		return (double)(ata->sums.parts.drain_ns +
				ata->sums.kind[FSBSTAT_ATA_FLUSH].busy_ns);
	return (double)figures->class[FSBSTAT_CLASS_FLUSH].latency[FSBSTAT_HIST_DEVICE].sum_ns;
}

static bool counted_mount(const struct mounts *mounts)
{
	size_t i;

	for (i = 0; i < mounts->nr; i++)
		if (fs_type_is_counted(mounts->mount[i].fstype))
			return true;
	return false;
}

const char *report_fs_unknown(const struct report_disk *disk)
{
	if (disk->figures.fs.calls)
		return NULL;
	if (!disk->delta.windows)
		return report_nothing(disk);
	if (!figures_have(&disk->figures, LAYER_FS))
		return "needs the kernel module";
	if (!disk->delta.fs)
		return "the module could not tell";
	if (counted_mount(&disk->begin.mounts) || counted_mount(&disk->end.mounts))
		return "this kernel cannot probe functions, fsbctl check says more";
	return "no filesystem of a counted type is on it (ext2 to ext4, xfs, btrfs, f2fs)";
}

static const struct mount *find_mount(const struct mounts *mounts, const struct fs_row *row)
{
	size_t i;

	for (i = 0; i < mounts->nr; i++)
		if (mounts->mount[i].major == row->major && mounts->mount[i].minor == row->minor)
			return &mounts->mount[i];
	return NULL;
}

const struct mount *report_mount_of(const struct report_disk *disk, const struct fs_row *row)
{
	const struct mount *mount = find_mount(&disk->begin.mounts, row);

	return mount ? mount : find_mount(&disk->end.mounts, row);
}

/* The drive's cache as the module was told, or as it was seen at that end of the recording. */
static enum fsbstat_write_cache cache_at(enum fsbstat_write_cache told,
					 const struct report_end *end)
{
	if (told != FSBSTAT_WRITE_CACHE_UNKNOWN || !end->have_info ||
	    end->info.write_cache == UNKNOWN)
		return told;
	return end->info.write_cache == ON ? FSBSTAT_WRITE_CACHE_ON : FSBSTAT_WRITE_CACHE_OFF;
}

enum unflushed report_unflushed(const struct report_disk *disk, const struct figures *figures,
				const char **why)
{
	const struct unflushed_delta *unflushed = &figures->unflushed;
	enum fsbstat_write_cache begin = cache_at(unflushed->cache_begin, &disk->begin);
	enum fsbstat_write_cache end = cache_at(unflushed->cache_end, &disk->end);

	*why = "needs the kernel module";
	if (!figures_have(figures, LAYER_UNFLUSHED))
		return UNFLUSHED_UNKNOWN;
	*why = report_nothing(disk);
	if (!unflushed->elapsed_ns)
		return UNFLUSHED_UNKNOWN;
	*why = "whether the drive caches writes is not known";
	if (begin == FSBSTAT_WRITE_CACHE_UNKNOWN || end == FSBSTAT_WRITE_CACHE_UNKNOWN)
		return UNFLUSHED_UNKNOWN;
	*why = "the drive's write cache was switched meanwhile";
	if (begin != end)
		return UNFLUSHED_UNKNOWN;
	*why = "settings of the drive changed meanwhile, its write cache may have been on";
	if (end == FSBSTAT_WRITE_CACHE_OFF && unflushed->settings_changed)
		return UNFLUSHED_UNKNOWN;
	*why = "the drive's write cache is off";
	if (end == FSBSTAT_WRITE_CACHE_OFF)
		return UNFLUSHED_CACHE_OFF;
	return unflushed->bytes_max && !unflushed->flushes ? UNFLUSHED_NO_FLUSH : UNFLUSHED_KNOWN;
}

void report_asked(const struct report_disk *disk, const struct bio_counts *bio,
		  struct asked *asked)
{
	*asked = (struct asked){ .known = figures_have(&disk->figures, LAYER_BIO) &&
					  !report_flags_dropped(disk) && !report_bio_silent(disk) };
	if (!asked->known)
		return;
	asked->pre = bio->preflush;
	asked->empty = bio->empty_flush;
	/* A FUA write is followed by a flush of its own where the disk has no FUA. */
	asked->post = disk->begin.info.fua == 0 ? bio->fua : 0;
	asked->all = asked->pre + asked->empty + asked->post;
}

static uint64_t sent_and_not(const struct class_delta *class)
{
	return class->counts.ios + class->counts.not_sent;
}

const char *report_check(const struct report_disk *disk, struct check checks[REPORT_CHECKS])
{
	const struct class_delta *class = disk->delta.class;

	if (!figures_have(&disk->figures, LAYER_CLASSES))
		return "the counts are theirs";
	if (disk->lost || disk->delta.gone || disk->delta.restarted)
		return "the counters do not cover the whole window";
	if (!disk->compared)
		return "/proc/diskstats could not be read at both ends";
	if (report_iostats(disk))
		return report_iostats(disk);
	checks[0] = (struct check){ "reads", disk->counted.read_ios,
				    sent_and_not(&class[FSBSTAT_CLASS_READ]) };
	checks[1] = (struct check){ "writes", disk->counted.write_ios,
				    sent_and_not(&class[FSBSTAT_CLASS_WRITE]) +
					    sent_and_not(&class[FSBSTAT_CLASS_FUA_WRITE]) +
					    sent_and_not(&class[FSBSTAT_CLASS_WRITE_ZEROES]) +
					    disk->delta.quality.other_writes +
					    disk->delta.quality.sequence_end_empty };
	checks[2] = (struct check){ "discards", disk->counted.discard_ios,
				    sent_and_not(&class[FSBSTAT_CLASS_DISCARD]) };
	checks[3] = (struct check){ "flushes", disk->counted.flush_ios,
				    class[FSBSTAT_CLASS_FLUSH].counts.ios };
	return NULL;
}
