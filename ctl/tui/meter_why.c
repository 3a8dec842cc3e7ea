// SPDX-License-Identifier: GPL-2.0-or-later
/* meter_why: why there were flushes in a stretch, see meter_why.h. */
#include "tui/meter_why.h"

#include <math.h>

#include "out/report.h"

static void of_filesystems(struct why *why, const struct report_disk *disk)
{
	const struct figures *figures = &disk->figures;
	const struct class_figures *class = figures->class;
	double seconds = (double)figures->elapsed_ns / 1e9;
	double calls = (double)figures->fs.sums.fsyncs;

	if (figures->fs.journal)
		why->commit_s = (double)figures->fs.sums.commits / seconds;
	why->fsync_unknown = report_fs_unknown(disk);
	if (why->fsync_unknown)
		return;
	why->fsync_s = calls / seconds;
	if (calls <= 0)
		return;
	why->each_flushes = (double)class[FSBSTAT_CLASS_FLUSH].counts.ios / calls;
	why->each_bytes = (double)(class[FSBSTAT_CLASS_WRITE].counts.bytes +
				   class[FSBSTAT_CLASS_FUA_WRITE].counts.bytes) / calls;
	if (figures->ata.elapsed_ns)
		why->each_ns = report_flush_ns(figures) / calls;
}

static enum risk risk_of(const struct report_disk *disk, double *bytes, double *longest_ns,
			 const char **unknown)
{
	const struct unflushed_delta *unflushed = &disk->figures.unflushed;
	const char *why;
	enum unflushed how = report_unflushed(disk, &disk->figures, &why);

	*unknown = how == UNFLUSHED_UNKNOWN ? why : NULL;
	*bytes = how == UNFLUSHED_CACHE_OFF ? 0 : (double)unflushed->bytes_max;
	*longest_ns = how == UNFLUSHED_CACHE_OFF ? 0 : (double)unflushed->age_max_ns;
	return how == UNFLUSHED_UNKNOWN	 ? RISK_UNKNOWN :
	       how == UNFLUSHED_NO_FLUSH ? RISK_NO_FLUSH :
					   RISK_KNOWN;
}

static bool cache_off(const struct disk_info *info)
{
	return info->write_cache == OFF;
}

static void at_risk(struct why *why, const struct report_disk *disk,
		    const struct unflushed_counts *now)
{
	why->risk = risk_of(disk, &why->risk_worst, &why->risk_longest_ns, &why->risk_unknown);
	if (why->risk == RISK_UNKNOWN)
		return;
	if (why->risk == RISK_KNOWN && cache_off(&disk->end.info))
		return;
	why->risk_now = (double)disk->figures.unflushed.at_end;
	why->risk_now_ns = now->since_ns ? (double)(now->time_ns - now->since_ns) : NAN;
}

static void asked(struct why *why, const struct report_disk *disk)
{
	struct asked asked;

	if (disk_drops_flushes(&disk->begin.info)) {
		why->asked_unknown = "n/a (write through)";
		return;
	}
	report_asked(disk, &disk->figures.bio, &asked);
	if (asked.known)
		why->asked_s = (double)asked.all * 1e9 / (double)disk->figures.elapsed_ns;
}

/* What the judgements of reports are made on: a borrowed copy, not to be freed. */
static void as_report(struct report_disk *disk, const struct stretch *stretch,
		      const struct disk_info *info, const struct mounts *mounts)
{
	*disk = (struct report_disk){ .delta = *stretch->delta, .figures = *stretch->figures };
	disk->begin.info = *info;
	disk->begin.mounts = *mounts;
	disk->begin.have_info = true;
	disk->end = disk->begin;
	if (info->nr_requests > 0)
		disk->requests_waiting = (uint64_t)info->nr_requests * stretch->delta->hw_queues;
}

enum risk meter_risk(const struct figures *figures, const struct disk_info *info, double *bytes,
		     const char **unknown)
{
	struct report_disk disk = { .figures = *figures };
	double longest_ns;

	disk.begin.info = *info;
	disk.begin.have_info = true;
	disk.end = disk.begin;
	return risk_of(&disk, bytes, &longest_ns, unknown);
}

void meter_why(struct stretch *stretch, const struct disk_info *info, const struct mounts *mounts,
	       const struct unflushed_counts *now)
{
	const struct figures *figures = stretch->figures;
	struct why *why = &stretch->why;
	struct report_disk disk;

	as_report(&disk, stretch, info, mounts);
	*why = (struct why){
		.fsync_s = NAN, .commit_s = NAN, .asked_s = NAN, .waited_s = NAN,
		.each_flushes = NAN, .each_bytes = NAN, .each_ns = NAN, .risk_now_ns = NAN };
	of_filesystems(why, &disk);
	at_risk(why, &disk, now);
	asked(why, &disk);
	why->sent_s = (double)figures->class[FSBSTAT_CLASS_FLUSH].counts.ios * 1e9 /
		      (double)figures->elapsed_ns;
	if (figures->ata.elapsed_ns)
		why->waited_s = (double)figures->ata.sums.drains * 1e9 /
				(double)figures->ata.elapsed_ns;
}
