// SPDX-License-Identifier: GPL-2.0-or-later
/* Where data files are found: a user's own before those that are named or installed. */
#include "unit.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/data_dir.h"

static char root[64];

static void put(const char *path)
{
	char full[PATH_MAX];
	FILE *file;

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		assert_true(!mkdir(full, 0700) || errno == EEXIST);
		*slash = '/';
	}
	file = fopen(full, "we");
	assert_non_null(file);
	assert_int_equal(fclose(file), 0);
}

static void point(const char *variable, const char *at)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s/%s", root, at);
	assert_int_equal(setenv(variable, full, 1), 0);
}

static int begin(void **state)
{
	char fifo[PATH_MAX];

	(void)state;
	strcpy(root, "/tmp/fsb-data-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	put("config/fsbctl/presets/mine.yaml");
	put("config/fsbctl/presets/both.yaml");
	put("config/fsbctl/presets/.hidden.yaml");
	put("config/fsbctl/presets/not.txt");
	put("home/.config/fsbctl/presets/home.yaml");
	put("named/presets/both.yaml");
	put("named/presets/a.yaml");
	put("named/presets/folder.yaml/file");
	put("named/filesystems.yaml");
	snprintf(fifo, sizeof(fifo), "%s/named/presets/fifo.yaml", root);
	return mkfifo(fifo, 0600);
}

static int end(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

/* That a file is found at this place below the root; NULL: nowhere. */
static void expect_file(const char *name, const char *at)
{
	char full[PATH_MAX], *path = data_file(name);

	if (!at) {
		assert_null(path);
		assert_int_equal(errno, ENOENT);
		return;
	}
	snprintf(full, sizeof(full), "%s/%s", root, at);
	assert_non_null(path);
	assert_string_equal(path, full);
	free(path);
}

static void test_user_first(void **state)
{
	(void)state;
	point("XDG_CONFIG_HOME", "config");
	point("FSBCTL_DATA", "named");
	expect_file("presets/both.yaml", "config/fsbctl/presets/both.yaml");
	expect_file("presets/a.yaml", "named/presets/a.yaml");
	expect_file("filesystems.yaml", "named/filesystems.yaml");
	expect_file("presets/nothing.yaml", NULL);
}

static void test_home(void **state)
{
	(void)state;
	point("HOME", "home");
	assert_int_equal(unsetenv("XDG_CONFIG_HOME"), 0);
	expect_file("presets/home.yaml", "home/.config/fsbctl/presets/home.yaml");
	assert_int_equal(setenv("XDG_CONFIG_HOME", "relative", 1), 0);
	expect_file("presets/home.yaml", "home/.config/fsbctl/presets/home.yaml");
	assert_int_equal(unsetenv("HOME"), 0);
	expect_file("presets/home.yaml", NULL);
	expect_file("presets/a.yaml", "named/presets/a.yaml");
}

static void test_list(void **state)
{
	static const char *const expected[] = {
		"named/presets/a.yaml",
		"config/fsbctl/presets/both.yaml",
		"config/fsbctl/presets/mine.yaml",
	};
	char **paths;
	size_t nr;

	(void)state;
	point("XDG_CONFIG_HOME", "config");
	point("FSBCTL_DATA", "named");
	assert_int_equal(data_files("presets", &paths, &nr), 0);
	assert_int_equal(nr, 3);
	for (size_t i = 0; i < nr; i++)
		assert_string_equal(paths[i] + strlen(root) + 1, expected[i]);
	data_files_free(paths, nr);
	assert_int_equal(data_files("workloads", &paths, &nr), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(nr, 0);
}

/* The test runs where it was built, and so the tree's own presets are there. */
static void test_source_tree(void **state)
{
	char *path, *real;

	(void)state;
	assert_int_equal(unsetenv("FSBCTL_DATA"), 0);
	point("XDG_CONFIG_HOME", "nowhere");
	path = data_file("presets/barrier.yaml");
	assert_non_null(path);
	real = realpath("presets/barrier.yaml", NULL);
	assert_non_null(real);
	assert_string_equal(path, real);
	free(real);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_user_first),
		cmocka_unit_test(test_home),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_source_tree),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
