// SPDX-License-Identifier: GPL-2.0-or-later
/* panel_list: the disks that can be opened; everything in it is from diskstats and sysfs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tui/page.h"
#include "width.h"

/* Columns on a screen of 80; wider ones give to names, models and mounts. */
#define NAME_LEAST  9
#define NAME_MOST   18
#define MODEL	    16
#define MODEL_LEAST 8
#define SIZE	    7
#define RATE	    8

static const struct ui *sorting; /* qsort() has no argument for it */

static int by_size(double a, double b)
{
	return isnan(a) || isnan(b) ? isnan(a) - isnan(b) : a < b ? 1 : a > b ? -1 : 0;
}

/* As a person counts: sda before sdaa. */
static int by_name(const struct list_row *one, const struct list_row *two)
{
	return strverscmp(one->info.disk.name, two->info.disk.name);
}

static int compare_rows(const void *a, const void *b)
{
	const struct list_row *one = *(const struct list_row *const *)a;
	const struct list_row *two = *(const struct list_row *const *)b;
	int order = 0;

	if (sorting->list_sort == LIST_BY_RATE)
		order = by_size(one->ios_s, two->ios_s);
	else if (sorting->list_sort == LIST_BY_FLUSHES)
		order = by_size(one->flush_s, two->flush_s);
	if (!order)
		order = by_name(one, two);
	return sorting->reversed ? -order : order;
}

size_t list_sorted(const struct top *top, const struct ui *ui, const struct list_row **rows)
{
	size_t nr = 0;

	for (size_t i = 0; i < top->nr_list; i++) {
		const struct list_row *row = &top->list[i];

		if (ui->active_only && !(row->ios_s > 0) && !(row->flush_s > 0))
			continue;
		if (filter_takes(ui, row->info.disk.name) || filter_takes(ui, row->info.model) ||
		    filter_takes(ui, row->mounts))
			rows[nr++] = row;
	}
	sorting = ui;
	qsort(rows, nr, sizeof(*rows), compare_rows);
	return nr;
}

static void cache_of(char *text, size_t size, const struct disk_info *info)
{
	static const char *const drive[] = {"?", "off", "on"};
	bool drops = disk_drops_flushes(info), loses = disk_loses_writes(info);

	snprintf(text, size, "%s/%s", drive[info->write_cache + 1],
		 loses			     ? "THRU !"
		 : drops		     ? "thru"
		 : *info->write_cache_kernel ? "back"
					     : "?");
}

/* Three digits at most, powers of ten as on the drive's label. */
static void size_of(struct short_text *text, int64_t bytes)
{
	if (bytes > 0)
		short_bytes(text, (double)bytes);
	else
		strcpy(text->text, "-");
}

/* Where columns begin; those that end before a column end there. */
struct layout {
	int name, model, size, link, cache, mounts, rates, end; /* size, rates: their end */
};

/* Names have what they need as far as models and mounts keep enough to be known by. */
static void lay_out(struct layout *layout, const struct page *page, const struct list_row **rows,
		    size_t nr)
{
	int wide = page->frame->cols - TOP_COLS_MIN, name = NAME_LEAST, model, i;

	for (i = 0; i < (int)nr; i++)
		if (width_of(rows[i]->info.disk.name) > name)
			name = width_of(rows[i]->info.disk.name);
	if (name > NAME_MOST + wide / 4)
		name = NAME_MOST + wide / 4;
	model = MODEL + wide / 2 - (name - NAME_LEAST);
	model = model < MODEL_LEAST ? MODEL_LEAST : model;
	layout->name = name;
	layout->model = name + 1;
	layout->size = layout->model + model + SIZE;
	layout->link = layout->size + 2;
	layout->cache = layout->link + 7;
	layout->mounts = layout->cache + 10;
	layout->end = page->frame->cols;
	layout->rates = layout->end - 9;
}

static void put_rates(struct page *page, const struct layout *at, const struct list_row *row)
{
	struct short_text text;

	frame_right(page->frame, page->row, at->rates - RATE, at->rates, STYLE_PLAIN,
		    short_rate(&text, row->ios_s));
	frame_right(page->frame, page->row, at->end - RATE, at->end, STYLE_PLAIN,
		    short_rate(&text, row->flush_s));
}

