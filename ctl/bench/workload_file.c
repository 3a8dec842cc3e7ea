// SPDX-License-Identifier: GPL-2.0-or-later
/* workload_file: the form of a workload's file; see workload_file.h. */
#include "bench/workload_file.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/arithmetic.h"
#include "bench/disk_facts.h"
#include "bench/workload_pattern.h"
#include "bench/workload_title.h"
#include "bench/workload_words.h"
#include "bench/yaml_form.h"

struct form_window {
	char *from, *to;
};

struct form_scale {
	char *name, *values;
};

/* A file as it is written. */
struct form {
	struct workload workload;
	char *schema, *better, *factor, *timeout;
	struct form_window *window;
	struct form_scale *scale;
	size_t nr_scales;
};

#define TEXT(key, flags, type, member) CYAML_FIELD_STRING_PTR(key, flags, type, member, 0, 65536)
#define NEEDED			       CYAML_FLAG_DEFAULT
#define MAY_LACK		       CYAML_FLAG_OPTIONAL
#define LIST			       (CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL)

static const cyaml_schema_value_t word = {
	CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 1, 256),
};

static const cyaml_schema_field_t parameter_fields[] = {
	TEXT("name", NEEDED, struct workload_parameter, name),
	TEXT("value", NEEDED, struct workload_parameter, value),
	TEXT("about", NEEDED, struct workload_parameter, about),
	TEXT("form", MAY_LACK, struct workload_parameter, form),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t parameter = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct workload_parameter, parameter_fields),
};

static const cyaml_schema_field_t scale_fields[] = {
	TEXT("name", NEEDED, struct form_scale, name),
	TEXT("values", NEEDED, struct form_scale, values),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t scale = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct form_scale, scale_fields),
};

static const cyaml_schema_field_t demand_fields[] = {
	TEXT("needs", NEEDED, struct workload_demand, needs),
	TEXT("what", NEEDED, struct workload_demand, what),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t demand = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct workload_demand, demand_fields),
};

static const cyaml_schema_field_t window_fields[] = {
	TEXT("from", MAY_LACK, struct form_window, from),
	TEXT("to", MAY_LACK, struct form_window, to),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t form_fields[] = {
	TEXT("schema", NEEDED, struct form, schema),
	TEXT("name", NEEDED, struct form, workload.name),
	TEXT("title", NEEDED, struct form, workload.title),
	CYAML_FIELD_SEQUENCE_COUNT("packages", LIST, struct form, workload.package,
				   workload.nr_packages, &word, 0, 64),
	CYAML_FIELD_SEQUENCE_COUNT("tools", LIST, struct form, workload.tool, workload.nr_tools,
				   &word, 0, 64),
	TEXT("needs", MAY_LACK, struct form, workload.needs),
	TEXT("version", MAY_LACK, struct form, workload.version),
	CYAML_FIELD_SEQUENCE_COUNT("parameters", LIST, struct form, workload.parameter,
				   workload.nr_parameters, &parameter, 0, 64),
	CYAML_FIELD_SEQUENCE_COUNT("scales", LIST, struct form, scale, nr_scales, &scale, 0, 64),
	TEXT("space", MAY_LACK, struct form, workload.space),
	CYAML_FIELD_SEQUENCE_COUNT("disk", LIST, struct form, workload.demand, workload.nr_demands,
				   &demand, 0, 64),
	TEXT("seconds", MAY_LACK, struct form, workload.seconds),
	TEXT("timeout", MAY_LACK, struct form, timeout),
	TEXT("prepare", MAY_LACK, struct form, workload.prepare),
	TEXT("command", NEEDED, struct form, workload.command),
	TEXT("check", MAY_LACK, struct form, workload.check),
	TEXT("cleanup", MAY_LACK, struct form, workload.cleanup),
	CYAML_FIELD_MAPPING_PTR("window", MAY_LACK, struct form, window, window_fields),
	TEXT("result", MAY_LACK, struct form, workload.result),
	TEXT("factor", MAY_LACK, struct form, factor),
	TEXT("failure", MAY_LACK, struct form, workload.failure),
	TEXT("unit", NEEDED, struct form, workload.unit),
	TEXT("better", NEEDED, struct form, better),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t form_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct form, form_fields),
};

