// SPDX-License-Identifier: GPL-2.0-or-later
/* panel_latency: the histogram of each class over a common scale, and its percentiles. */
#include <math.h>
#include <string.h>

#include "tui/page.h"

/* The scale: 1 us to some 69 s in octaves. */
#define FIRST_OCTAVE 10
#define LAST_OCTAVE  37
#define LATENCY_LEAST 9 /* rows that are worth it below other panels */

static const struct {
	const char *label;
	unsigned int class;
} shown[] = {
	{"read", FSBSTAT_CLASS_READ},		{"write", FSBSTAT_CLASS_WRITE},
	{"FUA write", FSBSTAT_CLASS_FUA_WRITE}, {"flush", FSBSTAT_CLASS_FLUSH},
	{"discard", FSBSTAT_CLASS_DISCARD},	{"zeroes", FSBSTAT_CLASS_WRITE_ZEROES},
	{"other", FSBSTAT_CLASS_OTHER},
};

#define SHOWN	    (sizeof(shown) / sizeof(*shown))
#define COLUMNS_MAX 512

static int column_of(double ns, int width)
{
	int col = (int)((log2(ns < 1024 ? 1024 : ns) - FIRST_OCTAVE) * width /
			(LAST_OCTAVE - FIRST_OCTAVE));

	return col < 0 ? 0 : col >= width ? width - 1 : col;
}

/* A bucket wider than a column is spread over those it covers. */
static void columns_of(double *sum, int width, const struct hist *hist)
{
	memset(sum, 0, (size_t)width * sizeof(*sum));
	for (uint32_t i = 0; i < FSBSTAT_HIST_BUCKETS; i++) {
		int first, last, col;

		if (!hist->bucket[i])
			continue;
		first = column_of((double)fsbstat_hist_low(i), width);
		last = i + 1 < FSBSTAT_HIST_BUCKETS
			       ? column_of((double)fsbstat_hist_low(i + 1) - 1, width)
			       : first;
		for (col = first; col <= last; col++)
			sum[col] += (double)hist->bucket[i] / (last - first + 1);
	}
}

static void percentiles(struct page *page, const struct latency *latency)
{
	struct short_text text;
	int col = LABEL;

	for (size_t i = 0; i < HIST_PERCENTILES; i++) {
		if (!latency->enough[i])
			continue;
		col = frame_printf(page->frame, page->row, col, STYLE_PLAIN, "p%s %s",
				   hist_percentiles[i].key,
				   short_time(&text, (double)latency->percentile_ns[i])) +
		      3;
	}
	frame_printf(page->frame, page->row, col, STYLE_PLAIN, "max %s%s",
		     latency->exact ? "" : "~", short_time(&text, (double)latency->max_ns));
	page->row++;
}

/* What is drawn of each class, one below the other over one scale. */
struct series {
	const struct delta *delta;
	unsigned int set; /* its number behind the class; 0: none */
	enum style style;
};

static const struct hist *hist_of(const struct page *page, const struct series *series,
				  unsigned int class)
{
	return series->delta->class[class].hist[page->ui->kind];
}

static void histogram(struct page *page, const char *label, const struct series *series,
		      const struct hist *hist, int rows)
{
	int width = page->frame->cols - LABEL, row, col;
	double sum[COLUMNS_MAX], most = 0;
	struct latency latency;
	struct short_text text;
	char name[24];

	width = width > COLUMNS_MAX ? COLUMNS_MAX : width;
	latency_of(&latency, hist);
	columns_of(sum, width, hist);
	for (col = 0; col < width; col++)
		most = sum[col] > most ? sum[col] : most;
	for (row = 0; row < rows; row++)
		for (col = 0; col < width; col++)
			frame_put(page->frame, page->row + row, LABEL + col, series->style,
				  glyph_level_row(page->frame, sum[col], most, rows,
						  rows - 1 - row));
	if (series->set)
		snprintf(name, sizeof(name), "%s b%u", label, series->set);
	else
		snprintf(name, sizeof(name), "%s", label);
	frame_clip(page->frame, page->row, 0, LABEL, series->set ? STYLE_DIM : STYLE_TITLE, name);
	page->row += rows;
	frame_put(page->frame, page->row, 0, STYLE_DIM, short_rate(&text, (double)latency.count));
	percentiles(page, &latency);
}

