// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * csv: one row per request class per interval, run and total (RFC 4180, header
 * first, '.' as decimal point).  Column names never change their meaning; what is
 * not known is an empty field.  Column `row` says what a row covers: "interval" (that
 * stretch alone), "run" (one run with -r) or "total" (everything recorded); rows "owner"
 * follow the total: who did that.
 */
#include <inttypes.h>
#include <string.h>

#include "out/csv.h"
#include "out/number.h"
#include "out/out.h"

static const char columns[] =
	"disk,row,run,begin_ns,elapsed_ns,class,ios,bytes,errors,requeues,busy,not_sent,"
	"not_sent_bytes,merges,"
	"queue_count,queue_sum_ns,queue_min_ns,queue_max_ns,queue_exact,queue_p50_ns,"
	"queue_p90_ns,queue_p99_ns,queue_p999_ns,queue_p9999_ns,"
	"device_count,device_sum_ns,device_min_ns,device_max_ns,device_exact,device_p50_ns,"
	"device_p90_ns,device_p99_ns,device_p999_ns,device_p9999_ns,"
	"durable_count,durable_sum_ns,durable_min_ns,durable_max_ns,durable_exact,"
	"durable_p50_ns,durable_p90_ns,durable_p99_ns,durable_p999_ns,durable_p9999_ns,"
	"asked_pre,asked_empty,asked_post,depth_mean,depth_max,inflight_end,complete,"
	"ata_elapsed_ns,ata_idle_ns,ata_queued_ns,ata_drain_ns,ata_alone_ns,ata_error_ns,"
	"ata_ncq_mean,ata_ncq_max,ata_ncq_read_ios,ata_ncq_write_ios,ata_ncq_fua_write_ios,"
	"ata_ncq_other_ios,ata_flush_ios,ata_flush_busy_ns,ata_trim_ios,ata_trim_busy_ns,"
	"ata_fua_ios,ata_fua_busy_ns,ata_other_ios,ata_other_busy_ns,ata_drain_count,"
	"ata_drain_wait_ns,ata_drain_turnaround_ns,ata_drain_max_ns,ata_refill_count,"
	"ata_refill_sum_ns,ata_refill_censored,ata_tag_time_lost_ns,ata_errors,"
	"fsync_calls,fsync_errors,fsync_count,fsync_sum_ns,fsync_min_ns,fsync_max_ns,fsync_exact,"
	"fsync_p50_ns,fsync_p90_ns,fsync_p99_ns,fsync_p999_ns,fsync_p9999_ns,journal_commits,"
	"unflushed_bytes_max,unflushed_bytes_mean,unflushed_max_ns,unflushed_exact,"
	"unflushed_at_end_bytes,unflushed_flushes,total_ns,idle_ns," CSV_OWNER_COLUMNS;

/* Every field but the first of a row. */
static void count_field(FILE *to, bool known, uint64_t value)
{
	if (known)
		fprintf(to, ",%" PRIu64, value);
	else
		fputc(',', to);
}

static void latency_fields(FILE *to, const struct latency *latency, bool known)
{
	bool any = latency->count > 0;
	size_t i;

	count_field(to, known, latency->count);
	count_field(to, known, latency->sum_ns);
	count_field(to, any, latency->min_ns);
	count_field(to, any, latency->max_ns);
	count_field(to, any, latency->exact);
	for (i = 0; i < HIST_PERCENTILES; i++)
		count_field(to, latency->enough[i], latency->percentile_ns[i]);
}

/* Of the disk, the same in each row of a window; all empty when not known. */
static void ata_fields(FILE *to, const struct ata_figures *ata)
{
	const struct ata_sums *sums = &ata->sums;
	const struct latency *drain = &ata->latency[FSBSTAT_ATA_HIST_DRAIN];
	bool known = ata->elapsed_ns > 0, any = ata->elapsed_ns > sums->parts.error_ns;
	struct number mean;
	unsigned int kind;

	count_field(to, known, ata->elapsed_ns);
	count_field(to, known, sums->parts.idle_ns);
	count_field(to, known, sums->parts.queued_ns);
	count_field(to, known, sums->parts.drain_ns);
	count_field(to, known, sums->parts.alone_ns);
	count_field(to, known, sums->parts.error_ns);
	fprintf(to, ",%s", any ? number_decimal(&mean, ata->tags_mean, 6) : "");
	count_field(to, any, ata->tags_max);
	for (kind = 0; kind < FSBSTAT_ATA_KINDS; kind++) {
		count_field(to, known, sums->kind[kind].ios);
		if (kind >= FSBSTAT_ATA_FLUSH)
			count_field(to, known, sums->kind[kind].busy_ns);
	}
	count_field(to, known, sums->drains);
	count_field(to, known, sums->wait_ns);
	count_field(to, known, sums->turnaround_ns);
	count_field(to, drain->count, drain->max_ns);
	count_field(to, known, sums->refills);
	count_field(to, known, ata->latency[FSBSTAT_ATA_HIST_REFILL].sum_ns);
	count_field(to, known, sums->refills_censored);
	count_field(to, known, sums->tag_time_lost_ns);
	count_field(to, known, sums->errors);
}

/* As ata_fields(). */
static void fs_fields(FILE *to, const struct fs_figures *fs)
{
	count_field(to, fs->calls, fs->sums.fsyncs);
	count_field(to, fs->calls, fs->sums.errors);
	if (fs->calls)
		latency_fields(to, &fs->latency, true);
	else
		fprintf(to, ",,,,,,,,,,");
	count_field(to, fs->journal, fs->sums.commits);
}

