// SPDX-License-Identifier: GPL-2.0-or-later
/* figures: the numbers of one window, and their spread over runs, see figures.h. */
#include <math.h>
#include <string.h>

#include "model/figures.h"

void latency_of(struct latency *latency, const struct hist *hist)
{
	size_t i;

	memset(latency, 0, sizeof(*latency));
	if (!hist || !hist->count)
		return;
	latency->count = hist->count;
	latency->sum_ns = hist->sum_ns;
	latency->min_ns = hist->min_ns;
	latency->max_ns = hist->max_ns;
	latency->exact = hist->exact;
	for (i = 0; i < HIST_PERCENTILES; i++)
		latency->enough[i] = hist_percentile(hist, hist_percentiles[i].per_10000,
						     &latency->percentile_ns[i]);
}

static void ata_figures_of(struct ata_figures *figures, const struct ata_delta *delta)
{
	unsigned int kind;

	figures->elapsed_ns = delta->elapsed_ns;
	figures->sums = delta->sums;
	figures->tags_max = ata_tags_max(&delta->sums);
	figures->tags_mean = ata_tags_mean(&delta->sums);
	for (kind = 0; kind < FSBSTAT_ATA_HISTS; kind++)
		latency_of(&figures->latency[kind], delta->hist[kind]);
}

static void fs_figures_of(struct fs_figures *figures, const struct fs_delta *delta)
{
	figures->calls = delta->calls;
	figures->journal = delta->journal;
	figures->all = delta->all;
	figures->sums = delta->sums;
	latency_of(&figures->latency, delta->latency);
}

/* The only depth that /proc/diskstats gives away. */
static void kernel_depth(struct figures *figures)
{
	double elapsed = (double)figures->elapsed_ns;

	if (elapsed > 0)
		figures->depth_mean = (double)figures->kernel.waiting_ns / elapsed;
	figures->idle_ns = elapsed - (double)figures->kernel.busy_ns;
	/* It is counted in ticks of up to 10 ms. */
	if (figures->idle_ns < 0)
		figures->idle_ns = 0;
}

bool figures_have(const struct figures *figures, enum layer layer)
{
	return !(figures->missing & LAYER_BIT(layer));
}

bool figures_class_known(const struct figures *figures, unsigned int class)
{
	return figures_have(figures, LAYER_CLASSES) || class == FSBSTAT_CLASS_READ ||
	       class == FSBSTAT_CLASS_WRITE || class == FSBSTAT_CLASS_FLUSH ||
	       class == FSBSTAT_CLASS_DISCARD;
}

bool figures_total(const struct figures *figures, unsigned int class, uint64_t *ns)
{
	const uint64_t total[FSBSTAT_CLASSES] = {
		[FSBSTAT_CLASS_READ] = figures->kernel.read_ns,
		[FSBSTAT_CLASS_WRITE] = figures->kernel.write_ns,
		[FSBSTAT_CLASS_FLUSH] = figures->kernel.flush_ns,
		[FSBSTAT_CLASS_DISCARD] = figures->kernel.discard_ns,
	};

	if (figures_have(figures, LAYER_LATENCY) || !figures_class_known(figures, class))
		return false;
	*ns = total[class];
	return true;
}

bool figures_merges(const struct figures *figures, unsigned int class, uint64_t *merges)
{
	bool have = figures_have(figures, LAYER_BIO);

	if (class == FSBSTAT_CLASS_READ)
		*merges = have ? figures->bio.read_merges : figures->kernel.read_merges;
	else if (class == FSBSTAT_CLASS_WRITE)
		*merges = have ? figures->bio.write_merges : figures->kernel.write_merges;
	else
		*merges = figures->kernel.discard_merges;
	return class == FSBSTAT_CLASS_READ || class == FSBSTAT_CLASS_WRITE ||
	       (class == FSBSTAT_CLASS_DISCARD && !have);
}

bool figures_mean(const struct figures *figures, unsigned int class, double *ns)
{
	const struct latency *device = &figures->class[class].latency[FSBSTAT_HIST_DEVICE];
	uint64_t count = device->count, sum = device->sum_ns, total;

	if (figures_total(figures, class, &total)) {
		count = figures->class[class].counts.ios;
		sum = total;
	}
	if (!count)
		return false;
	*ns = (double)sum / (double)count;
	return true;
}

void figures_of(struct figures *figures, const struct delta *delta)
{
	unsigned int class, kind;
	uint32_t i;

	memset(figures, 0, sizeof(*figures));
	figures->missing = delta->missing;
	if (delta->nr_queues)
		figures->begin_ns = delta->queue[0].begin.time_ns;
	figures->silent = delta->silent;
	if (delta->silent)
		return;
	figures->kernel = delta->kernel;
	figures->elapsed_ns = delta->elapsed_ns;
	figures->bio = delta->bio;
	for (class = 0; class < FSBSTAT_CLASSES; class++) {
		figures->class[class].counts = delta->class[class].counts;
		figures->not_sent += delta->class[class].counts.not_sent;
		for (kind = 0; kind < FSBSTAT_HIST_KINDS; kind++)
			latency_of(&figures->class[class].latency[kind],
				   delta->class[class].hist[kind]);
	}
	if (delta->ata)
		ata_figures_of(&figures->ata, delta->ata);
	if (delta->fs)
		fs_figures_of(&figures->fs, delta->fs);
	figures->unflushed = delta->unflushed;
	figures->nr_queues = delta->nr_queues;
	figures->depth_mean = delta_depth_mean(delta);
	for (i = 0; i < delta->nr_queues; i++) {
		figures->inflight_begin += delta->queue[i].begin.inflight;
		figures->inflight_end += delta->queue[i].end.inflight;
	}
	if (!delta->nr_queues)
		return;
	if (!figures_have(figures, LAYER_DEPTH)) {
		kernel_depth(figures);
	} else if (delta->nr_queues == 1) {
		figures->depth_max = queue_depth_max(&delta->queue[0]);
		figures->idle_ns = (double)delta->queue[0].depth_ns[0];
	}
}

