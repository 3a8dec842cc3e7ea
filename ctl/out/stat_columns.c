// SPDX-License-Identifier: GPL-2.0-or-later
/* stat_columns: what a row may hold, see stat.h.  A further column is a further line. */
#include <string.h>
#include <strings.h>

#include "out/stat.h"

static bool has_fua(const struct disk_info *info)
{
	return info->fua != 0;
}

static bool has_ncq(const struct disk_info *info)
{
	return info->ncq >= 0;
}

static bool has_discard(const struct disk_info *info)
{
	return info->discard_max_bytes != 0;
}

static bool per_second(const struct report_disk *disk, double count, double *value)
{
	*value = count * 1e9 / (double)disk->figures.elapsed_ns;
	return disk->figures.elapsed_ns > 0;
}

static bool rate(const struct stat_column *column, const struct report_disk *disk,
		 double *value)
{
	return per_second(disk, (double)disk->figures.class[column->class].counts.ios, value);
}

static bool bytes(const struct stat_column *column, const struct report_disk *disk,
		  double *value)
{
	return per_second(disk, (double)disk->figures.class[column->class].counts.bytes, value);
}

static bool mean(const struct stat_column *column, const struct report_disk *disk,
		 double *value)
{
	return figures_mean(&disk->figures, column->class, value);
}

static bool percentile(const struct stat_column *column, const struct report_disk *disk,
		       double *value)
{
	const struct latency *latency =
		&disk->figures.class[column->class].latency[FSBSTAT_HIST_DEVICE];

	*value = (double)latency->percentile_ns[column->which];
	return latency->enough[column->which];
}

static bool maximum(const struct stat_column *column, const struct report_disk *disk,
		    double *value)
{
	const struct latency *latency =
		&disk->figures.class[column->class].latency[FSBSTAT_HIST_DEVICE];

	*value = (double)latency->max_ns;
	return latency->count > 0;
}

static bool depth(const struct stat_column *column, const struct report_disk *disk,
		  double *value)
{
	(void)column;
	*value = disk->figures.depth_mean;
	return disk->figures.elapsed_ns > 0;
}

static bool inflight(const struct stat_column *column, const struct report_disk *disk,
		     double *value)
{
	(void)column;
	*value = disk->figures.inflight_end;
	return disk->figures.elapsed_ns > 0;
}

/* With several hardware queues nobody knows when all were empty. */
static bool busy(const struct stat_column *column, const struct report_disk *disk,
		 double *value)
{
	const struct figures *figures = &disk->figures;
	double elapsed = (double)figures->elapsed_ns;

	(void)column;
	*value = 100 - 100 * figures->idle_ns / elapsed;
	return elapsed > 0 &&
	       (figures->nr_queues == 1 || !figures_have(figures, LAYER_DEPTH));
}

static bool asked(const struct stat_column *column, const struct report_disk *disk,
		  double *value)
{
	struct asked counts;

	(void)column;
	report_asked(disk, &disk->figures.bio, &counts);
	return counts.known && per_second(disk, (double)counts.all, value);
}

static bool fsyncs(const struct stat_column *column, const struct report_disk *disk,
		   double *value)
{
	(void)column;
	return disk->figures.fs.calls &&
	       per_second(disk, (double)disk->figures.fs.sums.fsyncs, value);
}

static bool commits(const struct stat_column *column, const struct report_disk *disk,
		    double *value)
{
	(void)column;
	return disk->figures.fs.journal &&
	       per_second(disk, (double)disk->figures.fs.sums.commits, value);
}

static bool fsync_percentile(const struct stat_column *column, const struct report_disk *disk,
			     double *value)
{
	const struct latency *latency = &disk->figures.fs.latency;

	*value = (double)latency->percentile_ns[column->which];
	return latency->count && latency->enough[column->which];
}

/* What there was since the last flush, of before the row as well: an upper bound. */
static bool at_risk(const struct stat_column *column, const struct report_disk *disk,
		    double *value)
{
	const char *why;
	enum unflushed known = report_unflushed(disk, &disk->figures, &why);

	(void)column;
	*value = known == UNFLUSHED_KNOWN ? (double)disk->figures.unflushed.bytes_max : 0;
	return known == UNFLUSHED_KNOWN || known == UNFLUSHED_CACHE_OFF;
}

