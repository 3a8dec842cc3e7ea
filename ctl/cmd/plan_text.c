// SPDX-License-Identifier: GPL-2.0-or-later
/* plan_text: what a plan comes to, for a person; see run.h. */
#include "cmd/run.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/data_dir.h"

#include "message.h"
#include "out/number.h"
#include "out/text.h"
#include "shell_word.h"
#include "trusted.h"

#define LABEL_WIDTH 9
/* Cells of a block that have their names in the order that is shown. */
#define SHOWN_ORDER 12

static void line(FILE *to, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void line(FILE *to, const char *label, const char *format, ...)
{
	char text[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	text_filled(to, LABEL_WIDTH, label, text);
}

/* "16 GiB", "512 MiB" */
static void size_text(char text[32], uint64_t bytes)
{
	bool large = bytes >= 1 << 30;

	snprintf(text, 32, "%.4g %s", (double)bytes / (large ? 1 << 30 : 1 << 20),
		 large ? "GiB" : "MiB");
}

void plan_range(char text[PLAN_RANGE_MAX], const struct target *target)
{
	char size[32], offset[32];

	size_text(size, target->size);
	size_text(offset, target->offset);
	if (target->size == target->capacity)
		snprintf(text, PLAN_RANGE_MAX, "all");
	else if (!target->offset)
		snprintf(text, PLAN_RANGE_MAX, "the first %s", size);
	else
		snprintf(text, PLAN_RANGE_MAX, "%s, from %s on,", size, offset);
}

static void show_target(FILE *to, const struct target *target)
{
	const struct disk_info *info = &target->info;
	char range[PLAN_RANGE_MAX];
	struct number capacity;

	if (target->image) {
		line(to, "target", "%s, a file of %s that will be made", target->image,
		     number_bytes(&capacity, target->capacity));
		return;
	}
	line(to, "target", "%s  %s  %s %s%s%s",
	     *target->device.partition ? target->device.partition : target->device.disk.name,
	     info->model, number_bytes(&capacity, target->capacity), info->transport,
	     *info->serial ? "  serial " : "", info->serial);
	plan_range(range, target);
	line(to, "", "%s of it will be overwritten. There now: %s", range, target->now);
	if (*target->others)
		line(to, "others", "%s are not touched", target->others);
}

/* Adds @word unless the list has it. */
static void add_name(char *list, size_t size, const char *word)
{
	size_t used = strlen(list), len = strlen(word);
	const char *at;

	for (at = strstr(list, word); at; at = strstr(at + 1, word))
		if ((at == list || at[-1] == ' ') && (!at[len] || at[len] == ' '))
			return;
	snprintf(list + used, size - used, "%s%s", used ? "  " : "", word);
}

static size_t count_configurations(const struct plan *plan)
{
	size_t i, nr = 0;

	for (i = 0; i < plan->nr_cells; i++)
		nr += !i || plan->cell[i].configuration != plan->cell[i - 1].configuration;
	return nr;
}

static void show_cells(FILE *to, const struct plan *plan)
{
	char configurations[2048] = "", workloads[2048] = "";
	size_t i;

	for (i = 0; i < plan->nr_cells; i++) {
		add_name(configurations, sizeof(configurations), plan->cell[i].configuration->name);
		add_name(workloads, sizeof(workloads), plan->cell[i].use->label);
	}
	line(to, "cells", "%s", configurations);
	line(to, "", "x  %s", workloads);
}

/* The same was said of an earlier cell. */
static bool is_said(const struct plan *plan, size_t i)
{
	const struct cell *cell = &plan->cell[i];
	size_t k;

	for (k = 0; k < i; k++)
		if (plan->cell[k].fs == cell->fs &&
		    !strcmp(plan->cell[k].mount.note, cell->mount.note))
			return true;
	return false;
}

static void show_notes(FILE *to, const struct plan *plan)
{
	const char *label = "options";
	size_t i;

	for (i = 0; i < plan->nr_cells; i++) {
		const struct cell *cell = &plan->cell[i];

		if (!*cell->mount.note || is_said(plan, i))
			continue;
		line(to, label, "%s: %s", cell->fs->name, cell->mount.note);
		label = "";
	}
}

static void show_warnings(FILE *to, const struct plan *plan)
{
	char path[300];

	message_printable(path, sizeof(path), plan->matrix.path);
	for (size_t i = 0; i < plan->nr_warnings; i++) {
		const struct plan_warning *warning = &plan->warning[i];

		line(to, i ? "" : "warning", "%s:%u: %s%s%s", path, warning->line, warning->text,
		     *warning->hint ? "; " : "", warning->hint);
	}
}

/* Cells of the configuration of cell @from that cannot be had for the same reason, *all of them? */
static size_t count_refused(const struct plan *plan, size_t from, bool *all)
{
	const struct cell *first = &plan->cell[from];
	size_t i, nr = 0;

	*all = from == 0 || plan->cell[from - 1].configuration != first->configuration;
	for (i = from; i < plan->nr_cells && plan->cell[i].configuration == first->configuration;
	     i++) {
		const char *why = plan->cell[i].unsupported;

		if (why && !strcmp(why, first->unsupported) && *all)
			nr++;
		else
			*all = false;
	}
	return *all ? nr : 1;
}

static void show_refused(FILE *to, const struct plan *plan)
{
	const char *label = "not here";
	size_t i, nr;
	bool all;

	for (i = 0; i < plan->nr_cells; i += nr) {
		const struct cell *cell = &plan->cell[i];

		nr = 1;
		if (!cell->unsupported)
			continue;
		nr = count_refused(plan, i, &all);
		line(to, label, "%s: %s", all ? cell->configuration->name : cell->name,
		     cell->unsupported);
		label = "";
	}
}

static void show_settings(FILE *to, const struct plan *plan)
{
	char names[256] = "";
	size_t i;
	int k;

	for (i = 0; i < plan->nr_cells; i++)
		for (k = 0; k < SETTINGS && !plan->cell[i].unsupported; k++)
			if (*plan->cell[i].settings.value[k])
				add_name(names, sizeof(names), settings_name((enum setting)k));
	if (*names)
		line(to, "settings", "%s: changed between trials and put back at the end", names);
}

static void show_needs(FILE *to, const struct plan *plan)
{
	char list[1024] = "";
	size_t i;

	if (plan->unasked)
		line(to, "later",
		     "a plan runs nothing: what workloads need beyond their programs "
		     "is checked when the run begins");
	if (!plan->nr_packages)
		return;
	for (i = 0; i < plan->nr_packages; i++)
		add_name(list, sizeof(list), plan->package[i]);
	line(to, "needs", "what is not installed: apt-get install %s", list);
}

static void show_time(FILE *to, const struct plan *plan)
{
	const struct matrix_repeat *repeat = &plan->matrix.repeat;
	char least[32], most[32];

	progress_duration(least, sizeof(least), plan->seconds_min);
	progress_duration(most, sizeof(most), plan->seconds_max);
	if (plan->seconds_min <= 0)
		line(to, "time", "not known; %u to %u runs of each", repeat->min, repeat->max);
	else
		line(to, "time", "about %s for %u run%s of each, %s at most", least, repeat->min,
		     repeat->min == 1 ? "" : "s", most);
}

static void show_order(FILE *to, const struct plan *plan)
{
	size_t i, *order = calloc(plan->nr_cells, sizeof(*order));
	char list[4096] = "";

	line(to, "seed", "%llu", (unsigned long long)plan->seed);
	if (!order)
		return;
	plan_order(plan, 1, order);
	for (i = 0; i < plan->nr_cells && i < SHOWN_ORDER; i++)
		add_name(list, sizeof(list), plan->cell[order[i]].name);
	line(to, "order", "%s%s", list, i < plan->nr_cells ? "  ..." : "");
	free(order);
}

static void command_text(char *text, size_t size, const struct tool_words *words)
{
	FILE *to = fmemopen(text, size, "w");

	*text = '\0';
	for (size_t i = 0; to && i < words->nr; i++) {
		if (i)
			fputc(' ', to);
		shell_word_print(to, words->word[i]);
	}
	if (to)
		(void)fclose(to);
	text[size - 1] = '\0';
}

/* Whatever is run as root to make and mount the filesystems, once for each configuration. */
static void show_commands(FILE *to, const struct plan *plan, const struct target *target)
{
	const struct configuration *shown = NULL;
	const char *label = "commands";

	for (size_t i = 0; i < plan->nr_cells; i++) {
		const struct cell *cell = &plan->cell[i];
		struct tool_words make, mount;
		struct trouble trouble;
		char text[4096];

		if (cell->unsupported || cell->configuration == shown)
			continue;
		shown = cell->configuration;
		if (!plan_commands(cell, target, &make, &mount, &trouble)) {
			command_text(text, sizeof(text), &make);
			if (make.nr)
				line(to, label, "%s: %s", shown->name, text);
			command_text(text, sizeof(text), &mount);
			line(to, make.nr ? "" : label, "%s: %s", shown->name, text);
			label = "";
		}
		tool_words_free(&make);
		tool_words_free(&mount);
	}
}

/* What each cell is set and mounted with. */
static void show_each(FILE *to, const struct plan *plan)
{
	size_t i;
	int k;

	for (i = 0; i < plan->nr_cells; i++) {
		const struct cell *cell = &plan->cell[i];
		char settings[1024] = "", word[SETTING_NAME_MAX + SETTING_VALUE_MAX + 2];

		for (k = 0; k < SETTINGS; k++) {
			if (!*cell->settings.value[k])
				continue;
			snprintf(word, sizeof(word), "%s=%s", settings_name((enum setting)k),
				 cell->settings.value[k]);
			add_name(settings, sizeof(settings), word);
		}
		line(to, i ? "" : "each", "%s: %s %s  %s%s", cell->name, cell->fs->name,
		     *cell->mount.options ? cell->mount.options : "(no options)", settings,
		     cell->unsupported ? "  not here" : "");
	}
}

/* A file that did not come with fsbctl decides what is run: whose is it? */
static void show_file(FILE *to, const char **label, const char *what, const char *path)
{
	struct stat status;

	if (!data_is_added(path))
		return;
	if (stat(path, &status))
		line(to, *label, "%s from %s", what, path);
	else
		line(to, *label, "%s from %s, which belongs to %s", what, path,
		     trusted_user_name(status.st_uid));
	*label = "";
}

static void show_added(FILE *to, const struct plan *plan)
{
	const char *label = "files", *fs = "", *workload = "";
	size_t i;

	show_file(to, &label, "matrix", plan->matrix.path);
	for (i = 0; i < plan->nr_cells; i++) {
		const struct cell *cell = &plan->cell[i];
		char what[200];

		if (strcmp(cell->fs->name, fs)) {
			fs = cell->fs->name;
			snprintf(what, sizeof(what), "filesystem %.100s", fs);
			show_file(to, &label, what, cell->fs->source);
		}
		if (cell->configuration != plan->cell[0].configuration ||
		    !strcmp(cell->use->workload->name, workload))
			continue;
		workload = cell->use->workload->name;
		snprintf(what, sizeof(what), "workload %.100s", workload);
		show_file(to, &label, what, cell->use->workload->path);
	}
}

static void show_resumed(FILE *to, const struct run *run)
{
	const struct store_run *stored = &run->stored.run;

	if (run->options.resume)
		line(to, "resumes", "%s, %s: %zu trials are stored%s", stored->name,
		     store_state_name(stored),
		     run->stored.nr_trials, *stored->origin ? " (an imported run)" : "");
}

void plan_mistakes(const struct plan *plan)
{
	char reason[700];
	size_t i;

	for (i = 0; i < plan->workloads.nr; i++) {
		const struct trouble *mistake = plan->workloads.workload[i].mistake;

		if (!mistake)
			continue;
		snprintf(reason, sizeof(reason), "ignored: %s", mistake->reason);
		message_error(mistake->object, reason, "");
	}
}

void plan_text(FILE *to, const struct run *run)
{
	const struct plan *plan = &run->plan;
	char name[300], about[300], left[1024];

	fprintf(to, "%s: %s%s%zu configuration%s, %zu workload%s\n\n",
		message_printable(name, sizeof(name), plan->matrix.name),
		message_printable(about, sizeof(about), plan->matrix.about),
		*plan->matrix.about ? "   " : "", count_configurations(plan),
		count_configurations(plan) == 1 ? "" : "s", plan->nr_uses,
		plan->nr_uses == 1 ? "" : "s");
	show_cells(to, plan);
	show_notes(to, plan);
	show_warnings(to, plan);
	show_refused(to, plan);
	show_settings(to, plan);
	show_needs(to, plan);
	show_time(to, plan);
	show_order(to, plan);
	show_added(to, plan);
	line(to, "results", "%s", run->db);
	show_resumed(to, run);
	if (*run_left(run, left, sizeof(left)))
		line(to, "left", "%s", left);
	if (run->options.plan) {
		show_each(to, plan);
		show_commands(to, plan, &run->target);
	}
	/* Last, so that what will be destroyed is in view beside the question. */
	show_target(to, &run->target);
}
