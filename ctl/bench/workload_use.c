// SPDX-License-Identifier: GPL-2.0-or-later
/* workload_use: lines of a matrix as uses of workloads; see workload.h. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/arithmetic.h"
#include "bench/matrix.h"
#include "bench/workload.h"
#include "bench/workload_title.h"
#include "bench/workload_words.h"
#include "hash.h"

/* A line on its way: one value of each list at a time. */
struct line {
	const struct workload_library *library;
	const struct workload *workload;
	const struct workload_scale *scale; /* NULL */
	struct words words;
	bool once;
	size_t *at; /* which value of each item */
	struct trouble *trouble;
};

#define WRONG(line, hint, ...) trouble_set((line)->trouble, TROUBLE_USAGE, "", hint, __VA_ARGS__)

static void list_workloads(const struct workload_library *library, char *hint, size_t size)
{
	size_t used = (size_t)snprintf(hint, size, "there are:");

	for (size_t i = 0; i < library->nr && used < size; i++)
		used += (size_t)snprintf(hint + used, size - used, " %s",
					 library->workload[i].name);
}

static void list_parameters(const struct workload *workload, char *hint, size_t size)
{
	size_t used = (size_t)snprintf(hint, size, "it has:");

	for (size_t i = 0; i < workload->nr_parameters && used < size; i++)
		used += (size_t)snprintf(hint + used, size - used, " %s=%s",
					 workload->parameter[i].name, workload->parameter[i].value);
	if (used < size)
		snprintf(hint + used, size - used, " once=host");
}

static int find_workload(struct line *line)
{
	char hint[480];

	line->workload = workload_find(line->library, line->words.name);
	if (line->workload && line->workload->mistake) {
		const struct trouble *mistake = line->workload->mistake;

		trouble_set(line->trouble, mistake->kind, "", mistake->hint,
			    "the workload %s cannot be used: %s: %s", line->words.name,
			    mistake->object, mistake->reason);
		return -1;
	}
	if (line->workload)
		return 0;
	list_workloads(line->library, hint, sizeof(hint));
	return WRONG(line, hint, "no workload is called \"%s\"", line->words.name);
}

static int check_item(struct line *line, const struct words_item *item)
{
	const struct workload_parameter *parameter;
	char hint[480];

	if (!strcmp(item->key, "once")) {
		line->once = item->nr_values == 1 && !strcmp(item->value[0], "host");
		return line->once ? 0 : WRONG(line, "", "once: expected host");
	}
	parameter = workload_parameter_find(line->workload, item->key);
	if (!parameter) {
		list_parameters(line->workload, hint, sizeof(hint));
		return WRONG(line, hint, "%s has no parameter \"%s\"", line->workload->name,
			     item->key);
	}
	for (size_t i = 0; i < item->nr_values; i++) {
		if (!workload_value_fits(parameter, item->value[i]))
			return WRONG(line, parameter->about,
				     "%s=%s: expected a value of the form %s", item->key,
				     item->value[i], parameter->form);
		for (size_t k = 0; k < i; k++)
			if (!strcmp(item->value[k], item->value[i]))
				return WRONG(line, "", "%s=%s is there twice", item->key,
					     item->value[i]);
	}
	return 0;
}

/* A workload may well lack a scale; that none has it is a slip of the pen. */
static int find_scale(struct line *line, const char *name)
{
	bool known = false;

	if (!name)
		return 0;
	for (size_t i = 0; i < line->library->nr; i++) {
		const struct workload *workload = &line->library->workload[i];

		for (size_t k = 0; k < workload->nr_scales; k++) {
			if (strcmp(workload->scale[k].name, name))
				continue;
			known = true;
			if (workload == line->workload)
				line->scale = &workload->scale[k];
		}
	}
	return known ? 0 : WRONG(line, "", "no workload has the scale \"%s\"", name);
}

static const struct words_item *find_item(const struct line *line, const char *key, size_t *i)
{
	for (*i = 0; *i < line->words.nr_items; (*i)++)
		if (!strcmp(line->words.item[*i].key, key))
			return &line->words.item[*i];
	return NULL;
}

