// SPDX-License-Identifier: GPL-2.0-or-later
/* panel_requests: rates and device latencies by class, with a strip of their history. */
#include <math.h>
#include <string.h>

#include "out/number.h"
#include "tui/page.h"

#define STRIP_SECONDS 60

struct field {
	const char *title;
	int width; /* with the gap in front */
	bool wide; /* in wide screens only */
	bool percentile; /* needs a source with histograms */
	void (*text)(struct short_text *text, const struct figures *figures, unsigned int class);
};

static void none(struct short_text *text)
{
	strcpy(text->text, "-");
}

static void rate(struct short_text *text, const struct figures *figures, unsigned int class)
{
	short_rate(text,
		   (double)figures->class[class].counts.ios * 1e9 / (double)figures->elapsed_ns);
}

static void megabytes(struct short_text *text, const struct figures *figures, unsigned int class)
{
	double bytes = (double)figures->class[class].counts.bytes;

	if (class == FSBSTAT_CLASS_FLUSH)
		none(text);
	else
		short_rate(text, bytes * 1e3 / (double)figures->elapsed_ns);
}

static void mean(struct short_text *text, const struct figures *figures, unsigned int class)
{
	double ns;

	if (!figures_mean(figures, class, &ns))
		none(text);
	else if (ns > 0)
		short_time(text, ns);
	else
		/* diskstats counts in milliseconds. */
		strcpy(text->text, "< 1 ms");
}

static void percentile(struct short_text *text, const struct latency *latency, size_t which)
{
	if (latency->count && latency->enough[which])
		short_time(text, (double)latency->percentile_ns[which]);
	else
		none(text);
}

static const struct latency *device(const struct figures *figures, unsigned int class)
{
	return &figures->class[class].latency[FSBSTAT_HIST_DEVICE];
}

static void p50(struct short_text *text, const struct figures *figures, unsigned int class)
{
	percentile(text, device(figures, class), PERCENTILE_50);
}

static void p90(struct short_text *text, const struct figures *figures, unsigned int class)
{
	percentile(text, device(figures, class), PERCENTILE_90);
}

static void p99(struct short_text *text, const struct figures *figures, unsigned int class)
{
	percentile(text, device(figures, class), PERCENTILE_99);
}

static void p99_9(struct short_text *text, const struct figures *figures, unsigned int class)
{
	percentile(text, device(figures, class), PERCENTILE_99_9);
}

static void most(struct short_text *text, const struct figures *figures, unsigned int class)
{
	if (device(figures, class)->count)
		short_time(text, (double)device(figures, class)->max_ns);
	else
		none(text);
}

static void wait(struct short_text *text, const struct figures *figures, unsigned int class)
{
	percentile(text, &figures->class[class].latency[FSBSTAT_HIST_QUEUE], PERCENTILE_99);
}

static const struct field fields[] = {
	{"IO/s", 7, false, false, rate},    {"MB/s", 7, false, false, megabytes},
	{"mean", 9, true, false, mean},	    {"p50", 9, false, true, p50},
	{"p90", 9, true, true, p90},	    {"p99", 9, false, true, p99},
	{"p99.9", 9, true, true, p99_9},    {"max", 9, false, true, most},
	{"wait p99", 10, true, true, wait},
};

#define FIELDS	  (sizeof(fields) / sizeof(*fields))
#define LABEL_END 10
#define ERRORS	  6 /* columns at the right */

/* The mean stands in for what a source without histograms cannot tell. */
static bool shown(const struct page *page, const struct field *field)
{
	bool has = page->disk->has_percentiles;

	if (field->percentile && !has)
		return false;
	return !field->wide || page->frame->cols >= WIDE_COLS || (field->text == mean && !has);
}

static double rate_of(const struct history *history, unsigned int back, unsigned int class)
{
	unsigned int kept = history->nr < HISTORY_POINTS ? history->nr : HISTORY_POINTS;

	if (back >= kept)
		return 0;
	return history->point[(history->nr - 1 - back) % HISTORY_POINTS].rate[class];
}

/* Intervals in one column of the strip. */
static unsigned int points_a_column(const struct page *page, int width)
{
	double points = STRIP_SECONDS / page->ui->interval_s / width;
	unsigned int most_points = HISTORY_POINTS / (unsigned int)width;

	if (!(points > 1))
		return 1;
	return points > most_points ? (most_points ? most_points : 1)
				    : (unsigned int)lround(points);
}

static void strip(const struct page *page, int row, int col, int width, unsigned int class)
{
	unsigned int each = points_a_column(page, width);
	double sum[512] = {0}, top = 0;
	int i;

	for (i = 0; i < width; i++) {
		for (unsigned int k = 0; k < each; k++)
			sum[i] += rate_of(page->disk->history,
					  (unsigned int)(width - 1 - i) * each + k, class);
		top = sum[i] > top ? sum[i] : top;
	}
	for (i = 0; i < width; i++)
		frame_put(page->frame, row, col + i, STYLE_PLAIN,
			  glyph_level(page->frame, sum[i], top));
}

