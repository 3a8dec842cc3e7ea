// SPDX-License-Identifier: GPL-2.0-or-later
/* test_store_export: a run as a document and back, and documents that nobody should believe. */
#include "unit.h"

#include <jansson.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "peak.h"
#include "sample_run.h"

static struct trouble trouble;
static char first[96], second[96]; /* documents */
static bool new; /* the run was not stored yet */

static char *read_text(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;

	assert_non_null(file);
	assert_true(getdelim(&text, &size, '\0', file) > 0);
	fclose(file);
	return text;
}

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* A store with a run of every kind of trial; exported to `first`. */
static struct store *stored(void)
{
	struct store *store = open_run_store(STORE_WRITE);
	struct store_run run = sample_run();
	struct store_cell cell[3] = {sample_cell("ext4-barrier", "dbench-12"),
				     sample_cell("xfs", "dbench-12"),
				     sample_cell("ext4-barrier", "untar")};
	struct store_trial trial;

	snprintf(first, sizeof(first), "%s/first", run_directory);
	snprintf(second, sizeof(second), "%s/second", run_directory);
	cell[1].unsupported = (char *)"no \xff\xfe here \033[0m";
	cell[2].stop = (char *)"no-better";
	cell[2].more_is_better = false;
	cell[2].asked = NULL;
	expect_fine(store_run_add(store, &run, "barrier", cell, 3, &trouble), &trouble);
	free(run.name);
	add_trial(store, sample_trial(cell[0].id, 1, 50.8));
	trial = sample_trial(cell[0].id, 2, NAN);
	trial.state = TRIAL_FAILED;
	trial.reason = (char *)"exit status 1";
	trial.output = (char *)"a line\nwith \"quotes\" and \xc3\xa9 and \xc3(\n";
	add_trial(store, trial);
	trial = sample_trial(cell[2].id, 1, 0.1 + 0.2);
	trial.state = TRIAL_NOISY;
	trial.device = (char *)"{\"schema\": \"fsbstat/1\", \"kind\": \"disk\", \"elapsed_ns\": "
			       "9223372036854775807, \"depth\": {\"mean\": 3.4000000000000004}}";
	trial.block = 4294967295U;
	add_trial(store, trial);
	expect_fine(store_export(store, NULL, first, &trouble), &trouble);
	return store;
}

/* Into an empty store, and out again: byte for byte the same. */
static void there_and_back(void **state)
{
	struct store_result result;
	char *name, *a, *b;
	struct store *store;

	(void)state;
	store_close(stored());
	strcat(run_store, "2");
	store = open_run_store(STORE_WRITE);
	expect_fine(store_import(store, first, &name, &new, &trouble), &trouble);
	assert_string_equal(name, "barrier-1");
	expect_fine(store_export(store, name, second, &trouble), &trouble);
	free(name);
	a = read_text(first);
	b = read_text(second);
	assert_string_equal(a, b);
	free(a);
	free(b);
	expect_fine(store_load(store, NULL, &result, &trouble), &trouble);
	assert_true(result.run.seed == 18446744073709551615U);
	assert_int_equal(result.nr_trials, 3);
	assert_true(result.trial[2].score == 0.1 + 0.2);
	assert_int_equal(result.trial[2].state, TRIAL_NOISY);
	assert_int_equal(result.trial[2].cell, result.cell[2].id);
	assert_true(isnan(result.trial[1].score));
	assert_string_equal(result.cell[2].asked, "");
	assert_non_null(strstr(result.trial[1].output, "\\xc3("));
	store_result_free(&result);
	store_close(store);
}

/* Beside one of that name it gets the next number, and is else the same. */
static void name_taken(void **state)
{
	struct store *store = stored();
	json_t *a, *b;
	char *name;

	(void)state;
	a = json_load_file(first, 0, NULL);
	assert_int_equal(json_object_set_new(a, "seed", json_string("1")), 0);
	assert_int_equal(json_dump_file(a, first, 0), 0);
	expect_fine(store_import(store, first, &name, &new, &trouble), &trouble);
	assert_string_equal(name, "barrier-2");
	assert_true(new);
	expect_fine(store_export(store, name, second, &trouble), &trouble);
	free(name);
	b = json_load_file(second, 0, NULL);
	assert_string_equal(json_string_value(json_object_get(b, "name")), "barrier-2");
	assert_int_equal(json_object_set_new(b, "name", json_string("barrier-1")), 0);
	assert_true(json_equal(a, b));
	json_decref(a);
	json_decref(b);
	store_close(store);
}

