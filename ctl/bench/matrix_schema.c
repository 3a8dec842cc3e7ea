// SPDX-License-Identifier: GPL-2.0-or-later
/* matrix_schema: the keys of a matrix file; see matrix_file.h. */
#include "bench/matrix_file.h"

#include <string.h>

#include "bench/yaml_form.h"

#define TEXT_MAX    4096
#define ENTRIES_MAX MATRIX_CELLS_MAX

#define WORD(name, structure, member) \
	CYAML_FIELD_STRING_PTR(name, CYAML_FLAG_OPTIONAL, structure, member, 1, TEXT_MAX)
#define NEEDED(name, structure, member) \
	CYAML_FIELD_STRING_PTR(name, CYAML_FLAG_DEFAULT, structure, member, 1, TEXT_MAX)
/* Which may be "", to take back what `all` says. */
#define TEXT(name, structure, member) \
	CYAML_FIELD_STRING_PTR(name, CYAML_FLAG_OPTIONAL, structure, member, 0, TEXT_MAX)
#define LIST(name, flags, structure, member, count, entry)                                       \
	CYAML_FIELD_SEQUENCE_COUNT(name, (flags) | CYAML_FLAG_POINTER, structure, member, count, \
				   entry, 1, ENTRIES_MAX)

static const struct cyaml_schema_field configuration_fields[] = {
	NEEDED("name", struct matrix_words, name),
	WORD("fs", struct matrix_words, value[KEY_FS]),
	TEXT("mkfs", struct matrix_words, value[KEY_MKFS]),
	TEXT("mount", struct matrix_words, value[KEY_MOUNT]),
	WORD("barrier", struct matrix_words, value[KEY_BARRIER]),
	WORD("emulate", struct matrix_words, value[KEY_EMULATE]),
	WORD("write_cache", struct matrix_words, value[KEY_WRITE_CACHE]),
	WORD("write_cache_kernel", struct matrix_words, value[KEY_WRITE_CACHE_KERNEL]),
	WORD("ncq", struct matrix_words, value[KEY_NCQ]),
	WORD("scheduler", struct matrix_words, value[KEY_SCHEDULER]),
	WORD("nr_requests", struct matrix_words, value[KEY_NR_REQUESTS]),
	WORD("cache", struct matrix_words, value[KEY_CACHE]),
	WORD("preparation", struct matrix_words, value[KEY_PREPARATION]),
	CYAML_FIELD_END,
};

/* The same without a name. */
static const struct cyaml_schema_field *const all_fields = configuration_fields + 1;

static const struct cyaml_schema_value configuration_entry = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct matrix_words, configuration_fields),
};

static const struct cyaml_schema_value word_entry = {
	CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, TEXT_MAX),
};

static const struct cyaml_schema_value text_entry = {
	CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, TEXT_MAX),
};

#define AXIS(name, key, entry) \
	LIST(name, CYAML_FLAG_OPTIONAL, struct matrix_axis, value[key], nr[key], &(entry))

static const struct cyaml_schema_field axis_fields[] = {
	AXIS("fs", KEY_FS, word_entry),
	AXIS("mkfs", KEY_MKFS, text_entry),
	AXIS("mount", KEY_MOUNT, text_entry),
	AXIS("barrier", KEY_BARRIER, word_entry),
	AXIS("emulate", KEY_EMULATE, word_entry),
	AXIS("write_cache", KEY_WRITE_CACHE, word_entry),
	AXIS("write_cache_kernel", KEY_WRITE_CACHE_KERNEL, word_entry),
	AXIS("ncq", KEY_NCQ, word_entry),
	AXIS("scheduler", KEY_SCHEDULER, word_entry),
	AXIS("nr_requests", KEY_NR_REQUESTS, word_entry),
	AXIS("cache", KEY_CACHE, word_entry),
	AXIS("preparation", KEY_PREPARATION, word_entry),
	CYAML_FIELD_END,
};

