// SPDX-License-Identifier: GPL-2.0-or-later
/* panel_epochs: when which option set held, and what ended it. */
#include <string.h>

#include "tui/page.h"

#define ENDED_BY 31 /* column */
#define SEEN	 13 /* columns at the right */
#define EPOCHS_KEPT 5
#define LATENCY_KEPT 12 /* rows of what is below */

static void line(struct page *page, const struct epoch_row *epoch)
{
	struct frame *frame = page->frame;
	int row = page->row++, seen = frame->cols - SEEN;
	struct short_text held;
	char number[16];

	snprintf(number, sizeof(number), "%u", epoch->number);
	frame_right(frame, row, 0, 4, STYLE_PLAIN, number);
	frame_put(frame, row, 6, STYLE_PLAIN, epoch->began);
	frame_right(frame, row, 15, 23, STYLE_PLAIN, short_held(&held, epoch->held_ns));
	frame_printf(frame, row, 25, STYLE_PLAIN, "%4u", epoch->set);
	frame_cut(frame, row, ENDED_BY, seen - 2, STYLE_PLAIN, epoch->ended_by);
	frame_put(frame, row, seen, STYLE_DIM, epoch->seen);
}

void panel_epochs(struct page *page)
{
	const struct top_disk *disk = page->disk;
	char title[128];
	size_t room, i;

	if (!disk->nr_epochs || page->end - page->row < 3)
		return;
	room = (size_t)(page->end - page->row - 2);
	/* On a tall screen latencies have some of it. */
	if (page->frame->rows >= TALL_ROWS && room > EPOCHS_KEPT + LATENCY_KEPT)
		room -= LATENCY_KEPT;
	i = disk->nr_epochs > room ? disk->nr_epochs - room : 0;
	snprintf(title, sizeof(title),
		 "epochs   %s%zu of %zu   the first %g s after a change "
		 "belong to none",
		 i ? "last " : "", disk->nr_epochs - i, disk->nr_epochs, disk->settle_s);
	frame_rule(page->frame, page->row++, title);
	frame_put(page->frame, page->row, 3, STYLE_HEADER, "#  began");
	frame_put(page->frame, page->row, 19, STYLE_HEADER, "held");
	frame_put(page->frame, page->row, 26, STYLE_HEADER, "set");
	frame_put(page->frame, page->row, ENDED_BY, STYLE_HEADER, "ended by");
	frame_put(page->frame, page->row++, page->frame->cols - SEEN, STYLE_HEADER, "seen");
	for (; i < disk->nr_epochs; i++)
		line(page, &disk->epoch[i]);
}