/* What import answers for `first` with the change: the run it is, and whether it was added. */
static void expect_import(struct store *store, const char *expected, bool added)
{
	char *name;

	expect_fine(store_import(store, first, &name, &new, &trouble), &trouble);
	assert_string_equal(name, expected);
	assert_int_equal(new, added);
	free(name);
}

static void change_first(void (*change)(json_t *document))
{
	json_t *document = json_load_file(first, 0, NULL);

	assert_non_null(document);
	change(document);
	assert_int_equal(json_dump_file(document, first, 0), 0);
	json_decref(document);
}

/* An export that was made when the run had a trial less and was still going on. */
static void make_earlier(json_t *document)
{
	json_t *trials = json_object_get(document, "trials");
	json_t *cell = json_array_get(json_object_get(document, "cells"), 2);

	assert_int_equal(json_array_remove(trials, json_array_size(trials) - 1), 0);
	assert_int_equal(json_object_set_new(document, "state", json_string("stopped")), 0);
	assert_int_equal(json_object_set_new(cell, "stop", json_string("")), 0);
}

static void change_score(json_t *document)
{
	json_t *trial = json_array_get(json_object_get(document, "trials"), 0);

	assert_int_equal(json_object_set_new(trial, "score", json_real(50.9)), 0);
}

static void change_cell(json_t *document)
{
	json_t *trial = json_array_get(json_object_get(document, "trials"), 0);

	assert_int_equal(json_object_set_new(trial, "cell", json_integer(1)), 0);
}

/* Twice, under another name, an earlier state: the same run.  Other results: another one. */
static void recognised(void **state)
{
	struct store *store = stored();

	(void)state;
	expect_import(store, "barrier-1", false);
	change_first(make_earlier);
	expect_import(store, "barrier-1", false);
	change_first(change_score);
	expect_import(store, "barrier-2", true);
	expect_import(store, "barrier-2", false);
	change_first(change_cell);
	expect_import(store, "barrier-3", true);
	assert_int_equal(nr_runs(store), 3);
	store_close(store);
	/* A later state has more than is stored. */
	strcat(run_store, "2");
	store = open_run_store(STORE_WRITE);
	expect_import(store, "barrier-1", true);
	store_close(store);
	strcpy(strrchr(run_store, '2'), "");
	store = open_run_store(STORE_READ);
	expect_fine(store_export(store, "barrier-1", first, &trouble), &trouble);
	store_close(store);
	strcat(run_store, "2");
	store = open_run_store(STORE_WRITE);
	expect_import(store, "barrier-2", true);
	store_close(store);
}

static void expect_refused(struct store *store, json_t *document, const char *part)
{
	char *name;

	assert_int_equal(json_dump_file(document, second, 0), 0);
	trouble = (struct trouble){0};
	if (!store_import(store, second, &name, &new, &trouble))
		print_error("taken, though %s\n", part);
	assert_int_equal(trouble.kind, TROUBLE_USAGE);
	if (!strstr(trouble.reason, part))
		print_error("\"%s\", expected \"%s\"\n", trouble.reason, part);
	assert_non_null(strstr(trouble.reason, part));
	assert_string_equal(trouble.object, second);
	assert_null(name);
	assert_int_equal(nr_runs(store), 1);
}

/* Each key of an object left out, of another type, and one key more. */
static void spoil_keys(struct store *store, json_t *document, json_t *object)
{
	json_t *copy = json_deep_copy(object), *value;
	const char *key;

	json_object_foreach(copy, key, value) {
		assert_int_equal(json_object_del(object, key), 0);
		expect_refused(store, document, key);
		assert_int_equal(json_object_set_new(object, key, json_pack("[i]", 1)), 0);
		expect_refused(store, document, key);
		assert_int_equal(json_object_set(object, key, value), 0);
	}
	assert_int_equal(json_object_set_new(object, "more", json_true()), 0);
	expect_refused(store, document, "keys that this fsbctl does not know");
	assert_int_equal(json_object_del(object, "more"), 0);
	json_decref(copy);
}

static void wrong_types(void **state)
{
	struct store *store = stored();
	json_t *document = json_load_file(first, 0, NULL);
	char *name;

	(void)state;
	spoil_keys(store, document, document);
	/* Copies of what it had stand there now. */
	spoil_keys(store, document, json_array_get(json_object_get(document, "cells"), 1));
	spoil_keys(store, document, json_array_get(json_object_get(document, "trials"), 2));
	/* It had been one to be taken. */
	assert_int_equal(json_dump_file(document, second, 0), 0);
	expect_fine(store_import(store, second, &name, &new, &trouble), &trouble);
	free(name);
	json_decref(document);
	store_close(store);
}

