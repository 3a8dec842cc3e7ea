// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * json: a recording as one fsbstat/1 document on one line; docs/fsbstat-1.schema.json
 * describes it.  Every key is always there; what is not known is null, with the
 * reason in source_reason.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk/disk_json.h"
#include "fsbstat_version.h"
#include "json_text.h"
#include "out/json_epochs.h"
#include "out/out.h"

#define SCHEMA "fsbstat/1"

json_t *json_host(const struct host *host)
{
	return json_pack("{s:o, s:o, s:o, s:I, s:o}", "kernel", json_text(host->kernel), "machine",
			 json_text(host->machine), "cpu",
			 *host->cpu ? json_text(host->cpu) : json_null(), "cpus",
			 (json_int_t)host->cpus, "memory_bytes",
			 host->memory_bytes ? json_count(host->memory_bytes) : json_null());
}

json_t *json_exit(int code, int signal)
{
	return json_pack("{s:o, s:o}", "code", code >= 0 ? json_integer(code) : json_null(),
			 "signal", signal ? json_integer(signal) : json_null());
}

static json_t *command_json(const struct report *report)
{
	json_t *argv;
	size_t i;

	if (!report->argv)
		return json_null();
	argv = json_array();
	for (i = 0; argv && report->argv[i]; i++)
		if (json_array_append_new(argv, json_text(report->argv[i]))) {
			json_decref(argv);
			argv = NULL;
		}
	return json_pack("{s:o, s:o, s:s, s:o}", "argv", argv, "exit",
			 json_exit(report->code, report->signal), "start", report->start, "wall_ns",
			 json_count(report->wall_ns));
}

json_t *json_device(const struct report_disk *disk)
{
	if (disk->begin.have_info)
		return disk_json_device(&disk->begin.info);
	return disk->end.have_info ? disk_json_device(&disk->end.info) : json_null();
}

static json_t *stats_json(const struct report_end *end)
{
	const struct diskstats *stats = &end->stats;

	if (!end->have_stats)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "read_ios", json_count(stats->read_ios),
			 "read_merges", json_count(stats->read_merges),
			 "read_sectors", json_count(stats->read_sectors),
			 "write_ios", json_count(stats->write_ios),
			 "write_merges", json_count(stats->write_merges),
			 "write_sectors", json_count(stats->write_sectors),
			 "discard_ios", json_count(stats->discard_ios),
			 "discard_sectors", json_count(stats->discard_sectors),
			 "flush_ios", json_count(stats->flush_ios),
			 "inflight", json_count(stats->inflight));
}

static json_t *warnings_json(const struct warnings *warnings)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && i < warnings->nr; i++)
		if (json_array_append_new(array, json_text(warnings->line[i]))) {
			json_decref(array);
			array = NULL;
		}
	return array;
}

static json_t *quality_json(const struct report *report, const struct report_disk *disk)
{
	const struct quality_counts *quality = &disk->delta.quality;
	const struct fs_delta *fs = disk->delta.fs;
	bool all = figures_have(&disk->figures, LAYER_CLASSES);
	json_t *object;

	object = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			   "unmatched", json_count_if(all, quality->unmatched),
			   "untracked", json_count_if(all, quality->untracked),
			   "not_sent", json_count_if(all, disk->figures.not_sent),
			   "displaced", json_count_if(all, quality->displaced),
			   "partial", json_count_if(all, quality->partial),
			   "sequence_end", json_count_if(all, quality->sequence_end),
			   "sequence_end_empty", json_count_if(all, quality->sequence_end_empty),
			   "sequence_end_errors", json_count_if(all, quality->sequence_end_errors),
			   "clock_anomalies", json_count_if(all, quality->clock_anomalies),
			   "other_writes", json_count_if(all, quality->other_writes));
	if (!object ||
	    json_object_update_new(object,
				   json_pack("{s:b, s:b, s:b, s:o, s:o, s:n, s:b, s:o}", "settling",
					     disk->delta.settling, "restarted",
					     disk->delta.restarted, "gone", disk->delta.gone,
					     "nmissed", json_count_if(fs, fs ? fs->all.missed : 0),
					     "fsync_lost", json_count_if(fs, fs ? fs->all.lost : 0),
					     "overhead_ns", "complete",
					     report_complete(report, disk), "warnings",
					     warnings_json(&disk->warnings)))) {
		json_decref(object);
		return NULL;
	}
	return object;
}

struct reason {
	bool applies;
	const char *key, *text;
};

/* Requests ended whose beginning the kernel had not noted. */
static bool no_queue_times(const struct figures *figures)
{
	unsigned int class;

	for (class = 0; class < FSBSTAT_CLASSES; class++)
		if (figures_have(figures, LAYER_LATENCY) && figures->class[class].counts.ios &&
		    !figures->class[class].latency[FSBSTAT_HIST_QUEUE].count)
			return true;
	return false;
}

static int add_reasons(json_t *object, const struct reason *reasons, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (reasons[i].applies && json_object_set_new(object, reasons[i].key,
							      json_string(reasons[i].text)))
			return -1;
	return 0;
}

