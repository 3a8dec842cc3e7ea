// SPDX-License-Identifier: GPL-2.0-or-later
/* meter_rows: option sets and epochs as rows of the live view, see meter_rows.h. */
#include "tui/meter_rows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "message.h"
#include "model/compare.h"
#include "out/report.h"
#include "tui/meter_why.h"

void meter_rows_free(struct top_disk *disk)
{
	free(disk->set);
	free(disk->epoch);
	disk->set = NULL;
	disk->epoch = NULL;
	disk->nr_sets = 0;
	disk->nr_epochs = 0;
}

static double p99_of(const struct figures *figures, unsigned int class)
{
	const struct latency *device = &figures->class[class].latency[FSBSTAT_HIST_DEVICE];

	return device->count && device->enough[PERCENTILE_99]
		       ? (double)device->percentile_ns[PERCENTILE_99]
		       : NAN;
}

static void fsyncs(struct set_row *row, const struct figures *figures)
{
	const struct latency *latency = &figures->fs.latency;

	if (!figures->fs.calls)
		return;
	row->fsync_s = (double)figures->fs.sums.fsyncs * 1e9 / (double)figures->elapsed_ns;
	if (latency->count && latency->enough[PERCENTILE_50])
		row->fsync_p50_ns = (double)latency->percentile_ns[PERCENTILE_50];
	if (latency->count && latency->enough[PERCENTILE_99])
		row->fsync_p99_ns = (double)latency->percentile_ns[PERCENTILE_99];
}

/* The set says how the cache was; what the module was told may be of a moment before. */
static void risk(struct set_row *row, const struct figures *figures, const struct epoch_set *set)
{
	const struct disk_info info = {.write_cache = set->options.write_cache};
	struct figures untold = *figures;
	const char *unknown;

	if (info.write_cache != UNKNOWN) {
		untold.unflushed.cache_begin = FSBSTAT_WRITE_CACHE_UNKNOWN;
		untold.unflushed.cache_end = FSBSTAT_WRITE_CACHE_UNKNOWN;
	}
	row->risk = meter_risk(&untold, &info, &row->risk_bytes, &unknown);
}

static void measures(struct set_row *row, const struct epoch_set *set)
{
	double seconds;
	struct figures figures;

	figures_of(&figures, &set->delta);
	seconds = (double)figures.elapsed_ns / 1e9;
	row->write_bytes_s = (double)(figures.class[FSBSTAT_CLASS_WRITE].counts.bytes +
				      figures.class[FSBSTAT_CLASS_FUA_WRITE].counts.bytes) /
			     seconds;
	row->flush_s = (double)figures.class[FSBSTAT_CLASS_FLUSH].counts.ios / seconds;
	row->write_p99_ns = p99_of(&figures, FSBSTAT_CLASS_WRITE);
	row->flush_p99_ns = p99_of(&figures, FSBSTAT_CLASS_FLUSH);
	if (figures_have(&figures, LAYER_LATENCY))
		row->flush_share = report_flush_ns(&figures) / (double)figures.elapsed_ns;
	fsyncs(row, &figures);
	risk(row, &figures, set);
	if (!figures.ata.elapsed_ns)
		return;
	row->ncq_mean = figures.ata.tags_mean;
	row->drain_share = (double)figures.ata.sums.parts.drain_ns / (double)figures.ata.elapsed_ns;
}

static void compare(struct set_row *row, const struct epochs *epochs, unsigned int baseline)
{
	const struct rate *rate = rate_telling_most(epochs);
	struct comparison comparison;
	struct estimate estimate;

	estimate_of(&estimate, epochs, row->number, rate);
	if (estimate.n) {
		row->rate = estimate.value;
		row->rate_half = estimate.n > 1 ? estimate.half : NAN;
	}
	if (!baseline || baseline > epochs->nr_sets || epochs->nr_sets < 2)
		return;
	compare_sets(&comparison, epochs, baseline, row->number, rate);
	if (comparison.how == COMPARED) {
		row->change = 100 * comparison.change.change;
		row->change_low = 100 * comparison.change.low;
		row->change_high = 100 * comparison.change.high;
	} else {
		if (baseline != row->number)
			snprintf(row->compare, sizeof(row->compare), "%s",
				 comparable_text(comparison.how));
		snprintf(row->compare_short, sizeof(row->compare_short), "%s",
			 comparable_word(comparison.how));
	}
}

