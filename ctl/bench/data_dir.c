// SPDX-License-Identifier: GPL-2.0-or-later
/* data_dir: where the files lie that a person may add to. */
#include "bench/data_dir.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "xdg.h"

#define SUFFIX ".yaml"

/*
 * The source tree, if the program runs where it was built: TREE/build/ctl/fsbctl, a test as
 * TREE/build/unit/test_x.  No path of it is compiled in, so that a build gives the same bytes
 * wherever it is made.
 */
static bool source_tree(char *dir, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", dir, size - 1);
	char *end, mark[PATH_MAX + 32];

	if (len <= 0)
		return false;
	dir[len] = '\0';
	for (int i = 0; i < 3; i++) {
		end = strrchr(dir, '/');
		if (!end)
			return false;
		if (i == 2 && strcmp(end, "/build"))
			return false;
		*end = '\0';
	}
	snprintf(mark, sizeof(mark), "%s/ctl/bench/data_dir.h", dir);
	return !access(mark, F_OK);
}

static char *system_dir(void)
{
	const char *named = getenv("FSBCTL_DATA");
	char tree[PATH_MAX], *dir;

	if (named && *named)
		dir = strdup(named);
	else
		dir = strdup(source_tree(tree, sizeof(tree)) ? tree : FSB_DATADIR);
	if (!dir)
		errno = ENOMEM;
	return dir;
}

static char *own_dir(void)
{
	return xdg_folder(XDG_CONFIG);
}

static bool is_below(const char *path, const char *dir)
{
	size_t len = dir ? strlen(dir) : 0;

	return len && !strncmp(path, dir, len) && path[len] == '/';
}

bool data_is_added(const char *path)
{
	char *own = own_dir(), tree[PATH_MAX];
	const char *named = getenv("FSBCTL_DATA");
	bool shipped = is_below(path, source_tree(tree, sizeof(tree)) ? tree : FSB_DATADIR);
	bool added = !shipped && (is_below(path, own) || is_below(path, named));

	free(own);
	return added;
}

char *data_file(const char *name)
{
	char *(*const dir_of[])(void) = {own_dir, system_dir};

	for (size_t i = 0; i < sizeof(dir_of) / sizeof(*dir_of); i++) {
		char *dir = dir_of[i](), *path;
		int len;

		if (!dir && errno == ENOENT)
			continue;
		if (!dir)
			return NULL;
		len = asprintf(&path, "%s/%s", dir, name);
		free(dir);
		if (len < 0) {
			errno = ENOMEM;
			return NULL;
		}
		if (!access(path, F_OK))
			return path;
		free(path);
	}
	errno = ENOENT;
	return NULL;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_listed(char *const *paths, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(base_name(paths[i]), name))
			return true;
	return false;
}

static bool is_wanted(const char *name)
{
	size_t len = strlen(name), suffix = strlen(SUFFIX);

	return *name != '.' && len > suffix && !strcmp(name + len - suffix, SUFFIX);
}

static int add_path(char ***paths, size_t *nr, const char *dir, const char *name)
{
	char **more, *path;
	struct stat is = {.st_mode = 0};

	if (asprintf(&path, "%s/%s", dir, name) < 0)
		goto no_memory;
	if (stat(path, &is) || !S_ISREG(is.st_mode)) {
		/* Nothing that one could wait for: a FIFO, a device. */
		if (!S_ISDIR(is.st_mode))
			message_error(path, "ignored: not a regular file", "");
		free(path);
		return 0;
	}
	more = realloc(*paths, (*nr + 1) * sizeof(**paths));
	if (!more) {
		free(path);
		goto no_memory;
	}
	*paths = more;
	(*paths)[(*nr)++] = path;
	return 0;

no_memory:
	errno = ENOMEM;
	return -1;
}

/* Adds what @dir has and nobody before it.  0, or -1 with errno. */
static int add_files(const char *dir, char ***paths, size_t *nr)
{
	struct dirent *entry;
	int err = 0;
	DIR *open = opendir(dir);

	if (!open)
		return -1;
	for (;;) {
		errno = 0;
		entry = readdir(open);
		if (!entry) {
			err = errno;
			break;
		}
		if (!is_wanted(entry->d_name) || is_listed(*paths, *nr, entry->d_name))
			continue;
		if (add_path(paths, nr, dir, entry->d_name)) {
			err = errno;
			break;
		}
	}
	closedir(open);
	errno = err;
	return err ? -1 : 0;
}

static int by_base_name(const void *a, const void *b)
{
	const char *const *one = a, *const *other = b;

	return strcmp(base_name(*one), base_name(*other));
}

/* One directory's part; a directory that is not there has none. */
static int add_folder(char *dir, const char *folder, char ***paths, size_t *nr, bool *found)
{
	char *path;
	int err;

	if (!dir)
		return errno == ENOENT ? 0 : -1;
	err = asprintf(&path, "%s/%s", dir, folder);
	free(dir);
	if (err < 0) {
		errno = ENOMEM;
		return -1;
	}
	err = add_files(path, paths, nr);
	free(path);
	*found |= !err;
	return err && errno == ENOENT ? 0 : err;
}

int data_files(const char *folder, char ***paths, size_t *nr)
{
	bool found = false;
	int err;

	*paths = NULL;
	*nr = 0;
	err = add_folder(own_dir(), folder, paths, nr, &found);
	if (!err)
		err = add_folder(system_dir(), folder, paths, nr, &found);
	if (!err && !found) {
		errno = ENOENT;
		err = -1;
	}
	if (err) {
		int saved = errno;

		data_files_free(*paths, *nr);
		*paths = NULL;
		*nr = 0;
		errno = saved;
		return -1;
	}
	if (*nr)
		qsort(*paths, *nr, sizeof(**paths), by_base_name);
	return 0;
}

void data_files_free(char **paths, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(paths[i]);
	free(paths);
}
