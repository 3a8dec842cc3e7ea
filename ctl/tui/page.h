/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page: the parts of a screen.  page.c puts them together, the files panel_*.c draw one
 * each from row page->row on, never beyond page->end, and move page->row.
 */
#ifndef FSB_TUI_PAGE_H
#define FSB_TUI_PAGE_H

#include "tui/glyph.h"
#include "tui/top.h"

#define LABEL	  13 /* columns of the labels on the left */
#define WIDE_COLS 110 /* from here on there is room for more columns */
#define TALL_ROWS 36 /* and for more lines */

struct page {
	struct frame *frame;
	const struct top *top;
	const struct top_disk *disk; /* that of top; NULL in the list */
	const struct ui *ui;
	int row, end;
};

bool page_full(const struct page *page);

/* Identity, settings, mounts, and a rule below. */
void panel_head(struct page *page);
/* Rates and latencies by class, with their history. */
void panel_requests(struct page *page);
/* Where the disk's time went, and how deep it was queued. */
void panel_time(struct page *page);
/* Why there were flushes, and what they cost and save. */
void panel_why(struct page *page);
/* The table of option sets; in its own tab with the comparison. */
void panel_sets(struct page *page);
/* Rows that it needs for the first few of them, which other lines give way to. */
int panel_sets_rows(const struct page *page);
void panel_epochs(struct page *page);
/* Histograms by class. */
void panel_latency(struct page *page);
/* The same under other panels of a tall screen, where they leave room. */
void panel_latency_below(struct page *page);
/* The list of disks. */
void panel_list(struct page *page);
void panel_help(struct page *page);
/* The last rows of every screen: what is left out, messages, keys. */
void panel_foot(struct page *page);

/* The figures that the screen is of: of the last seconds, or since the disk was opened. */
const struct stretch *page_stretch(const struct page *page);
/*
 * The title of a column that rows can be sorted by, with a mark when they are: names and
 * ordinal numbers upwards, amounts downwards, unless it is reversed.
 */
const char *sort_title(struct short_text *text, const struct page *page, const char *title,
		       bool sorted, bool name);
/* The filter is "" or in the text, upper and lower case alike. */
bool filter_takes(const struct ui *ui, const char *text);

#define SETS_MAX 256

/* The rows that the filter takes, as they are sorted; how many. */
size_t sets_sorted(const struct top_disk *disk, const struct ui *ui,
		   const struct set_row *rows[SETS_MAX]);
size_t list_sorted(const struct top *top, const struct ui *ui, const struct list_row **rows);

#endif /* FSB_TUI_PAGE_H */
