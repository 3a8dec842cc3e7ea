// SPDX-License-Identifier: GPL-2.0-or-later
/* filesystem_table: reads filesystems.yaml; see filesystem.h. */
#include "bench/filesystem.h"

#include <cyaml/cyaml.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/data_dir.h"
#include "bench/yaml_form.h"

#define FORM	 "docs/filesystems.md describes the form"
#define LIST_MAX 1000
#define TEXT_MAX 8000

/* An entry as it is written: numbers are still words. */
struct row {
	struct filesystem fs;
	char *mkfs_size_unit, *mkfs_dashes, *min_bytes;
};

struct document {
	char *schema;
	struct row *row;
	size_t nr;
};

#define TEXT(structure, name, member) \
	CYAML_FIELD_STRING_PTR(name, CYAML_FLAG_OPTIONAL, structure, member, 0, TEXT_MAX)
#define TEXT_NEEDED(structure, name, member) \
	CYAML_FIELD_STRING_PTR(name, CYAML_FLAG_DEFAULT, structure, member, 1, TEXT_MAX)

static const cyaml_schema_field_t option_fields[] = {
	TEXT_NEEDED(struct filesystem_option, "name", name),
	TEXT(struct filesystem_option, "since", since),
	TEXT(struct filesystem_option, "until", until),
	TEXT(struct filesystem_option, "says", says),
	TEXT(struct filesystem_option, "against", against),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t option_value = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct filesystem_option, option_fields),
};

static const cyaml_schema_field_t switch_fields[] = {
	TEXT_NEEDED(struct filesystem_switch, "name", name),
	TEXT(struct filesystem_switch, "value", value),
	TEXT(struct filesystem_switch, "parts", parts),
	TEXT(struct filesystem_switch, "refused", refused),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t switch_value = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct filesystem_switch, switch_fields),
};

static const cyaml_schema_field_t row_fields[] = {
	TEXT_NEEDED(struct row, "name", fs.name),
	TEXT_NEEDED(struct row, "fstype", fs.fstype),
	TEXT(struct row, "mount_type", fs.mount_type),
	TEXT(struct row, "package", fs.package),
	TEXT(struct row, "mkfs", fs.mkfs),
	TEXT(struct row, "mkfs_size", fs.mkfs_size),
	TEXT(struct row, "mkfs_size_unit", mkfs_size_unit),
	TEXT(struct row, "mkfs_dashes", mkfs_dashes),
	CYAML_FIELD_SEQUENCE_COUNT("mkfs_options", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
				   struct row, fs.mkfs_option, fs.nr_mkfs_options, &switch_value, 0,
				   LIST_MAX),
	TEXT(struct row, "min_bytes", min_bytes),
	TEXT(struct row, "barrier_on", fs.barrier_on),
	TEXT(struct row, "barrier_off", fs.barrier_off),
	TEXT(struct row, "module", fs.module),
	TEXT(struct row, "since", fs.since),
	TEXT(struct row, "until", fs.until),
	CYAML_FIELD_SEQUENCE_COUNT("options", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct row,
				   fs.option, fs.nr_options, &option_value, 0, LIST_MAX),
	TEXT(struct row, "mount_options", fs.mount_options),
	TEXT(struct row, "shown", fs.shown),
	TEXT(struct row, "defaults", fs.defaults),
	TEXT(struct row, "shown_as", fs.shown_as),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t row_value = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct row, row_fields),
};

static const cyaml_schema_field_t document_fields[] = {
	TEXT_NEEDED(struct document, "schema", schema),
	CYAML_FIELD_SEQUENCE_COUNT("filesystems", CYAML_FLAG_POINTER, struct document, row, nr,
				   &row_value, 1, LIST_MAX),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t document_value = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct document, document_fields),
};

static const struct yaml_form form = {
	.identity = "fsbstat-filesystems/1",
	.schema = &document_value,
};

static int fill(char **field, const char *otherwise)
{
	if (!*field)
		*field = strdup(otherwise);
	return *field ? 0 : -1;
}