static const struct cyaml_schema_value axis_entry = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct matrix_axis, axis_fields),
};

static const struct cyaml_schema_field target_fields[] = {
	WORD("size", struct matrix_target, size),
	WORD("offset", struct matrix_target, offset),
	CYAML_FIELD_END,
};

static const struct cyaml_schema_field exclude_fields[] = {
	WORD("configuration", struct matrix_exclude, configuration),
	WORD("workload", struct matrix_exclude, workload),
	CYAML_FIELD_END,
};

static const struct cyaml_schema_value exclude_entry = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct matrix_exclude, exclude_fields),
};

static const struct cyaml_schema_field repeat_fields[] = {
	WORD("min", struct matrix_repetition, min),
	WORD("max", struct matrix_repetition, max),
	WORD("rule", struct matrix_repetition, rule),
	WORD("within", struct matrix_repetition, within),
	WORD("max_time", struct matrix_repetition, max_time),
	CYAML_FIELD_END,
};

static const struct cyaml_schema_field file_fields[] = {
	NEEDED("schema", struct matrix_file, schema),
	NEEDED("name", struct matrix_file, name),
	WORD("about", struct matrix_file, about),
	CYAML_FIELD_MAPPING_PTR("target", CYAML_FLAG_OPTIONAL, struct matrix_file, target,
				target_fields),
	CYAML_FIELD_MAPPING_PTR("all", CYAML_FLAG_OPTIONAL, struct matrix_file, all,
				configuration_fields + 1),
	LIST("configurations", CYAML_FLAG_OPTIONAL, struct matrix_file, configuration,
	     nr_configurations, &configuration_entry),
	LIST("axes", CYAML_FLAG_OPTIONAL, struct matrix_file, axis, nr_axes, &axis_entry),
	LIST("workloads", CYAML_FLAG_DEFAULT, struct matrix_file, workload, nr_workloads,
	     &word_entry),
	LIST("exclude", CYAML_FLAG_OPTIONAL, struct matrix_file, exclude, nr_excludes,
	     &exclude_entry),
	CYAML_FIELD_MAPPING_PTR("repeat", CYAML_FLAG_OPTIONAL, struct matrix_file, repeat,
				repeat_fields),
	WORD("order", struct matrix_file, order),
	WORD("seed", struct matrix_file, seed),
	WORD("baseline", struct matrix_file, baseline),
	WORD("keep_fs", struct matrix_file, keep_fs),
	CYAML_FIELD_END,
};

static const struct cyaml_schema_value file_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct matrix_file, file_fields),
};

static bool is_field(const struct cyaml_schema_field *field, const char *key)
{
	while (field->key && strcmp(field->key, key))
		field++;
	return field->key;
}

/* Known words in the wrong place. */
static const char *hint(const char *in, const char *key)
{
	if (!*in && is_field(all_fields, key))
		return "it belongs into `all`, `configurations` or `axes`";
	if (!strcmp(in, "axes") && !strcmp(key, "name"))
		return "names are made of the values; `configurations` have names of their own";
	if (*in && strcmp(in, key) && is_field(file_fields, key))
		return "it belongs to the outermost keys";
	if (is_field(repeat_fields, key))
		return "it belongs into `repeat`";
	if (is_field(target_fields, key))
		return "it belongs into `target`";
	return NULL;
}

static const struct yaml_form form = {
	.identity = "fsbstat-matrix/1",
	.schema = &file_schema,
	.hint = hint,
};

int matrix_file_read(struct matrix_reader *reader, const char *path, const char *text)
{
	void *data;
	int err = yaml_form_read(&form, path, text, &data, &reader->tree, reader->trouble);

	reader->file = data;
	return err;
}

void matrix_file_free(struct matrix_reader *reader)
{
	if (reader->file)
		yaml_form_free(&form, reader->file);
	yaml_tree_free(reader->tree);
}