static bool errors(const struct stat_column *column, const struct report_disk *disk,
		   double *value)
{
	uint64_t sum = 0;
	unsigned int class;

	(void)column;
	for (class = 0; class < FSBSTAT_CLASSES; class++)
		sum += disk->figures.class[class].counts.errors;
	return per_second(disk, (double)sum, value);
}

static bool tags(const struct stat_column *column, const struct report_disk *disk,
		 double *value)
{
	const struct ata_figures *ata = &disk->figures.ata;

	(void)column;
	*value = ata->tags_mean;
	return ata->elapsed_ns > ata->sums.parts.error_ns;
}

/* which: offset of the part in struct ata_parts. */
static bool ata_part(const struct stat_column *column, const struct report_disk *disk,
		     double *value)
{
	const struct ata_figures *ata = &disk->figures.ata;
	const char *parts = (const char *)&ata->sums.parts;

	*value = 100 * (double)*(const uint64_t *)(parts + column->which) /
		 (double)ata->elapsed_ns;
	return ata->elapsed_ns > 0;
}

/* What flushes cost the disk: its time in them, and behind libata in draining for them. */
static bool flush_share(const struct stat_column *column, const struct report_disk *disk,
			double *value)
{
	const struct figures *figures = &disk->figures;

	(void)column;
	*value = 100 * report_flush_ns(figures) / (double)figures->elapsed_ns;
	return figures->elapsed_ns > 0;
}

#define ANY LAYERS

