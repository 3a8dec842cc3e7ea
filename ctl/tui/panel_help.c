// SPDX-License-Identifier: GPL-2.0-or-later
/* panel_help: the keys, and why what is left out is left out. */
#include <string.h>

#include "tui/page.h"

static const char *const lines[] = {
	"q F10 Ctrl-C   quit                       h ? F1    this help, and back",
	"Tab Shift-Tab  next, previous view        1 2 3     overview, latency, sets",
	"p Z            pause; counting goes on    a         since opened / last seconds",
	"+ -            longer, shorter interval   i         type the interval: 500ms 2s",
	"up down j k    row                        PgUp PgDn Home End",
	"s F6           sort by the next column    r I       reverse",
	"< >            kind of latency, or sort   / \\       filter by name (empty: all)",
	"o              list: active disks only    Enter     list: open and measure it",
	"Esc Backspace  back to the list           Ctrl-L    draw everything anew",
	"b              compare with this set      B         with none",
	"w              save what is shown as JSON in the current directory",
	"C N S M        with --control: cache, NCQ, scheduler, barrier; put back at exit",
	"",
	"IO/s      requests; latencies are of the device, issue to completion; one with",
	"          fewer than ten requests beyond it is -; ~ is read off a histogram",
	"draining  the queue runs empty for a command that cannot be queued (a flush)",
	"alone     that command is at the disk, and nothing else can be",
	"wait      from the making of a request to its first issue",
	"at risk   written and covered by no flush that has ended: an upper bound",
	"set       filesystems and their options, drive cache, FUA, NCQ, scheduler and",
	"          nr_requests; held does not count the time right after a change",
};

#define LINES ((int)(sizeof(lines) / sizeof(*lines)))

void panel_help(struct page *page)
{
	int nr = LINES, i, skip = page->ui->scroll;
	const struct top_disk *disk = page->disk;

	frame_put(page->frame, page->row, 0, STYLE_TITLE, "fsbctl top: keys and words");
	page->row += 2;
	nr += disk && disk->nr_left_out ? 2 + (int)disk->nr_left_out : 0;
	if (skip > nr - (page->end - page->row))
		skip = nr - (page->end - page->row);
	for (i = skip < 0 ? 0 : skip; i < nr && !page_full(page); i++, page->row++) {
		if (i < LINES)
			frame_put(page->frame, page->row, 0, STYLE_PLAIN, lines[i]);
		else if (i == LINES + 1)
			frame_put(page->frame, page->row, 0, STYLE_TITLE, "left out");
		else if (i > LINES + 1)
			frame_printf(page->frame, page->row, 0, STYLE_PLAIN, "%-14s %s",
				     disk->left_out[i - LINES - 2].what,
				     disk->left_out[i - LINES - 2].why);
	}
}