/* What was left out is "", or what follows from the rest. */
static int complete(struct filesystem *fs)
{
	int ret = fill(&fs->mount_type, fs->fstype) | fill(&fs->package, "") | fill(&fs->mkfs, "") |
		  fill(&fs->mkfs_size, "") | fill(&fs->barrier_on, "") |
		  fill(&fs->barrier_off, "") | fill(&fs->module, "") | fill(&fs->since, "") |
		  fill(&fs->until, "") | fill(&fs->mount_options, "") | fill(&fs->shown, "") |
		  fill(&fs->defaults, "") | fill(&fs->shown_as, "");

	for (size_t i = 0; i < fs->nr_options; i++)
		ret |= fill(&fs->option[i].since, "") | fill(&fs->option[i].until, "") |
		       fill(&fs->option[i].says, "") | fill(&fs->option[i].against, "");
	for (size_t i = 0; i < fs->nr_mkfs_options; i++)
		ret |= fill(&fs->mkfs_option[i].value, "") | fill(&fs->mkfs_option[i].parts, "") |
		       fill(&fs->mkfs_option[i].refused, "");
	fs->disk = !ret && *fs->mkfs;
	return ret;
}

static bool is_version(const char *text)
{
	return !*text || (text[strspn(text, "0123456789.")] == '\0' && *text != '.' &&
			  !strstr(text, "..") && text[strlen(text) - 1] != '.');
}

/* A number above 0, when there is one. */
static bool take_number(const char *text, uint64_t otherwise, uint64_t *number)
{
	*number = otherwise;
	if (!text)
		return true;
	errno = 0;
	*number = strtoull(text, NULL, 10);
	return *text && text[strspn(text, "0123456789")] == '\0' && !errno && *number;
}

/* Row @i of a document, on its way into a table. */
struct reading {
	const struct document *document;
	const struct yaml_tree *tree;
	size_t i;
	struct trouble *trouble;
};

static int wrong(const struct reading *reading, const char *key, const char *what)
{
	return yaml_tree_trouble(reading->tree, reading->trouble,
				 yaml_tree_line(reading->tree, "filesystems/%zu/%s", reading->i,
						key),
				 FORM, "%s: %s", reading->document->row[reading->i].fs.name, what);
}

static int check_options(const struct reading *reading)
{
	const struct filesystem *fs = &reading->document->row[reading->i].fs;
	char key[64];

	for (size_t i = 0; i < fs->nr_options; i++) {
		snprintf(key, sizeof(key), "options/%zu", i);
		if (!is_version(fs->option[i].since) || !is_version(fs->option[i].until))
			return wrong(reading, key, "since and until are versions like \"6.13\"");
	}
	return 0;
}

static int check_switches(const struct reading *reading)
{
	struct row *row = &reading->document->row[reading->i];
	const struct filesystem *fs = &row->fs;
	char key[64];

	row->fs.mkfs_dashes = !row->mkfs_dashes || !strcmp(row->mkfs_dashes, "yes");
	if (row->mkfs_dashes && !fs->mkfs_dashes && strcmp(row->mkfs_dashes, "no"))
		return wrong(reading, "mkfs_dashes", "mkfs_dashes is yes or no");
	for (size_t i = 0; i < fs->nr_mkfs_options; i++) {
		const struct filesystem_switch *is = &fs->mkfs_option[i];

		snprintf(key, sizeof(key), "mkfs_options/%zu", i);
		if (*is->name != '-')
			return wrong(reading, key, "the name of an option of mkfs begins with -");
		if (!!*is->value + !!*is->parts + !!*is->refused > 1)
			return wrong(reading, key, "value, parts or refused: one of them");
	}
	return 0;
}

/* What the schema of libcyaml cannot say. */
static int check(const struct reading *reading)
{
	struct row *row = &reading->document->row[reading->i];
	const struct filesystem *fs = &row->fs;
	const char *size = strstr(fs->mkfs_size, "%llu");

	if (*fs->mkfs_size && (!size || strchr(fs->mkfs_size, '%') != strrchr(size, '%')))
		return wrong(reading, "mkfs_size", "mkfs_size has to have %llu in it, once");
	if (!take_number(row->mkfs_size_unit, 1, &row->fs.mkfs_size_unit))
		return wrong(reading, "mkfs_size_unit", "mkfs_size_unit is a number of bytes");
	if (!take_number(row->min_bytes, 0, &row->fs.min_bytes))
		return wrong(reading, "min_bytes", "min_bytes is a number of bytes");
	if (*fs->mkfs && !*fs->package)
		return wrong(reading, "mkfs", "no package is named for its mkfs");
	if (!is_version(fs->since))
		return wrong(reading, "since", "since is a version like \"6.13\"");
	if (!is_version(fs->until))
		return wrong(reading, "until", "until is a version like \"6.13\"");
	for (size_t i = 0; i < reading->i; i++)
		if (!strcmp(reading->document->row[i].fs.name, fs->name))
			return wrong(reading, "name", "is in it twice");
	return check_options(reading) ? -1 : check_switches(reading);
}

