/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store_case: a run with two cells in the store, and the trouble that a call is to make. */
#ifndef FSB_TESTS_STORE_CASE_H
#define FSB_TESTS_STORE_CASE_H

#include "sample_run.h"

static struct trouble trouble;

static inline void expect_trouble(int err, enum trouble_kind kind, const char *part)
{
	assert_int_equal(err, -1);
	if (!strstr(trouble.reason, part))
		print_error("\"%s\", expected \"%s\"\n", trouble.reason, part);
	assert_non_null(strstr(trouble.reason, part));
	assert_int_equal(trouble.kind, kind);
	assert_true(*trouble.object);
	assert_null(strchr(trouble.reason, '\n'));
}

/* A run with two cells. */
static inline void add_run(struct store *store, struct store_run *run, struct store_cell cell[2])
{
	*run = sample_run();
	cell[0] = sample_cell("ext4-barrier", "dbench-12");
	cell[1] = sample_cell("xfs-nobarrier", "dbench-12");
	cell[1].unsupported = (char *)"xfs has no nobarrier since 4.19";
	expect_fine(store_run_add(store, run, "barrier", cell, 2, &trouble), &trouble);
}

#define in_directory(test) \
	cmocka_unit_test_setup_teardown(test, make_run_directory, drop_run_directory)

#endif /* FSB_TESTS_STORE_CASE_H */
