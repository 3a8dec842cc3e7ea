/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show: lines of 80 columns for the back-ends in results/ that people read.  Names and reasons
 * come from files and tools: they are made printable here.
 */
#ifndef FSB_RESULTS_SHOW_H
#define FSB_RESULTS_SHOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "out/number.h"
#include "results/results.h"

#define SHOW_WIDTH 80

/* Columns of @text once it is printable. */
size_t show_length(const char *text);
/* @text in @width columns, filled up with @fill, or cut with ".." in its middle. */
void show_padded(FILE *to, const char *text, size_t width, char fill);
/*
 * Words of @text from column @column of the line on, further lines indented by @indent, and an
 * end of line.
 */
void show_wrapped(FILE *to, const char *text, size_t column, size_t indent);
/* @left, and @right at the end of the line. */
void show_ends(FILE *to, const char *left, const char *right);

/* "MB/s, more is better" */
void show_unit(char *buf, size_t size, const struct store_cell *cell);

/* Digits behind the point that suit scores up to @largest. */
unsigned int show_digits(double largest);
/* "+51.8 %", "-24.8 %" of a fraction. */
const char *show_percent(struct number *number, double fraction);

/* No cell before it is of the same workload. */
bool show_opens_workload(const struct results *results, size_t cell);
/* The next cell of that workload behind @cell; nr_cells: none. */
size_t show_next(const struct results *results, size_t cell);
/* Length of the longest name of a configuration, at most @most. */
size_t show_name_width(const struct results *results, size_t most);
/* The largest |mean| or extreme of a workload's scores, for show_digits(). */
double show_largest(const struct results *results, size_t first);

#endif /* FSB_RESULTS_SHOW_H */
