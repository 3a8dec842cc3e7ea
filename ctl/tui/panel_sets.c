// SPDX-License-Identifier: GPL-2.0-or-later
/* panel_sets: one row for each option set, all epochs in which it held pooled. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "out/number.h"
#include "tui/page.h"
#include "width.h"

#define TITLE 26 /* column */
#define TITLE_LEAST 12
#define NAME_LEAST 23 /* columns of number and name */
#define HEAD_ROWS 3
#define SETS_KEPT 4

/*
 * Columns end at the right edge; what is not known of any set gives way, and then those of
 * high rank, until names have their room.
 */
struct field {
	const char *head, *title;
	int width;
	unsigned int rank;
	enum set_sort sort; /* that goes by it; SET_SORTS: none */
	void (*text)(struct short_text *text, const struct set_row *row);
};

static void number(struct short_text *text, double value)
{
	if (isnan(value))
		strcpy(text->text, "n/a");
	else
		short_rate(text, value);
}

static void time_of(struct short_text *text, double ns)
{
	char *gap;

	if (isnan(ns)) {
		strcpy(text->text, "-");
		return;
	}
	short_time(text, ns);
	/* The columns are narrow: 14ms */
	gap = strchr(text->text, ' ');
	if (gap)
		memmove(gap, gap + 1, strlen(gap));
}

static void held(struct short_text *text, const struct set_row *row)
{
	short_held(text, row->held_ns);
}

static void writes(struct short_text *text, const struct set_row *row)
{
	number(text, row->write_bytes_s / 1e6);
}

static void fsyncs(struct short_text *text, const struct set_row *row)
{
	number(text, row->fsync_s);
}

static void flushes(struct short_text *text, const struct set_row *row)
{
	if (row->flush_s <= 0)
		strcpy(text->text, "0");
	else
		number(text, row->flush_s);
}

static void ncq(struct short_text *text, const struct set_row *row)
{
	if (row->ncq_off)
		strcpy(text->text, "off");
	else
		number(text, row->ncq_mean);
}

static void drain(struct short_text *text, const struct set_row *row)
{
	number(text, row->ncq_off ? NAN : 100 * row->drain_share);
}

static void write_p99(struct short_text *text, const struct set_row *row)
{
	time_of(text, row->write_p99_ns);
}

static void flush_p99(struct short_text *text, const struct set_row *row)
{
	time_of(text, row->flush_p99_ns);
}

static void fsync_p99(struct short_text *text, const struct set_row *row)
{
	time_of(text, row->fsync_p99_ns);
}

static void risk(struct short_text *text, const struct set_row *row)
{
	if (row->risk == RISK_UNKNOWN)
		strcpy(text->text, "n/a");
	else if (row->risk == RISK_NO_FLUSH)
		strcpy(text->text, "no flush");
	else
		short_bytes(text, row->risk_bytes);
}

static void each(struct short_text *text, const struct set_row *row)
{
	if (isnan(row->each_bytes))
		strcpy(text->text, "n/a");
	else
		short_bytes(text, row->each_bytes);
}

static void flush_share(struct short_text *text, const struct set_row *row)
{
	number(text, 100 * row->flush_share);
}

static void fsync_p50(struct short_text *text, const struct set_row *row)
{
	time_of(text, row->fsync_p50_ns);
}

/* "+121 [111,132]", or in a word why there is none. */
static void change(struct short_text *text, const struct set_row *row)
{
	if (!isnan(row->change))
		snprintf(text->text, sizeof(text->text), "%+.0f [%.0f,%.0f]", row->change,
			 row->change_low, row->change_high);
	else
		snprintf(text->text, sizeof(text->text), "%s",
			 *row->compare_short ? row->compare_short : "-");
}

static const struct field fields[] = {
	{"", "held", 6, 8, SET_BY_HELD, held},
	{"write", "MB/s", 6, 9, SET_BY_WRITES, writes},
	{"fsync", "/s", 6, 1, SET_SORTS, fsyncs},
	{"change", "%", 0, 2, SET_SORTS, change},
	{"flush", "/s", 6, 6, SET_BY_FLUSHES, flushes},
	{"flush+", "drain%", 7, 3, SET_SORTS, flush_share},
	{"NCQ", "mean", 6, 11, SET_SORTS, ncq},
	{"drain", "%", 6, 13, SET_SORTS, drain},
	{"fsync", "p50", 6, 5, SET_SORTS, fsync_p50},
	{"fsync", "p99", 6, 4, SET_SORTS, fsync_p99},
	{"flush", "p99", 6, 12, SET_SORTS, flush_p99},
	{"write", "p99", 6, 10, SET_SORTS, write_p99},
	{"at risk", "worst", 9, 7, SET_SORTS, risk},
	{"each", NULL, 6, 14, SET_SORTS, each},
};

