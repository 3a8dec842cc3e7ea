// SPDX-License-Identifier: GPL-2.0-or-later
/* plan_text: what a plan comes to, for a person; see run.h. */
#include "cmd/run.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "out/number.h"
#include "out/text.h"
#include "shell_word.h"
#include "size.h"

#define LABEL_WIDTH 9
/* Cells of a block that have their names in the order that is shown. */
#define SHOWN_ORDER 12
/* Lines of a list, unless all are wanted. */
#define SHOWN_LINES 8
/* Names of configurations and of workloads, the same. */
#define SHOWN_NAMES 16

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

void plan_range(char text[PLAN_RANGE_MAX], const struct target *target)
{
	char size[SIZE_TEXT_MAX], offset[SIZE_TEXT_MAX];

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
		     size_text(range, target->capacity));
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

/* A list of lines, of which the first few are shown. */
struct lines {
	FILE *to;
	const char *label;
	size_t nr, most;
};

static struct lines lines_begin(FILE *to, const char *label, const struct run *run)
{
	return (struct lines){to, label, 0, run->options.verbose ? SIZE_MAX : SHOWN_LINES};
}

/* The label for the next line, NULL: it is not shown. */
static const char *lines_next(struct lines *lines)
{
	if (lines->nr++ >= lines->most)
		return NULL;
	return lines->nr == 1 ? lines->label : "";
}

