// SPDX-License-Identifier: GPL-2.0-or-later
/* workload_output: a command's output, bounded; see workload_output.h. */
#include "bench/workload_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HALF (OUTPUT_MAX / 2)

/* Where byte number @nr is kept. */
static size_t place(uint64_t nr)
{
	return nr < HALF ? (size_t)nr : HALF + (size_t)((nr - HALF) % HALF);
}

static int grow(struct output *output, uint64_t total)
{
	size_t size = output->size ? output->size : 4096;
	char *grown;

	while (size < OUTPUT_MAX && size < total)
		size *= 2;
	if (size == output->size)
		return 0;
	grown = realloc(output->kept, size);
	if (!grown)
		return -1;
	output->kept = grown;
	output->size = size;
	return 0;
}

static void hand_on(struct output *output, output_line_fn *line, void *arg)
{
	output->line[output->line_used] = '\0';
	if (output->line_used && line)
		line(arg, output->line);
	output->line_used = 0;
}

int output_add(struct output *output, const char *bytes, size_t nr, output_line_fn *line, void *arg)
{
	int err = grow(output, output->total + nr);

	for (size_t i = 0; i < nr; i++) {
		/* What is kept is a string. */
		char c = bytes[i] ? bytes[i] : ' ';

		if (!err)
			output->kept[place(output->total++)] = c;
		/* A progress line that is written over ends with a carriage return. */
		if (c == '\n' || c == '\r')
			hand_on(output, line, arg);
		else if (output->line_used < OUTPUT_LINE_MAX)
			output->line[output->line_used++] = c;
	}
	return err;
}

void output_end(struct output *output, output_line_fn *line, void *arg)
{
	hand_on(output, line, arg);
}

/* The middle is gone: beginning, a line that says so, end. */
static char *join(const struct output *output, size_t *size)
{
	size_t oldest = place(output->total), used;
	char *text = malloc(OUTPUT_MAX + 80);

	if (!text)
		return NULL;
	memcpy(text, output->kept, HALF);
	used = HALF + (size_t)sprintf(text + HALF, "\n[%llu bytes are left out here]\n",
				      (unsigned long long)(output->total - OUTPUT_MAX));
	memcpy(text + used, output->kept + oldest, OUTPUT_MAX - oldest);
	used += OUTPUT_MAX - oldest;
	memcpy(text + used, output->kept + HALF, oldest - HALF);
	*size = used + oldest - HALF;
	text[*size] = '\0';
	return text;
}

char *output_take(struct output *output, size_t *size)
{
	char *text;

	if (output->total > OUTPUT_MAX) {
		text = join(output, size);
	} else {
		*size = (size_t)output->total;
		text = realloc(output->kept, *size + 1);
		if (text) {
			text[*size] = '\0';
			output->kept = NULL;
		}
	}
	output_free(output);
	return text;
}

void output_free(struct output *output)
{
	free(output->kept);
	memset(output, 0, sizeof(*output));
}
