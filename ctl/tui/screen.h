/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen: a frame on a terminal, and the keys typed there.  The only file that knows
 * ncurses.  The terminal is put back as it was on every way out: screen_close(), exit(),
 * a signal that ends the program, a crash.
 */
#ifndef FSB_TUI_SCREEN_H
#define FSB_TUI_SCREEN_H

#include "tui/frame.h"

/* 0 or -1 with the reason in *why (static). */
int screen_open(bool colour, const char **why);
void screen_close(void);

void screen_size(int *cols, int *rows);
/* All of it when @anew, else what has changed. */
void screen_show(const struct frame *frame, bool anew);

#define SCREEN_NO_KEY  (-1)
#define SCREEN_RESIZED (-2)
#define SCREEN_GONE    (-3) /* nobody will ever type again */

/* The next key (keys.h); does not wait. */
int screen_key(void);

/* The signal that asks the program to end, 0: none. */
int screen_signal(void);
/* The program has been stopped and goes on: the screen is to be drawn anew.  Once. */
bool screen_continued(void);

#endif /* FSB_TUI_SCREEN_H */
