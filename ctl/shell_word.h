/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell_word: a word of a command line, written so that a shell takes it as one. */
#ifndef FSB_SHELL_WORD_H
#define FSB_SHELL_WORD_H

#include <stdio.h>

void shell_word_print(FILE *to, const char *word);

#endif /* FSB_SHELL_WORD_H */
