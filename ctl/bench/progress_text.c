// SPDX-License-Identifier: GPL-2.0-or-later
/* progress_text: what an experiment is doing as lines of text; see progress.h. */
#include "bench/progress.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "message.h"
#include "out/number.h"

/* Scores of earlier runs that a line has room for. */
#define SHOWN_SAMPLES 4

const char *const trial_step_names[TRIAL_STEPS] = {
	[STEP_SET] = "set",	    [STEP_PREPARATION] = "preparation",
	[STEP_MKFS] = "mkfs",	    [STEP_MOUNT] = "mount",
	[STEP_SETTLE] = "settle",   [STEP_PREPARE] = "prepare",
	[STEP_COLD] = "cold",	    [STEP_RUN] = "run",
	[STEP_SYNC] = "sync",	    [STEP_COLLECT] = "collect",
	[STEP_UNMOUNT] = "unmount",
};

void progress_duration(char *text, size_t size, double seconds)
{
	unsigned long whole = seconds > 0 ? (unsigned long)(seconds + 0.5) : 0;

	if (whole < 60)
		snprintf(text, size, "%lus", whole);
	else if (whole < 3600)
		snprintf(text, size, "%lum%02lus", whole / 60, whole % 60);
	else
		snprintf(text, size, "%luh%02lum", whole / 3600, whole % 3600 / 60);
}

static void add(char *line, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void add(char *line, size_t size, const char *format, ...)
{
	size_t used = strlen(line);
	va_list args;

	va_start(args, format);
	vsnprintf(line + used, size - used, format, args);
	va_end(args);
}

static void add_printable(char *line, size_t size, const char *text)
{
	size_t used = strlen(line);

	message_printable(line + used, size - used, text);
}

static const char *score_text(struct number *number, double score)
{
	double size = fabs(score);

	return number_decimal(number, score, size < 10 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0);
}

static void head_line(char *line, size_t size, const struct progress_state *state)
{
	char time[32];

	*line = '\0';
	add_printable(line, size, state->run);
	add(line, size, " on ");
	add_printable(line, size, state->disk);
	add(line, size, "   block %u", state->block);
	if (state->block <= state->blocks)
		add(line, size, " of %u", state->blocks);
	progress_duration(time, sizeof(time), state->elapsed_s);
	add(line, size, "   cell %u of %zu   %s", state->place, state->nr_cells, time);
	if (state->left_s < 0)
		return;
	progress_duration(time, sizeof(time), state->left_s);
	add(line, size, ", about %s left", time);
}

/* [mkfs mount settle >RUN< sync unmount], of the steps a person cares about. */
static void add_steps(char *line, size_t size, enum trial_step now)
{
	static const enum trial_step shown[] = {STEP_MKFS, STEP_MOUNT, STEP_SETTLE, STEP_PREPARE,
						STEP_RUN,  STEP_SYNC,  STEP_UNMOUNT};
	size_t i, nr = sizeof(shown) / sizeof(shown[0]);

	add(line, size, "[");
	for (i = 0; i < nr; i++) {
		/* The steps between two that are shown belong to the later one. */
		bool here = now <= shown[i] && (i == 0 || now > shown[i - 1]);
		size_t used;

		add(line, size, "%s%s", i ? " " : "", here ? ">" : "");
		used = strlen(line);
		add(line, size, "%s", trial_step_names[shown[i]]);
		for (; here && line[used]; used++)
			line[used] = (char)toupper((unsigned char)line[used]);
		add(line, size, "%s", here ? "<" : "");
	}
	add(line, size, "]");
}

static void add_cell(char *line, size_t size, const struct cell *cell)
{
	add_printable(line, size, cell->configuration->name);
	add(line, size, " / ");
	add_printable(line, size, cell->use->label);
}

static void add_samples(char *line, size_t size, const struct progress_state *state)
{
	size_t from = state->nr_samples > SHOWN_SAMPLES ? state->nr_samples - SHOWN_SAMPLES : 0, i;
	struct number number;

	if (!state->nr_samples)
		return;
	add(line, size, "so far%s", from ? " ..." : "");
	for (i = from; i < state->nr_samples; i++)
		add(line, size, " %s", score_text(&number, state->sample[i]));
	add(line, size, " ");
	add_printable(line, size, state->cell->use->workload->unit);
	add(line, size, "   ");
}

static void add_rates(char *line, size_t size, const struct figures *figures)
{
	double seconds = figures ? (double)figures->elapsed_ns / 1e9 : 0;
	struct number number;

	if (seconds <= 0)
		return;
	if (figures->fs.calls)
		add(line, size, "fsync %s/s  ",
		    number_rate(&number, (double)figures->fs.sums.fsyncs / seconds));
	if (figures_class_known(figures, FSBSTAT_CLASS_FLUSH))
		add(line, size, "flush %s/s  ",
		    number_rate(&number,
				(double)figures->class[FSBSTAT_CLASS_FLUSH].counts.ios / seconds));
	add(line, size, "%s %s", figures->ata.elapsed_ns ? "NCQ" : "depth",
	    number_decimal(&number,
			   figures->ata.elapsed_ns ? figures->ata.tags_mean : figures->depth_mean,
			   1));
}

void progress_block(char line[PROGRESS_LINES][PROGRESS_LINE_MAX],
		    const struct progress_state *state)
{
	head_line(line[0], PROGRESS_LINE_MAX, state);
	line[1][0] = '\0';
	add_cell(line[1], PROGRESS_LINE_MAX, state->cell);
	add(line[1], PROGRESS_LINE_MAX, "   run %u   ", state->number);
	add_steps(line[1], PROGRESS_LINE_MAX, state->step);
	strcpy(line[2], "  ");
	add_samples(line[2], PROGRESS_LINE_MAX, state);
	add_rates(line[2], PROGRESS_LINE_MAX, state->latest);
}

void progress_begin_line(char *line, size_t size, const struct progress_state *state)
{
	head_line(line, size, state);
	add(line, size, ": ");
	add_cell(line, size, state->cell);
	add(line, size, " run %u", state->number);
}

void progress_end_line(char *line, size_t size, const struct progress_state *state,
		       const struct store_trial *trial, const struct stats *stats)
{
	struct number number;

	*line = '\0';
	add(line, size, "  ");
	add_cell(line, size, state->cell);
	add(line, size, "   run %u   ", state->number);
	if (!isnan(trial->score)) {
		add(line, size, "%s ", score_text(&number, trial->score));
		add_printable(line, size, state->cell->use->workload->unit);
	}
	if (trial->state != TRIAL_OK) {
		add(line, size, "%s%s: ", isnan(trial->score) ? "" : "   ",
		    trial_state_name(trial->state));
		add_printable(line, size, trial->reason);
	} else if (stats->n > 1) {
		add(line, size, "   mean %s", score_text(&number, stats->mean));
		add(line, size, " +- %s", score_text(&number, stats->se));
	}
}
