// SPDX-License-Identifier: GPL-2.0-or-later
/* test_option_set: what is one option set, and how two differ in words. */
#include "disk/remount.h"
#include "model/mount_words.h"
#include "option_sample.h"

static void expect_words(const char *from, const char *to, const char *from_words,
			 const char *to_words)
{
	char *before, *after;

	assert_int_equal(mount_words(from, to, &before, &after), 0);
	assert_string_equal(before, from_words);
	assert_string_equal(after, to_words);
	free(before);
	free(after);
	assert_int_equal(mount_options_same(from, to), !*from_words);
}

static void test_mount_words(void **state)
{
	(void)state;
	expect_words("rw,relatime", "rw,relatime", "", "");
	expect_words("rw,relatime,discard", "discard,rw,relatime", "", "");
	expect_words("rw,relatime", "rw,relatime,nobarrier", "barrier", "nobarrier");
	expect_words("rw,relatime,nobarrier", "rw,relatime", "nobarrier", "barrier");
	expect_words("rw,relatime", "ro,noatime", "rw,relatime", "ro,noatime");
	expect_words("rw,relatime", "rw", "relatime", "strictatime");
	expect_words("rw", "rw,sync", "async", "sync");
	expect_words("rw", "rw,data=journal", "default data", "data=journal");
	expect_words("rw,commit=5", "rw,commit=30", "commit=5", "commit=30");
	expect_words("rw,discard", "rw", "discard", "nodiscard");
	expect_words("rw,discard=async", "rw,nodiscard", "discard=async", "nodiscard");
	/* An option that begins like another one is another one. */
	expect_words("rw,data=journal", "rw,data=journal,data_err=abort", "default data_err",
		     "data_err=abort");
	expect_words("rw,context=\"a:c1,c2\"", "rw,context=\"a:c1,c3\"", "context=\"a:c1,c2\"",
		     "context=\"a:c1,c3\"");
	expect_words("rw,subvolid=5,subvol=/", "rw,subvolid=256,subvol=/@home", "", "");
	expect_words("", "", "", "");
	expect_words("", ",,ro,", "rw", "ro");
	expect_words("rw,x=\"open", "rw", "x=\"open", "default x");
}

static void test_barrier(void **state)
{
	(void)state;
	assert_string_equal(mount_barrier("ext4", EXT4), "barrier");
	assert_string_equal(mount_barrier("ext4", EXT4_NOBARRIER), "nobarrier");
	assert_string_equal(mount_barrier("ext3", "rw,barrier=0"), "nobarrier");
	assert_string_equal(mount_barrier("btrfs", "rw,nobarrier"), "nobarrier");
	assert_string_equal(mount_barrier("xfs", "rw"), "");
	assert_string_equal(mount_barrier("ext4x", "rw"), "");
}

/* The one difference between two sets, in words. */
static void expect_change(const struct option_set *a, const struct option_set *b,
			  enum option_key key, const char *text, const char *name)
{
	struct option_changes changes;
	char buf[128];

	assert_false(option_set_equal(a, b));
	assert_int_equal(option_changes_of(&changes, a, b), 0);
	assert_int_equal(changes.nr, 1);
	assert_int_equal(changes.change[0].key, key);
	option_change_text(buf, sizeof(buf), &changes.change[0]);
	assert_string_equal(buf, text);
	assert_int_equal(option_set_name(buf, sizeof(buf), b, a), 0);
	assert_string_equal(buf, name);
	option_changes_free(&changes);
}

static void test_each_setting(void **state)
{
	struct option_set a, b;

	(void)state;
	sample_options(&a, EXT4);
	assert_int_equal(option_set_copy(&b, &a), 0);
	assert_true(option_set_equal(&a, &b));
	b.write_cache = OFF;
	expect_change(&a, &b, OPTION_WRITE_CACHE, "drive cache: on -> off", "drive cache off");
	b.write_cache = UNKNOWN;
	expect_change(&a, &b, OPTION_WRITE_CACHE, "drive cache: on -> unknown",
		      "drive cache unknown");
	b.write_cache = ON;
	strcpy(b.write_cache_kernel, "write through");
	expect_change(&a, &b, OPTION_WRITE_CACHE_KERNEL,
		      "kernel's view of the cache: write back -> write through",
		      "kernel write through");
	strcpy(b.write_cache_kernel, "write back");
	b.fua = 1;
	expect_change(&a, &b, OPTION_FUA, "FUA: no -> yes", "FUA yes");
	b.fua = 0;
	b.ncq = 1;
	b.queue_depth = 1;
	expect_change(&a, &b, OPTION_NCQ, "NCQ depth: 32 -> 1", "NCQ 1");
	b.ncq = 32;
	strcpy(b.scheduler, "bfq");
	expect_change(&a, &b, OPTION_SCHEDULER, "scheduler: mq-deadline -> bfq", "bfq");
	strcpy(b.scheduler, a.scheduler);
	b.nr_requests = 2;
	expect_change(&a, &b, OPTION_NR_REQUESTS, "nr_requests: 64 -> 2", "nr_requests 2");
	option_set_free(&b);
	sample_options(&b, EXT4_NOBARRIER);
	expect_change(&a, &b, OPTION_MOUNT, "sda1: barrier -> nobarrier", "nobarrier");
	expect_change(&b, &a, OPTION_MOUNT, "sda1: nobarrier -> barrier", "barrier");
	/* Elsewhere the queue depth is not called NCQ. */
	option_set_free(&b);
	assert_int_equal(option_set_copy(&b, &a), 0);
	a.ncq = -1;
	b.ncq = -1;
	b.queue_depth = 8;
	expect_change(&a, &b, OPTION_QUEUE_DEPTH, "queue depth: 32 -> 8", "queue depth 8");
	option_set_free(&a);
	option_set_free(&b);
}

