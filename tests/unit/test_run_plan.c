// SPDX-License-Identifier: GPL-2.0-or-later
/* test_run_plan: what `fsbctl run --plan` shows of a matrix, and what it cuts. */
#include "dispatch.h"

#include <jansson.h>

#include "scratch_dir.h"

static char out[1 << 18], err[8192];
static char matrix[PATH_MAX], image[PATH_MAX];

static int plan(const char *first, const char *second)
{
	static const struct cmd *const table[] = {&cmd_run, NULL};
	char *argv[11] = {(char *)"fsbctl", (char *)"run",   matrix, (char *)"--file",
			image,		  (char *)"--plan", (char *)"--seed=1",
			(char *)"--db=/nowhere", (char *)first, (char *)second, NULL};
	int argc = 8 + !!first + (first && second);

	argv[argc] = NULL;
	return dispatch_captured(table, argc, argv, out, sizeof(out), err, sizeof(err));
}

static void write_matrix(const char *lines)
{
	char text[4096];

	snprintf(text, sizeof(text), "schema: fsbstat-matrix/1\nname: m\n%s", lines);
	scratch_write("m.yaml", text);
}

/* The lines of the plan as one, with single blanks. */
static void shows(const char *part)
{
	static char flat[sizeof(out)];
	size_t used = 0;

	for (const char *at = out; *at; at++)
		if (*at != '\n' && *at != ' ')
			flat[used++] = *at;
		else if (used && flat[used - 1] != ' ')
			flat[used++] = ' ';
	flat[used] = '\0';
	if (!strstr(flat, part))
		fail_msg("%s\nexpected \"%s\"", out, part);
}

static size_t lines_of(const char *text)
{
	size_t nr = 0;

	for (; *text; text++)
		nr += *text == '\n';
	return nr;
}

static int set_up(void **state)
{
	char path[PATH_MAX], *here = getcwd(NULL, 0);
	static const char *const folders[] = {"fsbctl", "fsbctl/workloads"};

	if (scratch_make(state) || !here || setenv("XDG_CONFIG_HOME", scratch_dir, 1) ||
	    setenv("FSBCTL_DATA", here, 1))
		return -1;
	free(here);
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		scratch_path(path, folders[i]);
		if (mkdir(path, 0755))
			return -1;
	}
	scratch_path(matrix, "m.yaml");
	scratch_path(image, "image");
	scratch_write("fsbctl/workloads/mine.yaml",
		      "schema: fsbstat-workload/1\nname: mine\ntitle: mine\ncommand: 'true'\n"
		      "parameters: [{name: n, value: 1, about: a number}]\n"
		      "unit: s\nbetter: less\n");
	scratch_write("fsbctl/workloads/lacks.yaml",
		      "schema: fsbstat-workload/1\nname: lacks\ntitle: lacks\ncommand: 'true'\n"
		      "tools: [fsb-no-such-tool]\nunit: s\nbetter: less\n");
	return 0;
}

static void axes(void **state)
{
	(void)state;
	write_matrix("all: {fs: tmpfs}\n"
		     "axes: [{cache: [cold, warm]}, {nr_requests: [32, 64, 128]}]\n"
		     "workloads: ['mine n=1,2']\nrepeat: {min: 2, max: 5}\n");
	assert_int_equal(plan(NULL, NULL), EXIT_OK);
	shows("axes cache 2 x nr_requests 3 x workload 2 = 12 cells, 2 to 5 runs of each");
	assert_int_equal(plan("--only", "*/mine-1"), EXIT_OK);
	shows("axes cache 2 x nr_requests 3 x workload 1 = 6 cells");
	/* Not all combinations. */
	write_matrix("configurations: [{name: a, fs: tmpfs}, {name: b, fs: ext4, barrier: on},"
		     " {name: c, fs: ext4, barrier: off}]\nworkloads: [mine, lacks]\n"
		     "exclude: [{configuration: a, workload: lacks}]\nrepeat: {min: 3, max: 3}\n");
	assert_int_equal(plan(NULL, NULL), EXIT_OK);
	shows("axes 3 configurations (filesystem 2, barrier 3) x workload 2, without those left "
	      "out 5 cells, 3 runs of each");
	/* One. */
	write_matrix("all: {fs: tmpfs}\nworkloads: [mine]\nrepeat: {min: 1, max: 1}\n");
	assert_int_equal(plan(NULL, NULL), EXIT_OK);
	shows("axes 1 configuration x workload 1 = 1 cell, 1 run of each");
}

