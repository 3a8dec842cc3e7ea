/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tool: a program such as mkfs or mount, run to its end without a shell and with what it
 * said kept.  A Ctrl-C on the terminal does not reach it; it dies with fsbctl.  For filesystem*.c.
 */
#ifndef FSB_BENCH_TOOL_H
#define FSB_BENCH_TOOL_H

#include <stddef.h>

#include "bench/trouble.h"

#define TOOL_WORDS 128

/* The words of a command, each malloc'd; word[nr] is NULL. */
struct tool_words {
	char *word[TOOL_WORDS + 1];
	size_t nr;
};

/*
 * Adds the words of @text, parted at white space, with quotes and backslashes as in a shell and
 * nothing else of it.  0, or -1 with *trouble about @object.  tool_words_free() in either case.
 */
int tool_words_add(struct tool_words *words, const char *text, const char *object,
		   struct trouble *trouble);
/* Adds each text, up to NULL, as one word. */
int tool_words_add_each(struct tool_words *words, const char *object, struct trouble *trouble, ...)
	__attribute__((sentinel));
void tool_words_free(struct tool_words *words);

/* Path of a program in PATH or the directories for administrators; malloc'd, NULL: not there. */
char *tool_find(const char *name);

/*
 * Runs it.  *output gets what it said on both streams, malloc'd; NULL only without memory.  0 when
 * it ended with 0, else -1 with *trouble: what it said last that looks like a reason.
 */
int tool_run(const struct tool_words *words, char **output, struct trouble *trouble);

#endif /* FSB_BENCH_TOOL_H */
