// SPDX-License-Identifier: GPL-2.0-or-later
/* test_resume: which stored run `fsbctl run --resume` takes, and what --plan says of it. */
#include "dispatch.h"
#include "sample_run.h"

static char out[8192], err[8192], image[128], document[128];

static int run(const char *command, ...)
{
	static const struct cmd *const table[] = {&cmd_run, &cmd_import, &cmd_export, NULL};
	char *argv[16] = {(char *)"fsbctl", (char *)command};
	int argc = 2;
	va_list words;

	va_start(words, command);
	while ((argv[argc] = va_arg(words, char *)))
		argc++;
	va_end(words);
	argv[argc++] = (char *)"--db";
	argv[argc++] = run_store;
	argv[argc] = NULL;
	return dispatch_captured(table, argc, argv, out, sizeof(out), err, sizeof(err));
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static int begin(void **state)
{
	char path[128], *here = getcwd(NULL, 0);

	if (make_run_directory(state) || !here || setenv("FSBCTL_DATA", here, 1) ||
	    setenv("XDG_CONFIG_HOME", run_directory, 1))
		return -1;
	free(here);
	snprintf(image, sizeof(image), "%s/image", run_directory);
	snprintf(document, sizeof(document), "%s/document", run_directory);
	snprintf(path, sizeof(path), "%s/fsbctl", run_directory);
	if (mkdir(path, 0755))
		return -1;
	strcat(path, "/workloads");
	if (mkdir(path, 0755))
		return -1;
	strcat(path, "/idle.yaml");
	write_file(path, "schema: fsbstat-workload/1\nname: idle\ntitle: idle\ncommand: 'true'\n"
			 "version: 'touch \"$here/../../ran\"'\nunit: s\nbetter: less\n");
	return 0;
}

/* A run on an image that was cut off after one trial, as `fsbctl run` leaves it. */
static void add_unfinished(const char *mkfs)
{
	struct store *store = open_run_store(STORE_WRITE);
	struct store_cell cell = sample_cell("a", "idle");
	struct store_run run = sample_run();
	struct trouble trouble;
	char matrix[256], target[512];

	snprintf(matrix, sizeof(matrix),
		 "schema: fsbstat-matrix/1\nname: m\n"
		 "configurations: [{name: a, fs: tmpfs%s}]\nworkloads: [idle]\n", mkfs);
	snprintf(target, sizeof(target),
		 "{\"id\":null,\"node\":null,\"partition\":false,\"image\":\"%s\",\"offset\":0,"
		 "\"size\":67108864,\"options\":{\"max_runs\":0,\"max_seconds\":0.0,"
		 "\"settle_seconds\":0.0,\"source\":\"diskstats\"}}", image);
	run.matrix = matrix;
	run.target = target;
	run.target_id = (char *)"";
	run.state = (char *)"stopped";
	expect_fine(store_run_add(store, &run, "m", &cell, 1, &trouble), &trouble);
	add_trial(store, sample_trial(cell.id, 1, 2));
	store_close(store);
	free(run.name);
}

static void an_own_run_is_planned(void **state)
{
	char ran[128];

	(void)state;
	add_unfinished("");
	assert_int_equal(run("run", "--resume", "--plan", NULL), EXIT_OK);
	assert_non_null(strstr(out, "m-1, stopped: 1 trials are stored\n"));
	assert_non_null(strstr(out, "a/idle: tmpfs"));
	/* It looks: nothing is made, nothing is run, nothing is changed. */
	assert_int_not_equal(access(image, F_OK), 0);
	snprintf(ran, sizeof(ran), "%s/ran", run_directory);
	assert_int_not_equal(access(ran, F_OK), 0);
	assert_int_equal(run("run", "--resume", "--plan", "--json", NULL), EXIT_OK);
	assert_non_null(strstr(out, "\"trials\": 1"));
}

static void an_imported_run_is_not_taken(void **state)
{
	struct store_result result;
	struct trouble trouble;
	struct store *store;

	(void)state;
	add_unfinished("");
	assert_int_equal(run("export", "m-1", document, NULL), EXIT_OK);
	assert_int_equal(unlink(run_store), 0);
	assert_int_equal(run("import", document, NULL), EXIT_OK);
	store = open_run_store(STORE_READ);
	expect_fine(store_load(store, "m-1", &result, &trouble), &trouble);
	assert_string_equal(result.run.origin, STORE_IMPORTED);
	store_result_free(&result);
	store_close(store);

	assert_int_equal(run("run", "--resume", "--plan", NULL), EXIT_USAGE);
	assert_non_null(strstr(err, "no run was stopped or interrupted"));
	assert_int_equal(run("run", "--resume", NULL), EXIT_USAGE);
	/* By its name neither: the document would choose a path to be written by root. */
	assert_int_equal(run("run", "--resume", "m-1", NULL), EXIT_REFUSED);
	assert_non_null(strstr(err, "it was imported, and its target is a file"));
	assert_int_not_equal(access(image, F_OK), 0);
	/* An own one that is older is taken instead. */
	add_unfinished("");
	assert_int_equal(run("import", document, NULL), EXIT_OK);
	assert_int_equal(run("run", "--resume", "--plan", NULL), EXIT_OK);
	assert_non_null(strstr(out, "m-2, stopped"));
}

/* Its matrix is checked again, by the rules of today. */
static void a_stored_matrix_is_checked_again(void **state)
{
	(void)state;
	add_unfinished(", mount: [a, b");
	assert_int_equal(run("run", "--resume", "--plan", NULL), EXIT_USAGE);
	assert_non_null(strstr(err, "presets/barrier.yaml:3"));
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, begin, drop_run_directory)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(an_own_run_is_planned),
		CASE(an_imported_run_is_not_taken),
		CASE(a_stored_matrix_is_checked_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
