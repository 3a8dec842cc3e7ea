// SPDX-License-Identifier: GPL-2.0-or-later
/* matrix: an experiment as a person wrote it down. */
#include "bench/matrix.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/matrix_file.h"
#include "bench/yaml_form.h"

int matrix_wrong(const struct matrix_reader *reader, unsigned int line, const char *hint,
		 const char *format, ...)
{
	char reason[sizeof(reader->trouble->reason)];
	va_list args;

	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	return yaml_tree_trouble(reader->tree, reader->trouble, line, hint, "%s", reason);
}

/*
 * Cells are counted before anything is made of them.  Whatever a configuration has is
 * checked where it stands, and so merging finds nothing wrong but what is missing.
 */
static int make(const struct matrix_reader *reader)
{
	size_t nr_configurations;

	if (matrix_take_values(reader) || matrix_cells(reader, &nr_configurations) ||
	    matrix_check_keys(reader) || matrix_merge(reader, nr_configurations) ||
	    matrix_check_unique(reader) || matrix_take_baseline(reader))
		return -1;
	return matrix_take_exclusions(reader);
}

int matrix_parse(struct matrix *matrix, const char *path, const char *text, struct trouble *trouble)
{
	struct matrix_reader reader = {.matrix = matrix, .trouble = trouble};
	int err;

	memset(matrix, 0, sizeof(*matrix));
	matrix->path = strdup(path);
	matrix->text = strdup(text);
	if (!matrix->path || !matrix->text)
		return trouble_memory(trouble, path);
	err = matrix_file_read(&reader, path, text);
	if (!err)
		err = make(&reader);
	matrix_file_free(&reader);
	return err;
}

int matrix_load(struct matrix *matrix, const char *path, struct trouble *trouble)
{
	char *text = yaml_file_read(path, trouble);
	int err;

	memset(matrix, 0, sizeof(*matrix));
	if (!text)
		return -1;
	err = matrix_parse(matrix, path, text, trouble);
	free(text);
	return err;
}

void matrix_free(struct matrix *matrix)
{
	for (size_t i = 0; i < matrix->nr_configurations; i++) {
		struct configuration *configuration = &matrix->configuration[i];

		free(configuration->name);
		free(configuration->fs);
		free(configuration->mkfs);
		free(configuration->mount);
		free(configuration->mount_line);
	}
	for (size_t i = 0; i < matrix->nr_workloads; i++)
		free(matrix->workload[i].text);
	for (size_t i = 0; i < matrix->nr_exclusions; i++) {
		free(matrix->exclusion[i].configuration);
		free(matrix->exclusion[i].workload);
	}
	free(matrix->configuration);
	free(matrix->workload);
	free(matrix->exclusion);
	free(matrix->path);
	free(matrix->text);
	free(matrix->name);
	free(matrix->about);
	memset(matrix, 0, sizeof(*matrix));
}
