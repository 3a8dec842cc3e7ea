/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control: changes settings of the opened disk while it is looked at, and puts all of them
 * back.  Settings go through disk/settings.h, which saves the old values first; a
 * filesystem's barrier is remounted.  For session*.c, and only with --control.
 */
#ifndef FSB_TUI_CONTROL_H
#define FSB_TUI_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "tui/top.h"

struct control;

/* NULL when memory ran out. */
struct control *control_open(const struct disk *disk);

/*
 * Prepares what @what stands for and asks for it in @text: "drive cache on -> off?".
 * False when it cannot be, with the reason there.
 */
bool control_ask(struct control *control, enum control_key what, const struct top_disk *disk,
		 char *text, size_t size);
/* Does what was asked for last; says in @text what came of it. */
void control_do(struct control *control, char *text, size_t size);

/*
 * Puts everything back that this changed, and says so to @say (NULL: to nobody); what
 * somebody else has changed since stays.  Takes NULL.
 */
void control_close(struct control *control, FILE *say);

#endif /* FSB_TUI_CONTROL_H */
