// SPDX-License-Identifier: GPL-2.0-or-later
/* test_output_file: links, devices and FIFOs of other users where root is told to write. */
#include <stdbool.h>

#include "scratch_dir.h"

#include <errno.h>
#include <fcntl.h>

#include "output_file.h"

/* Users who need not exist. */
#define CALLER 4321
#define OTHER  4322

static char victim[PATH_MAX], folder[PATH_MAX], path[PATH_MAX];

static int make(void **state)
{
	if (scratch_make(state) || setenv("SUDO_UID", "4321", 1))
		return -1;
	scratch_path(victim, "victim");
	scratch_path(folder, "folder");
	scratch_path(path, "folder/out");
	scratch_write("victim", "precious\n");
	return mkdir(folder, 0755);
}

static void write_to(const char *name, bool truncate)
{
	FILE *file = output_file_open(name, truncate);

	if (!file)
		fail_msg("%s: %s", name, output_file_why());
	assert_true(fputs("text\n", file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void expect_text(const char *name, const char *text)
{
	char is[64];

	scratch_read(name, is, sizeof(is));
	assert_string_equal(is, text);
}

static void refused(const char *reason)
{
	assert_null(output_file_open(path, true));
	assert_int_equal(errno, EPERM);
	if (!strstr(output_file_why(), reason))
		fail_msg("\"%s\", expected \"%s\"", output_file_why(), reason);
	expect_text("victim", "precious\n");
}

/* In a folder of one's own all is as it was typed. */
static void test_own(void **state)
{
	(void)state;
	write_to(path, true);
	expect_text("folder/out", "text\n");
	scratch_write("folder/out", "a longer text\n");
	write_to(path, false);
	expect_text("folder/out", "text\nger text\n");
	write_to(path, true);
	expect_text("folder/out", "text\n");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink(victim, path), 0);
	write_to(path, true);
	expect_text("victim", "text\n");
	write_to("/dev/null", true);
	write_to("/dev/stdout", true);
	assert_null(output_file_open(scratch_dir, true));
	assert_int_equal(errno, EISDIR);
	assert_null(output_file_open("/nowhere/at/all", true));
	assert_int_equal(errno, ENOENT);
}

/* The folder is another user's, or one like /tmp with something of another user's in it. */
static void try_all(void)
{
	char fifo[PATH_MAX];

	assert_int_equal(symlink(victim, path), 0);
	assert_int_equal(lchown(path, OTHER, OTHER), 0);
	refused("a link or not a regular file of root's");
	assert_int_equal(unlink(path), 0);
	scratch_path(fifo, "folder/out");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(chown(fifo, OTHER, OTHER), 0);
	refused("a link or not a regular file of root's");
	assert_int_equal(unlink(fifo), 0);
	/* A reader that waits changes nothing. */
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(chown(fifo, OTHER, OTHER), 0);
	{
		int reader = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

		assert_true(reader >= 0);
		refused("a link or not a regular file of root's");
		assert_int_equal(close(reader), 0);
	}
	assert_int_equal(unlink(fifo), 0);
	scratch_write("folder/out", "of another user\n");
	assert_int_equal(chown(path, OTHER, OTHER), 0);
	refused("a link or not a regular file of root's");
	expect_text("folder/out", "of another user\n");
	assert_int_equal(unlink(path), 0);
}

static void test_folder_of_another(void **state)
{
	struct stat status;

	(void)state;
	if (geteuid())
		skip();
	assert_int_equal(chown(folder, OTHER, OTHER), 0);
	try_all();
	/* A second name of a file of root's. */
	assert_int_equal(link(victim, path), 0);
	refused("a link or not a regular file of root's");
	assert_int_equal(unlink(path), 0);
	write_to(path, true);
	expect_text("folder/out", "text\n");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_uid, 0);
	write_to(path, true);
}

static void test_sticky(void **state)
{
	(void)state;
	if (geteuid())
		skip();
	assert_int_equal(chmod(folder, 01777), 0);
	try_all();
	write_to(path, true);
	expect_text("folder/out", "text\n");
}

/* The folder itself is what the link leads away from. */
static void test_linked_folder(void **state)
{
	char link[PATH_MAX];

	(void)state;
	if (geteuid())
		skip();
	scratch_path(link, "link");
	assert_int_equal(symlink(folder, link), 0);
	scratch_path(path, "link/out");
	write_to(path, true);
	assert_int_equal(lchown(link, OTHER, OTHER), 0);
	refused("a link or not a regular file of root's");
}

/* Who called sudo is root already. */
static void test_caller(void **state)
{
	(void)state;
	if (geteuid())
		skip();
	assert_int_equal(chown(folder, CALLER, CALLER), 0);
	assert_int_equal(symlink(victim, path), 0);
	assert_int_equal(lchown(path, CALLER, CALLER), 0);
	write_to(path, true);
	expect_text("victim", "text\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_own),	   TEST(test_folder_of_another), TEST(test_sticky),
		TEST(test_caller), TEST(test_linked_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