#define ADD_REASONS(object, reasons) \
	add_reasons(object, reasons, sizeof(reasons) / sizeof((reasons)[0]))

/* Layers that are not there, and parts of those that are. */
static int add_layer_reasons(json_t *object, const struct report *report,
			     const struct report_disk *disk, const struct row_gaps *gaps)
{
	const char *classes = report->missing[LAYER_CLASSES], *depth = report->missing[LAYER_DEPTH];
	const char *latency = report->missing[LAYER_LATENCY], *bio = report->missing[LAYER_BIO];
	const char *ata_unknown = report_ata_unknown(report, disk), *no_deferral;
	const char *fs_unknown = report_fs_unknown(disk);
	const char *deferral = report_ata_deferral(&disk->figures, &no_deferral);
	const char *no_unflushed;
	enum unflushed unflushed = report_unflushed(disk, &disk->figures, &no_unflushed);
	const struct reason reasons[] = {
		{ !*report->module_version, "module.version", "the module had no part in it" },
		{ classes, "request.*.errors", classes },
		{ classes, "request.*.requeues", classes },
		{ classes, "request.*.busy", classes },
		{ classes, "request.*.not_sent", classes },
		{ classes, "request.fua_write", classes },
		{ classes, "request.write_zeroes", classes },
		{ classes, "request.other", classes },
		{ classes, "quality", classes },
		{ latency, "request.*.queue", latency },
		{ latency, "request.*.device", latency },
		{ !latency, "request.*.total_ns", "queue and device tell more" },
		{ depth, "depth.max", depth },
		{ depth, "depth.limit", depth },
		{ depth, "depth.time_ns", depth },
		{ bio, "bio", bio },
		{ bio, "flush.asked", bio },
		{ ata_unknown, "ata", ata_unknown },
		{ !ata_unknown && !deferral, "ata.deferral", no_deferral },
		{ !ata_unknown, "ata.*.percentile", "fewer than 10 samples lie beyond it" },
		{ !ata_unknown && gaps->ata, "intervals.*.ata",
		  "no ATA command seen yet (runs too)" },
		{ unflushed < UNFLUSHED_NO_FLUSH, "unflushed", no_unflushed },
		{ unflushed >= UNFLUSHED_NO_FLUSH && gaps->unflushed,
		  "unflushed.*", "no flush: which part the drive still holds is unknown" },
		{ fs_unknown, "fs", fs_unknown },
		{ !fs_unknown && !disk->figures.fs.journal, "fs.commits",
		  "none of the filesystems on it has a jbd2 journal" },
		{ !fs_unknown, "fs.*.percentile", "fewer than 10 samples lie beyond it" },
		{ !fs_unknown && gaps->fs, "intervals.*.fs",
		  "no filesystem of a counted type was on it yet (runs too)" },
		{ *disk->owners_unknown, "owners", disk->owners_unknown },
		{ !*disk->owners_unknown, "owners.*.comm",
		  "those for whom the module had no room; neither tasks nor device" },
		{ disk->groups.nr && !disk->groups.group[0].tasks, "owners.*.tasks",
		  "processes have no numbers in this pid namespace" },
		{ !*disk->owners_unknown, "owners.*.fsync",
		  disk->callers_lost ? "the module could not tell" :
				       "those without a name called for any disk" },
	};

	return ADD_REASONS(object, reasons);
}

/* What this recording or this disk has no figure for. */
static int add_window_reasons(json_t *object, const struct report *report,
			      const struct report_disk *disk)
{
	static const char later[] = "not measured by this version";
	bool dropped = report_flags_dropped(disk), single = disk->delta.nr_queues == 1;
	const char *latency = report->missing[LAYER_LATENCY], *bio = report->missing[LAYER_BIO];
	const struct reason reasons[] = {
		{ !disk->epochs.nr_pending, "unsettled", "nothing changed too late for an epoch" },
		{ !disk->delta.fs, "quality.nmissed", "see fs" },
		{ !disk->delta.fs, "quality.fsync_lost", "see fs" },
		{ true, "quality.overhead_ns", later },
		{ true, "request.*.durable", latency ? latency :
		  "only writes can be part of a flush sequence" },
		{ true, "request.*.merges", "the kernel reports merges of reads and writes only" },
		{ !latency, "request.*.percentile", "fewer than 10 requests lie beyond it" },
		{ !report->argv, "command", "none was run" },
		{ !report->sync, "sync", "not asked for (--sync)" },
		{ report->wanted_runs < 2, "summary", "not repeated (-r)" },
		{ !disk->delta.windows, "request", report_nothing(disk) },
		{ report_bio_silent(disk), "bio",
		  "this disk's bios pass no tracepoint, though requests flow" },
		{ dropped && !bio, "flush.asked",
		  "the kernel drops them before they can be counted (write through)" },
		{ !dropped && report_bio_silent(disk), "flush.asked", "see bio" },
		{ disk->delta.windows && !single, "depth.time_ns",
		  "known per hardware queue only, see depth.queues" },
		{ disk->delta.windows && !single, "depth.max",
		  "known per hardware queue only, see depth.queues" },
		{ disk->delta.windows && !single, "depth.idle_ns",
		  "of several hardware queues only diskstats knows, for the whole recording" },
		{ disk->delta.windows > 1, "depth.queues.begin", "several windows were added up" },
		{ no_queue_times(&disk->figures), "request.*.queue",
		  "the kernel did not note when these requests began" },
		{ !disk->begin.have_stats || !disk->end.have_stats, "diskstats",
		  "/proc/diskstats could not be read" },
		{ !report->have_dirty, "dirty_bytes_end", "/proc/meminfo could not be read" },
	};

	return ADD_REASONS(object, reasons);
}

