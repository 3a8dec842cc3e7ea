/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scratch_dir: a directory of a test's own, with a blank in its name, and files in it. */
#ifndef FSB_TEST_SCRATCH_DIR_H
#define FSB_TEST_SCRATCH_DIR_H

#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

static char scratch_dir[64];

static inline int scratch_make(void **state)
{
	(void)state;
	snprintf(scratch_dir, sizeof(scratch_dir), "/tmp/fsbstat unit-XXXXXX");
	return mkdtemp(scratch_dir) ? 0 : -1;
}

static int scratch_remove_one(const char *path, const struct stat *status, int flag,
			      struct FTW *walk)
{
	(void)status;
	(void)flag;
	(void)walk;
	return remove(path);
}

static inline int scratch_remove(void **state)
{
	(void)state;
	return nftw(scratch_dir, scratch_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline void scratch_path(char path[PATH_MAX], const char *name)
{
	assert_true(snprintf(path, PATH_MAX, "%s/%s", scratch_dir, name) < PATH_MAX);
}

static inline void scratch_write(const char *name, const char *text)
{
	char path[PATH_MAX];
	FILE *file;

	scratch_path(path, name);
	file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* What a file begins with; "" when it is not there. */
static inline void scratch_read(const char *name, char *text, size_t size)
{
	char path[PATH_MAX];
	size_t got = 0;
	FILE *file;

	scratch_path(path, name);
	file = fopen(path, "re");
	if (file) {
		got = fread(text, 1, size - 1, file);
		assert_int_equal(fclose(file), 0);
	}
	text[got] = '\0';
}

static inline bool scratch_has(const char *name)
{
	char path[PATH_MAX];

	scratch_path(path, name);
	return access(path, F_OK) == 0;
}

#endif /* FSB_TEST_SCRATCH_DIR_H */