struct value {
	const char *key;
	const char *json;
	const char *part;
};

static void spoil_values(struct store *store, json_t *document, json_t *object,
			 const struct value *value, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		json_t *old = json_incref(json_object_get(object, value[i].key));
		json_t *spoilt = json_loads(value[i].json, JSON_DECODE_ANY, NULL);

		assert_non_null(spoilt);
		assert_int_equal(json_object_set_new(object, value[i].key, spoilt), 0);
		expect_refused(store, document, value[i].part);
		assert_int_equal(json_object_set_new(object, value[i].key, old), 0);
	}
}

static void wrong_values(void **state)
{
	static const struct value of_run[] = {
		{"schema", "\"fsbstat-run/2\"", "fsbstat-run/1 is expected"},
		{"schema", "\"fsbstat/1\"", "fsbstat-run/1 is expected"},
		{"name", "\"\"", "name: a name"},
		{"name", "\"a\\u001b[2Jb\"", "name: a name"},
		{"seed", "\"18446744073709551616\"", "seed"},
		{"seed", "\"-1\"", "seed"},
		{"seed", "17", "seed"},
		{"state", "\"done\"", "state"},
		{"target", "\"sdb\"", "target: an object"},
		{"cells", "{}", "cells: an array"},
		{"cells", "[7]", "cells[0].: an object"},
		{"cells", "[]", "trials[0].cell"},
		{"trials", "[null]", "trials[0].: an object"},
	};
	static const struct value of_cell[] = {
		{"configuration", "\"\"", "cells[1].configuration"},
		{"configuration", "\"ext4-barrier\"", "cells[1].workload: the configuration has"},
		{"stop", "\"tired\"", "cells[1].stop"},
	};
	static const struct value of_trial[] = {
		{"cell", "3", "trials[2].cell"},     {"cell", "-1", "trials[2].cell"},
		{"cell", "1e300", "trials[2].cell"}, {"block", "0", "trials[2].block"},
		{"block", "4294967296", "block"},    {"place", "1.5", "place"},
		{"score", "\"50.8\"", "score"},	     {"state", "\"good\"", "state"},
		{"device", "{}", "fsbstat/1"},	     {"device", "{\"schema\":1}", "fsbstat/1"},
	};
	struct store *store = stored();
	json_t *document = json_load_file(first, 0, NULL);
	json_t *cells = json_object_get(document, "cells");
	json_t *trials = json_object_get(document, "trials");
	char name[300];

	(void)state;
	spoil_values(store, document, document, of_run, sizeof(of_run) / sizeof(of_run[0]));
	spoil_values(store, document, json_array_get(cells, 1), of_cell,
		     sizeof(of_cell) / sizeof(of_cell[0]));
	spoil_values(store, document, json_array_get(trials, 2), of_trial,
		     sizeof(of_trial) / sizeof(of_trial[0]));
	assert_int_equal(json_array_append(trials, json_array_get(trials, 0)), 0);
	expect_refused(store, document, "trials[3].block: the cell has it twice");
	assert_int_equal(json_array_remove(trials, 3), 0);
	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(json_object_set_new(document, "name", json_string(name)), 0);
	expect_refused(store, document, "name");
	json_decref(document);
	store_close(store);
}

static void expect_no_document(struct store *store, const char *text, const char *part)
{
	char *name;

	write_text(second, text);
	assert_int_equal(store_import(store, second, &name, &new, &trouble), -1);
	if (!strstr(trouble.reason, part))
		print_error("\"%s\", expected \"%s\"\n", trouble.reason, part);
	assert_non_null(strstr(trouble.reason, part));
	assert_int_equal(nr_runs(store), 1);
}

