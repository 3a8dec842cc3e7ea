// SPDX-License-Identifier: GPL-2.0-or-later
/* test_runs: the commands report, runs, export and import, with their exit statuses. */
#include "unit.h"

#include <fcntl.h>
#include <jansson.h>

#include "cmd/cmd.h"
#include "document.h"
#include "sample_results.h"

static const struct cmd *const commands[] = {&cmd_report, &cmd_runs, &cmd_export, &cmd_import,
					     NULL};

static char out[96], err[96], other[96]; /* what was printed; another file */

static int make_run(void **state)
{
	struct store_result result;

	if (make_run_directory(state))
		return -1;
	store_sample_results(&result);
	store_result_free(&result);
	snprintf(out, sizeof(out), "%s/out", run_directory);
	snprintf(err, sizeof(err), "%s/err", run_directory);
	snprintf(other, sizeof(other), "%s/other", run_directory);
	return 0;
}

static int redirect(int fd, const char *path, int flags)
{
	int kept = dup(fd), file = open(path, flags, 0600);

	assert_true(kept >= 0 && file >= 0);
	assert_true(dup2(file, fd) == fd);
	close(file);
	return kept;
}

static void put_back(int fd, int kept)
{
	assert_true(dup2(kept, fd) == fd);
	close(kept);
}

/* "report --format csv" with --db at its end; what it prints is in out and err. */
static int command(const char *line)
{
	char copy[256], *argv[16] = {(char *)"fsbctl"};
	int argc = 1, status, kept_out, kept_err;

	snprintf(copy, sizeof(copy), "%s", line);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc++] = (char *)"--db";
	argv[argc++] = run_store;
	fflush(stdout);
	kept_out = redirect(1, out, O_WRONLY | O_CREAT | O_TRUNC);
	kept_err = redirect(2, err, O_WRONLY | O_CREAT | O_TRUNC);
	status = cmd_dispatch(commands, argc, argv);
	fflush(stdout);
	put_back(1, kept_out);
	put_back(2, kept_err);
	return status;
}

static char *text_of(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;

	assert_non_null(file);
	if (getdelim(&text, &size, '\0', file) < 0) {
		free(text);
		text = strdup("");
	}
	fclose(file);
	assert_non_null(text);
	return text;
}

static void expect_text(const char *path, const char *part)
{
	char *text = text_of(path);

	if (!strstr(text, part))
		print_error("\"%s\", expected \"%s\"\n", text, part);
	assert_non_null(strstr(text, part));
	free(text);
}

static void expect_same(const char *a, const char *b)
{
	char *first = text_of(a), *second = text_of(b);

	assert_true(*first);
	assert_string_equal(first, second);
	free(first);
	free(second);
}

static void report(void **state)
{
	char line[160];

	(void)state;
	assert_int_equal(command("report"), EXIT_OK);
	expect_same(out, "tests/unit/data/results/text.txt");
	assert_int_equal(command("report barrier-1 --format table"), EXIT_OK);
	expect_same(out, "tests/unit/data/results/table.txt");
	snprintf(line, sizeof(line), "report --format csv -o %s", other);
	assert_int_equal(command(line), EXIT_OK);
	expect_same(other, "tests/unit/data/results/csv.txt");
	expect_text(err, "");
	assert_int_equal(command("report --baseline tmpfs"), EXIT_OK);
	expect_text(out, "not comparable (n = 1 of the baseline)");
	assert_int_equal(command("report -q"), EXIT_OK);
	expect_text(out, "two groups");
}

static void report_refuses(void **state)
{
	(void)state;
	assert_int_equal(command("report nobody-1"), EXIT_USAGE);
	expect_text(err, "fsbctl: nobody-1: there is no run of that name in ");
	assert_int_equal(command("report --baseline nobody"), EXIT_USAGE);
	expect_text(err, "barrier-1 has no configuration 'nobody'");
	assert_int_equal(command("report --format html"), EXIT_USAGE);
	expect_text(err, "text, table, csv or json");
	assert_int_equal(command("report a b"), EXIT_USAGE);
	expect_text(err, "one run only");
	assert_int_equal(command("report -o /dev/full"), EXIT_FSBCTL);
	expect_text(err, "fsbctl: /dev/full: cannot be written: No space left on device");
	assert_int_equal(unlink(run_store), 0);
	assert_int_equal(command("report"), EXIT_CANNOT_RUN_HERE);
	expect_text(err, "no runs are stored there: no such file");
}

static void runs(void **state)
{
	char path[512] = "";
	json_t *document;

	(void)state;
	assert_int_equal(command("runs"), EXIT_OK);
	expect_text(out, "barrier-1  2026-11-30T14:00:00Z  complete      30  Z3T8QXYZ  "
			 "6.1.0-49-amd64\n");
	assert_int_equal(command("runs --json"), EXIT_OK);
	schema = json_load_file("docs/fsbstat-results-1.schema.json", 0, NULL);
	document = json_load_file(out, 0, NULL);
	assert_non_null(document);
	if (!valid(document, json_object_get(json_object_get(schema, "$defs"), "runs"), path))
		fail_msg("schema: %s", path);
	expect_count(document, "runs/0/trials", 30);
	json_decref(document);
	json_decref(schema);
	assert_int_equal(command("runs barrier-1"), EXIT_USAGE);
}