/* Of the disk, as those of ATA. */
static void unflushed_fields(FILE *to, const struct report_disk *disk,
			     const struct figures *figures)
{
	const struct unflushed_delta *unflushed = &figures->unflushed;
	const char *why;
	enum unflushed kind = report_unflushed(disk, figures, &why);
	bool off = kind == UNFLUSHED_CACHE_OFF, known = off || kind == UNFLUSHED_KNOWN;
	bool some = kind != UNFLUSHED_UNKNOWN;
	struct number mean;

	count_field(to, known, off ? 0 : unflushed->bytes_max);
	fprintf(to, ",%s",
		known ? number_decimal(&mean, off ? 0 : unflushed_mean(unflushed), 3) : "");
	count_field(to, known, off ? 0 : unflushed->age_max_ns);
	count_field(to, known, off || unflushed->exact);
	count_field(to, some, off ? 0 : unflushed->at_end);
	count_field(to, some, unflushed->flushes);
}

/* What a row is about. */
struct row {
	const char *kind;
	unsigned int run; /* 0: all */
	uint64_t begin_ns;
	const struct figures *figures;
	bool complete;
};

static void class_row(FILE *to, const struct report_disk *disk, const struct row *row,
		      unsigned int number)
{
	const struct figures *figures = row->figures;
	const struct class_figures *class = &figures->class[number];
	bool flush = number == FSBSTAT_CLASS_FLUSH;
	bool single = figures->nr_queues == 1 && figures_have(figures, LAYER_DEPTH);
	bool known = figures_class_known(figures, number);
	bool all = figures_have(figures, LAYER_CLASSES), any;
	uint64_t merges, total = 0;
	double idle;
	struct number depth;
	struct asked asked;
	unsigned int kind;

	csv_field(to, disk->disk.name);
	fprintf(to, ",%s", row->kind);
	count_field(to, row->run > 0, row->run);
	count_field(to, true, row->begin_ns);
	count_field(to, true, figures->elapsed_ns);
	fprintf(to, ",%s", class_names[number]);
	count_field(to, known, class->counts.ios);
	count_field(to, known, class->counts.bytes);
	count_field(to, all, class->counts.errors);
	count_field(to, all, class->counts.requeues);
	count_field(to, all, class->counts.busy);
	count_field(to, all, class->counts.not_sent);
	count_field(to, all, class->counts.not_sent_bytes);
	any = figures_merges(figures, number, &merges);
	count_field(to, any, merges);
	for (kind = 0; kind < FSBSTAT_HIST_KINDS; kind++)
		latency_fields(to, &class->latency[kind], figures_have(figures, LAYER_LATENCY));
	report_asked(disk, &figures->bio, &asked);
	count_field(to, flush && asked.known, asked.pre);
	count_field(to, flush && asked.known, asked.empty);
	count_field(to, flush && asked.known, asked.post);
	fprintf(to, ",%s", number_decimal(&depth, figures->depth_mean, 6));
	count_field(to, single, figures->depth_max);
	count_field(to, true, figures->inflight_end);
	count_field(to, true, row->complete);
	ata_fields(to, &figures->ata);
	fs_fields(to, &figures->fs);
	unflushed_fields(to, disk, figures);
	any = figures_total(figures, number, &total);
	count_field(to, any, total);
	any = report_idle(disk, figures, &idle);
	count_field(to, any, (uint64_t)idle);
	fputs(CSV_NO_OWNER CSV_END, to);
}

static void class_rows(struct out *out, const struct report_disk *disk, const struct row *row)
{
	unsigned int class;

	if (!out->rows++)
		fprintf(out->to, "%s" CSV_END, columns);
	for (class = 0; class < FSBSTAT_CLASSES; class++)
		class_row(out->to, disk, row, class);
}

static void csv_interval(struct out *out, const struct report *report,
			 const struct report_disk *disk, const struct report_interval *interval)
{
	struct row row = { "interval", interval->run, interval->begin_ns, &interval->figures,
			   report_complete(report, disk) };

	/* What was not counted has no rows. */
	if (!interval->figures.elapsed_ns)
		return;
	class_rows(out, disk, &row);
	fflush(out->to);
}

/* Columns that are empty in a row of an owner. */
static size_t columns_between(void)
{
	size_t nr = 0, i, end = sizeof(columns) - sizeof(CSV_OWNER_COLUMNS);

	for (i = 0; i < end; i++)
		nr += columns[i] == ',';
	return nr - 2;
}

static int csv_report(struct out *out, const struct report *report)
{
	unsigned int run;
	size_t i;

	for (i = 0; i < report->nr_disks; i++) {
		const struct report_disk *disk = &report->disk[i];
		bool complete = report_complete(report, disk);
		uint64_t start_ns = report->nr_runs ? disk->run[0].begin_ns : 0;

		for (run = 0; report->wanted_runs > 1 && run < report->nr_runs; run++) {
			const struct figures *figures = &disk->run[run];
			struct row row = { "run", run + 1, figures->begin_ns - start_ns, figures,
					   complete };

			if (figures->elapsed_ns)
				class_rows(out, disk, &row);
		}
		if (disk->delta.windows) {
			struct row row = { "total", 0, 0, &disk->figures, complete };

			class_rows(out, disk, &row);
			csv_owner_rows(out->to, disk, columns_between());
		}
	}
	if (!out->rows)
		fprintf(out->to, "%s" CSV_END, columns);
	return 0;
}

const struct out_ops out_csv = {
	.name = "csv",
	.interval = csv_interval,
	.report = csv_report,
};