/* 120 cells: the text is short, all of it is there on request and as JSON. */
static void many(void **state)
{
	json_t *document;
	size_t brief;

	(void)state;
	write_matrix("all: {fs: tmpfs}\n"
		     "axes: [{nr_requests: [10, 11, 12, 13, 14, 15, 16, 17, 18, 19]}]\n"
		     "workloads: ['mine n=1,2,3,4,5,6,7,8,9,10,11', lacks]\n");
	assert_int_equal(plan(NULL, NULL), EXIT_OK);
	brief = lines_of(out);
	if (brief > 50)
		fail_msg("%zu lines:\n%s", brief, out);
	shows("... and 112 more: --plan --verbose");
	shows("not here lacks: needs fsb-no-such-tool, which is not in PATH");
	/* Last, as long as the rest may be. */
	assert_true(strstr(out, "\ntarget ") > strstr(out, "\neach "));
	assert_int_equal(plan("--verbose", NULL), EXIT_OK);
	assert_true(lines_of(out) >= brief + 112);
	shows("nr_requests-19/lacks: tmpfs");
	assert_null(strstr(out, "more"));
	assert_int_equal(plan("--json", NULL), EXIT_OK);
	document = json_loads(out, 0, NULL);
	assert_int_equal(json_array_size(json_object_get(document, "cells")), 120);
	assert_int_equal(json_array_size(json_object_get(document, "order")), 120);
	json_decref(document);
}

/* Reasons are told once, of what they have in common. */
static void reasons(void **state)
{
	(void)state;
	write_matrix("configurations: [{name: a, fs: tmpfs}, {name: b, fs: tmpfs, ncq: 1}]\n"
		     "workloads: [mine, lacks]\n");
	assert_int_equal(plan(NULL, NULL), EXIT_OK);
	shows("not here lacks: needs fsb-no-such-tool, which is not in PATH");
	assert_int_equal(plan("--only", "a/*"), EXIT_OK);
	shows("not here a/lacks: needs");
}

static void files(void **state)
{
	json_t *document, *one;
	char expected[PATH_MAX];

	(void)state;
	write_matrix("all: {fs: tmpfs}\nworkloads: [mine, fsync-append]\n");
	assert_int_equal(plan(NULL, NULL), EXIT_OK);
	shows("files workload mine from /tmp/");
	assert_int_equal(plan("--json", NULL), EXIT_OK);
	document = json_loads(out, 0, NULL);
	assert_int_equal(json_array_size(json_object_get(document, "files")), 1);
	one = json_array_get(json_object_get(document, "files"), 0);
	scratch_path(expected, "fsbctl/workloads/mine.yaml");
	assert_string_equal(json_string_value(json_object_get(one, "path")), expected);
	assert_string_equal(json_string_value(json_object_get(one, "kind")), "workload");
	assert_string_equal(json_string_value(json_object_get(one, "name")), "mine");
	assert_non_null(json_string_value(json_object_get(one, "owner")));
	assert_true(json_is_false(json_object_get(one, "others_can_change")));
	json_decref(document);
	/* Another user's matrix, for who may be harmed by it. */
	if (geteuid())
		return;
	assert_int_equal(chown(matrix, 65534, 65534), 0);
	assert_int_equal(plan(NULL, NULL), EXIT_OK);
	shows("other users than root can change it workload mine from");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(axes, set_up, scratch_remove),
		cmocka_unit_test_setup_teardown(many, set_up, scratch_remove),
		cmocka_unit_test_setup_teardown(reasons, set_up, scratch_remove),
		cmocka_unit_test_setup_teardown(files, set_up, scratch_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