#define FIELDS (sizeof(fields) / sizeof(*fields))

/* Of one of the sets at least. */
static bool known(const struct page *page, const struct field *field)
{
	struct short_text text;

	for (size_t i = 0; i < page->disk->nr_sets; i++) {
		field->text(&text, &page->disk->set[i]);
		if (strcmp(text.text, "n/a") && strcmp(text.text, "-"))
			return true;
	}
	return false;
}

/* That of changes is as wide as its widest text. */
static int width_now(const struct page *page, const struct field *field)
{
	struct short_text text;
	int width = 7;

	if (field->width)
		return field->width;
	for (size_t i = 0; i < page->disk->nr_sets; i++) {
		field->text(&text, &page->disk->set[i]);
		if (width_of(text.text) + 1 > width)
			width = width_of(text.text) + 1;
	}
	return width;
}

/* The columns that are shown, by their place in fields; their widths; where the first begins. */
struct columns {
	bool shown[FIELDS];
	int width[FIELDS], begin;
};

static void choose(struct columns *columns, const struct page *page)
{
	int room = page->frame->cols - NAME_LEAST;

	memset(columns, 0, sizeof(*columns));
	columns->begin = page->frame->cols;
	for (unsigned int rank = 0; rank <= FIELDS; rank++) {
		for (size_t i = 0; i < FIELDS; i++) {
			/* What rows are sorted by is always seen. */
			bool sorted = page->ui->set_sort == fields[i].sort;
			int width = width_now(page, &fields[i]);

			if ((sorted ? 0 : fields[i].rank) != rank || !known(page, &fields[i]) ||
			    width > room)
				continue;
			columns->shown[i] = true;
			columns->width[i] = width;
			columns->begin -= width;
			room -= width;
		}
	}
}

static void header(struct page *page, const struct columns *columns)
{
	struct frame *frame = page->frame;
	struct short_text text;
	int col = columns->begin, row = page->row;

	sort_title(&text, page, "#", page->ui->set_sort == SET_BY_NUMBER, true);
	frame_put(frame, row + 1, 2, STYLE_HEADER, text.text);
	for (size_t i = 0; i < FIELDS; i++) {
		const struct field *field = &fields[i];
		const char *title = field->title ? field->title : page->disk->each;

		if (!columns->shown[i])
			continue;
		sort_title(&text, page, title, field->sort == page->ui->set_sort, false);
		frame_right(frame, row, col, col + columns->width[i], STYLE_HEADER, field->head);
		frame_right(frame, row + 1, col, col + columns->width[i], STYLE_HEADER, text.text);
		col += columns->width[i];
	}
	page->row += 2;
}

/* What differs, and in wide screens the whole of it. */
static void put_name(struct page *page, const struct set_row *set, int end)
{
	enum style style = set->now ? STYLE_TITLE : STYLE_PLAIN;
	struct frame *frame = page->frame;
	char name[224];
	int col;

	snprintf(name, sizeof(name), "%s%s%u %s", set->now ? glyph(frame, GLYPH_HERE) : " ",
		 set->number == page->ui->baseline ? "b" : " ", set->number, set->name);
	col = frame_cut(frame, page->row, 0, end, style, name);
	if (col + 2 < TITLE)
		col = TITLE - 2;
	if (frame->cols >= WIDE_COLS && end - col > TITLE_LEAST)
		frame_cut(frame, page->row, col + 2, end, STYLE_DIM, set->title);
}

static void line(struct page *page, const struct columns *columns, const struct set_row *set,
		 bool selected)
{
	int col = columns->begin;
	struct short_text text;

	put_name(page, set, col);
	for (size_t i = 0; i < FIELDS; i++) {
		if (!columns->shown[i])
			continue;
		fields[i].text(&text, set);
		col += columns->width[i];
		frame_right(page->frame, page->row, col - columns->width[i], col, STYLE_PLAIN,
			    text.text);
	}
	if (selected)
		frame_style(page->frame, page->row, 0, page->frame->cols, STYLE_SELECTED);
	page->row++;
}

