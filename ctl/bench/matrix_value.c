// SPDX-License-Identifier: GPL-2.0-or-later
/* matrix_value: what a matrix file says outside of its configurations; see matrix_file.h. */
#include "bench/matrix_file.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "duration.h"
#include "nearest.h"
#include "size.h"

#define RUNS_MAX   1000
#define ABOUT_MAX  200
#define MIB	   (UINT64_C(1) << 20) /* where partitions begin and end */
#define WITHIN_MIN 0.0001

static int refuse(const struct matrix_reader *reader, const char *place, const char *expected,
		  const char *text)
{
	const char *name = strrchr(place, '/');

	return matrix_wrong(reader, yaml_tree_line(reader->tree, "%s", place), "",
			    "\"%s\": expected %s, found \"%.64s\"", name ? name + 1 : place,
			    expected, text);
}

static int parse_number(const char *text, uint64_t *number)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return -1;
	errno = 0;
	*number = strtoull(text, &end, 10);
	return errno || *end ? -1 : 0;
}

static int take_target(const struct matrix_reader *reader)
{
	const struct matrix_target *target = reader->file->target;
	static const char size[] = "1MiB or more, such as 16GiB (1024^3) or 16GB (1000^3)";
	static const char offset[] = "a size such as 1GiB (1024^3) or 1GB (1000^3)";
	struct matrix *matrix = reader->matrix;

	if (!target)
		return 0;
	if (target->size) {
		if (size_parse(target->size, &matrix->size) || matrix->size < MIB)
			return refuse(reader, "target/size", size, target->size);
		matrix->size -= matrix->size % MIB;
	}
	if (target->offset) {
		if (size_parse(target->offset, &matrix->offset))
			return refuse(reader, "target/offset", offset, target->offset);
		matrix->offset = (matrix->offset + MIB - 1) / MIB * MIB;
	}
	return 0;
}

/* "5%", "5 %" or "0.05". */
static int parse_share(const char *text, double *share)
{
	size_t digits = strspn(text, "0123456789.");
	char *end;

	if (!digits)
		return -1;
	*share = strtod(text, &end);
	if (end != text + digits)
		return -1;
	end += *end == ' ';
	if (!strcmp(end, "%"))
		*share /= 100;
	else if (*end)
		return -1;
	return *share >= WITHIN_MIN && *share < 1 ? 0 : -1;
}

static int take_runs(const struct matrix_reader *reader, const char *place, const char *text,
		     unsigned int *runs)
{
	uint64_t number;

	if (!text)
		return 0;
	if (parse_number(text, &number) || number < 1 || number > RUNS_MAX)
		return refuse(reader, place, "a number from 1 to 1000", text);
	*runs = (unsigned int)number;
	return 0;
}

static int take_rule(const struct matrix_reader *reader, const struct matrix_repetition *words)
{
	struct matrix_repeat *repeat = &reader->matrix->repeat;

	if (words->rule && !strcmp(words->rule, "pts"))
		repeat->rule = RULE_PTS;
	else if (words->rule && strcmp(words->rule, "interval"))
		return refuse(reader, "repeat/rule", "interval or pts", words->rule);
	if (!words->within)
		return 0;
	if (repeat->rule == RULE_PTS)
		return matrix_wrong(reader, yaml_tree_line(reader->tree, "repeat/within"),
				    "rule pts has its own limit: a variation of 3.5 %",
				    "\"within\" is for  rule: interval");
	if (parse_share(words->within, &repeat->within))
		return refuse(reader, "repeat/within", "a share of the mean such as 5%",
			      words->within);
	return 0;
}

static int take_repeat(const struct matrix_reader *reader)
{
	const struct matrix_repetition *words = reader->file->repeat;
	struct matrix_repeat *repeat = &reader->matrix->repeat;

	if (!words)
		return 0;
	if (take_runs(reader, "repeat/min", words->min, &repeat->min) ||
	    take_runs(reader, "repeat/max", words->max, &repeat->max) || take_rule(reader, words))
		return -1;
	if (words->min && words->max && repeat->max < repeat->min)
		return matrix_wrong(reader, yaml_tree_line(reader->tree, "repeat/max"), "",
				    "\"max\": expected %u (\"min\") or more, found %u", repeat->min,
				    repeat->max);
	/* One that was given moves the other's default. */
	if (repeat->max < repeat->min && words->min)
		repeat->max = repeat->min;
	else if (repeat->max < repeat->min)
		repeat->min = repeat->max;
	if (words->max_time && duration_parse(words->max_time, &repeat->max_seconds))
		return refuse(reader, "repeat/max_time", "a time such as 60m, 90s or 8h",
			      words->max_time);
	return 0;
}

static int take_order(const struct matrix_reader *reader)
{
	const struct matrix_file *file = reader->file;
	struct matrix *matrix = reader->matrix;

	if (file->order && !strcmp(file->order, "listed"))
		matrix->order = ORDER_LISTED;
	else if (file->order && strcmp(file->order, "random"))
		return refuse(reader, "order", "random or listed", file->order);
	if (file->seed && parse_number(file->seed, &matrix->seed))
		return refuse(reader, "seed", "a number from 0 to 2^64 - 1", file->seed);
	matrix->have_seed = file->seed;
	if (!file->keep_fs)
		return 0;
	if (matrix_switch(file->keep_fs) < 0)
		return refuse(reader, "keep_fs", "yes or no", file->keep_fs);
	matrix->keep_fs = matrix_switch(file->keep_fs);
	return 0;
}

