// SPDX-License-Identifier: GPL-2.0-or-later
/* matrix_merge: `all`, `configurations` and `axes` into configurations; see matrix_file.h. */
#include "bench/matrix_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/option_list.h"

/* The key of an axis; MATRIX_KEYS when it has none. */
static enum matrix_key axis_key(const struct matrix_axis *axis)
{
	enum matrix_key key = 0;

	while (key < MATRIX_KEYS && !axis->nr[key])
		key++;
	return key;
}

static int check_words(const struct matrix_reader *reader, const struct matrix_words *words,
		       const char *place)
{
	for (enum matrix_key key = 0; key < MATRIX_KEYS; key++) {
		const char *text = words->value[key];

		if (text && matrix_key_put(reader, NULL, key, text,
					   yaml_tree_line(reader->tree, "%s/%s", place,
							  matrix_key_name(key))))
			return -1;
	}
	return 0;
}

static void free_words(char **word, unsigned int nr)
{
	for (unsigned int i = 0; word && i < nr; i++)
		free(word[i]);
	free(word);
}

/* What each value adds to a name. */
static char **axis_words(enum matrix_key key, const struct matrix_axis *axis)
{
	char **word = calloc(axis->nr[key], sizeof(*word));

	for (unsigned int i = 0; word && i < axis->nr[key]; i++) {
		word[i] = matrix_axis_word(key, axis->value[key][i]);
		if (!word[i]) {
			free_words(word, i);
			return NULL;
		}
	}
	return word;
}

/* Values that come to the same ("on", "yes") have the same word. */
static int check_twice(const struct matrix_reader *reader, unsigned int a, enum matrix_key key)
{
	const struct matrix_axis *axis = &reader->file->axis[a];
	char **word = axis_words(key, axis);
	int err = 0;

	if (!word)
		return trouble_memory(reader->trouble, reader->matrix->path);
	for (unsigned int i = 0; i < axis->nr[key] && !err; i++) {
		unsigned int j = 0;

		while (j < i && strcmp(word[i], word[j]))
			j++;
		if (j < i)
			err = matrix_wrong(reader,
					   yaml_tree_line(reader->tree, "axes/%u/%s/%u", a,
							  matrix_key_name(key), i),
					   "", "\"%s\": \"%.64s\" is in the list twice",
					   matrix_key_name(key), axis->value[key][i]);
	}
	free_words(word, axis->nr[key]);
	return err;
}

static int check_axis_values(const struct matrix_reader *reader, unsigned int a,
			     enum matrix_key key)
{
	const struct matrix_axis *axis = &reader->file->axis[a];

	for (unsigned int i = 0; i < axis->nr[key]; i++)
		if (matrix_key_put(reader, NULL, key, axis->value[key][i],
				   yaml_tree_line(reader->tree, "axes/%u/%s/%u", a,
						  matrix_key_name(key), i)))
			return -1;
	return check_twice(reader, a, key);
}

/* A key that a configuration sets cannot vary as well; mount options are joined. */
static int check_axis_overlap(const struct matrix_reader *reader, unsigned int a,
			      enum matrix_key key)
{
	const struct matrix_file *file = reader->file;
	unsigned int line = yaml_tree_line(reader->tree, "axes/%u", a);
	const char *name = matrix_key_name(key);

	for (unsigned int i = 0; i < a; i++)
		if (axis_key(&file->axis[i]) == key)
			return matrix_wrong(reader, line, "put all values into one list",
					    "a second axis of \"%s\"", name);
	for (unsigned int i = 0; i < file->nr_configurations && key != KEY_MOUNT; i++)
		if (file->configuration[i].value[key])
			return matrix_wrong(reader,
					    yaml_tree_line(reader->tree, "configurations/%u/%s", i,
							   name),
					    "leave it out here, or the axis",
					    "\"%s\" is an axis as well, in line %u", name, line);
	return 0;
}