static const struct yaml_form form_of_file = {
	.identity = "fsbstat-workload/1",
	.schema = &form_schema,
};

/* What a check needs to tell a mistake. */
struct file {
	struct workload *workload;
	struct form *form;
	struct yaml_tree *tree;
	struct trouble *trouble;
};

#define WRONG(file, hint, line, ...) \
	yaml_tree_trouble((file)->tree, (file)->trouble, line, hint, __VA_ARGS__)

static int memory(const struct file *file)
{
	return trouble_memory(file->trouble, file->workload->path);
}

static int fill(char **text)
{
	if (!*text)
		*text = strdup("");
	return *text ? 0 : -1;
}

/* What may be left out is "" from here on. */
static int fill_texts(const struct file *file)
{
	struct workload *w = file->workload;
	char **texts[] = {&w->needs,   &w->version, &w->prepare,  &w->check,
			  &w->cleanup, &w->result,  &w->failure,  &w->window_from,
			  &w->space,   &w->seconds, &w->window_to};

	if (file->form->window) {
		w->window_from = file->form->window->from;
		w->window_to = file->form->window->to;
		file->form->window->from = NULL;
		file->form->window->to = NULL;
	}
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (fill(texts[i]))
			return memory(file);
	for (size_t i = 0; i < w->nr_parameters; i++)
		if (fill(&w->parameter[i].form))
			return memory(file);
	return 0;
}

static int check_name(const struct file *file)
{
	const char *name = file->workload->name, *base = strrchr(file->workload->path, '/');
	size_t len = strlen(name);

	base = base ? base + 1 : file->workload->path;
	if (!pattern_whole("[A-Za-z0-9][A-Za-z0-9._-]*", name))
		return WRONG(file, "", yaml_tree_line(file->tree, "name"),
			     "name: expected letters, digits, '.', '_', '-'");
	if (strncmp(base, name, len) || strcmp(base + len, ".yaml"))
		return WRONG(file, "", yaml_tree_line(file->tree, "name"),
			     "name: expected that of the file, without .yaml");
	return 0;
}

static int check_better(const struct file *file)
{
	const char *better = file->form->better;

	file->workload->more_is_better = !strcmp(better, "more");
	if (file->workload->more_is_better || !strcmp(better, "less"))
		return 0;
	return WRONG(file, "", yaml_tree_line(file->tree, "better"),
		     "better: expected more or less");
}

static int take_number(const struct file *file, const char *key, const char *text, double *value)
{
	char *end;

	if (!text)
		return 0;
	*value = strtod(text, &end);
	if (isdigit((unsigned char)*text) && !*end && isfinite(*value) && *value > 0)
		return 0;
	return WRONG(file, "", yaml_tree_line(file->tree, "%s", key),
		     "%s: expected a number above 0", key);
}

static int check_pattern(const struct file *file, const char *place, const char *pattern,
			 size_t groups)
{
	char why[128];
	regex_t regex;
	size_t has;

	if (!*pattern)
		return 0;
	if (pattern_compile(&regex, pattern, why, sizeof(why)))
		return WRONG(file, "", yaml_tree_line(file->tree, "%s", place),
			     "%s: no extended regular expression: %s", place, why);
	has = regex.re_nsub;
	regfree(&regex);
	if (has < groups)
		return WRONG(file, "", yaml_tree_line(file->tree, "%s", place),
			     "%s: expected a group ( ) around the number", place);
	return 0;
}

static int check_patterns(const struct file *file)
{
	const struct workload *w = file->workload;

	if (check_pattern(file, "result", w->result, 1) ||
	    check_pattern(file, "failure", w->failure, 0) ||
	    check_pattern(file, "window/from", w->window_from, 0))
		return -1;
	return check_pattern(file, "window/to", w->window_to, 0);
}

