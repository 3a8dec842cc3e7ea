// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_trusted: files of other users, links and FIFOs that try to decide what root does; and where
 * root's own files are under `sudo -E`.
 */
#include <stdbool.h>

#include "scratch_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>

#include "trusted.h"
#include "xdg.h"

/* Users who need not exist. */
#define CALLER 4321
#define OTHER  4322

static char why[400], file[PATH_MAX], folder[PATH_MAX];

static int make(void **state)
{
	if (geteuid())
		return 0;
	if (scratch_make(state) || setenv("SUDO_UID", "4321", 1))
		return -1;
	scratch_path(folder, "folder");
	scratch_path(file, "folder/file");
	if (mkdir(folder, 0755))
		return -1;
	scratch_write("folder/file", "text\n");
	return chmod(file, 0644);
}

static int drop(void **state)
{
	return geteuid() ? 0 : scratch_remove(state);
}

/* Only root has something to lose. */
static void need_root(void)
{
	if (geteuid())
		skip();
}

static void refused(const char *path, enum trusted_by by, int error, const char *reason)
{
	assert_int_equal(trusted_open(path, by, why, sizeof(why)), -1);
	assert_int_equal(errno, error);
	if (!strstr(why, reason))
		fail_msg("\"%s\", expected \"%s\"", why, reason);
}

static void accepted(const char *path, enum trusted_by by)
{
	int fd = trusted_open(path, by, why, sizeof(why));

	if (fd < 0)
		fail_msg("%s: %s", path, why);
	assert_int_equal(close(fd), 0);
}

static void test_owners(void **state)
{
	(void)state;
	need_root();
	accepted(file, TRUSTED_ROOT);
	assert_int_equal(chown(file, CALLER, 0), 0);
	refused(file, TRUSTED_ROOT, EPERM, "folder/file belongs to user 4321");
	accepted(file, TRUSTED_CALLER);
	accepted(file, TRUSTED_ANYBODY);
	assert_int_equal(chown(file, OTHER, 0), 0);
	refused(file, TRUSTED_CALLER, EPERM, "folder/file belongs to user 4322");
	/* Without sudo there is no caller; nor is a part of a number one. */
	assert_int_equal(chown(file, CALLER, 0), 0);
	assert_int_equal(setenv("SUDO_UID", "4321x", 1), 0);
	refused(file, TRUSTED_CALLER, EPERM, "belongs to user 4321");
	assert_int_equal(unsetenv("SUDO_UID"), 0);
	refused(file, TRUSTED_CALLER, EPERM, "belongs to user 4321");
}

static void test_modes(void **state)
{
	(void)state;
	need_root();
	assert_int_equal(chmod(file, 0666), 0);
	refused(file, TRUSTED_CALLER, EPERM, "folder/file can be written by any user (mode 0666)");
	assert_int_equal(chmod(file, 0664), 0);
	refused(file, TRUSTED_CALLER, EPERM, "folder/file can be written by its group (mode 0664)");
	assert_int_equal(chmod(file, 0644), 0);
	assert_int_equal(chmod(folder, 0777), 0);
	refused(file, TRUSTED_ROOT, EPERM, "/folder can be written by any user (mode 0777)");
	/* As /tmp: what is root's there stays root's. */
	assert_int_equal(chmod(folder, 01777), 0);
	accepted(file, TRUSTED_ROOT);
}

static void test_folders(void **state)
{
	char above[PATH_MAX];

	(void)state;
	need_root();
	assert_int_equal(chown(folder, OTHER, 0), 0);
	refused(file, TRUSTED_ROOT, EPERM, "/folder belongs to user 4322");
	/* Also by a way around. */
	scratch_path(above, "./folder/../folder//file");
	refused(above, TRUSTED_CALLER, EPERM, "/folder belongs to user 4322");
	assert_int_equal(trusted_path(folder, TRUSTED_CALLER, why, sizeof(why)), -1);
	assert_int_equal(chown(folder, 0, 0), 0);
	assert_int_equal(trusted_path(folder, TRUSTED_CALLER, why, sizeof(why)), 0);
}