/* Why each null is null; of two for one key the later one holds. */
static json_t *reasons_json(const struct report *report, const struct report_disk *disk,
			    const struct row_gaps *gaps)
{
	json_t *object = json_object();

	if (object && (add_layer_reasons(object, report, disk, gaps) ||
		       add_window_reasons(object, report, disk))) {
		json_decref(object);
		object = NULL;
	}
	return object;
}

static json_t *sync_json(const struct report *report)
{
	if (!report->sync)
		return json_null();
	return json_pack("{s:o}", "wall_ns", json_count(report->sync_ns));
}

/* What stands before the intervals. */
static json_t *head_json(const struct report *report, const struct report_disk *disk,
			 const struct row_gaps *gaps)
{
	json_t *head, *tail;

	head = json_pack("{s:s, s:s, s:{s:s}, s:{s:o}, s:o, s:s, s:o, s:o, s:o, s:o, s:s}",
			 "schema", SCHEMA, "kind", "disk",
			 "tool", "version", FSBSTAT_VERSION,
			 "module", "version", *report->module_version ?
				 json_text(report->module_version) : json_null(),
			 "host", json_host(&report->host), "source", report->source_name,
			 "source_reason", reasons_json(report, disk, gaps),
			 "device", json_device(disk),
			 "mounts", disk_json_mounts(&disk->begin.mounts),
			 "command", command_json(report), "start", report->start);
	tail = json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:o}",
			 "owners", json_owners(disk),
			 "dirty_bytes_end", report->have_dirty ?
				 json_count(report->dirty_bytes) : json_null(),
			 "dirty_scope", "all disks",
			 "sync", sync_json(report),
			 "option_sets", json_option_sets(&disk->epochs, report->baseline),
			 "epochs", json_epochs(disk, report->origin_ns),
			 "unsettled", json_unsettled(&disk->epochs, report->origin_ns));
	if (!head || !tail || json_set_figures(head, disk, &disk->figures, &disk->delta) ||
	    json_object_update(head, tail)) {
		json_decref(head);
		head = NULL;
	}
	json_decref(tail);
	return head;
}

/* What stands behind them. */
static json_t *tail_json(const struct report *report, const struct report_disk *disk)
{
	return json_pack("{s:o, s:o, s:{s:o, s:o}, s:o}",
			 "runs", json_runs(report, disk),
			 "summary", report->wanted_runs > 1 ? json_summary(report, disk) :
							      json_null(),
			 "diskstats", "begin", stats_json(&disk->begin), "end",
			 stats_json(&disk->end), "quality", quality_json(report, disk));
}

/* There may be more intervals than memory, so the document never is in memory as a whole. */
static int put_document(const struct report *report, const struct report_disk *disk, FILE *to)
{
	struct row_gaps gaps;
	int err = json_row_gaps(report, disk, &gaps);
	json_t *head = err ? NULL : head_json(report, disk, &gaps);
	json_t *tail = err ? NULL : tail_json(report, disk);

	/* A failed write shows in ferror(to). */
	if (head && tail) {
		fputc('{', to);
		(void)json_put(head, to, JSON_COMPACT | JSON_EMBED);
		fputs(",\"intervals\":", to);
		err = json_put_intervals(disk, to);
		fputc(',', to);
		(void)json_put(tail, to, JSON_COMPACT | JSON_EMBED);
		fputc('}', to);
	} else if (!err) {
		err = -ENOMEM;
	}
	json_decref(head);
	json_decref(tail);
	return err;
}

static int json_write(struct out *out, const struct report *report)
{
	int err = 0;
	size_t i;

	if (report->nr_disks == 1) {
		err = put_document(report, &report->disk[0], out->to);
	} else {
		fputs("{\"schema\":\"" SCHEMA "\",\"kind\":\"set\",\"members\":[", out->to);
		for (i = 0; !err && i < report->nr_disks; i++) {
			fputs(i ? "," : "", out->to);
			err = put_document(report, &report->disk[i], out->to);
		}
		fputs("]}", out->to);
	}
	fputc('\n', out->to);
	return err;
}

const struct out_ops out_json = {
	.name = "json",
	.needs_intervals = true,
	.report = json_write,
};