static const char *lookup_name(void *arg, const char *name, size_t len)
{
	const struct workload *workload = arg;

	return workload_parameter_index(workload, name, len) < workload->nr_parameters ? "" : NULL;
}

/* Form and names; values are those of a use. */
static int check_arithmetic(const struct file *file, const char *key, const char *text)
{
	char why[256];

	if (!*text || !arithmetic(text, lookup_name, file->workload, NULL, why, sizeof(why)))
		return 0;
	return WRONG(file, "whole numbers, parameters, ( ) and operators as in C",
		     yaml_tree_line(file->tree, "%s", key), "%s: %s", key, why);
}

static const char *lookup_fact(void *arg, const char *name, size_t len)
{
	return disk_facts_has(name, len) ? "" : lookup_name(arg, name, len);
}

static int check_demands(const struct file *file)
{
	char why[256];

	for (size_t i = 0; i < file->workload->nr_demands; i++)
		if (arithmetic(file->workload->demand[i].needs, lookup_fact, file->workload, NULL,
			       why, sizeof(why)))
			return WRONG(file,
				     "beside parameters there are logical_sector, physical_sector, "
				     "discard and rotational",
				     yaml_tree_line(file->tree, "disk/%zu", i), "disk: %s", why);
	return 0;
}

static bool reserved(const char *name)
{
	return !strcmp(name, "once") || !strcmp(name, "here") ||
	       disk_facts_has(name, strlen(name));
}

static int check_parameter(const struct file *file, size_t i)
{
	const struct workload_parameter *p = &file->workload->parameter[i];
	unsigned int line = yaml_tree_line(file->tree, "parameters/%zu", i);
	char place[64];

	if (!pattern_whole("[a-z][a-z0-9_]*", p->name) || reserved(p->name))
		return WRONG(file, "", line, "a parameter's name: expected %s",
			     "small letters, digits, '_', and neither once, here nor the name of "
			     "a fact of a disk");
	for (size_t k = 0; k < i; k++)
		if (!strcmp(file->workload->parameter[k].name, p->name))
			return WRONG(file, "", line, "parameter %s: there are two", p->name);
	snprintf(place, sizeof(place), "parameters/%zu/form", i);
	if (check_pattern(file, place, p->form, 0))
		return -1;
	if (!workload_value_fits(p, p->value))
		return WRONG(file, "", line, "parameter %s: its value is not of its form, %s",
			     p->name, p->form);
	return 0;
}

static int check_parameters(const struct file *file)
{
	const char *unknown;

	for (size_t i = 0; i < file->workload->nr_parameters; i++)
		if (check_parameter(file, i))
			return -1;
	unknown = workload_title_unknown(file->workload);
	if (unknown)
		return WRONG(file, "write a $ of its own as $$",
			     yaml_tree_line(file->tree, "title"),
			     "title: no parameter is called as at %s", unknown);
	return 0;
}

static int take_scale_value(const struct file *file, struct workload_scale *to, unsigned int line,
			    const struct words_item *item)
{
	const struct workload_parameter *p = workload_parameter_find(file->workload, item->key);
	struct workload_parameter *value = &to->parameter[to->nr_parameters];

	if (!p)
		return WRONG(file, "", line, "scale %s: no parameter is called %s", to->name,
			     item->key);
	if (item->nr_values != 1)
		return WRONG(file, "", line, "scale %s: expected one value of %s", to->name,
			     item->key);
	if (!workload_value_fits(p, item->value[0]))
		return WRONG(file, "", line, "scale %s: %s is not of its form, %s", to->name,
			     item->key, p->form);
	value->name = strdup(item->key);
	value->value = strdup(item->value[0]);
	to->nr_parameters++;
	return value->name && value->value ? 0 : memory(file);
}