/* A list is what the matrix is about; a single value is one that a scale is there to change. */
static const char *value_of(const struct line *line, const struct workload_parameter *parameter)
{
	size_t at;
	const struct words_item *item = find_item(line, parameter->name, &at);

	if (item && item->nr_values > 1)
		return item->value[line->at[at]];
	for (size_t i = 0; line->scale && i < line->scale->nr_parameters; i++)
		if (!strcmp(line->scale->parameter[i].name, parameter->name))
			return line->scale->parameter[i].value;
	return item ? item->value[0] : parameter->value;
}

/* A label is part of a cell's name: no blanks, slashes or characters of shell patterns. */
static void put_plain(FILE *to, const char *text)
{
	for (; *text; text++)
		fputc(isalnum((unsigned char)*text) || strchr("._+=:@-", *text) ? *text : '_', to);
}

/*
 * "dbench-12": the values a line gives to what the title names or to what it has several
 * values of; with @all of them "dbench-12-time=60".
 */
static char *make_label(const struct line *line, const struct workload_use *use, bool all)
{
	const struct workload *workload = line->workload;
	char *label = NULL;
	size_t size = 0, at;
	FILE *to = open_memstream(&label, &size);
	bool bad;

	if (!to)
		return NULL;
	fputs(workload->name, to);
	for (size_t i = 0; i < workload->nr_parameters; i++) {
		const char *name = workload->parameter[i].name;
		const struct words_item *item = find_item(line, name, &at);
		bool named = workload_title_names(workload, i);

		if (!item || !*use->value[i] || !(all || named || item->nr_values > 1))
			continue;
		if (named || item->nr_values > 1)
			fputc('-', to);
		else
			fprintf(to, "-%s=", name);
		put_plain(to, use->value[i]);
	}
	bad = ferror(to);
	if (fclose(to) || bad) {
		free(label);
		return NULL;
	}
	return label;
}

static bool label_taken(const struct workload_use *uses, size_t nr, const char *label)
{
	uint64_t hash = hash_text(label);

	for (size_t i = 0; i < nr; i++)
		if (uses[i].label_hash == hash && !strcmp(uses[i].label, label))
			return true;
	return false;
}

/* Another line may have the same workload with other values of what a label leaves out. */
static int label_use(const struct line *line, struct workload_use *use,
		     const struct workload_use *uses, size_t nr)
{
	use->label = make_label(line, use, false);
	if (use->label && label_taken(uses, nr, use->label)) {
		free(use->label);
		use->label = make_label(line, use, true);
	}
	if (!use->label)
		return trouble_memory(line->trouble, line->workload->name);
	if (label_taken(uses, nr, use->label))
		return WRONG(line, "", "%s is there twice", use->label);
	use->label_hash = hash_text(use->label);
	return 0;
}

/* A value as text, for arithmetic. */
struct value_lookup {
	const struct workload_use *use;
	char plain[128];
};

static const char *lookup_value(void *arg, const char *name, size_t len)
{
	struct value_lookup *lookup = arg;

	return workload_use_value(lookup->use, name, len, lookup->plain, sizeof(lookup->plain));
}

const char *workload_use_value(const struct workload_use *use, const char *name, size_t len,
			       char *plain, size_t size)
{
	size_t i = workload_parameter_index(use->workload, name, len);
	char *text;

	if (i == use->workload->nr_parameters)
		return NULL;
	text = words_plain(use->value[i]);
	snprintf(plain, size, "%s", text ? text : "");
	free(text);
	return plain;
}

/* What @text comes to with the use's values; 0 when there is none. */
static int evaluate(const struct line *line, const struct workload_use *use, const char *key,
		    const char *text, int64_t *value)
{
	struct value_lookup lookup = {.use = use};
	char why[256], hint[480];

	*value = 0;
	if (!*text)
		return 0;
	if (arithmetic(text, lookup_value, &lookup, value, why, sizeof(why)) == 0) {
		if (*value >= 0)
			return 0;
		snprintf(why, sizeof(why), "%" PRId64 " is below 0", *value);
	}
	snprintf(hint, sizeof(hint), "%s in %.300s is: %.100s", key, use->workload->path, text);
	return WRONG(line, hint, "%s: %s cannot be evaluated with these values: %s", use->label,
		     key, why);
}

