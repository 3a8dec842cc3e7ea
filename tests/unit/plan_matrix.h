/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan_matrix.h: plans out of matrices written in a test, with workloads in a scratch folder. For
 * the tests of plans, one of which includes it once.
 */
#ifndef FSB_TESTS_PLAN_MATRIX_H
#define FSB_TESTS_PLAN_MATRIX_H

#include "bench/plan.h"

#include "scratch_dir.h"

static struct plan plan;
static struct trouble trouble;
static struct plan_options options;
static char *image_name; /* that is yet to be made */

static const char workload[] = "schema: fsbstat-workload/1\n"
			       "title: t\n"
			       "parameters: [{name: n, value: 1, about: a number}]\n"
			       "space: n * 1000000\n"
			       "seconds: 10\n"
			       "command: 'true'\n"
			       "unit: s\n"
			       "better: less\n";

static inline void write_workload(const char *name, const char *more)
{
	char path[PATH_MAX], text[2048];

	snprintf(path, sizeof(path), "fsbctl/workloads/%s.yaml", name);
	snprintf(text, sizeof(text), "%sname: %s\n%s", workload, name, more);
	scratch_write(path, text);
}

static inline int set_up_all(void **state)
{
	char path[PATH_MAX], *here = getcwd(NULL, 0);

	if (scratch_make(state) || !here || setenv("XDG_CONFIG_HOME", scratch_dir, 1) ||
	    setenv("FSBCTL_DATA", here, 1))
		return -1;
	image_name = here; /* any will do */
	scratch_path(path, "fsbctl");
	if (mkdir(path, 0755))
		return -1;
	scratch_path(path, "fsbctl/workloads");
	if (mkdir(path, 0755))
		return -1;
	write_workload("one", "");
	write_workload("two", "");
	write_workload("lacks", "tools: [fsb-no-such-tool]\npackages: [fsb-one, fsb-two]\n");
	return 0;
}

static inline int tear_down_all(void **state)
{
	free(image_name);
	return scratch_remove(state);
}

static inline int set_up(void **state)
{
	(void)state;
	memset(&plan, 0, sizeof(plan));
	memset(&trouble, 0, sizeof(trouble));
	options = (struct plan_options){.matrix = "m.yaml", .have_seed = true, .seed = 1};
	return 0;
}

static inline int tear_down(void **state)
{
	(void)state;
	plan_free(&plan);
	return 0;
}

/* A matrix with these lines. */
static inline int make(const char *lines)
{
	static char text[4096];

	snprintf(text, sizeof(text), "schema: fsbstat-matrix/1\nname: test\n%s", lines);
	options.text = text;
	return plan_make(&plan, &options, &trouble);
}

static inline void made(const char *lines)
{
	if (make(lines))
		fail_msg("%s: %s", trouble.object, trouble.reason);
}

static inline void assert_cells(const char *const *names, size_t nr)
{
	size_t i;

	assert_int_equal(plan.nr_cells, nr);
	for (i = 0; i < nr; i++)
		assert_string_equal(plan.cell[i].name, names[i]);
}

#define ASSERT_CELLS(...)                                              \
	do {                                                           \
		const char *const names[] = {__VA_ARGS__};             \
		assert_cells(names, sizeof(names) / sizeof(names[0])); \
	} while (0)

#define CASE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

#endif
