/* SPDX-License-Identifier: GPL-2.0-or-later */
/* save: what the screen shows, as JSON.  For session.c. */
#ifndef FSB_TUI_SAVE_H
#define FSB_TUI_SAVE_H

#include <jansson.h>

#include "tui/top.h"

/* The document (schema fsbstat/1, kind "top"); NULL when memory ran out. */
json_t *save_json(const struct top *top, const struct ui *ui);

/*
 * Writes it to a new file in the current directory and says its name in @name.  0 or -1
 * with errno; nothing of a file is left behind then.
 */
int save_screen(const struct top *top, const struct ui *ui, char *name, size_t size);

#endif /* FSB_TUI_SAVE_H */