static int take_about(const struct matrix_reader *reader)
{
	const char *about = reader->file->about ? reader->file->about : "";

	for (const char *c = about; *c; c++)
		if (iscntrl((unsigned char)*c) || c - about >= ABOUT_MAX)
			return matrix_wrong(reader, yaml_tree_line(reader->tree, "about"), "",
					    "\"about\": expected one line of at most %d bytes",
					    ABOUT_MAX);
	reader->matrix->about = strdup(about);
	reader->matrix->name = strdup(reader->file->name);
	if (!reader->matrix->about || !reader->matrix->name)
		return trouble_memory(reader->trouble, reader->matrix->path);
	return matrix_check_name(reader, reader->file->name, "a matrix",
				 yaml_tree_line(reader->tree, "name"));
}

static int take_workloads(const struct matrix_reader *reader)
{
	const struct matrix_file *file = reader->file;
	struct matrix *matrix = reader->matrix;

	matrix->workload = calloc(file->nr_workloads, sizeof(*matrix->workload));
	if (!matrix->workload)
		return trouble_memory(reader->trouble, matrix->path);
	for (unsigned int i = 0; i < file->nr_workloads; i++) {
		matrix->workload[i].line = yaml_tree_line(reader->tree, "workloads/%u", i);
		matrix->workload[i].text = strdup(file->workload[i]);
		if (!matrix->workload[i].text)
			return trouble_memory(reader->trouble, matrix->path);
		matrix->nr_workloads++;
	}
	return 0;
}

int matrix_take_values(const struct matrix_reader *reader)
{
	reader->matrix->repeat =
		(struct matrix_repeat){.min = 3, .max = 10, .rule = RULE_INTERVAL, .within = 0.05};
	if (take_about(reader) || take_target(reader) || take_repeat(reader) || take_order(reader))
		return -1;
	return take_workloads(reader);
}

int matrix_take_baseline(const struct matrix_reader *reader)
{
	const char *name = reader->file->baseline, **names, *near;
	struct matrix *matrix = reader->matrix;
	char hint[128] = "";

	while (name && matrix->baseline < matrix->nr_configurations &&
	       strcmp(matrix->configuration[matrix->baseline].name, name))
		matrix->baseline++;
	if (matrix->baseline < matrix->nr_configurations)
		return 0;
	names = calloc(matrix->nr_configurations, sizeof(*names));
	if (!names)
		return trouble_memory(reader->trouble, matrix->path);
	for (size_t i = 0; i < matrix->nr_configurations; i++)
		names[i] = matrix->configuration[i].name;
	near = nearest_word(name, names, matrix->nr_configurations);
	if (near)
		snprintf(hint, sizeof(hint), "did you mean \"%.100s\"?", near);
	else
		snprintf(hint, sizeof(hint), "the first is \"%.100s\"", names[0]);
	free(names);
	return matrix_wrong(reader, yaml_tree_line(reader->tree, "baseline"), hint,
			    "\"baseline\": there is no configuration \"%.64s\"", name);
}

static size_t nr_matching(const struct matrix *matrix, const char *pattern)
{
	size_t nr = 0;

	for (size_t i = 0; i < matrix->nr_configurations; i++)
		nr += !pattern || !fnmatch(pattern, matrix->configuration[i].name, 0);
	return nr;
}

static bool is_left(const struct matrix *matrix, size_t i)
{
	for (size_t j = 0; j < matrix->nr_exclusions; j++) {
		const struct matrix_exclusion *exclusion = &matrix->exclusion[j];

		if (!exclusion->workload &&
		    !fnmatch(exclusion->configuration, matrix->configuration[i].name, 0))
			return false;
	}
	return true;
}

static int take_exclusion(const struct matrix_reader *reader, unsigned int i)
{
	const struct matrix_exclude *words = &reader->file->exclude[i];
	struct matrix *matrix = reader->matrix;
	struct matrix_exclusion *exclusion = &matrix->exclusion[i];

	exclusion->line = yaml_tree_line(reader->tree, "exclude/%u", i);
	matrix->nr_exclusions++;
	if (!words->configuration && !words->workload)
		return matrix_wrong(reader, exclusion->line, "",
				    "\"exclude\": expected \"configuration\", \"workload\" or "
				    "both");
	if (!nr_matching(matrix, words->configuration))
		return matrix_wrong(reader, exclusion->line,
				    "it is a pattern as in a shell: ext3-*",
				    "\"exclude\": there is no configuration \"%.64s\"",
				    words->configuration);
	if (words->configuration)
		exclusion->configuration = strdup(words->configuration);
	if (words->workload)
		exclusion->workload = strdup(words->workload);
	if ((words->configuration && !exclusion->configuration) ||
	    (words->workload && !exclusion->workload))
		return trouble_memory(reader->trouble, matrix->path);
	return 0;
}

int matrix_take_exclusions(const struct matrix_reader *reader)
{
	const struct matrix_file *file = reader->file;
	struct matrix *matrix = reader->matrix;

	if (!file->nr_excludes)
		return 0;
	matrix->exclusion = calloc(file->nr_excludes, sizeof(*matrix->exclusion));
	if (!matrix->exclusion)
		return trouble_memory(reader->trouble, matrix->path);
	for (unsigned int i = 0; i < file->nr_excludes; i++)
		if (take_exclusion(reader, i))
			return -1;
	if (is_left(matrix, matrix->baseline))
		return 0;
	return matrix_wrong(reader, yaml_tree_line(reader->tree, "exclude"),
			    "`baseline` names the configuration that others are compared with",
			    "\"exclude\" takes away the baseline, \"%.64s\"",
			    matrix->configuration[matrix->baseline].name);
}