static int evaluate_use(const struct line *line, struct workload_use *use)
{
	int64_t space, seconds;

	if (evaluate(line, use, "space", line->workload->space, &space) ||
	    evaluate(line, use, "seconds", line->workload->seconds, &seconds))
		return -1;
	use->space = (uint64_t)space;
	use->seconds = (double)seconds;
	use->timeout = line->workload->timeout;
	if (use->timeout <= 0)
		use->timeout = use->seconds * 10 > 600 ? use->seconds * 10 : 600;
	return 0;
}

static int make_use(const struct line *line, struct workload_use *use,
		    const struct workload_use *uses, size_t nr)
{
	const struct workload *workload = line->workload;

	use->workload = workload;
	use->once = line->once;
	use->value = calloc(workload->nr_parameters + 1, sizeof(*use->value));
	if (!use->value)
		return trouble_memory(line->trouble, workload->name);
	for (size_t i = 0; i < workload->nr_parameters; i++) {
		use->value[i] = strdup(value_of(line, &workload->parameter[i]));
		if (!use->value[i])
			return trouble_memory(line->trouble, workload->name);
	}
	use->title = workload_title_make(workload, use->value);
	if (!use->title)
		return trouble_memory(line->trouble, workload->name);
	if (label_use(line, use, uses, nr))
		return -1;
	return evaluate_use(line, use);
}

/* The next combination, the last list turning fastest; false: that was all. */
static bool turn(struct line *line)
{
	for (size_t i = line->words.nr_items; i-- > 0;) {
		if (++line->at[i] < line->words.item[i].nr_values)
			return true;
		line->at[i] = 0;
	}
	return false;
}

static int count_uses(const struct line *line, size_t *nr)
{
	*nr = 1;
	for (size_t i = 0; i < line->words.nr_items; i++) {
		*nr *= line->words.item[i].nr_values;
		if (*nr > MATRIX_CELLS_MAX)
			return WRONG(line, "", "more than %d combinations", MATRIX_CELLS_MAX);
	}
	return 0;
}

static int make_uses(struct line *line, struct workload_use **uses, size_t *nr)
{
	struct workload_use *grown;
	size_t more;

	if (count_uses(line, &more))
		return -1;
	line->at = calloc(line->words.nr_items + 1, sizeof(*line->at));
	grown = realloc(*uses, (*nr + more) * sizeof(*grown));
	if (grown)
		*uses = grown;
	if (!line->at || !grown)
		return trouble_memory(line->trouble, line->workload->name);
	do {
		struct workload_use *use = &grown[*nr];

		memset(use, 0, sizeof(*use));
		(*nr)++;
		if (make_use(line, use, grown, *nr - 1))
			return -1;
	} while (turn(line));
	return 0;
}

int workload_use_parse(const struct workload_library *library, const char *text, const char *scale,
		       struct workload_use **uses, size_t *nr, struct trouble *trouble)
{
	struct line line = {.library = library, .trouble = trouble};
	const char *wrong = words_parse(&line.words, text, true);
	int err = wrong ? WRONG(&line, "", "%s", wrong) : find_workload(&line);

	for (size_t i = 0; !err && i < line.words.nr_items; i++)
		err = check_item(&line, &line.words.item[i]);
	if (!err)
		err = find_scale(&line, scale);
	if (!err)
		err = make_uses(&line, uses, nr);
	free(line.at);
	words_free(&line.words);
	return err;
}

void workload_uses_free(struct workload_use *uses, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		/* They end with NULL; the library may be gone already. */
		for (size_t k = 0; uses[i].value && uses[i].value[k]; k++)
			free(uses[i].value[k]);
		free(uses[i].value);
		free(uses[i].label);
		free(uses[i].title);
	}
	free(uses);
}