static void comparison(struct page *page, const struct set_row *set)
{
	struct frame *frame = page->frame;
	struct short_text rate, half, ns, time;
	struct number bytes;
	int row = page->row++, col;

	if (isnan(set->rate))
		col = frame_printf(frame, row, 5, STYLE_DIM, "n %u, %s", set->epochs,
				   short_held(&time, set->held_ns));
	else
		col = frame_printf(frame, row, 5, STYLE_PLAIN, "n %u, %s   %s %s%s%s%s",
				   set->epochs, short_held(&time, set->held_ns),
				   page->disk->rate_label, short_rate(&rate, set->rate),
				   isnan(set->rate_half) ? "" : " ",
				   isnan(set->rate_half) ? "" : glyph(frame, GLYPH_PLUS_MINUS),
				   isnan(set->rate_half) ? "" : short_rate(&half, set->rate_half));
	if (!isnan(set->change))
		col = frame_printf(frame, row, col + 3, STYLE_TITLE, "%+.0f %% [%.0f, %.0f]",
				   set->change, set->change_low, set->change_high);
	else if (*set->compare)
		col = frame_put(frame, row, col + 3, STYLE_DIM, set->compare);
	if (!isnan(set->each_bytes) && !isnan(set->each_ns))
		frame_printf(frame, row, col + 3, STYLE_DIM, "each %s, %s",
			     number_bytes(&bytes, (uint64_t)set->each_bytes),
			     short_time(&ns, set->each_ns));
}

static const struct ui *sorting; /* qsort() has no argument for it */

static int by_size(double a, double b)
{
	return isnan(a) || isnan(b) ? isnan(a) - isnan(b) : a < b ? 1 : a > b ? -1 : 0;
}

static int compare_rows(const void *a, const void *b)
{
	const struct set_row *one = *(const struct set_row *const *)a;
	const struct set_row *two = *(const struct set_row *const *)b;
	int order = 0;

	if (sorting->set_sort == SET_BY_HELD)
		order = by_size(one->held_ns, two->held_ns);
	else if (sorting->set_sort == SET_BY_FLUSHES)
		order = by_size(one->flush_s, two->flush_s);
	else if (sorting->set_sort == SET_BY_WRITES)
		order = by_size(one->write_bytes_s, two->write_bytes_s);
	if (!order)
		order = one->number < two->number ? -1 : one->number > two->number;
	return sorting->reversed ? -order : order;
}

size_t sets_sorted(const struct top_disk *disk, const struct ui *ui,
		   const struct set_row *rows[SETS_MAX])
{
	size_t nr = 0;

	for (size_t i = 0; i < disk->nr_sets && nr < SETS_MAX; i++)
		/* What others are compared with is seen in any case. */
		if (filter_takes(ui, disk->set[i].name) || disk->set[i].number == ui->baseline)
			rows[nr++] = &disk->set[i];
	sorting = ui;
	qsort(rows, nr, sizeof(*rows), compare_rows);
	return nr;
}

/* The rows that are seen: the selected one is among them, else the one that holds now. */
static size_t first_seen(const struct set_row *const *rows, size_t nr, size_t room, int selected)
{
	size_t keep = 0;

	for (size_t i = 0; i < nr; i++)
		if (selected < 0 ? rows[i]->now : i == (size_t)selected)
			keep = i;
	return keep < room ? 0 : keep - room + 1;
}

int panel_sets_rows(const struct page *page)
{
	size_t nr = page->disk->nr_sets;

	return HEAD_ROWS + (int)(nr < SETS_KEPT ? nr : SETS_KEPT);
}

static void rule(struct page *page, size_t shown)
{
	char title[96] = "option sets", of[48] = "";

	if (shown < page->disk->nr_sets)
		snprintf(of, sizeof(of), "   %zu of %zu", shown, page->disk->nr_sets);
	if (page->ui->baseline && page->disk->nr_sets > 1)
		snprintf(title, sizeof(title), "option sets%s   baseline %u", of,
			 page->ui->baseline);
	else
		snprintf(title, sizeof(title), "option sets%s", of);
	frame_rule(page->frame, page->row++, title);
}

void panel_sets(struct page *page)
{
	const struct set_row *rows[SETS_MAX];
	bool full = page->ui->tab == TAB_SETS;
	int selected = full ? page->ui->selected : -1;
	size_t nr, i, room, lines = full ? 2 : 1;
	struct columns columns;

	if (page->end - page->row < HEAD_ROWS)
		return;
	nr = sets_sorted(page->disk, page->ui, rows);
	rule(page, nr);
	if (!nr) {
		frame_put(page->frame, page->row++, LABEL, STYLE_DIM,
			  page->disk->nr_sets ? "none fits the filter" : page->disk->no_sets);
		return;
	}
	choose(&columns, page);
	header(page, &columns);
	room = page->end > page->row ? (size_t)(page->end - page->row) / lines : 0;
	if (full && room > 1)
		room = room * 2 / 3;
	if (selected >= (int)nr)
		selected = (int)nr - 1;
	for (i = first_seen(rows, nr, room, selected); i < nr && room; i++, room--) {
		line(page, &columns, rows[i], (int)i == selected);
		if (full)
			comparison(page, rows[i]);
	}
}
