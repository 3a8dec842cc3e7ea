// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * panel_why: from fsync to the disk, what one fsync cost, what a power cut could take, and
 * who asked.  A line whose layer is missing is left out; on small screens who asked, and then
 * what one fsync cost, give way to the option sets.
 */
#include <math.h>
#include <string.h>

#include "out/number.h"
#include "tui/page.h"
#include "width.h"

#define UNIT "  (/s)"

static const struct why *why_of(const struct page *page)
{
	return &page_stretch(page)->why;
}

static int label(struct page *page, const char *text)
{
	frame_put(page->frame, page->row, 0, STYLE_PLAIN, text);
	return LABEL;
}

/* "fsync 121 > commit 40 > asked 82 > sent 81 > made to wait 30  (/s)" */
static void ladder(struct page *page)
{
	const struct why *why = why_of(page);
	const struct {
		const char *name;
		double rate;
	} steps[] = {
		{"fsync", why->fsync_s}, {"commit", why->commit_s},	  {"asked", why->asked_s},
		{"sent", why->sent_s},	 {"made to wait", why->waited_s},
	};
	int col = LABEL, nr = 0;
	struct number number;
	char text[96];

	/* That some were sent says the table above. */
	if (isnan(why->fsync_s) && isnan(why->asked_s) && !why->asked_unknown)
		return;
	label(page, "why");
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		bool unknown = isnan(steps[i].rate);

		if (unknown && strcmp(steps[i].name, "asked"))
			continue;
		if (unknown && !why->asked_unknown)
			continue;
		snprintf(text, sizeof(text), "%s %s", steps[i].name,
			 unknown ? why->asked_unknown :
				   number_decimal(&number, steps[i].rate, steps[i].rate < 9.95));
		/* Cut off it would say something else. */
		if (col + 3 + width_of(text) + width_of(UNIT) > page->frame->cols)
			break;
		if (nr++)
			col = frame_printf(page->frame, page->row, col, STYLE_DIM, " %s ",
					   glyph(page->frame, GLYPH_LEADS_TO));
		col = frame_put(page->frame, page->row, col, STYLE_PLAIN, text);
	}
	frame_put(page->frame, page->row++, col, STYLE_PLAIN, UNIT);
}

/* With so many lines more the option sets still have theirs. */
static bool room_for(const struct page *page, int lines)
{
	return page->end - page->row - lines >= panel_sets_rows(page);
}

static void each_fsync(struct page *page)
{
	const struct why *why = why_of(page);
	struct short_text time;
	struct number bytes;
	int col;

	if (isnan(why->each_bytes) || !room_for(page, why->risk == RISK_UNKNOWN ? 1 : 2))
		return;
	col = label(page, "each fsync");
	col = frame_printf(page->frame, page->row, col, STYLE_PLAIN, "%.2f flushes    %s",
			   why->each_flushes, number_bytes(&bytes, (uint64_t)why->each_bytes));
	if (!isnan(why->each_ns))
		frame_printf(page->frame, page->row, col, STYLE_PLAIN, "    %s of flush and drain",
			     short_time(&time, why->each_ns));
	page->row++;
}

static void known_risk(struct page *page, const struct why *why)
{
	struct short_text age, longest;
	struct number now, worst;
	int col = label(page, "at risk");

	col = frame_printf(page->frame, page->row, col, STYLE_PLAIN, "now %s",
			   number_bytes(&now, (uint64_t)why->risk_now));
	if (!isnan(why->risk_now_ns))
		col = frame_printf(page->frame, page->row, col, STYLE_PLAIN, " for %s",
				   short_time(&age, why->risk_now_ns));
	frame_printf(page->frame, page->row, col, STYLE_PLAIN, "     worst %s     longest %s",
		     number_bytes(&worst, (uint64_t)why->risk_worst),
		     short_time(&longest, why->risk_longest_ns));
}

static void at_risk(struct page *page)
{
	const struct why *why = why_of(page);
	struct number now;

	if (why->risk == RISK_UNKNOWN)
		return;
	if (why->risk == RISK_NO_FLUSH)
		frame_printf(page->frame, page->row, label(page, "at risk"), STYLE_WARN,
			     "%s written, no flush since; how much of it is safe is unknown",
			     number_bytes(&now, (uint64_t)why->risk_now));
	else
		known_risk(page, why);
	page->row++;
}

static void asked_by(struct page *page)
{
	const struct why *why = why_of(page);
	struct short_text rate;
	int col = LABEL, lines = 0;

	if (!why->nr_owners || !room_for(page, 1))
		return;
	label(page, "asked by");
	for (size_t i = 0; i < why->nr_owners; i++) {
		short_rate(&rate, why->owner[i].flush_s);
		if (col + width_of(why->owner[i].name) + (int)strlen(rate.text) + 3 >
		    page->frame->cols) {
			/* Tall screens have a line more for them. */
			if (page->frame->rows < TALL_ROWS || lines++ || !room_for(page, 2))
				break;
			page->row++;
			col = LABEL;
		}
		col = frame_printf(page->frame, page->row, col, STYLE_PLAIN, "%s %s/s",
				   why->owner[i].name, rate.text) +
		      5;
	}
	page->row++;
}

void panel_why(struct page *page)
{
	ladder(page);
	each_fsync(page);
	at_risk(page);
	asked_by(page);
}