/* What follows from a setting is a change, but no part of the name. */
static void test_what_follows(void **state)
{
	struct option_changes changes;
	struct option_set a, b;
	char buf[128];

	(void)state;
	sample_options(&a, EXT4);
	sample_options(&b, EXT4);
	b.write_cache = OFF;
	strcpy(b.write_cache_kernel, "write through");
	strcpy(b.scheduler, "none");
	b.nr_requests = 32;
	assert_int_equal(option_changes_of(&changes, &a, &b), 0);
	assert_int_equal(changes.nr, 4);
	option_changes_free(&changes);
	assert_int_equal(option_set_name(buf, sizeof(buf), &b, &a), 0);
	assert_string_equal(buf, "drive cache off, none");
	option_set_title(buf, sizeof(buf), &b);
	assert_string_equal(buf, "ext4 barrier, cache off, NCQ 32, none");
	/* A drive that caches while the kernel sends no flush is worth the words. */
	b.write_cache = ON;
	option_set_title(buf, sizeof(buf), &b);
	assert_string_equal(buf, "ext4 barrier, cache on, kernel write through, NCQ 32, none");
	assert_int_equal(option_set_name(buf, sizeof(buf), &a, NULL), 0);
	assert_string_equal(buf, "barrier");
	/* What does not fit is cut off. */
	assert_int_equal(option_set_name(buf, 8, &b, &a), 0);
	assert_string_equal(buf, "kernel ");
	option_set_free(&a);
	option_set_free(&b);
}

static void test_several_filesystems(void **state)
{
	struct mount mount[] = {
		{ .source = (char *)"sda2", .target = (char *)"/b",
				 .fstype = (char *)"xfs", .options = (char *)"rw,relatime" },
		{ .source = (char *)"sda1", .target = (char *)"/a",
				 .fstype = (char *)"ext4", .options = (char *)EXT4 },
	};
	struct mount moved[] = {
		{ .source = (char *)"sda1", .target = (char *)"/elsewhere",
				 .fstype = (char *)"ext4", .options = (char *)EXT4 },
		{ .source = (char *)"sda2", .target = (char *)"/b",
				 .fstype = (char *)"xfs", .options = (char *)"rw,relatime" },
	};
	const struct mounts one = { .mount = mount, .nr = 1 }, both = { .mount = mount, .nr = 2 },
			    also = { .mount = moved, .nr = 2 };
	const struct mounts none = { .mount = NULL, .nr = 0 };
	const struct disk_info info = { .write_cache = UNKNOWN, .ncq = -1, .queue_depth = 8,
					.nr_requests = -1, .fua = -1 };
	struct option_set a, b;
	char buf[128];

	(void)state;
	assert_int_equal(option_set_of(&a, &info, &both), 0);
	assert_int_equal(option_set_of(&b, &info, &also), 0);
	assert_true(option_set_equal(&a, &b)); /* the place and the order are no options */
	option_set_name(buf, sizeof(buf), &a, NULL);
	assert_string_equal(buf, "ext4 barrier + xfs");
	option_set_free(&b);
	mount[1].options = (char *)EXT4_NOBARRIER;
	assert_int_equal(option_set_of(&b, &info, &both), 0);
	expect_change(&a, &b, OPTION_MOUNT, "sda1: barrier -> nobarrier", "sda1 nobarrier");
	option_set_free(&b);
	assert_int_equal(option_set_of(&b, &info, &one), 0);
	expect_change(&a, &b, OPTION_MOUNT, "sda1: unmounted", "without sda1");
	expect_change(&b, &a, OPTION_MOUNT, "sda1: mounted (ext4 rw,relatime)", "with sda1 ext4");
	option_set_free(&b);
	assert_int_equal(option_set_of(&b, &info, &none), 0);
	option_set_title(buf, sizeof(buf), &b);
	assert_string_equal(buf, "no filesystem, cache unknown");
	option_set_free(&b);
	/* Made anew with another type. */
	assert_int_equal(option_set_copy(&b, &a), 0);
	free(b.fs[1].fstype);
	b.fs[1].fstype = strdup("btrfs");
	expect_change(&a, &b, OPTION_MOUNT, "sda2: xfs rw,relatime -> btrfs rw,relatime",
		      "sda2 btrfs rw,relatime");
	option_set_free(&a);
	option_set_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mount_words),
		cmocka_unit_test(test_barrier),
		cmocka_unit_test(test_each_setting),
		cmocka_unit_test(test_what_follows),
		cmocka_unit_test(test_several_filesystems),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