const struct stat_column stat_columns[] = {
	{ "read_per_s", "read/s", "reads", STAT_PER_SECOND, 7, 1, ANY, NULL, rate,
	  FSBSTAT_CLASS_READ,
	  0 },
	{ "read_bytes_per_s", "rMB/s", "bytes read", STAT_BYTES_PER_SECOND, 6, 1, ANY, NULL,
	  bytes, FSBSTAT_CLASS_READ, 0 },
	{ "write_per_s", "write/s", "writes, without FUA writes where they are told apart",
	  STAT_PER_SECOND, 7, 1, ANY, NULL, rate, FSBSTAT_CLASS_WRITE, 0 },
	{ "write_bytes_per_s", "wMB/s", "bytes written by them", STAT_BYTES_PER_SECOND, 6, 1, ANY,
	  NULL, bytes, FSBSTAT_CLASS_WRITE, 0 },
	{ "fua_per_s", "FUA/s", "FUA writes", STAT_PER_SECOND, 6, 5, LAYER_CLASSES, has_fua,
	  rate, FSBSTAT_CLASS_FUA_WRITE, 0 },
	{ "fua_bytes_per_s", "fMB/s", "bytes written by FUA writes", STAT_BYTES_PER_SECOND, 6, 12,
	  LAYER_CLASSES, has_fua, bytes, FSBSTAT_CLASS_FUA_WRITE, 0 },
	{ "flush_per_s", "flush/s", "cache flushes sent to the disk", STAT_PER_SECOND, 7, 1, ANY,
	  NULL, rate, FSBSTAT_CLASS_FLUSH, 0 },
	{ "asked_per_s", "asked/s", "flushes asked for", STAT_PER_SECOND, 7, 8, LAYER_BIO, NULL,
	  asked, 0, 0 },
	{ "fsync_per_s", "fsync/s", "calls of fsync, and of what does the same",
	  STAT_PER_SECOND, 7, 2, LAYER_FS, NULL, fsyncs, 0, 0 },
	{ "commit_per_s", "comm/s", "commits of journals", STAT_PER_SECOND, 6, 8, LAYER_FS,
	  NULL, commits, 0, 0 },
	{ "fsync_p50_ns", "fs_p50", "median of calls of fsync", STAT_NS, 6, 2, LAYER_FS, NULL,
	  fsync_percentile, 0, PERCENTILE_50 },
	{ "fsync_p99_ns", "fs_p99", "99th percentile of calls of fsync", STAT_NS, 6, 2,
	  LAYER_FS, NULL, fsync_percentile, 0, PERCENTILE_99 },
	{ "at_risk_max_bytes", "riskMB", "most that was written and not flushed", STAT_BYTES, 6,
	  5, LAYER_UNFLUSHED, NULL, at_risk, 0, 0 },
	{ "discard_per_s", "disc/s", "discards", STAT_PER_SECOND, 6, 10, ANY, has_discard,
	  rate, FSBSTAT_CLASS_DISCARD, 0 },
	{ "discard_bytes_per_s", "dMB/s", "bytes discarded", STAT_BYTES_PER_SECOND, 6, 12, ANY,
	  has_discard, bytes, FSBSTAT_CLASS_DISCARD, 0 },
	{ "write_zeroes_per_s", "zero/s", "write zeroes", STAT_PER_SECOND, 6, 0, LAYER_CLASSES,
	  NULL, rate, FSBSTAT_CLASS_WRITE_ZEROES, 0 },
	{ "other_per_s", "other/s", "passthrough and other requests", STAT_PER_SECOND, 7, 0,
	  LAYER_CLASSES, NULL, rate, FSBSTAT_CLASS_OTHER, 0 },
	{ "read_mean_ns", "r_ms", "mean time of a read", STAT_NS, 6, 4, ANY, NULL, mean,
	  FSBSTAT_CLASS_READ, 0 },
	{ "read_p50_ns", "r_p50", "median of reads", STAT_NS, 6, 11, LAYER_LATENCY, NULL,
	  percentile, FSBSTAT_CLASS_READ, PERCENTILE_50 },
	{ "read_p99_ns", "r_p99", "99th percentile of reads", STAT_NS, 6, 9, LAYER_LATENCY, NULL,
	  percentile, FSBSTAT_CLASS_READ, PERCENTILE_99 },
	{ "read_max_ns", "r_max", "longest read", STAT_NS, 6, 0, LAYER_LATENCY, NULL, maximum,
	  FSBSTAT_CLASS_READ, 0 },
	{ "write_mean_ns", "w_ms", "mean time of a write", STAT_NS, 6, 3, ANY, NULL, mean,
	  FSBSTAT_CLASS_WRITE, 0 },
	{ "write_p50_ns", "w_p50", "median of writes", STAT_NS, 6, 11, LAYER_LATENCY, NULL,
	  percentile, FSBSTAT_CLASS_WRITE, PERCENTILE_50 },
	{ "write_p99_ns", "w_p99", "99th percentile of writes", STAT_NS, 6, 7, LAYER_LATENCY,
	  NULL, percentile, FSBSTAT_CLASS_WRITE, PERCENTILE_99 },
	{ "write_max_ns", "w_max", "longest write", STAT_NS, 6, 0, LAYER_LATENCY, NULL,
	  maximum, FSBSTAT_CLASS_WRITE, 0 },
	{ "fua_mean_ns", "fua_ms", "mean time of a FUA write", STAT_NS, 6, 6, LAYER_CLASSES,
	  has_fua, mean, FSBSTAT_CLASS_FUA_WRITE, 0 },
	{ "flush_mean_ns", "fl_ms", "mean time of a flush", STAT_NS, 6, 4, ANY, NULL,
	  mean, FSBSTAT_CLASS_FLUSH, 0 },
	{ "flush_p50_ns", "fl_p50", "median of flushes", STAT_NS, 6, 11, LAYER_LATENCY, NULL,
	  percentile, FSBSTAT_CLASS_FLUSH, PERCENTILE_50 },
	{ "flush_p99_ns", "fl_p99", "99th percentile of flushes", STAT_NS, 6, 9, LAYER_LATENCY,
	  NULL, percentile, FSBSTAT_CLASS_FLUSH, PERCENTILE_99 },
	{ "flush_max_ns", "fl_max", "longest flush", STAT_NS, 6, 0, LAYER_LATENCY, NULL,
	  maximum, FSBSTAT_CLASS_FLUSH, 0 },
	{ "depth_mean", "depth", "mean number of requests in flight", STAT_NUMBER, 5, 3, ANY,
	  NULL, depth, 0, 0 },
	{ "inflight_end", "infl", "requests in flight at the end of the row", STAT_COUNT, 5, 0,
	  ANY, NULL, inflight, 0, 0 },
	{ "busy_percent", "busy%", "time with a request in flight", STAT_PERCENT, 5, 5, ANY, NULL,
	  busy, 0, 0 },
	{ "ncq_mean", "tags", "mean number of NCQ tags in use", STAT_NUMBER, 5, 9, LAYER_ATA,
	  has_ncq, tags, 0, 0 },
	{ "queued_percent", "ncq%", "time working on queued commands", STAT_PERCENT, 5, 12,
	  LAYER_ATA, has_ncq, ata_part, 0,
	  offsetof(struct ata_parts, queued_ns) },
	{ "drain_percent", "drain%", "time draining the queue for a command that cannot be queued",
	  STAT_PERCENT, 6, 5, LAYER_ATA, has_ncq, ata_part, 0,
	  offsetof(struct ata_parts, drain_ns) },
	{ "alone_percent", "alone%", "time with such a command alone at the disk", STAT_PERCENT, 6,
	  6, LAYER_ATA, has_ncq, ata_part, 0,
	  offsetof(struct ata_parts, alone_ns) },
	{ "flush_drain_percent", "fl+dr%",
	  "time in flushes, and behind libata in draining the queue for them", STAT_PERCENT, 6, 2,
	  LAYER_LATENCY, NULL, flush_share, 0, 0 },
	{ "errors_per_s", "err/s", "failed requests", STAT_PER_SECOND, 5, 12, LAYER_CLASSES, NULL,
	  errors, 0, 0 },
};

