// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A filesystem whose server never answers: what looks at the machine never asks it anything.  Each
 * test ends by SIGALRM where it does.
 */
#include "tree.h"

#include <sched.h>
#include <sys/mount.h>

#include "bench/target_parts.h"
#include "disk/mounts.h"

#define SDA   "/sys/devices/pci0/ata1/host0/target0:0:0/0:0:0:0/block/sda"
#define LIMIT 60 /* seconds */

static int server = -1;

/* A FUSE mount that is never read from; skips the test where there is none to be had. */
static void dead_mount(const char *path)
{
	char full[PATH_MAX], options[128];

	tree_dirs(path);
	tree_path(full, path);
	full[strlen(full) - 1] = '\0';
	server = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	snprintf(options, sizeof(options), "fd=%d,rootmode=040000,user_id=0,group_id=0", server);
	if (server < 0 || unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("dead", full, "fuse", 0, options)) {
		print_message("skipped: mounting FUSE: %s\n", strerror(errno));
		skip();
	}
	alarm(LIMIT);
}

static int setup(void **state)
{
	(void)state;
	tree_make();
	tree_disk(SDA, "8:0", "8192", 1, "32");
	tree_partition(SDA, "sda1", "8:1");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	/* Whatever waits for an answer is told that there will be none. */
	if (server >= 0)
		close(server);
	server = -1;
	for (const char *const *path = (const char *const[]){"/dead", "/dev/dead", NULL}; *path;
	     path++) {
		char full[PATH_MAX];

		tree_path(full, *path);
		(void)umount2(full, MNT_DETACH);
	}
	alarm(0);
	tree_remove();
	return 0;
}

/* Number @fd of process 77, on the mount of that number. */
static void open_file(const char *fd, const char *path, const char *flags, const char *mount)
{
	char at[PATH_MAX], text[128];

	tree_format(at, "/proc/77/fd/%s", fd);
	tree_link(at, path);
	tree_format(at, "/proc/77/fdinfo/%s", fd);
	snprintf(text, sizeof(text), "pos:\t0\nflags:\t%s\nmnt_id:\t%s\nino:\t9\n", flags, mount);
	tree_file(at, text);
}

static void make_process(void)
{
	char node[PATH_MAX];

	tree_file("/proc/77/comm", "writer\n");
	tree_file("/proc/77/mountinfo", "30 1 0:5 / /dev rw,nosuid - devtmpfs udev rw\n"
					"31 1 0:45 / /dead rw - fuse.server dead rw\n"
					"32 1 0:46 / /nfs rw - nfs4 host:/x rw\n"
					"33 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
	tree_file("/proc/self/mountinfo", "");
	tree_path(node, "/dev/sda");
	tree_dirs("/dev/");
	if (mknod(node, S_IFBLK | 0600, makedev(8, 0))) {
		print_message("skipped: making device nodes needs root\n");
		skip();
	}
}

static void test_open_files(void **state)
{
	struct blockdev sda;
	char how[200] = "";

	(void)state;
	make_process();
	dead_mount("/dead/");
	assert_int_equal(blockdev_by_name(&sda, "sda"), 0);
	open_file("3", "/dead/file", "0100002", "31");
	open_file("4", "/dead", "012000000", "31");
	open_file("5", "/dead/x (deleted)", "0100001", "32");
	open_file("6", "pipe:[77]", "01", "14");
	assert_false(target_has_opener(&sda, how, sizeof(how)));
	/* One of a mount that is nowhere any more, by its name. */
	open_file("7", "/dead/file", "0100002", "99");
	open_file("8", "/dev/sda", "0100000", "30");
	assert_false(target_has_opener(&sda, how, sizeof(how)));
	open_file("9", "/dev/sda", "0100002", "30");
	assert_true(target_has_opener(&sda, how, sizeof(how)));
	assert_string_equal(how, "open for writing by writer (process 77)");
}

/* A node need not be below /dev, nor its mount be there still. */
static void test_nodes_elsewhere(void **state)
{
	char from[PATH_MAX], to[PATH_MAX], how[200];
	struct blockdev sda;

	(void)state;
	make_process();
	assert_int_equal(blockdev_by_name(&sda, "sda"), 0);
	tree_path(from, "/dev/sda");
	tree_path(to, "/node");
	assert_int_equal(link(from, to), 0);
	open_file("3", "/node", "0100001", "33");
	assert_true(target_has_opener(&sda, how, sizeof(how)));
	open_file("3", "/dev/sda", "0100001", "99");
	assert_true(target_has_opener(&sda, how, sizeof(how)));
	open_file("3", "/node", "0100001", "99");
	assert_false(target_has_opener(&sda, how, sizeof(how)));
}

/* Any user may call the source of a FUSE mount what he likes. */
static void test_sources(void **state)
{
	static const char *const paths[] = {"/dev/alias", "/dev/absolute", "/dev/dead/x",
					    "/dev/dead", NULL};
	const struct disk sda = {.name = "sda", .major = 8, .minor = 0};
	struct blockdev dev;
	struct mounts mounts;

	(void)state;
	tree_link("/dev/alias", "dead/x/../../sda1");
	tree_link("/dev/absolute", "/dev/dead/x");
	tree_file("/proc/self/mountinfo", "20 1 0:40 / /a rw - fuse /dev/dead/x rw\n"
					  "21 1 0:41 / /b rw - btrfs /dev/dead/../dead/y rw\n"
					  "22 1 8:1 / /c rw - ext4 /dev/sda1 rw\n");
	tree_file("/proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n"
				 "/dead/file file 1024 0 -2\n/dev/dead/x partition 8 0 -3\n");
	dead_mount("/dev/dead/");
	assert_int_equal(mounts_of_disk(&sda, &mounts), 0);
	assert_int_equal(mounts.nr, 1);
	assert_string_equal(mounts.mount[0].target, "/c");
	mounts_free(&mounts);
	for (const char *const *path = paths; *path; path++)
		(void)blockdev_by_node(&dev, *path);
	assert_int_equal(blockdev_by_node(&dev, "/dev/dead/x"), -1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_open_files),
		TEST(test_nodes_elsewhere),
		TEST(test_sources),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