static void filesystem_free(struct filesystem *fs)
{
	free(fs->name);
	free(fs->source);
	free(fs->fstype);
	free(fs->mount_type);
	free(fs->package);
	free(fs->mkfs);
	free(fs->mkfs_size);
	free(fs->barrier_on);
	free(fs->barrier_off);
	free(fs->module);
	free(fs->since);
	free(fs->until);
	for (size_t i = 0; i < fs->nr_options; i++) {
		free(fs->option[i].name);
		free(fs->option[i].since);
		free(fs->option[i].until);
		free(fs->option[i].says);
		free(fs->option[i].against);
	}
	free(fs->option);
	for (size_t i = 0; i < fs->nr_mkfs_options; i++) {
		free(fs->mkfs_option[i].name);
		free(fs->mkfs_option[i].value);
		free(fs->mkfs_option[i].parts);
		free(fs->mkfs_option[i].refused);
	}
	free(fs->mkfs_option);
	free(fs->mount_options);
	free(fs->shown);
	free(fs->defaults);
	free(fs->shown_as);
	memset(fs, 0, sizeof(*fs));
}

/* Moves an entry into the table unless one of its name is there, which wins. */
static int add(struct filesystem_table *table, struct filesystem *fs, const char *path)
{
	struct filesystem *more;

	for (size_t i = 0; i < table->nr; i++)
		if (!strcmp(table->filesystem[i].name, fs->name)) {
			table->filesystem[i].own = true;
			return 0;
		}
	more = realloc(table->filesystem, (table->nr + 1) * sizeof(*more));
	if (!more)
		return -1;
	table->filesystem = more;
	more[table->nr] = *fs;
	memset(fs, 0, sizeof(*fs));
	more[table->nr].source = strdup(path);
	return more[table->nr++].source ? 0 : -1;
}

static int take(struct filesystem_table *table, const struct document *document,
		const struct yaml_tree *tree, const char *path, struct trouble *trouble)
{
	struct reading reading = {.document = document, .tree = tree, .trouble = trouble};

	for (; reading.i < document->nr; reading.i++) {
		if (complete(&document->row[reading.i].fs))
			return trouble_memory(trouble, path);
		if (check(&reading))
			return -1;
	}
	for (size_t i = 0; i < document->nr; i++)
		if (add(table, &document->row[i].fs, path))
			return trouble_memory(trouble, path);
	return 0;
}

int filesystem_table_read(struct filesystem_table *table, const char *path, struct trouble *trouble)
{
	char *text = yaml_file_read(path, trouble);
	struct yaml_tree *tree = NULL;
	void *document = NULL;
	int ret;

	if (!text)
		return -1;
	ret = yaml_form_read(&form, path, text, &document, &tree, trouble);
	if (!ret)
		ret = take(table, document, tree, path, trouble);
	if (document)
		yaml_form_free(&form, document);
	yaml_tree_free(tree);
	free(text);
	return ret;
}

int filesystem_table_load(struct filesystem_table *table, struct trouble *trouble)
{
	char **paths = NULL, *path;
	size_t nr = 0;
	int ret = 0;

	memset(table, 0, sizeof(*table));
	if (data_files("filesystems", &paths, &nr) && errno != ENOENT)
		return trouble_set(trouble, TROUBLE_FAILED, "filesystems", "", "%s",
				   strerror(errno));
	for (size_t i = 0; i < nr && !ret; i++)
		ret = filesystem_table_read(table, paths[i], trouble);
	if (paths)
		data_files_free(paths, nr);
	if (ret)
		return -1;
	path = data_file("filesystems.yaml");
	if (!path)
		return trouble_set(trouble, TROUBLE_MISSING, "filesystems.yaml",
				   "it comes with fsbctl; FSBCTL_DATA names the directory with it",
				   "%s", strerror(errno));
	ret = filesystem_table_read(table, path, trouble);
	free(path);
	return ret;
}

void filesystem_table_free(struct filesystem_table *table)
{
	for (size_t i = 0; i < table->nr; i++)
		filesystem_free(&table->filesystem[i]);
	free(table->filesystem);
	memset(table, 0, sizeof(*table));
}

const struct filesystem *filesystem_find(const struct filesystem_table *table, const char *name)
{
	for (size_t i = 0; i < table->nr; i++)
		if (!strcmp(table->filesystem[i].name, name))
			return &table->filesystem[i];
	return NULL;
}