void spread_of(struct spread *spread, const double *values, unsigned int n)
{
	double squares = 0;
	unsigned int i;

	*spread = (struct spread){ .n = n, .se = -1 };
	if (!n)
		return;
	spread->min = values[0];
	spread->max = values[0];
	for (i = 0; i < n; i++) {
		spread->mean += values[i] / n;
		spread->min = fmin(spread->min, values[i]);
		spread->max = fmax(spread->max, values[i]);
	}
	if (n < 2)
		return;
	for (i = 0; i < n; i++)
		squares += (values[i] - spread->mean) * (values[i] - spread->mean);
	spread->se = sqrt(squares / (n - 1) / n);
}

static bool get_ios(const struct class_figures *class, uint64_t elapsed_ns, double *value)
{
	(void)elapsed_ns;
	*value = (double)class->counts.ios;
	return true;
}

static bool get_bytes(const struct class_figures *class, uint64_t elapsed_ns, double *value)
{
	(void)elapsed_ns;
	*value = (double)class->counts.bytes;
	return true;
}

static bool get_rate(const struct class_figures *class, uint64_t elapsed_ns, double *value)
{
	if (!elapsed_ns)
		return false;
	*value = (double)class->counts.ios * 1e9 / (double)elapsed_ns;
	return true;
}

static bool get_device_mean(const struct class_figures *class, uint64_t elapsed_ns, double *value)
{
	const struct latency *device = &class->latency[FSBSTAT_HIST_DEVICE];

	(void)elapsed_ns;
	if (!device->count)
		return false;
	*value = (double)device->sum_ns / (double)device->count;
	return true;
}

static bool get_device_p99(const struct class_figures *class, uint64_t elapsed_ns, double *value)
{
	const struct latency *device = &class->latency[FSBSTAT_HIST_DEVICE];

	(void)elapsed_ns;
	*value = (double)device->percentile_ns[PERCENTILE_99];
	return device->enough[PERCENTILE_99];
}

const struct class_figure class_figures[CLASS_FIGURES] = {
	{ "ios", get_ios },
	{ "bytes", get_bytes },
	{ "ios_per_s", get_rate },
	{ "device_mean_ns", get_device_mean },
	{ "device_p99_ns", get_device_p99 },
};

void spread_of_class(struct spread *spread, const struct figures *runs, unsigned int nr,
		     unsigned int class, const struct class_figure *figure)
{
	double values[RUNS_MAX];
	unsigned int i, n = 0;

	for (i = 0; i < nr && n < RUNS_MAX; i++)
		if (runs[i].elapsed_ns && figures_class_known(&runs[i], class) &&
		    figure->get(&runs[i].class[class], runs[i].elapsed_ns, &values[n]))
			n++;
	spread_of(spread, values, n);
}

void spread_of_elapsed_s(struct spread *spread, const struct figures *runs, unsigned int nr)
{
	double values[RUNS_MAX];
	unsigned int i, n = 0;

	for (i = 0; i < nr && n < RUNS_MAX; i++)
		if (runs[i].elapsed_ns)
			values[n++] = (double)runs[i].elapsed_ns / 1e9;
	spread_of(spread, values, n);
}

void spread_of_depth_mean(struct spread *spread, const struct figures *runs, unsigned int nr)
{
	double values[RUNS_MAX];
	unsigned int i, n = 0;

	for (i = 0; i < nr && n < RUNS_MAX; i++)
		if (runs[i].elapsed_ns)
			values[n++] = runs[i].depth_mean;
	spread_of(spread, values, n);
}

const char *const class_names[FSBSTAT_CLASSES] = {
	[FSBSTAT_CLASS_READ] = "read",
	[FSBSTAT_CLASS_WRITE] = "write",
	[FSBSTAT_CLASS_FUA_WRITE] = "fua_write",
	[FSBSTAT_CLASS_FLUSH] = "flush",
	[FSBSTAT_CLASS_DISCARD] = "discard",
	[FSBSTAT_CLASS_WRITE_ZEROES] = "write_zeroes",
	[FSBSTAT_CLASS_OTHER] = "other",
};

const char *const kind_names[FSBSTAT_HIST_KINDS] = {
	[FSBSTAT_HIST_QUEUE] = "queue",
	[FSBSTAT_HIST_DEVICE] = "device",
	[FSBSTAT_HIST_DURABLE] = "durable",
};
