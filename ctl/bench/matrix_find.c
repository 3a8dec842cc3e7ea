// SPDX-License-Identifier: GPL-2.0-or-later
/* matrix_find: which file a person means by the name of a matrix. */
#include "bench/matrix.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/data_dir.h"
#include "nearest.h"

static bool is_path(const char *word)
{
	size_t len = strlen(word);

	return strchr(word, '/') || (len > 5 && !strcmp(word + len - 5, ".yaml"));
}

static char *preset(const char *word)
{
	char *name, *path;

	if (asprintf(&name, "presets/%s.yaml", word) < 0) {
		errno = ENOMEM;
		return NULL;
	}
	path = data_file(name);
	free(name);
	return path;
}

/* Names of the presets, out of their paths, which this changes. */
static void make_names(char **paths, size_t nr, const char **names)
{
	for (size_t i = 0; i < nr; i++) {
		char *slash = strrchr(paths[i], '/'), *dot = strrchr(paths[i], '.');

		*dot = '\0';
		names[i] = slash + 1;
	}
}

static void not_found(const char *word, struct trouble *trouble)
{
	const char *near = NULL, **names;
	char hint[128] = "fsbctl presets lists those there are";
	char **paths;
	size_t nr;

	if (data_files("presets", &paths, &nr)) {
		nr = 0;
		paths = NULL;
	}
	names = calloc(nr + 1, sizeof(*names));
	if (names) {
		make_names(paths, nr, names);
		near = nearest_word(word, names, nr);
	}
	if (near)
		snprintf(hint, sizeof(hint), "did you mean %.64s?", near);
	trouble_set(trouble, TROUBLE_USAGE, word, hint, "neither a preset nor a file");
	free(names);
	data_files_free(paths, nr);
}

char *matrix_find(const char *word, struct trouble *trouble)
{
	char *path = NULL;

	errno = ENOENT;
	if (!is_path(word) && *word)
		path = preset(word);
	if (!path && errno == ENOENT && (is_path(word) || !access(word, F_OK))) {
		path = strdup(word);
		if (!path)
			errno = ENOMEM;
	}
	if (!path && errno == ENOENT)
		not_found(word, trouble);
	else if (!path)
		trouble_memory(trouble, word);
	return path;
}