static int check_axis(const struct matrix_reader *reader, unsigned int a)
{
	const struct matrix_axis *axis = &reader->file->axis[a];
	unsigned int line = yaml_tree_line(reader->tree, "axes/%u", a), nr = 0;
	enum matrix_key key = axis_key(axis);

	for (enum matrix_key i = 0; i < MATRIX_KEYS; i++)
		nr += axis->nr[i] > 0;
	if (nr != 1)
		return matrix_wrong(reader, line, "as in  - {barrier: [on, off]}",
				    "expected one key an axis, found %u", nr);
	if (check_axis_values(reader, a, key))
		return -1;
	return check_axis_overlap(reader, a, key);
}

int matrix_check_keys(const struct matrix_reader *reader)
{
	const struct matrix_file *file = reader->file;
	char place[64];

	if (file->all && check_words(reader, file->all, "all"))
		return -1;
	for (unsigned int i = 0; i < file->nr_configurations; i++) {
		snprintf(place, sizeof(place), "configurations/%u", i);
		if (matrix_check_name(reader, file->configuration[i].name, "a configuration",
				      yaml_tree_line(reader->tree, "%s/name", place)) ||
		    check_words(reader, &file->configuration[i], place))
			return -1;
	}
	for (unsigned int i = 0; i < file->nr_axes; i++)
		if (check_axis(reader, i))
			return -1;
	return 0;
}

/*
 * The options of @to that neither it nor @more gives again, and then @more, each with its line.
 * NULL: no memory.
 */
static char *join_options(struct configuration *to, const char *more, unsigned int line)
{
	const char *old = to->mount ? to->mount : "", *list = old, *rest = more;
	size_t size = strlen(old) + strlen(more) + 2, nr = 0;
	unsigned int *lines = calloc(size, sizeof(*lines));
	char *joined = calloc(1, size), *end = joined;
	struct option_word word, later;

	if (!joined || !lines) {
		free(joined);
		free(lines);
		return NULL;
	}
	for (size_t i = 0; option_next(&list, &word); i++) {
		if (option_find(list, word.at, word.name, &later) ||
		    option_find(more, word.at, word.name, &later))
			continue;
		end += sprintf(end, "%s%.*s", end > joined ? "," : "", (int)word.len, word.at);
		lines[nr++] = to->mount_line[i];
	}
	while (option_next(&rest, &word))
		lines[nr++] = line;
	sprintf(end, "%s%s", *more && end > joined ? "," : "", more);
	free(to->mount_line);
	to->mount_line = lines;
	return joined;
}

/* Where a configuration keeps the text of a key, NULL: it keeps none. */
static char **text_of(struct configuration *configuration, enum matrix_key key)
{
	switch (key) {
	case KEY_FS:
		return &configuration->fs;
	case KEY_MKFS:
		return &configuration->mkfs;
	case KEY_MOUNT:
		return &configuration->mount;
	default:
		return NULL;
	}
}

/* A value over one from further out: mount options are joined, the others replaced. */
static int put_over(const struct matrix_reader *reader, struct configuration *to,
		    enum matrix_key key, const char *text, unsigned int line)
{
	char **kept = text_of(to, key), *old = kept ? *kept : NULL, *joined = NULL;
	int err;

	if (key == KEY_MOUNT) {
		joined = join_options(to, text, line);
		if (!joined)
			return trouble_memory(reader->trouble, reader->matrix->path);
		text = joined;
	}
	if (key == KEY_MKFS)
		to->mkfs_line = line;
	err = matrix_key_put(reader, to, key, text, line);
	if (!err)
		free(old);
	free(joined);
	if (!err && kept && !*kept)
		return trouble_memory(reader->trouble, reader->matrix->path);
	return err;
}

/* @place: where they stand, "all" or "configurations/1". */
static int put_words(const struct matrix_reader *reader, struct configuration *to,
		     const struct matrix_words *words, const char *place)
{
	for (enum matrix_key key = 0; key < MATRIX_KEYS; key++)
		if (words->value[key] &&
		    put_over(reader, to, key, words->value[key],
			     yaml_tree_line(reader->tree, "%s/%s", place, matrix_key_name(key))))
			return -1;
	return 0;
}