static void test_links(void **state)
{
	char link[PATH_MAX], target[PATH_MAX], chain[PATH_MAX];

	(void)state;
	need_root();
	scratch_path(link, "link");
	scratch_path(target, "target");
	scratch_path(chain, "chain");
	scratch_write("target", "text\n");
	assert_int_equal(symlink("folder/file", link), 0);
	accepted(link, TRUSTED_ROOT);
	/* Its owner can make it lead elsewhere. */
	assert_int_equal(lchown(link, OTHER, 0), 0);
	refused(link, TRUSTED_CALLER, EPERM, "/link belongs to user 4322");
	assert_int_equal(lchown(link, 0, 0), 0);
	/* Of two links the second one too; and where it lies. */
	assert_int_equal(symlink(link, chain), 0);
	accepted(chain, TRUSTED_ROOT);
	assert_int_equal(chown(folder, OTHER, 0), 0);
	refused(chain, TRUSTED_ROOT, EPERM, "/folder belongs to user 4322");
	assert_int_equal(unlink(link), 0);
	assert_int_equal(symlink("chain", link), 0);
	refused(chain, TRUSTED_ROOT, ELOOP, "symbolic links");
	assert_int_equal(unlink(link), 0);
	refused(chain, TRUSTED_ROOT, ENOENT, "No such file");
}

/* None of them is waited for. */
static void test_kinds(void **state)
{
	char path[PATH_MAX];

	(void)state;
	need_root();
	scratch_path(path, "fifo");
	assert_int_equal(mkfifo(path, 0600), 0);
	refused(path, TRUSTED_ROOT, EINVAL, "is not a regular file");
	refused(path, TRUSTED_ANYBODY, EINVAL, "is not a regular file");
	refused(folder, TRUSTED_ROOT, EINVAL, "is not a regular file");
	refused("/dev/null", TRUSTED_ANYBODY, EINVAL, "is not a regular file");
}

static void expect_folder(enum xdg which, const char *expected)
{
	char *path = xdg_folder(which);

	assert_non_null(path);
	assert_string_equal(path, expected);
	free(path);
}

/* sudo -E: what root writes does not go into the home of who called sudo. */
static void test_xdg(void **state)
{
	const struct passwd *root = getpwuid(0);
	char roots[PATH_MAX], expected[PATH_MAX];

	(void)state;
	need_root();
	assert_non_null(root);
	assert_int_equal(setenv("XDG_DATA_HOME", folder, 1), 0);
	assert_int_equal(setenv("XDG_CONFIG_HOME", folder, 1), 0);
	assert_int_equal(unsetenv("XDG_STATE_HOME"), 0);
	assert_int_equal(setenv("HOME", folder, 1), 0);
	snprintf(expected, sizeof(expected), "%.4000s/fsbctl", folder);
	expect_folder(XDG_DATA, expected);
	assert_int_equal(chown(folder, CALLER, 0), 0);
	snprintf(roots, sizeof(roots), "%s/.local/share/fsbctl", root->pw_dir);
	expect_folder(XDG_DATA, roots);
	snprintf(roots, sizeof(roots), "%s/.local/state/fsbctl", root->pw_dir);
	expect_folder(XDG_STATE, roots);
	/* His configuration is read; each file of it has to be trusted. */
	expect_folder(XDG_CONFIG, expected);
	/* What an earlier version made there belongs to root, but not what it lies in. */
	assert_int_equal(mkdir(expected, 0755), 0);
	snprintf(roots, sizeof(roots), "%s/.local/share/fsbctl", root->pw_dir);
	expect_folder(XDG_DATA, roots);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_owners), TEST(test_modes), TEST(test_folders),
		TEST(test_links),  TEST(test_kinds), TEST(test_xdg),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
