// SPDX-License-Identifier: GPL-2.0-or-later
/* panel_list: the disks that can be opened; everything in it is from diskstats and sysfs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tui/page.h"

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

static void put_rates(struct page *page, const struct list_row *row)
{
	struct short_text text;
	int end = page->frame->cols;

	frame_right(page->frame, page->row, end - 17, end - 9, STYLE_PLAIN,
		    short_rate(&text, row->ios_s));
	frame_right(page->frame, page->row, end - 8, end, STYLE_PLAIN,
		    short_rate(&text, row->flush_s));
}

static void line(struct page *page, const struct list_row *row, bool selected)
{
	const struct disk_info *info = &row->info;
	struct frame *frame = page->frame;
	int wide = frame->cols - TOP_COLS_MIN;
	bool loses = disk_loses_writes(info);
	struct short_text size;
	char cache[32];

	cache_of(cache, sizeof(cache), info);
	size_of(&size, info->size_bytes);
	frame_clip(frame, page->row, 0, 9, STYLE_TITLE, info->disk.name);
	frame_clip(frame, page->row, 10, 26 + wide / 2, STYLE_PLAIN,
		   *info->model ? info->model : "-");
	frame_right(frame, page->row, 27 + wide / 2, 33 + wide / 2, STYLE_PLAIN, size.text);
	frame_clip(frame, page->row, 35 + wide / 2, 41 + wide / 2, STYLE_PLAIN,
		   *info->transport ? info->transport : "-");
	frame_clip(frame, page->row, 42 + wide / 2, 52 + wide / 2, loses ? STYLE_WARN : STYLE_PLAIN,
		   cache);
	frame_clip(frame, page->row, 52 + wide / 2, frame->cols - 17, STYLE_PLAIN,
		   *row->mounts ? row->mounts : "-");
	put_rates(page, row);
	if (selected)
		frame_style(frame, page->row, 0, frame->cols, STYLE_SELECTED);
	page->row++;
}

static void header(struct page *page, size_t shown)
{
	struct frame *frame = page->frame;
	int wide = frame->cols - TOP_COLS_MIN, end = frame->cols;
	char right[64];

	snprintf(right, sizeof(right), "%zu of %zu disks  %s", shown, page->top->nr_list,
		 page->top->clock);
	frame_put(frame, page->row, 0, STYLE_TITLE, "fsbctl top");
	frame_right(frame, page->row, 20, end, STYLE_PLAIN, right);
	page->row += 2;
	frame_put(frame, page->row, 0, STYLE_HEADER, "disk");
	frame_put(frame, page->row, 10, STYLE_HEADER, "model");
	frame_put(frame, page->row, 29 + wide / 2, STYLE_HEADER, "size");
	frame_put(frame, page->row, 35 + wide / 2, STYLE_HEADER, "link");
	frame_put(frame, page->row, 42 + wide / 2, STYLE_HEADER, "cache");
	frame_put(frame, page->row, 52 + wide / 2, STYLE_HEADER, "mounts");
	frame_right(frame, page->row, end - 17, end - 9, STYLE_HEADER, "IO/s");
	frame_right(frame, page->row++, end - 8, end, STYLE_HEADER, "flush/s");
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

	if (!rows)
		return;
	nr = list_sorted(page->top, page->ui, rows);
	header(page, nr);
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
		line(page, rows[i], (int)i == selected);
	free(rows);
}