/* Adds "-WORD" to a name. */
static int add_word(const struct matrix_reader *reader, char **name, enum matrix_key key,
		    const char *text)
{
	char *word = matrix_axis_word(key, text), *longer = NULL;

	if (!word || asprintf(&longer, "%s%s%s", *name, **name ? "-" : "", word) < 0) {
		free(word);
		return trouble_memory(reader->trouble, reader->matrix->path);
	}
	free(word);
	free(*name);
	*name = longer;
	return 0;
}

/* The place of configuration @i on each axis; the first axis moves fastest. */
static int put_axes(const struct matrix_reader *reader, struct configuration *to, size_t i,
		    bool fs_named)
{
	const struct matrix_file *file = reader->file;

	for (unsigned int a = 0; a < file->nr_axes; a++) {
		const struct matrix_axis *axis = &file->axis[a];
		enum matrix_key key = axis_key(axis);
		size_t at = i % axis->nr[key];
		const char *text = axis->value[key][at];

		i /= axis->nr[key];
		if (put_over(reader, to, key, text,
			     yaml_tree_line(reader->tree, "axes/%u/%s/%zu", a, matrix_key_name(key),
					    at)))
			return -1;
		if ((key != KEY_FS || !fs_named) && add_word(reader, &to->name, key, text))
			return -1;
	}
	return 0;
}

/* The filesystem of a configuration that only axes make, which its name begins with. */
static const char *first_word(const struct matrix_file *file, size_t i)
{
	for (unsigned int a = 0; a < file->nr_axes; a++) {
		const struct matrix_axis *axis = &file->axis[a];
		enum matrix_key key = axis_key(axis);

		if (key == KEY_FS)
			return axis->value[key][i % axis->nr[key]];
		i /= axis->nr[key];
	}
	return file->all && file->all->value[KEY_FS] ? file->all->value[KEY_FS] : "";
}

static int fill_defaults(const struct matrix_reader *reader, struct configuration *to)
{
	if (!to->mkfs)
		to->mkfs = strdup("");
	if (!to->mkfs_line)
		to->mkfs_line = to->line;
	if (!to->mount)
		to->mount = strdup("");
	if (!to->mkfs || !to->mount)
		return trouble_memory(reader->trouble, reader->matrix->path);
	if (to->fs)
		return 0;
	return matrix_wrong(reader, to->line, "fs: ext4  in `all` holds for every configuration",
			    "\"fs\" is missing%s%s", *to->name ? " in " : "", to->name);
}

/* @base: of `configurations`, if there are any; @i: which of those that the axes make of it. */
static int make_one(const struct matrix_reader *reader, struct configuration *to, size_t base,
		    size_t i)
{
	const struct matrix_file *file = reader->file;
	const struct matrix_words *words = file->nr_configurations ? &file->configuration[base]
								   : NULL;
	char place[64];

	snprintf(place, sizeof(place), "configurations/%zu", base);
	to->barrier = UNKNOWN;
	to->name = strdup(words ? words->name : first_word(file, i));
	if (!to->name)
		return trouble_memory(reader->trouble, reader->matrix->path);
	if ((file->all && put_words(reader, to, file->all, "all")) ||
	    (words && put_words(reader, to, words, place)) || put_axes(reader, to, i, !words))
		return -1;
	return fill_defaults(reader, to);
}

int matrix_merge(const struct matrix_reader *reader, size_t nr)
{
	const struct matrix_file *file = reader->file;
	size_t bases = file->nr_configurations ? file->nr_configurations : 1;
	struct matrix *matrix = reader->matrix;
	unsigned int line = yaml_tree_line(reader->tree, file->nr_axes ? "axes" : "all");

	matrix->configuration = calloc(nr, sizeof(*matrix->configuration));
	if (!matrix->configuration)
		return trouble_memory(reader->trouble, matrix->path);
	matrix->nr_configurations = nr;
	for (size_t i = 0; i < nr; i++) {
		size_t base = i / (nr / bases);
		bool named = file->nr_configurations;

		matrix->configuration[i].line =
			named ? yaml_tree_line(reader->tree, "configurations/%zu", base) : line;
		if (make_one(reader, &matrix->configuration[i], base, i % (nr / bases)))
			return -1;
	}
	return 0;
}