static void change_seed(const char *path)
{
	json_t *document = json_load_file(path, 0, NULL);

	assert_non_null(document);
	assert_int_equal(json_object_set_new(document, "seed", json_string("1")), 0);
	assert_int_equal(json_dump_file(document, path, 0), 0);
	json_decref(document);
}

/* Of one run, in the document of `runs --json`. */
static void expect_state(const char *expected)
{
	json_t *document, *run;

	assert_int_equal(command("runs --json"), EXIT_OK);
	document = json_load_file(out, 0, NULL);
	run = json_array_get(json_object_get(document, "runs"), 0);
	assert_string_equal(json_string_value(json_object_get(run, "state")), expected);
	json_decref(document);
}

/* What is stored as running has no process any more; one that has is this test itself. */
static void interrupted(void **state)
{
	struct store *store = open_run_store(STORE_WRITE);
	struct trouble trouble;

	(void)state;
	expect_fine(store_run_state(store, 1, "running", "", &trouble), &trouble);
	store_close(store);
	expect_state("interrupted");
	assert_int_equal(command("runs"), EXIT_OK);
	expect_text(out, "2026-11-30T14:00:00Z  interrupted  ");
	assert_int_equal(command("report"), EXIT_OK);
	expect_text(out, "interrupted, 2026-11-30T14:00:00Z");
	assert_int_equal(command("report --format json"), EXIT_OK);
	expect_text(out, "\"interrupted\"");
	store = open_run_store(STORE_WRITE);
	expect_fine(store_run_hold(store, 1, "barrier-1", &trouble), &trouble);
	expect_state("running");
	assert_int_equal(command("runs --delete barrier-1 --yes"), EXIT_REFUSED);
	expect_text(err, "fsbctl: barrier-1: the run is in progress in another process");
	store_close(store);
	expect_state("interrupted");
}

static void delete(void **state)
{
	(void)state;
	assert_int_equal(command("runs --delete"), EXIT_USAGE);
	assert_int_equal(command("runs --yes"), EXIT_USAGE);
	assert_int_equal(command("runs --delete --json barrier-1"), EXIT_USAGE);
	assert_int_equal(command("runs --delete barrier-1 barrier-2 --yes"), EXIT_USAGE);
	expect_text(err, "barrier-2: there is no run of that name: nothing was deleted");
	/* Standard error is a file here: there is no terminal to ask on. */
	assert_int_equal(command("runs --delete barrier-1"), EXIT_REFUSED);
	expect_text(err, "not confirmed, and there is no terminal to ask on: nothing was deleted\n"
			 "        --yes deletes without a question");
	assert_int_equal(command("report"), EXIT_OK);
	assert_int_equal(command("runs --delete barrier-1 barrier-1 --yes"), EXIT_OK);
	assert_int_equal(command("runs"), EXIT_OK);
	expect_text(out, "no runs yet");
	assert_int_equal(command("report"), EXIT_CANNOT_RUN_HERE);
}

static void export_import(void **state)
{
	char line[160];

	(void)state;
	snprintf(line, sizeof(line), "export barrier-1 %s", other);
	assert_int_equal(command(line), EXIT_OK);
	assert_int_equal(command("export barrier-1 -"), EXIT_OK);
	expect_same(out, other);
	snprintf(line, sizeof(line), "import %s", other);
	assert_int_equal(command(line), EXIT_OK);
	expect_text(out, "barrier-1\n");
	expect_text(err, ": already here, as barrier-1: nothing was added");
	change_seed(other);
	assert_int_equal(command(line), EXIT_OK);
	expect_text(out, "barrier-2\n");
	expect_text(err, "");
	/* The same results, under the other name. */
	assert_int_equal(command("report barrier-2 --format table"), EXIT_OK);
	expect_same(out, "tests/unit/data/results/table.txt");
	assert_int_equal(command("export nobody-1 -"), EXIT_USAGE);
	assert_int_equal(command("export barrier-1"), EXIT_USAGE);
	assert_int_equal(command("import"), EXIT_USAGE);
	assert_int_equal(command("import docs/store.md"), EXIT_USAGE);
	expect_text(err, "no JSON document");
	assert_int_equal(command("runs"), EXIT_OK);
	expect_text(out, "barrier-2");
}

#define with_run(test) cmocka_unit_test_setup_teardown(test, make_run, drop_run_directory)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_run(report),
		with_run(report_refuses),
		with_run(runs),
		with_run(interrupted),
		with_run(delete),
		with_run(export_import),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