/* In one unit in all rows: of fsyncs where one is. */
static void each(struct set_row *row, const struct epochs *epochs, const struct epoch_set *set)
{
	struct figures figures;
	struct work work;

	work_of(&work, epochs, set->nr);
	if (work.per == WORK_UNKNOWN || (work.per != WORK_FSYNC && work_by_fsync(epochs)))
		return;
	row->each_bytes = work.bytes;
	figures_of(&figures, &set->delta);
	if (work.per == WORK_FSYNC && figures.ata.elapsed_ns)
		row->each_ns = report_flush_ns(&figures) / (double)figures.fs.sums.fsyncs;
}

static void set_row_of(struct set_row *row, const struct epochs *epochs,
		       const struct epoch_set *set, unsigned int baseline)
{
	*row = (struct set_row){.number = set->nr,
				.now = epochs_current(epochs) == set->nr,
				.epochs = set->n,
				.held_ns = (double)set->held_ns,
				.ncq_off = set->options.ncq == 1,
				.write_bytes_s = NAN,
				.fsync_s = NAN,
				.flush_s = NAN,
				.ncq_mean = NAN,
				.drain_share = NAN,
				.flush_share = NAN,
				.write_p99_ns = NAN,
				.flush_p99_ns = NAN,
				.fsync_p50_ns = NAN,
				.fsync_p99_ns = NAN,
				.each_bytes = NAN,
				.each_ns = NAN,
				.rate = NAN,
				.rate_half = NAN,
				.change = NAN};
	message_printable(row->name, sizeof(row->name), set->name);
	message_printable(row->title, sizeof(row->title), set->title);
	if (!set->held_ns)
		return;
	measures(row, set);
	each(row, epochs, set);
	compare(row, epochs, baseline);
}

static void clock_of(char *text, size_t size, int64_t realtime_ns)
{
	time_t seconds = (time_t)(realtime_ns / 1000000000);
	struct tm tm;

	if (!localtime_r(&seconds, &tm) || !strftime(text, size, "%H:%M:%S", &tm))
		snprintf(text, size, "-");
}

/* "nobarrier -> barrier" for what ended an epoch: the changes before the next one. */
static void changes_text(struct epoch_row *row, const struct epoch_change *change, size_t nr)
{
	char text[512], raw[256];
	size_t used = 0, i;
	uint64_t error = 0;

	text[0] = '\0';
	for (i = 0; i < nr && used < sizeof(text); i++) {
		option_change_text(raw, sizeof(raw), &change[i].option);
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", i ? ", " : "",
					 raw);
		error = change[i].error_ns > error ? change[i].error_ns : error;
	}
	message_printable(row->ended_by, sizeof(row->ended_by), text);
	if (!nr)
		return;
	if (error)
		snprintf(row->seen, sizeof(row->seen), "within %.1f s", (double)error / 1e9);
	else
		snprintf(row->seen, sizeof(row->seen), "at once");
}

static void epoch_row_of(struct epoch_row *row, const struct epochs *epochs, size_t i,
			 int64_t to_realtime_ns)
{
	const struct epoch *epoch = &epochs->epoch[i];

	memset(row, 0, sizeof(*row));
	row->number = (unsigned int)i + 1;
	row->set = epoch->set;
	row->held_ns = (double)epoch->held_ns;
	clock_of(row->began, sizeof(row->began), (int64_t)epoch->began_ns + to_realtime_ns);
	if (epoch->open)
		snprintf(row->ended_by, sizeof(row->ended_by), "(now)");
	else if (i + 1 < epochs->nr_epochs)
		changes_text(row, epoch[1].change, epoch[1].nr_changes);
	else
		changes_text(row, epochs->pending, epochs->nr_pending);
}

int meter_rows_fill(struct top_disk *disk, const struct epochs *epochs, unsigned int baseline,
		    int64_t to_realtime_ns)
{
	size_t i;

	meter_rows_free(disk);
	disk->settle_s = (double)epochs->settle_ns / 1e9;
	disk->no_sets = epochs_settling(epochs) ? "settling" : "none has been seen yet";
	disk->rate_label = rate_telling_most(epochs)->label;
	disk->each = work_by_fsync(epochs) ? "fsync" : "IO";
	disk->set = calloc(epochs->nr_sets ? epochs->nr_sets : 1, sizeof(*disk->set));
	disk->epoch = calloc(epochs->nr_epochs ? epochs->nr_epochs : 1, sizeof(*disk->epoch));
	if (!disk->set || !disk->epoch)
		return -ENOMEM;
	for (i = 0; i < epochs->nr_sets; i++)
		set_row_of(&disk->set[i], epochs, &epochs->set[i], baseline);
	disk->nr_sets = epochs->nr_sets;
	for (i = 0; i < epochs->nr_epochs; i++)
		epoch_row_of(&disk->epoch[i], epochs, i, to_realtime_ns);
	disk->nr_epochs = epochs->nr_epochs;
	return 0;
}
