// SPDX-License-Identifier: GPL-2.0-or-later
/* page: which parts a screen has, see page.h. */
#include "tui/page.h"

#include <string.h>
#include <strings.h>

bool page_full(const struct page *page)
{
	return page->row >= page->end;
}

const struct stretch *page_stretch(const struct page *page)
{
	return page->ui->cumulative ? &page->disk->all : &page->disk->window;
}

bool filter_takes(const struct ui *ui, const char *text)
{
	size_t len = strlen(ui->filter);

	for (; *text && len; text++)
		if (!strncasecmp(text, ui->filter, len))
			return true;
	return !len;
}

const char *sort_title(struct short_text *text, const struct page *page, const char *title,
		       bool sorted, bool name)
{
	const char *mark = "";

	if (sorted)
		mark = glyph(page->frame, name == page->ui->reversed ? GLYPH_DOWN : GLYPH_UP);
	snprintf(text->text, sizeof(text->text), "%s%.30s%s", name ? "" : mark, title,
		 name ? mark : "");
	return text->text;
}

static void too_small(struct frame *frame)
{
	frame_printf(frame, 0, 0, STYLE_WARN, "too small: %d x %d", frame->cols, frame->rows);
	frame_printf(frame, 1, 0, STYLE_PLAIN, "fsbctl top needs %d x %d", TOP_COLS_MIN,
		     TOP_ROWS_MIN);
	frame_put(frame, 2, 0, STYLE_PLAIN, "q quits");
}

static void overview(struct page *page)
{
	panel_requests(page);
	panel_time(page);
	panel_why(page);
	panel_sets(page);
	if (page->frame->rows >= TALL_ROWS)
		panel_epochs(page);
	panel_latency_below(page);
}

static void sets(struct page *page)
{
	panel_sets(page);
	panel_epochs(page);
	panel_latency_below(page);
}

/* Until there are two counts there is nothing to show. */
static void waiting(struct page *page)
{
	frame_put(page->frame, page->row + 1, LABEL, STYLE_DIM,
		  "counting has begun; the first figures come after one interval");
}

static void body(struct page *page)
{
	const struct ui *ui = page->ui;

	if (ui->help) {
		panel_help(page);
	} else if (ui->tab == TAB_LIST || !page->disk) {
		panel_list(page);
	} else {
		panel_head(page);
		if (!page_stretch(page)->delta)
			waiting(page);
		else if (ui->tab == TAB_LATENCY)
			panel_latency(page);
		else if (ui->tab == TAB_SETS)
			sets(page);
		else
			overview(page);
	}
}

void top_draw(const struct top *top, const struct ui *ui, struct frame *frame)
{
	struct page page = {.frame = frame, .top = top, .disk = top->disk, .ui = ui};

	if (frame->cols < TOP_COLS_MIN || frame->rows < TOP_ROWS_MIN) {
		too_small(frame);
		return;
	}
	page.end = frame->rows - 1;
	panel_foot(&page);
	body(&page);
}