static int columns_end(const struct page *page)
{
	int col = LABEL_END;

	for (size_t i = 0; i < FIELDS; i++)
		if (shown(page, &fields[i]))
			col += fields[i].width;
	return col;
}

static int strip_width(const struct page *page)
{
	int width = page->frame->cols - ERRORS - 3 - columns_end(page);

	return width > 256 ? 256 : width;
}

static void header(struct page *page)
{
	int col = LABEL_END, width = strip_width(page), row = page->row++;
	double seconds = (double)page_stretch(page)->figures->elapsed_ns / 1e9;
	struct short_text held;
	char label[64];

	if (seconds < 59.5)
		snprintf(held.text, sizeof(held.text), "%.*f s", seconds < 9.5, seconds);
	else
		short_held(&held, seconds * 1e9);
	snprintf(label, sizeof(label), "%s %s", page->ui->cumulative ? "all" : "last", held.text);
	frame_clip(page->frame, row, 0, LABEL_END + 2, STYLE_HEADER, label);
	for (size_t i = 0; i < FIELDS; i++) {
		if (!shown(page, &fields[i]))
			continue;
		col += fields[i].width;
		frame_right(page->frame, row, col - fields[i].width + 1, col, STYLE_HEADER,
			    fields[i].title);
	}
	if (page->ui->interval_s > 0)
		frame_printf(page->frame, row, col + 3, STYLE_HEADER, "%.0f s",
			     page->ui->interval_s * width * points_a_column(page, width));
	if (figures_have(page_stretch(page)->figures, LAYER_CLASSES))
		frame_right(page->frame, row, page->frame->cols - ERRORS, page->frame->cols,
			    STYLE_HEADER, "err");
}

static void line(struct page *page, const char *label, unsigned int class)
{
	const struct figures *figures = page_stretch(page)->figures;
	int col = LABEL_END, row = page->row++;
	struct short_text text;
	struct number errors;
	uint64_t failed = figures->class[class].counts.errors;

	frame_put(page->frame, row, 0, STYLE_PLAIN, label);
	for (size_t i = 0; i < FIELDS; i++) {
		if (!shown(page, &fields[i]))
			continue;
		fields[i].text(&text, figures, class);
		col += fields[i].width;
		frame_right(page->frame, row, col - fields[i].width + 1, col, STYLE_PLAIN,
			    text.text);
	}
	if (page->ui->interval_s > 0)
		strip(page, row, col + 3, strip_width(page), class);
	if (figures_have(figures, LAYER_CLASSES))
		frame_right(page->frame, row, page->frame->cols - ERRORS, page->frame->cols,
			    failed ? STYLE_WARN : STYLE_PLAIN, number_count(&errors, failed));
}

static void without_fua(struct page *page, const char *why)
{
	frame_put(page->frame, page->row, 0, STYLE_PLAIN, "FUA write");
	frame_put(page->frame, page->row, 16, STYLE_PLAIN, "-");
	frame_put(page->frame, page->row++, 20, STYLE_DIM, why);
}

static void fua_line(struct page *page)
{
	const struct figures *all = page->disk->all.figures;

	if (!figures_have(all, LAYER_CLASSES))
		return;
	if (all->class[FSBSTAT_CLASS_FUA_WRITE].counts.ios)
		line(page, "FUA write", FSBSTAT_CLASS_FUA_WRITE);
	else if (disk_drops_flushes(&page->disk->info))
		without_fua(page, "the kernel sends neither flushes nor FUA: write through");
	else if (page->disk->info.fua == 0)
		without_fua(page, "disk has no FUA: each one is sent as a write and a flush");
	else
		line(page, "FUA write", FSBSTAT_CLASS_FUA_WRITE);
}

/* The other classes come when there is something to be seen of them. */
void panel_requests(struct page *page)
{
	static const struct {
		const char *label;
		unsigned int class;
	} others[] = {
		{"discard", FSBSTAT_CLASS_DISCARD},
		{"zeroes", FSBSTAT_CLASS_WRITE_ZEROES},
		{"other", FSBSTAT_CLASS_OTHER},
	};

	header(page);
	line(page, "read", FSBSTAT_CLASS_READ);
	line(page, "write", FSBSTAT_CLASS_WRITE);
	line(page, "flush", FSBSTAT_CLASS_FLUSH);
	fua_line(page);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (page->disk->all.figures->class[others[i].class].counts.ios)
			line(page, others[i].label, others[i].class);
}