static void scale(struct page *page)
{
	static const struct {
		const char *name;
		double ns;
	} marks[] = {
		{"1us", 1e3},  {"10us", 1e4},  {"100us", 1e5}, {"1ms", 1e6},
		{"10ms", 1e7}, {"100ms", 1e8}, {"1s", 1e9},    {"10s", 1e10},
	};
	int width = page->frame->cols - LABEL;

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		frame_printf(page->frame, page->row, LABEL + column_of(marks[i].ns, width),
			     STYLE_HEADER, "|%s", marks[i].name);
	page->row++;
}

static void title(struct page *page)
{
	static const char *const kinds[FSBSTAT_HIST_KINDS] = {
		[FSBSTAT_HIST_QUEUE] = "queue: request made until the device has it",
		[FSBSTAT_HIST_DEVICE] = "device: issue to completion",
		[FSBSTAT_HIST_DURABLE] = "durable: request made until it and its flushes are done",
	};
	const struct top_disk *disk = page->disk;
	struct short_text time;
	char text[128];

	if (disk->set_base)
		snprintf(text, sizeof(text), "%s   set %u above baseline %u%s",
			 kinds[page->ui->kind], disk->now, disk->base,
			 page->ui->tab == TAB_LATENCY ? "   < > others" : "");
	else
		snprintf(text, sizeof(text), "%s   %s %s%s", kinds[page->ui->kind],
			 page->ui->cumulative ? "all" : "last",
			 short_held(&time, (double)page_stretch(page)->figures->elapsed_ns),
			 page->ui->tab == TAB_LATENCY ? "   < > others" : "");
	frame_cut(page->frame, page->row++, 0, page->frame->cols, STYLE_PLAIN, text);
}

/* The set that holds and below it the baseline; while they are one, what the screen is of. */
static size_t choose(struct series series[2], const struct page *page)
{
	const struct top_disk *disk = page->disk;

	series[0] = (struct series){.delta = page_stretch(page)->delta, .style = STYLE_QUEUED};
	if (!disk->set_base)
		return 1;
	series[0].delta = disk->set_now;
	series[1] = (struct series){
		.delta = disk->set_base, .style = STYLE_DIM, .set = disk->base};
	return 2;
}

void panel_latency(struct page *page)
{
	int with = 0, rows;
	struct series series[2];
	size_t i, k, nr = choose(series, page);

	title(page);
	for (i = 0; i < SHOWN; i++)
		for (k = 0; k < nr; k++)
			with += !!hist_of(page, &series[k], shown[i].class);
	if (!with) {
		frame_put(page->frame, page->row + 1, LABEL, STYLE_DIM,
			  page->disk->has_percentiles ? "no request of this kind ended"
						      : "n/a: only the module counts each request");
		return;
	}
	scale(page);
	rows = (page->end - page->row) / with - 1;
	rows = rows < 1 ? 1 : rows > 8 ? 8 : rows;
	for (i = 0; i < SHOWN; i++) {
		for (k = 0; k < nr; k++) {
			const struct hist *hist = hist_of(page, &series[k], shown[i].class);

			if (hist && page->end - page->row > rows)
				histogram(page, shown[i].label, &series[k], hist, rows);
		}
	}
}

void panel_latency_below(struct page *page)
{
	if (page->frame->rows < TALL_ROWS || page->end - page->row < LATENCY_LEAST ||
	    !page->disk->has_percentiles)
		return;
	frame_rule(page->frame, page->row++, "latency");
	panel_latency(page);
}