const size_t stat_nr_columns = sizeof(stat_columns) / sizeof(stat_columns[0]);

_Static_assert(sizeof(stat_columns) / sizeof(stat_columns[0]) <= STAT_COLUMNS_MAX,
	       "STAT_COLUMNS_MAX");

size_t stat_find_column(const char *name)
{
	size_t i;

	for (i = 0; i < stat_nr_columns; i++)
		if (!strcasecmp(name, stat_columns[i].key) ||
		    !strcasecmp(name, stat_columns[i].title))
			break;
	return i;
}

/* Is there anything on the disk that it could be of?  Yes, as long as nothing is counted. */
static bool layer_known(const struct report_disk *disk, enum layer layer)
{
	const struct figures *figures = &disk->figures;
	const char *why;

	if (!figures_have(figures, layer) || !figures->elapsed_ns)
		return figures_have(figures, layer);
	if (layer == LAYER_FS)
		return figures->fs.calls || figures->fs.journal;
	return layer != LAYER_UNFLUSHED ||
	       report_unflushed(disk, figures, &why) != UNFLUSHED_UNKNOWN;
}

bool stat_column_known(const struct stat_column *column, const struct report_disk *disk)
{
	if (column->needs != ANY && !layer_known(disk, column->needs))
		return false;
	return !column->applies || !disk->begin.have_info || column->applies(&disk->begin.info);
}

/* A column that was not asked for is shown where there is room; JSON has everything. */
uint32_t stat_layers(const struct stat_out *out)
{
	static const uint32_t layer[LAYERS + 1] = {
		[LAYER_BIO] = FSBSTAT_LAYER_BIO,
		[LAYER_OWNERS] = FSBSTAT_LAYER_BIO,
		[LAYER_ATA] = FSBSTAT_LAYER_DRIVE,
		[LAYER_UNFLUSHED] = FSBSTAT_LAYER_DRIVE,
		[LAYER_FS] = FSBSTAT_LAYER_FS,
	};
	uint32_t layers = FSBSTAT_LAYER_REQUEST;
	size_t i;

	if (!out->nr_chosen || out->ops == &stat_json || out->ops == &stat_jsonl)
		return FSBSTAT_LAYERS_ALL;
	for (i = 0; i < out->nr_chosen; i++)
		layers |= layer[stat_columns[out->chosen[i]].needs];
	return layers;
}
