// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text_ladder: from fsync to the disk: calls, the journal's commits, the flushes they asked
 * for and those that were sent, and what one call came to.
 */
#include <string.h>

#include "out/number.h"
#include "out/text.h"

#define REMARK 50 /* column of the remarks */

/* "  LABEL         COUNT      /s   REMARK" */
static void step_line(FILE *to, const struct report_disk *disk, const char *label, uint64_t count,
		      const char *remark)
{
	double seconds = (double)disk->figures.elapsed_ns / 1e9;
	struct number number, rate;
	char line[96];

	snprintf(line, sizeof(line), "  %-28s%11s%7s", label, number_count(&number, count),
		 seconds > 0 ? number_rate(&rate, (double)count / seconds) : "n/a");
	if (*remark)
		text_filled(to, REMARK, line, remark);
	else
		fprintf(to, "%s\n", line);
}

/* A step that is not known; the reason may be longer than a remark has room for. */
static void unknown_line(FILE *to, const char *label, const char *why)
{
	char line[96];

	snprintf(line, sizeof(line), "  %-28s%11s", label, "n/a");
	text_filled(to, REMARK - 6, line, why);
}

static void append(char *text, size_t size, const char *lead, const char *more)
{
	size_t used = strlen(text);

	snprintf(text + used, size - used, "%s%s%s", used ? " " : "", lead, more);
}

static void calls_line(FILE *to, const struct report_disk *disk)
{
	const struct fs_figures *fs = &disk->figures.fs;
	const struct latency *latency = &fs->latency;
	struct number number;
	char remark[160] = "";

	if (latency->enough[PERCENTILE_50])
		append(remark, sizeof(remark), "p50 ",
		       number_ms(&number, (double)latency->percentile_ns[PERCENTILE_50]));
	if (latency->enough[PERCENTILE_99])
		append(remark, sizeof(remark), "p99 ",
		       number_ms(&number, (double)latency->percentile_ns[PERCENTILE_99]));
	if (latency->count) {
		append(remark, sizeof(remark), latency->exact ? "max " : "max ~",
		       number_ms(&number, (double)latency->max_ns));
		strcat(remark, fs->sums.errors ? " ms," : " ms");
	}
	if (fs->sums.errors)
		append(remark, sizeof(remark), number_count(&number, fs->sums.errors), " failed");
	step_line(to, disk, "fsync calls", fs->sums.fsyncs, remark);
}

/* Whose calls they are, where there are several. */
static void filesystem_lines(FILE *to, const struct report_disk *disk)
{
	const struct fs_delta *fs = disk->delta.fs;
	size_t i;

	for (i = 0; fs && fs->nr > 1 && i < fs->nr; i++) {
		const struct fs_row *row = &fs->row[i];
		const struct mount *mount = report_mount_of(disk, row);
		struct latency latency;
		struct number number;
		char remark[192];
		size_t used;

		latency_of(&latency, row->latency);
		snprintf(remark, sizeof(remark), "%.100s %.32s",
			 mount ? mount->target : "unmounted", row->type);
		used = strlen(remark);
		if (latency.enough[PERCENTILE_50])
			snprintf(remark + used, sizeof(remark) - used, ", p50 %s ms",
				 number_ms(&number, (double)latency.percentile_ns[PERCENTILE_50]));
		step_line(to, disk, "  of these", row->sums.fsyncs, remark);
	}
}

static void commits_line(FILE *to, const struct report_disk *disk)
{
	const struct fs_sums *sums = &disk->figures.fs.sums;
	char remark[64] = "";
	struct number ratio;

	if (sums->commits && sums->fsyncs)
		snprintf(remark, sizeof(remark), "%s fsyncs per commit",
			 number_decimal(&ratio, (double)sums->fsyncs / (double)sums->commits, 1));
	step_line(to, disk, "journal commits", sums->commits, remark);
}