static void lines_end(const struct lines *lines)
{
	if (lines->nr > lines->most)
		line(lines->to, "", "... and %zu more: --plan --verbose", lines->nr - lines->most);
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

/* Names one after the other, the first of them if there are many. */
struct names {
	char text[2048];
	size_t nr, most;
};

static void names_add(struct names *names, const char *word)
{
	size_t used = strlen(names->text);

	if (names->nr++ >= names->most)
		return;
	snprintf(names->text + used, sizeof(names->text) - used, "%s%s", used ? "  " : "", word);
}

static void names_show(FILE *to, const char *label, const char *lead, const struct names *names)
{
	if (names->nr > names->most)
		line(to, label, "%s%s  ... and %zu more", lead, names->text,
		     names->nr - names->most);
	else
		line(to, label, "%s%s", lead, names->text);
}

static bool is_first_use(const struct plan *plan, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (plan->cell[k].use == plan->cell[i].use)
			return false;
	return true;
}

static void show_cells(FILE *to, const struct plan *plan, bool verbose)
{
	size_t most = verbose ? SIZE_MAX : SHOWN_NAMES;
	struct names configurations = {.most = most}, workloads = {.most = most};
	char *axes = plan_axes(plan);
	size_t i;

	if (axes)
		line(to, "axes", "%s", axes);
	free(axes);
	for (i = 0; i < plan->nr_cells; i++)
		if (!i || plan->cell[i].configuration != plan->cell[i - 1].configuration)
			names_add(&configurations, plan->cell[i].configuration->name);
	/* Each configuration has all workloads, but for those that are left out somewhere. */
	for (i = 0; i < plan->nr_cells && workloads.nr < plan->nr_uses; i++)
		if (is_first_use(plan, i))
			names_add(&workloads, plan->cell[i].use->label);
	names_show(to, "cells", "", &configurations);
	names_show(to, "", "x  ", &workloads);
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

static void show_notes(FILE *to, const struct run *run)
{
	struct lines lines = lines_begin(to, "options", run);
	const struct plan *plan = &run->plan;

	for (size_t i = 0; i < plan->nr_cells; i++) {
		const struct cell *cell = &plan->cell[i];
		const char *label;

		if (!*cell->mount.note || is_said(plan, i))
			continue;
		label = lines_next(&lines);
		if (label)
			line(to, label, "%s: %s", cell->fs->name, cell->mount.note);
	}
	lines_end(&lines);
}

static void show_warnings(FILE *to, const struct run *run)
{
	struct lines lines = lines_begin(to, "warning", run);
	const struct plan *plan = &run->plan;
	char path[300];

	message_printable(path, sizeof(path), plan->matrix.path);
	for (size_t i = 0; i < plan->nr_warnings; i++) {
		const struct plan_warning *warning = &plan->warning[i];
		const char *label = lines_next(&lines);

		if (label)
			line(to, label, "%s:%u: %s%s%s", path, warning->line, warning->text,
			     *warning->hint ? "; " : "", warning->hint);
	}
	lines_end(&lines);
}

/* Cells that cannot be had for one reason. */
struct refusal {
	const char *why;
	const struct cell *first;
	size_t nr;
	bool one_configuration, one_workload; /* all of them are of it */
};

static bool is_refused_for(const struct cell *cell, const char *why)
{
	return cell->unsupported && !strcmp(cell->unsupported, why);
}

static struct refusal count_refused(const struct plan *plan, size_t from)
{
	struct refusal refusal = {.why = plan->cell[from].unsupported,
				  .first = &plan->cell[from],
				  .one_configuration = true,
				  .one_workload = true};

	for (size_t i = from; i < plan->nr_cells; i++) {
		const struct cell *cell = &plan->cell[i];

		if (!is_refused_for(cell, refusal.why))
			continue;
		refusal.nr++;
		refusal.one_configuration &= cell->configuration == refusal.first->configuration;
		refusal.one_workload &= cell->use == refusal.first->use;
	}
	return refusal;
}

/* Of the cells of a configuration (NULL: any) and a workload (the same), are there as many? */
static bool is_all(const struct plan *plan, const struct configuration *configuration,
		   const struct workload_use *use, size_t nr)
{
	for (size_t i = 0; i < plan->nr_cells; i++)
		nr -= (!configuration || plan->cell[i].configuration == configuration) &&
		      (!use || plan->cell[i].use == use);
	return !nr;
}

static void show_refusal(FILE *to, const char *label, const struct plan *plan,
			 const struct refusal *refusal)
{
	const struct configuration *configuration = refusal->first->configuration;
	const struct workload_use *use = refusal->first->use;
	const char *of = refusal->one_configuration ? configuration->name
			 : refusal->one_workload    ? use->label
						    : "";

	if (refusal->nr == 1)
		line(to, label, "%s: %s", refusal->first->name, refusal->why);
	else if (*of && is_all(plan, refusal->one_configuration ? configuration : NULL,
			       refusal->one_configuration ? NULL : use, refusal->nr))
		line(to, label, "%s: %s", of, refusal->why);
	else
		line(to, label, "%zu cells%s%s: %s", refusal->nr, *of ? " of " : "", of,
		     refusal->why);
}

static bool is_told(const struct plan *plan, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (is_refused_for(&plan->cell[k], plan->cell[i].unsupported))
			return true;
	return false;
}

/* Each reason once. */
static void show_refused(FILE *to, const struct run *run)
{
	struct lines lines = lines_begin(to, "not here", run);
	const struct plan *plan = &run->plan;

	for (size_t i = 0; i < plan->nr_cells; i++) {
		struct refusal refusal;
		const char *label;

		if (!plan->cell[i].unsupported || is_told(plan, i))
			continue;
		refusal = count_refused(plan, i);
		label = lines_next(&lines);
		if (label)
			show_refusal(to, label, plan, &refusal);
	}
	lines_end(&lines);
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
		line(to, "time", "about %s for %u run%s of each, %s at most%s", least, repeat->min,
		     repeat->min == 1 ? "" : "s", most,
		     plan->nr_learned ? "; by earlier runs on this target" : "");
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

/* A command, and the configurations that it is run for. */
struct command {
	char *text;
	struct names configurations;
};

struct commands {
	struct command *command;
	size_t nr;
};

static void commands_add(struct commands *commands, const struct tool_words *words,
			 const char *configuration)
{
	struct command *grown;
	char text[4096];
	size_t i;

	command_text(text, sizeof(text), words);
	for (i = 0; i < commands->nr && strcmp(commands->command[i].text, text); i++)
		;
	if (i == commands->nr) {
		grown = realloc(commands->command, (i + 1) * sizeof(*grown));
		if (!grown)
			return;
		commands->command = grown;
		grown[i] = (struct command){strdup(text), {.most = SHOWN_NAMES}};
		if (!grown[i].text)
			return;
		commands->nr++;
	}
	names_add(&commands->command[i].configurations, configuration);
}

/* Whatever is run as root to make and mount the filesystems: all of it, each command once. */
static void show_commands(FILE *to, const struct plan *plan, const struct target *target)
{
	const struct configuration *shown = NULL;
	struct commands commands = {.nr = 0};
	size_t i;

	for (i = 0; i < plan->nr_cells; i++) {
		const struct cell *cell = &plan->cell[i];
		struct tool_words make, mount;
		struct trouble trouble;

		if (cell->unsupported || cell->configuration == shown)
			continue;
		shown = cell->configuration;
		if (!plan_commands(cell, target, &make, &mount, &trouble)) {
			if (make.nr)
				commands_add(&commands, &make, shown->name);
			commands_add(&commands, &mount, shown->name);
		}
		tool_words_free(&make);
		tool_words_free(&mount);
	}
	for (i = 0; i < commands.nr; i++) {
		const struct names *names = &commands.command[i].configurations;
		char more[40] = "";

		if (names->nr > names->most)
			snprintf(more, sizeof(more), "  and %zu more", names->nr - names->most);
		line(to, i ? "" : "commands", "%s%s: %s", names->text, more,
		     commands.command[i].text);
		free(commands.command[i].text);
	}
	free(commands.command);
}

/* What each cell is set and mounted with. */
static void show_each(FILE *to, const struct run *run)
{
	struct lines lines = lines_begin(to, "each", run);
	const struct plan *plan = &run->plan;
	size_t i;
	int k;

	for (i = 0; i < plan->nr_cells; i++) {
		const struct cell *cell = &plan->cell[i];
		char settings[1024] = "", word[SETTING_NAME_MAX + SETTING_VALUE_MAX + 2];
		const char *label = lines_next(&lines);

		for (k = 0; k < SETTINGS; k++) {
			if (!*cell->settings.value[k])
				continue;
			snprintf(word, sizeof(word), "%s=%s", settings_name((enum setting)k),
				 cell->settings.value[k]);
			add_name(settings, sizeof(settings), word);
		}
		if (label)
			line(to, label, "%s: %s %s  %s%s", cell->name, cell->fs->name,
			     *cell->mount.options ? cell->mount.options : "(no options)", settings,
			     cell->unsupported ? "  not here" : "");
	}
	lines_end(&lines);
}

static void show_file(void *arg, const struct plan_file *file)
{
	struct lines *lines = arg;
	const char *label = lines_next(lines);

	if (label)
		line(lines->to, label, "%s%s%s from %s%s%s%s", file->kind, *file->name ? " " : "",
		     file->name, file->path, file->owner ? ", which belongs to " : "",
		     file->owner ? file->owner : "",
		     file->others ? ": other users than root can change it" : "");
}

/* Whatever decides what is run has to be seen: all of them. */
static void show_added(FILE *to, const struct plan *plan)
{
	struct lines lines = {.to = to, .label = "files", .most = SIZE_MAX};

	plan_files(plan, show_file, &lines);
}

static void show_resumed(FILE *to, const struct run *run)
{
	const struct store_run *stored = &run->stored.run;

	if (run->options.resume)
		line(to, "resumes", "%s, %s: %zu trials are stored%s", stored->name,
		     store_state_name(stored), run->stored.nr_trials,
		     *stored->origin ? " (an imported run)" : "");
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
	show_cells(to, plan, run->options.verbose);
	show_notes(to, run);
	show_warnings(to, run);
	show_refused(to, run);
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
		show_each(to, run);
		show_commands(to, plan, &run->target);
	}
	/* Last, so that what will be destroyed is in view beside the question. */
	show_target(to, &run->target);
}
