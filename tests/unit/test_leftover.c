// SPDX-License-Identifier: GPL-2.0-or-later
/* test_leftover: which run has a disk, or had it when it was killed, in a made-up /run. */
#include "tree.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "bench/leftover_owner.h"

static struct leftover leftover;
static struct leftover_owner owner;
static struct trouble trouble;

static int setup(void **state)
{
	char path[PATH_MAX];

	(void)state;
	tree_make();
	tree_file("/run/fsbctl/run-sdb.lock", "");
	assert_int_equal(leftover_lock_path(path, "sdb"), 0);
	leftover.lock = open(path, O_RDWR | O_CLOEXEC);
	return leftover.lock < 0;
}

static int teardown(void **state)
{
	(void)state;
	close(leftover.lock);
	tree_remove();
	return 0;
}

static void expect_owner(enum leftover_use use, const char *run, const char *store)
{
	assert_int_equal(leftover_look("sdb", &owner), use);
	assert_string_equal(owner.run, run);
	assert_string_equal(owner.store, store);
}

static void in_use_and_left(void **state)
{
	(void)state;
	assert_int_equal(leftover_look("sdc", &owner), LEFTOVER_FREE);
	expect_owner(LEFTOVER_FREE, "", "");
	assert_int_equal(flock(leftover.lock, LOCK_EX | LOCK_NB), 0);
	expect_owner(LEFTOVER_IN_USE, "", "");
	assert_true(leftover_is_locked("sdb"));
	leftover_note(&leftover, "barrier-12", "/root/runs.db");
	expect_owner(LEFTOVER_IN_USE, "barrier-12", "/root/runs.db");
	assert_int_equal(leftover_refuse("sdb", &owner, &trouble), -1);
	assert_string_equal(trouble.reason, "another fsbctl run is at work on it: barrier-12");
	/* As a kill does it. */
	assert_int_equal(flock(leftover.lock, LOCK_UN), 0);
	expect_owner(LEFTOVER_FREE, "barrier-12", "/root/runs.db");
	assert_false(leftover_is_locked("sdb"));
	/* The next one's name is shorter. */
	leftover_note(&leftover, "m-1", "/x");
	expect_owner(LEFTOVER_FREE, "m-1", "/x");
	leftover_note(&leftover, NULL, NULL);
	expect_owner(LEFTOVER_FREE, "", "");
}

/* What is not written by leftover_note() says nothing; what is too long is not noted at all. */
static void damaged(void **state)
{
	static const char *const texts[] = {"\n", "m-1", "m-1\n", "m-1\n/x", "\n\n"};
	char name[600];

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		tree_file("/run/fsbctl/run-sdb.lock", texts[i]);
		expect_owner(LEFTOVER_FREE, "", "");
	}
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	leftover_note(&leftover, name, "/x");
	expect_owner(LEFTOVER_FREE, "", "");
	leftover_note(&leftover, "m-1", name);
	expect_owner(LEFTOVER_FREE, "", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(in_use_and_left, setup, teardown),
		cmocka_unit_test_setup_teardown(damaged, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
