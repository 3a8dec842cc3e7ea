// SPDX-License-Identifier: GPL-2.0-or-later
/* panel_time: where the disk's time went, and how deep it was queued. */
#include <math.h>
#include <string.h>

#include "out/number.h"
#include "tui/page.h"

enum part { IDLE, QUEUED, DRAIN, ALONE, ERROR, PARTS };

static const struct {
	const char *name;
	enum style style;
	enum glyph glyph;
} parts[PARTS] = {
	[IDLE] = {"idle", STYLE_PLAIN, GLYPHS},
	[QUEUED] = {"queued", STYLE_QUEUED, GLYPH_QUEUED},
	[DRAIN] = {"draining", STYLE_DRAIN, GLYPH_DRAIN},
	[ALONE] = {"flush alone", STYLE_ALONE, GLYPH_ALONE},
	[ERROR] = {"errors", STYLE_WARN, GLYPH_ERROR},
};

/* Cuts @whole into the shares of @ns, rounded so that they sum to it. */
static void share_out(int *share, const double *ns, size_t nr, int whole)
{
	double sum = 0, left[PARTS];
	int missing = whole;
	size_t i, largest;

	for (i = 0; i < nr; i++)
		sum += ns[i];
	for (i = 0; i < nr; i++) {
		double exact = sum > 0 ? ns[i] / sum * whole : 0;

		share[i] = (int)exact;
		left[i] = exact - share[i];
		missing -= share[i];
	}
	for (; sum > 0 && missing > 0; missing--) {
		largest = 0;
		for (i = 1; i < nr; i++)
			if (left[i] > left[largest])
				largest = i;
		share[largest]++;
		left[largest] = -1;
	}
}

static const char *part_name(const struct page *page, size_t part)
{
	const struct ata_sums *sums = &page_stretch(page)->figures->ata.sums;

	if (part == ALONE && page->disk->info.ncq == 1)
		return "one at a time";
	if (part == ALONE &&
	    (sums->kind[FSBSTAT_ATA_TRIM].ios || sums->kind[FSBSTAT_ATA_OTHER].ios ||
	     sums->kind[FSBSTAT_ATA_FUA_WRITE].ios))
		return "not queued";
	return parts[part].name;
}

static void bar(struct page *page, const double ns[PARTS])
{
	int width = page->frame->cols - LABEL - 2, share[PARTS], percent[PARTS], col = LABEL + 1;
	struct frame *frame = page->frame;
	size_t part;

	share_out(share, ns, PARTS, width);
	frame_put(frame, page->row, 0, STYLE_PLAIN, "disk time");
	frame_put(frame, page->row, LABEL, STYLE_PLAIN, "[");
	for (part = 0; part < PARTS; part++)
		for (; share[part]; share[part]--)
			col = frame_put(frame, page->row, col, parts[part].style,
					part == IDLE ? " " : glyph(frame, parts[part].glyph));
	frame_put(frame, page->row++, col, STYLE_PLAIN, "]");
	share_out(percent, ns, PARTS, 100);
	col = LABEL;
	for (part = 0; part < PARTS; part++) {
		if (!(ns[part] > 0) && part == ERROR)
			continue;
		if (part != IDLE)
			col = frame_printf(frame, page->row, col, parts[part].style, "%s ",
					   glyph(frame, parts[part].glyph));
		col = frame_printf(frame, page->row, col, STYLE_PLAIN, "%s %d %%",
				   part_name(page, part), percent[part]) +
		      3;
	}
	page->row++;
}

/* Time at 1 to 32 tags; two columns a tag where there is room. */
static void tags(struct page *page)
{
	const struct ata_figures *ata = &page_stretch(page)->figures->ata;
	int limit = page->disk->info.ncq, each = page->frame->cols >= WIDE_COLS ? 2 : 1;
	double most = 0, full = 0, time = 0;
	int col = LABEL + 1, row = page->row++, tag;
	struct number mean, share;

	limit = limit > 0 && limit < ATA_TAGS ? limit : ATA_TAGS;
	/* It was more when the stretch began. */
	if (ata->tags_max > (uint32_t)limit)
		limit = ATA_TAGS;
	frame_put(page->frame, row, 0, STYLE_PLAIN, "NCQ depth");
	if (page->disk->info.ncq == 1 && !ata->tags_max) {
		frame_put(page->frame, row, LABEL, STYLE_DIM, "off: the queue depth is 1");
		return;
	}
	for (tag = 0; tag <= ATA_TAGS; tag++) {
		double ns = (double)ata->sums.tags_ns[tag];

		time += ns;
		full += tag >= limit ? ns : 0;
		most = tag && ns > most ? ns : most;
	}
	frame_put(page->frame, row, LABEL, STYLE_PLAIN, "[");
	for (tag = 1; tag <= ATA_TAGS; tag++)
		for (int i = 0; i < each; i++)
			col = frame_put(page->frame, row, col, STYLE_QUEUED,
					glyph_level(page->frame, (double)ata->sums.tags_ns[tag],
						    most));
	frame_printf(page->frame, row, col, STYLE_PLAIN, "] mean %s of %d, full %s %%",
		     number_decimal(&mean, ata->tags_mean, 1), limit,
		     number_decimal(&share, time > 0 ? 100 * full / time : 0, 1));
}