static void line(struct page *page, const struct layout *at, const struct list_row *row,
		 bool selected)
{
	const struct disk_info *info = &row->info;
	struct frame *frame = page->frame;
	bool loses = disk_loses_writes(info);
	char cache[32], name[128];
	struct short_text size;

	cache_of(cache, sizeof(cache), info);
	size_of(&size, info->size_bytes);
	/* Names differ at their end. */
	width_cut_middle(name, sizeof(name), info->disk.name, at->name, glyph(frame, GLYPH_CUT));
	frame_clip(frame, page->row, 0, at->name, STYLE_TITLE, name);
	frame_cut(frame, page->row, at->model, at->size - SIZE, STYLE_PLAIN,
		  *info->model ? info->model : "-");
	frame_right(frame, page->row, at->size - SIZE + 1, at->size, STYLE_PLAIN, size.text);
	frame_cut(frame, page->row, at->link, at->cache - 1, STYLE_PLAIN,
		  *info->transport ? info->transport : "-");
	frame_clip(frame, page->row, at->cache, at->mounts, loses ? STYLE_WARN : STYLE_PLAIN,
		   cache);
	frame_cut(frame, page->row, at->mounts, at->rates - RATE, STYLE_PLAIN,
		  *row->mounts ? row->mounts : "-");
	put_rates(page, at, row);
	if (selected)
		frame_style(frame, page->row, 0, frame->cols, STYLE_SELECTED);
	page->row++;
}

/* What the rows are sorted by carries a mark. */
static void sortable(struct page *page, int begin, int end, const char *title,
		     enum list_sort sort)
{
	bool name = sort == LIST_BY_NAME;
	struct short_text text;

	sort_title(&text, page, title, page->ui->list_sort == sort, name);
	frame_right(page->frame, page->row, begin, name ? begin + width_of(text.text) : end,
		    STYLE_HEADER, text.text);
}

static void header(struct page *page, const struct layout *at, size_t shown)
{
	struct frame *frame = page->frame;
	char right[64];

	snprintf(right, sizeof(right), "%zu of %zu disks  %s", shown, page->top->nr_list,
		 page->top->clock);
	frame_put(frame, page->row, 0, STYLE_TITLE, "fsbctl top");
	frame_right(frame, page->row, 20, at->end, STYLE_PLAIN, right);
	page->row += 2;
	sortable(page, 0, at->name, "disk", LIST_BY_NAME);
	frame_put(frame, page->row, at->model, STYLE_HEADER, "model");
	frame_put(frame, page->row, at->size - 4, STYLE_HEADER, "size");
	frame_put(frame, page->row, at->link, STYLE_HEADER, "link");
	frame_put(frame, page->row, at->cache, STYLE_HEADER, "cache");
	frame_put(frame, page->row, at->mounts, STYLE_HEADER, "mounts");
	sortable(page, at->rates - RATE, at->rates, "IO/s", LIST_BY_RATE);
	sortable(page, at->end - RATE - 1, at->end, "flush/s", LIST_BY_FLUSHES);
	page->row++;
}

/* One line for the disks that lose data on a power cut. */
static void warning(struct page *page, const struct list_row **rows, size_t nr)
{
	char names[80] = "";
	size_t used = 0, more = 0;

	for (size_t i = 0; i < nr; i++) {
		if (!disk_loses_writes(&rows[i]->info))
			continue;
		if (used > 16)
			more++;
		else
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%.32s",
						 used ? " " : "", rows[i]->info.disk.name);
	}
	if (more)
		snprintf(names + used, sizeof(names) - used, " +%zu", more);
	if (used)
		frame_printf(page->frame, --page->end, 0, STYLE_WARN,
			     "! %s: the drive caches, the kernel sends no flush: data can be lost",
			     names);
}

void panel_list(struct page *page)
{
	size_t nr_list = page->top->nr_list, nr, i, room, first = 0;
	const struct list_row **rows = calloc(nr_list ? nr_list : 1, sizeof(*rows));
	int selected = page->ui->selected;
	struct layout layout;

	if (!rows)
		return;
	nr = list_sorted(page->top, page->ui, rows);
	lay_out(&layout, page, rows, nr);
	header(page, &layout, nr);
	frame_put(page->frame, --page->end, 0, STYLE_DIM,
		  "Enter opens and starts measuring    everything here comes from /proc/diskstats");
	warning(page, rows, nr);
	room = (size_t)(page->end - page->row);
	if (selected >= (int)nr)
		selected = (int)nr - 1;
	if (selected >= (int)room)
		first = (size_t)selected - room + 1;
	if (!nr)
		frame_put(page->frame, page->row, 10, STYLE_DIM,
			  nr_list ? "none fits: o shows idle ones too, / changes the filter"
				  : "no disk here can be watched: none has requests of its own");
	for (i = first; i < nr && !page_full(page); i++)
		line(page, &layout, rows[i], (int)i == selected);
	free(rows);
}
