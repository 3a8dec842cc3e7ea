// SPDX-License-Identifier: GPL-2.0-or-later
/* panel_head: which disk, how it is set, what lies on it. */
#include <math.h>
#include <string.h>

#include "disk/remount.h"
#include "message.h"
#include "out/number.h"
#include "tui/page.h"
#include "width.h"

/* In tall screens so many mounts have a line each. */
#define MOUNT_LINES 4
/* Columns of the option set that holds now. */
#define SET_NOW 29

static void identity(struct page *page)
{
	const struct disk_info *info = &page->disk->info;
	const char *link = !strcmp(info->transport, "sata")   ? "SATA"
			   : !strcmp(info->transport, "nvme") ? "NVMe"
							      : info->transport;
	struct frame *frame = page->frame;
	char left[512], right[160], every[32] = "";
	double interval = page->ui->interval_s;
	struct number size, seconds;
	int end;

	if (page->ui->interval_s > 0)
		snprintf(every, sizeof(every), "%severy %s s  ",
			 page->disk->replay ? "recorded " : "",
			 number_decimal(&seconds, interval,
					fabs(interval - round(interval)) > 0.05));
	snprintf(right, sizeof(right), "%s  %s%s", page->disk->status, every, page->top->clock);
	end = frame->cols - width_of(right);
	snprintf(left, sizeof(left), "fsbctl top  %s  %s%s%s %s", info->disk.name, info->model,
		 *info->model ? "  " : "",
		 info->size_bytes > 0 ? number_bytes(&size, (uint64_t)info->size_bytes) : "", link);
	frame_cut(frame, page->row, 0, end - 2, STYLE_TITLE, left);
	frame_put(frame, page->row++, end, page->disk->bad ? STYLE_WARN : STYLE_PLAIN, right);
}

static void settings(struct page *page)
{
	const struct disk_info *info = &page->disk->info;
	struct frame *frame = page->frame;
	int row = page->row++, col, end = frame->cols - width_of(page->disk->source);
	bool loses = disk_loses_writes(info);

	col = frame_printf(frame, row, 0, loses ? STYLE_WARN : STYLE_PLAIN,
			   "cache drive %s, kernel %s%s",
			   info->write_cache == ON    ? "on"
			   : info->write_cache == OFF ? "off"
						      : "unknown",
			   *info->write_cache_kernel ? info->write_cache_kernel : "unknown",
			   loses ? " !" : "");
	col = frame_printf(frame, row, col + 3, STYLE_PLAIN, "FUA %s",
			   info->fua == 1   ? "yes"
			   : info->fua == 0 ? "no"
					    : "unknown");
	if (info->ncq >= 0)
		col = frame_printf(frame, row, col + 3, STYLE_PLAIN, "NCQ %d", info->ncq);
	frame_clip(frame, row, col + 3, end - 2, STYLE_PLAIN, info->scheduler);
	frame_put(frame, row, end, STYLE_DIM, page->disk->source);
}

static void mount_line(struct page *page, const struct mount *mount, size_t more, int end)
{
	const char *barrier = mount_barrier(mount->fstype, mount->options);
	char source[64], target[256], options[512], also[32] = "", line[1024];
	bool unsaid = *barrier && !strstr(mount->options, "barrier");
	int col;

	message_printable(source, sizeof(source), mount->source);
	message_printable(target, sizeof(target), mount->target);
	message_printable(options, sizeof(options), mount->options);
	if (more)
		snprintf(also, sizeof(also), ", %zu more", more);
	snprintf(line, sizeof(line), "%s %s  %s %s%s%s%s", source, target, mount->fstype, options,
		 unsaid ? " (" : "", unsaid ? barrier : "", unsaid ? ")" : "");
	end -= width_of(also);
	col = frame_cut(page->frame, page->row, 0, end, STYLE_PLAIN, line);
	frame_put(page->frame, page->row++, col, STYLE_DIM, also);
}

/* On the right of the first mount. */
static void set_now(struct page *page, int row)
{
	const struct top_disk *disk = page->disk;
	struct short_text held;
	char text[64];

	for (size_t i = 0; i < disk->nr_sets; i++) {
		if (!disk->set[i].now)
			continue;
		snprintf(text, sizeof(text), "this set %s, %zu set%s seen",
			 short_held(&held, disk->set[i].held_ns), disk->nr_sets,
			 disk->nr_sets == 1 ? "" : "s");
		frame_right(page->frame, row, page->frame->cols - SET_NOW, page->frame->cols,
			    STYLE_PLAIN, text);
	}
}

void panel_head(struct page *page)
{
	const struct mounts *mounts = page->disk->mounts;
	char none[sizeof(mounts->unknown) + 16] = "no filesystem on it is mounted";
	size_t nr = mounts ? mounts->nr : 0, lines, i;
	int row;

	identity(page);
	settings(page);
	row = page->row;
	lines = page->frame->rows < TALL_ROWS ? 1 : MOUNT_LINES;
	lines = nr < lines ? nr : lines;
	for (i = 0; i < lines; i++)
		mount_line(page, &mounts->mount[i], i + 1 == lines ? nr - lines : 0,
			   page->frame->cols - (i ? 0 : SET_NOW + 2));
	if (mounts && *mounts->unknown)
		snprintf(none, sizeof(none), "mounts n/a (%s)", mounts->unknown);
	if (!nr)
		frame_put(page->frame, page->row++, 0, STYLE_DIM, none);
	set_now(page, row);
	frame_rule(page->frame, page->row++, "");
}
