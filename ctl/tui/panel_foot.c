// SPDX-License-Identifier: GPL-2.0-or-later
/* panel_foot: the last rows: what is left out, a message or a question, the keys. */
#include <string.h>

#include "tui/page.h"

static const char *keys_of(const struct ui *ui)
{
	if (ui->help)
		return "h back  up down scroll  q quit";
	if (ui->tab == TAB_LIST)
		return "q quit  h help  Enter open  p pause  s sort  o active  / filter  + -";
	if (ui->tab == TAB_LATENCY)
		return "q quit  h help  Tab views  p pause  < > kind  a all  w save  + - interval";
	if (ui->may_control)
		return "q quit  h help  Tab views  C cache  N NCQ  S scheduler  M barrier  b "
		       "baseline";
	return "q quit  h help  Tab views  p pause  b baseline  s sort  w save  + - interval";
}

static void question(struct page *page, int row)
{
	const struct ui *ui = page->ui;
	const char *what = ui->prompt == PROMPT_FILTER ? "filter" : "interval";
	int col;

	if (ui->prompt == PROMPT_CONFIRM) {
		col = frame_put(page->frame, row, 0, STYLE_KEY, ui->typed);
		frame_put(page->frame, row, col + 2, STYLE_PLAIN, "y does it, any other key not");
		return;
	}
	col = frame_printf(page->frame, row, 0, STYLE_KEY, "%s: %s", what, ui->typed);
	frame_put(page->frame, row, col, STYLE_KEY, "_");
	frame_put(page->frame, row, col + 3, STYLE_DIM, "Enter takes it, Esc does not");
}

/* Help (h) has the reasons. */
static void left_out(struct page *page)
{
	const struct top_disk *disk = page->disk;
	char text[512] = "";
	size_t used = 0, i;

	for (i = 0; i < disk->nr_left_out && used < sizeof(text) - 1; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", i ? ", " : "",
					 disk->left_out[i].what);
	frame_printf(page->frame, --page->end, 0, STYLE_DIM, "left out%s: %s",
		     page->ui->batch ? "" : " (h)", text);
}

void panel_foot(struct page *page)
{
	const struct ui *ui = page->ui;
	int row = page->end;

	if (ui->prompt != PROMPT_NONE)
		question(page, row);
	else if (*ui->message)
		frame_put(page->frame, row, 0, STYLE_TITLE, ui->message);
	else if (!ui->batch)
		frame_put(page->frame, row, 0, STYLE_DIM, keys_of(ui));
	if (*ui->filter && ui->prompt == PROMPT_NONE)
		frame_printf(page->frame, --page->end, 0, STYLE_TITLE, "filter: %s", ui->filter);
	if (!ui->help && ui->tab == TAB_OVERVIEW && page->disk && page->disk->nr_left_out)
		left_out(page);
}