/* More of what flushes cost, in tall screens. */
static void drain_lines(struct page *page)
{
	const struct figures *figures = page_stretch(page)->figures;
	const struct ata_sums *sums = &figures->ata.sums;
	const struct latency *drain = &figures->ata.latency[FSBSTAT_ATA_HIST_DRAIN];
	const struct latency *refill = &figures->ata.latency[FSBSTAT_ATA_HIST_REFILL];
	double seconds = (double)figures->ata.elapsed_ns / 1e9;
	struct short_text rate, mean, max;
	struct number lost;

	frame_put(page->frame, page->row, 0, STYLE_PLAIN, "draining");
	if (drain->count)
		frame_printf(page->frame, page->row, LABEL, STYLE_PLAIN,
			     "%s/s waited for the queue   mean %s   longest %s",
			     short_rate(&rate, (double)sums->drains / seconds),
			     short_time(&mean, (double)drain->sum_ns / (double)drain->count),
			     short_time(&max, (double)drain->max_ns));
	else
		frame_put(page->frame, page->row, LABEL, STYLE_DIM,
			  "no command had to wait for the queue");
	page->row++;
	frame_put(page->frame, page->row, 0, STYLE_PLAIN, "refilling");
	if (refill->count)
		frame_printf(page->frame, page->row, LABEL, STYLE_PLAIN,
			     "mean %s   %s/s, %s/s cut short   at most %s tags lost",
			     short_time(&mean, (double)refill->sum_ns / (double)refill->count),
			     short_rate(&rate, (double)sums->refills / seconds),
			     short_rate(&max, (double)sums->refills_censored / seconds),
			     number_decimal(&lost, (double)sums->tag_time_lost_ns / 1e9 / seconds,
					    2));
	else
		frame_put(page->frame, page->row, LABEL, STYLE_DIM, "nothing was measured");
	page->row++;
}

static void behind_libata(struct page *page)
{
	const struct ata_parts *spent = &page_stretch(page)->figures->ata.sums.parts;
	const double ns[PARTS] = {
		[IDLE] = (double)spent->idle_ns,   [QUEUED] = (double)spent->queued_ns,
		[DRAIN] = (double)spent->drain_ns, [ALONE] = (double)spent->alone_ns,
		[ERROR] = (double)spent->error_ns,
	};

	bar(page, ns);
	tags(page);
	if (page->frame->rows >= TALL_ROWS)
		drain_lines(page);
}

/* Of other disks only that they were busy, and how deep, is known. */
static void idle_and_busy(struct page *page)
{
	const struct figures *figures = page_stretch(page)->figures;
	double elapsed = (double)figures->elapsed_ns, busy = elapsed - figures->idle_ns;
	int width = page->frame->cols - LABEL - 2, col = LABEL + 1, i, filled, row = page->row;
	bool depth = figures_have(figures, LAYER_DEPTH);
	struct number mean, max;

	if (figures->nr_queues <= 1 || !depth) {
		filled = (int)lround(elapsed > 0 ? busy / elapsed * width : 0);
		frame_put(page->frame, row, 0, STYLE_PLAIN, "disk time");
		frame_put(page->frame, row, LABEL, STYLE_PLAIN, "[");
		for (i = 0; i < width; i++)
			col = frame_put(page->frame, row, col, STYLE_QUEUED,
					i < width - filled ? " "
							   : glyph(page->frame, GLYPH_QUEUED));
		frame_put(page->frame, row++, col, STYLE_PLAIN, "]");
		i = (int)lround(elapsed > 0 ? busy / elapsed * 100 : 0);
		frame_printf(page->frame, row++, LABEL, STYLE_PLAIN, "idle %d %%   %s busy %d %%",
			     100 - i, glyph(page->frame, GLYPH_QUEUED), i);
	}
	frame_put(page->frame, row, 0, STYLE_PLAIN, "depth");
	number_decimal(&mean, figures->depth_mean, 2);
	if (!depth)
		frame_printf(page->frame, row, LABEL, STYLE_PLAIN,
			     "mean %s, requests that wait in the kernel included", mean.text);
	else if (figures->nr_queues > 1)
		frame_printf(page->frame, row, LABEL, STYLE_PLAIN,
			     "mean %s over %u hardware queues", mean.text, figures->nr_queues);
	else
		frame_printf(page->frame, row, LABEL, STYLE_PLAIN, "mean %s, %s at most of %u",
			     mean.text, number_count(&max, figures->depth_max),
			     page_stretch(page)->delta->depth_limit);
	page->row = row + 1;
}

void panel_time(struct page *page)
{
	if (page_stretch(page)->figures->ata.elapsed_ns)
		behind_libata(page);
	else
		idle_and_busy(page);
}
