/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keys: what a key does to struct ui.  Pure; for cmd/top.c. */
#ifndef FSB_TUI_KEYS_H
#define FSB_TUI_KEYS_H

#include "tui/top.h"

/* Keys that are no character; characters are themselves. */
enum key {
	KEYS_TAB = '\t',
	KEYS_ENTER = '\r',
	KEYS_ESC = 27,
	KEYS_CTRL_L = 12,
	KEYS_BEYOND_CHARACTERS = 256,
	KEYS_BACK_TAB,
	KEYS_BACKSPACE,
	KEYS_UP,
	KEYS_DOWN,
	KEYS_LEFT,
	KEYS_RIGHT,
	KEYS_PAGE_UP,
	KEYS_PAGE_DOWN,
	KEYS_HOME,
	KEYS_END,
	KEYS_F1,
	KEYS_F6,
	KEYS_F10,
};

/*
 * @top is what the screen shows now (which rows there are).  Returns what is to be done
 * outside; ui->message says what a key did that cannot be seen.
 */
enum ui_request keys_take(struct ui *ui, const struct top *top, int key);

/* The row of the list that is selected, NULL when there is none. */
const struct list_row *keys_selected_disk(const struct ui *ui, const struct top *top);

#endif /* FSB_TUI_KEYS_H */