static void asked_line(FILE *to, const struct report_disk *disk, const struct asked *asked)
{
	struct number pre, post, empty;
	char remark[160] = "";

	number_count(&pre, asked->pre);
	number_count(&post, asked->post);
	number_count(&empty, asked->empty);
	if (asked->all && disk->begin.info.fua == 0)
		snprintf(remark, sizeof(remark), "%s before a write, %s FUA, %s alone", pre.text,
			 post.text, empty.text);
	else if (asked->all)
		snprintf(remark, sizeof(remark), "%s before a write, %s alone", pre.text,
			 empty.text);
	step_line(to, disk, "flushes asked for", asked->all, remark);
}

static const char *why_not_asked(const struct report_disk *disk)
{
	if (report_flags_dropped(disk))
		return "the kernel drops them before they can be counted (write through)";
	return "this disk's bios pass no tracepoint";
}

static void sent_line(FILE *to, const struct report_disk *disk, const struct asked *asked,
		      uint64_t sent)
{
	char remark[64] = "";
	struct number ratio;

	if (asked->known && sent)
		snprintf(remark, sizeof(remark), "%s asked per sent",
			 number_decimal(&ratio, (double)asked->all / (double)sent, 2));
	step_line(to, disk, "flushes sent", sent, remark);
}

static void drain_line(FILE *to, const struct report_disk *disk)
{
	const struct ata_figures *ata = &disk->figures.ata;
	char remark[64] = "";
	struct number mean;

	if (!ata->elapsed_ns || !ata->sums.kind[FSBSTAT_ATA_FLUSH].ios)
		return;
	if (ata->sums.drains)
		snprintf(remark, sizeof(remark), "%s ms mean",
			 number_ms(&mean, (double)(ata->sums.wait_ns + ata->sums.turnaround_ns) /
						  (double)ata->sums.drains));
	step_line(to, disk,
		  report_ata_others(&ata->sums) ? "commands that drained NCQ" :
						  "flushes that drained NCQ",
		  ata->sums.drains, remark);
}

static void each_line(FILE *to, const struct report_disk *disk)
{
	const struct class_figures *class = disk->figures.class;
	double calls = (double)disk->figures.fs.sums.fsyncs;
	uint64_t bytes = class[FSBSTAT_CLASS_WRITE].counts.bytes +
			 class[FSBSTAT_CLASS_FUA_WRITE].counts.bytes;
	struct number flushes, written, ms;

	text_fillf(to, REMARK, "  per fsync", "%s flushes, %s written, %s ms of the disk %s",
		   number_decimal(&flushes,
				  (double)class[FSBSTAT_CLASS_FLUSH].counts.ios / calls, 2),
		   number_bytes(&written, (uint64_t)((double)bytes / calls)),
		   number_ms(&ms, report_flush_ns(&disk->figures) / calls),
		   disk->figures.ata.elapsed_ns ? "flushing or draining" : "flushing");
}

void text_ladder(FILE *to, const struct report_disk *disk)
{
	uint64_t sent = disk->figures.class[FSBSTAT_CLASS_FLUSH].counts.ios;
	const char *fs_unknown = report_fs_unknown(disk);
	struct asked asked;

	report_asked(disk, &disk->figures.bio, &asked);
	fprintf(to, "\n%-30s%11s%7s\n", "from fsync to the disk", "count", "/s");
	if (fs_unknown)
		unknown_line(to, "fsync calls", fs_unknown);
	else
		calls_line(to, disk);
	if (!fs_unknown)
		filesystem_lines(to, disk);
	if (disk->figures.fs.journal)
		commits_line(to, disk);
	if (asked.known)
		asked_line(to, disk, &asked);
	else
		unknown_line(to, "flushes asked for", why_not_asked(disk));
	sent_line(to, disk, &asked, sent);
	drain_line(to, disk);
	if (!fs_unknown && disk->figures.fs.sums.fsyncs)
		each_line(to, disk);
}