static int take_scale(const struct file *file, size_t i)
{
	struct form_scale *from = &file->form->scale[i];
	struct workload_scale *to = &file->workload->scale[i];
	unsigned int line = yaml_tree_line(file->tree, "scales/%zu", i);
	struct words words;
	const char *wrong;
	int err = 0;

	for (size_t k = 0; k < i; k++)
		if (!strcmp(file->workload->scale[k].name, from->name))
			return WRONG(file, "", line, "scale %s: there are two", from->name);
	to->name = from->name;
	from->name = NULL;
	file->workload->nr_scales++;
	wrong = words_parse(&words, from->values, false);
	if (wrong)
		err = WRONG(file, "", line, "scale %s: %s", to->name, wrong);
	if (!err && words.nr_items) {
		to->parameter = calloc(words.nr_items, sizeof(*to->parameter));
		if (!to->parameter)
			err = memory(file);
	}
	for (size_t k = 0; !err && k < words.nr_items; k++)
		err = take_scale_value(file, to, line, &words.item[k]);
	words_free(&words);
	return err;
}

static int take_scales(const struct file *file)
{
	if (!file->form->nr_scales)
		return 0;
	file->workload->scale = calloc(file->form->nr_scales, sizeof(*file->workload->scale));
	if (!file->workload->scale)
		return memory(file);
	for (size_t i = 0; i < file->form->nr_scales; i++)
		if (take_scale(file, i))
			return -1;
	return 0;
}

static int take_form(const struct file *file)
{
	struct workload *workload = file->workload;
	char *path = workload->path;

	*workload = file->form->workload;
	memset(&file->form->workload, 0, sizeof(file->form->workload));
	workload->path = path;
	workload->factor = 1;
	if (fill_texts(file) || check_name(file) || check_better(file) ||
	    take_number(file, "factor", file->form->factor, &workload->factor) ||
	    take_number(file, "timeout", file->form->timeout, &workload->timeout) ||
	    check_patterns(file) || check_parameters(file) ||
	    check_arithmetic(file, "space", workload->space) ||
	    check_arithmetic(file, "seconds", workload->seconds) || check_demands(file))
		return -1;
	return take_scales(file);
}

int workload_file_load(struct workload *workload, const char *path, struct trouble *trouble)
{
	struct file file = {.workload = workload, .trouble = trouble};
	void *form = NULL;
	char *text;
	int err;

	memset(workload, 0, sizeof(*workload));
	workload->path = strdup(path);
	if (!workload->path)
		return trouble_memory(trouble, path);
	text = yaml_file_read(path, trouble);
	if (!text)
		return -1;
	err = yaml_form_read(&form_of_file, path, text, &form, &file.tree, trouble);
	if (!err) {
		file.form = form;
		err = take_form(&file);
		yaml_form_free(&form_of_file, form);
		yaml_tree_free(file.tree);
	}
	free(text);
	return err;
}

static void free_list(char **text, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(text[i]);
	free(text);
}

static void free_parameters(struct workload_parameter *parameters, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		free(parameters[i].name);
		free(parameters[i].value);
		free(parameters[i].about);
		free(parameters[i].form);
	}
	free(parameters);
}

void workload_file_free(struct workload *w)
{
	char **texts[] = {&w->path,	   &w->name,	  &w->title,   &w->needs,
			  &w->version,	   &w->prepare,	  &w->command, &w->check,
			  &w->cleanup,	   &w->result,	  &w->failure, &w->unit,
			  &w->window_from, &w->window_to, &w->space,   &w->seconds};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		free(*texts[i]);
	free_list(w->package, w->nr_packages);
	free_list(w->tool, w->nr_tools);
	free_parameters(w->parameter, w->nr_parameters);
	for (size_t i = 0; i < w->nr_scales; i++) {
		free(w->scale[i].name);
		free_parameters(w->scale[i].parameter, w->scale[i].nr_parameters);
	}
	free(w->scale);
	for (size_t i = 0; i < w->nr_demands; i++) {
		free(w->demand[i].needs);
		free(w->demand[i].what);
	}
	free(w->demand);
	free(w->mistake);
	memset(w, 0, sizeof(*w));
}
