// SPDX-License-Identifier: GPL-2.0-or-later
/* shell_word: see shell_word.h. */
#include "shell_word.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is_plain(const char *word)
{
	for (; *word; word++)
		if (!isalnum((unsigned char)*word) && !strchr("@%+=:,./_-", *word))
			return false;
	return true;
}

void shell_word_print(FILE *to, const char *word)
{
	if (*word && is_plain(word)) {
		fputs(word, to);
		return;
	}
	fputc('\'', to);
	for (; *word; word++)
		fprintf(to, *word == '\'' ? "'\\''" : "%c", *word);
	fputc('\'', to);
}
