/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload_output: what a command writes, kept up to a limit (its beginning and its end), and
 * its lines as they come.  For workload_shell.c.
 */
#ifndef FSB_BENCH_WORKLOAD_OUTPUT_H
#define FSB_BENCH_WORKLOAD_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#define OUTPUT_MAX 0x400000
/* Of a longer line only this much is seen as a line; all of it is kept. */
#define OUTPUT_LINE_MAX 0x1000

struct output {
	char *kept; /* the first half, and then the last bytes as a ring */
	size_t size; /* allocated */
	uint64_t total; /* bytes that came */
	char line[OUTPUT_LINE_MAX + 1];
	size_t line_used;
};

typedef void output_line_fn(void *arg, const char *line);

/* Takes bytes and hands on the lines they end.  0 or -1: out of memory, with less kept. */
int output_add(struct output *output, const char *bytes, size_t nr, output_line_fn *line,
	       void *arg);
/* Hands on the last line, if it has no newline. */
void output_end(struct output *output, output_line_fn *line, void *arg);
/*
 * All that was kept, with a line in the middle where something was left out and 0 at its end;
 * malloc'd, NULL: out of memory.  @output is empty then.
 */
char *output_take(struct output *output, size_t *size);
void output_free(struct output *output);

#endif /* FSB_BENCH_WORKLOAD_OUTPUT_H */