static void no_documents(void **state)
{
	struct store *store = stored();
	char *text = read_text(first), *name;
	size_t size = strlen(text);

	(void)state;
	expect_no_document(store, "", "no JSON document");
	expect_no_document(store, "[]", "schema");
	expect_no_document(store, "{}", "schema");
	expect_no_document(store, "{\"schema\":\"fsbstat-run/1\",\"schema\":\"fsbstat-run/1\"}",
			   "duplicate");
	/* Cut off anywhere. */
	for (size_t cut = size - 2; cut > 100; cut -= 97) {
		text[cut] = '\0';
		expect_no_document(store, text, "no JSON document");
	}
	free(text);
	/* Deeper than any stack. */
	text = malloc(900001);
	assert_non_null(text);
	memset(text, '[', 900000);
	text[900000] = '\0';
	expect_no_document(store, text, "no JSON document");
	free(text);
	assert_int_equal(store_import(store, run_directory, &name, &new, &trouble), -1);
	assert_non_null(strstr(trouble.reason, "cannot be read: Is a directory"));
	assert_int_equal(store_import(store, "/nonexistent", &name, &new, &trouble), -1);
	assert_non_null(strstr(trouble.reason, "No such file"));
	store_close(store);
}

/* A file without end is given up, long before memory is: as much as that takes, and no more. */
static void giant(void **state)
{
	struct store *store = stored();
	char *name;

	(void)state;
	assert_int_equal(store_import(store, "/dev/zero", &name, &new, &trouble), -1);
	assert_non_null(strstr(trouble.reason, "longer than 512 MiB"));
	assert_int_equal(nr_runs(store), 1);
	store_close(store);
}

static const char *large_part; /* of why it is refused */

static int import_large(void)
{
	struct store *store = open_run_store(STORE_WRITE);
	char *name;
	int err = store_import(store, second, &name, &new, &trouble);

	store_close(store);
	if (err && strstr(trouble.reason, large_part))
		return 0;
	fprintf(stderr, "\"%s\", expected \"%s\"\n", trouble.reason, large_part);
	return 1;
}

/* Ten million values of two bytes each would be 2 GiB as JSON, wherever they are. */
static void many_values(void **state)
{
	static const struct {
		const char *before, *after, *part;
	} file[] = {
		{"[", "[]]", "more than 1000000 values"},
		{"{\"schema\":\"fsbstat-run/1\",\"cells\":[", "[]]}", "more than 1000000 values"},
		{"{\"schema\":\"fsbstat-run/1\",\"trials\":[", "[]]}", "name: is missing"},
	};

	(void)state;
	store_close(stored());
	for (size_t i = 0; i < sizeof(file) / sizeof(file[0]); i++) {
		large_part = file[i].part;
		peak_file(second, file[i].before, "[],", 10000000, file[i].after);
		assert_true(peak_of(import_large) < 400 * PEAK_MIB);
	}
}

/* A trial with as many, behind those that are well; it is the fourth. */
static void large_trial(void **state)
{
	char *text, *end, *before;

	(void)state;
	store_close(stored());
	text = read_text(first);
	end = strstr(text, "\"trials\":[{");
	assert_non_null(end);
	end = strrchr(end, ']');
	assert_non_null(end);
	*end = '\0';
	assert_true(asprintf(&before, "%s,{\"x\":[", text) > 0);
	large_part = "trials[3].: more than 1000000 values";
	peak_file(second, before, "[],", 10000000, "[]]}]}");
	assert_true(peak_of(import_large) < 400 * PEAK_MIB);
	free(before);
	free(text);
}

static void where_to(void **state)
{
	struct store *store = stored();
	char *before = read_text(first), *after;
	struct stat status;

	(void)state;
	assert_int_equal(store_export(store, "nobody", second, &trouble), -1);
	assert_int_equal(stat(second, &status), -1);
	assert_int_equal(store_export(store, NULL, "/nonexistent/x", &trouble), -1);
	assert_non_null(strstr(trouble.reason, "No such file"));
	/* A full disk leaves what was there, and a device is not replaced by a file. */
	assert_int_equal(store_export(store, NULL, "/dev/full", &trouble), -1);
	assert_non_null(strstr(trouble.reason, "No space left"));
	assert_int_equal(stat("/dev/full", &status), 0);
	assert_true(S_ISCHR(status.st_mode));
	/* Over an older one. */
	write_text(second, "old");
	expect_fine(store_export(store, "barrier-1", second, &trouble), &trouble);
	after = read_text(second);
	assert_string_equal(before, after);
	free(before);
	free(after);
	store_close(store);
}

#define in_directory(test) \
	cmocka_unit_test_setup_teardown(test, make_run_directory, drop_run_directory)

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_directory(there_and_back), in_directory(name_taken),	  in_directory(wrong_types),
		in_directory(wrong_values),   in_directory(no_documents), in_directory(giant),
		in_directory(where_to),	      in_directory(many_values),  in_directory(large_trial),
		in_directory(recognised),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
