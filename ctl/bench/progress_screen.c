// SPDX-License-Identifier: GPL-2.0-or-later
/* progress_screen: where a person sees what an experiment is doing; see progress.h. */
#include "bench/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "clock_ns.h"
#include "width.h"

#define REDRAW_NS 250000000ULL
#define COLUMNS	  80

void progress_screen_open(struct progress_screen *screen)
{
	const char *term = getenv("TERM");

	memset(screen, 0, sizeof(*screen));
	screen->live = isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb");
}

static int columns(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 20)
		return COLUMNS;
	return size.ws_col;
}

void progress_screen_clear(struct progress_screen *screen)
{
	/* Up to its first line, and all from there on away. */
	if (screen->drawn)
		fprintf(stderr, "\033[%uA\r\033[J", screen->drawn);
	screen->drawn = 0;
}

void progress_screen_line(struct progress_screen *screen, const char *line)
{
	progress_screen_clear(screen);
	fprintf(stderr, "%s\n", line);
}

void progress_screen_block(struct progress_screen *screen, const struct progress_state *state,
			   bool now)
{
	char line[PROGRESS_LINES][PROGRESS_LINE_MAX];
	uint64_t time = clock_ns(CLOCK_MONOTONIC);
	char shown[PROGRESS_LINE_MAX];
	int i, width = columns() - 1;

	if (!screen->live || (!now && time - screen->drawn_ns < REDRAW_NS))
		return;
	screen->drawn_ns = time;
	progress_block(line, state);
	progress_screen_clear(screen);
	for (i = 0; i < PROGRESS_LINES; i++)
		fprintf(stderr, "%s\n",
			width_cut_end(shown, sizeof(shown), line[i], width, WIDTH_CUT));
	screen->drawn = PROGRESS_LINES;
}
