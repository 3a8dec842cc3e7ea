// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_results: what is said of a stored run, its whole text compared with
 * data/results/, and its document with docs/fsbstat-results-1.schema.json.
 */
#include "unit.h"

#include "document.h"
#include "sample_results.h"

static struct store_result stored;
static struct results results;

static int load_results_schema(void **state)
{
	json_error_t error;

	(void)state;
	schema = json_load_file("docs/fsbstat-results-1.schema.json", 0, &error);
	return schema ? 0 : -1;
}

static int make_sample(void **state)
{
	if (make_run_directory(state))
		return -1;
	store_sample_results(&stored);
	return results_make(&results, &stored, NULL);
}

static int drop_sample(void **state)
{
	results_free(&results);
	store_result_free(&stored);
	return drop_run_directory(state);
}

static char *shown(const struct results_ops *ops, const struct results *of)
{
	size_t size = 0;
	char *text = NULL;
	FILE *to = open_memstream(&text, &size);

	assert_non_null(to);
	assert_int_equal(ops->show(to, of), 0);
	assert_int_equal(fclose(to), 0);
	return text;
}

/* The first line that differs is told, and what it is now left in build/unit/ for a look. */
static void expect_file(const char *text, const char *name)
{
	char path[96], *wanted = NULL;
	size_t size = 0, line = 1;
	FILE *file, *kept;

	snprintf(path, sizeof(path), "tests/unit/data/results/%s", name);
	file = fopen(path, "re");
	assert_non_null(file);
	assert_true(getdelim(&wanted, &size, '\0', file) > 0);
	fclose(file);
	if (strcmp(wanted, text)) {
		for (size_t i = 0; wanted[i] && wanted[i] == text[i]; i++)
			line += text[i] == '\n';
		print_error("%s:%zu differs, build/unit/%s has what was shown\n", path, line, name);
		snprintf(path, sizeof(path), "build/unit/%s", name);
		kept = fopen(path, "we");
		if (kept) {
			fputs(text, kept);
			fclose(kept);
		}
		fail();
	}
	free(wanted);
}

static void expect_narrow(const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		if (length > 80)
			print_error("%.*s\n", (int)length, text);
		assert_true(length <= 80);
		assert_true(!length || text[length - 1] != ' ');
		for (size_t i = 0; i < length; i++)
			assert_true(text[i] >= ' ' && text[i] < 0x7f);
		text += length + 1;
	}
}

static void as_text(void **state)
{
	char *text = shown(&results_text, &results);

	(void)state;
	expect_file(text, "text.txt");
	expect_narrow(text);
	free(text);
}

static void as_table(void **state)
{
	char *text = shown(&results_table, &results);

	(void)state;
	expect_file(text, "table.txt");
	expect_narrow(text);
	free(text);
}

static void as_csv(void **state)
{
	char *text = shown(&results_csv, &results), *line;

	(void)state;
	expect_file(text, "csv.txt");
	line = strtok(text, "\r\n");
	assert_non_null(line);
	/* As many fields in each line as in the header, commas in quotes apart. */
	for (size_t wanted = 0; line; line = strtok(NULL, "\r\n")) {
		size_t nr = 1;
		bool quoted = false;

		for (const char *c = line; *c; c++) {
			quoted ^= *c == '"';
			nr += *c == ',' && !quoted;
		}
		if (!wanted)
			wanted = nr;
		assert_int_equal(nr, wanted);
	}
	free(text);
}

static json_t *definition(const char *name)
{
	return json_object_get(json_object_get(schema, "$defs"), name);
}

static void as_json(void **state)
{
	char *text = shown(&results_json, &results), path[512] = "";
	json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL), *cell;

	(void)state;
	assert_non_null(document);
	if (!valid(document, definition("results"), path)) {
		print_error("schema: %s\n", path);
		fail();
	}
	assert_int_equal(json_array_size(at(document, "cells")), 2 * CONFIGURATIONS);
	cell = at(document, "cells/0");
	expect_count(cell, "stats/n", 3);
	expect_count(cell, "invalid", 1);
	expect_null(cell, "why");
	assert_true(json_real_value(at(cell, "samples/1/score")) == 51.2);
	expect_null(cell, "change"); /* against itself */
	assert_true(json_real_value(at(document, "cells/2/change/low")) > 0.4);
	cell = at(document, "cells/8");
	assert_string_equal(json_string_value(at(cell, "why")),
			    "unsupported: xfs has no nobarrier since 4.19");
	expect_null(cell, "stats/mean");
	expect_null(cell, "device");
	expect_null(cell, "change");
	json_decref(document);
	free(text);
}

/* --- the figures behind it --- */

static void expect_near(double is, double wanted)
{
	if (!(fabs(is - wanted) <= 0.000001 * fabs(wanted)))
		print_error("%.17g, expected %.17g\n", is, wanted);
	assert_true(fabs(is - wanted) <= 0.000001 * fabs(wanted));
}

static void device_sums(void **state)
{
	const struct device_figures *device = &results.cell[0].device;

	(void)state;
	assert_true(device->have && device->drain_known && device->no_fua && !device->no_flush);
	expect_near(device->seconds, 1800);
	expect_near(device->flush_per_s, 81.2);
	assert_true(device->fua_per_s == 0);
	expect_near(device->ncq_mean, 0.25 * 1 + 0.5 * 3);
	expect_near(device->depth_mean, 2.5);
	expect_near(device->flush_drain_share, (43.2 + 294.6) / 600);
	expect_near(device->write_bytes, 200000 * 4096.0 / 600);
	expect_near(device->unflushed_max_bytes, 18300000);
	expect_near(device->idle_share, 0.2);
	/* Rank 99 % of 100 lies in the middle of the upper 2 %. */
	assert_true(device->write_p99_ns > 7995392 && device->write_p99_ns < 8100000);
	assert_true(results.cell[2 * NOBARRIER].device.no_flush);
	assert_true(isnan(results.cell[2 * NOBARRIER].device.unflushed_max_bytes));
	assert_true(results.cell[2 * NOCACHE].device.unflushed_max_bytes == 0);
	assert_false(results.cell[2 * TMPFS].device.have);
	/* Not behind libata: flushes alone; too few writes for a percentile at 400, not at 1200. */
	device = &results.cell[1].device;
	assert_false(device->drain_known);
	expect_near(device->flush_drain_share, 0.2);
	expect_near(device->idle_share, 0.4);
	assert_true(isnan(device->ncq_mean));
	assert_true(isfinite(device->write_p99_ns));
}

/* A long window weighs more than a short one. */
static void weighted(void **state)
{
	const struct window windows[] = {{10, 1000, 1, 2, 100, 600, true, 2, 40},
					 {30, 0, 0, 0, 50, 300, true, 28, 0}};
	struct store_trial trial[3];
	const struct store_trial *each[3] = {&trial[0], &trial[1], &trial[2]};
	struct store_cell cell = sample_cell("a", "b");
	struct store_result one = {.cell = &cell, .nr_cells = 1, .trial = trial, .nr_trials = 3};
	struct results of;

	(void)state;
	one.run = sample_run();
	for (int i = 0; i < 3; i++) {
		trial[i] = sample_trial(0, (unsigned int)i + 1, 1);
		trial[i].reason = (char *)"";
		trial[i].device = i < 2 ? window_json(&windows[i]) : strdup("");
	}
	assert_int_equal(results_make(&of, &one, NULL), 0);
	expect_near(of.cell[0].device.flush_per_s, 25);
	expect_near(of.cell[0].device.flush_drain_share, 3.0 / 40);
	expect_near(of.cell[0].device.unflushed_max_bytes, 100);
	expect_near(of.cell[0].device.idle_share, 0.75);
	expect_near(of.cell[0].device.discard_per_s, 1);
	expect_near(of.cell[0].device.discard_bytes, 1 << 20);
	/* 18 of 900 are slow: 9 lie beyond 99 %, which is one too few. */
	assert_true(isnan(of.cell[0].device.write_p99_ns));
	assert_true(of.cell[0].trial[2] == each[2]);
	results_free(&of);
	for (int i = 0; i < 3; i++)
		free(trial[i].device);
}

/* One cell with one such window, as text. */
static char *text_of(const struct window *window, const char *options)
{
	struct store_trial trial = sample_trial(0, 1, 1);
	struct store_cell cell = sample_cell("ext4-barrier-cache", "b");
	struct store_result one = {
		.cell = &cell, .nr_cells = 1, .trial = &trial, .nr_trials = 1, .run = sample_run()};
	struct results of;
	char *text;

	one.run.ended = (char *)"";
	one.run.name = (char *)"one";
	cell.stop = (char *)"";
	cell.asked = (char *)"";
	cell.unsupported = (char *)"";
	trial.reason = (char *)"";
	trial.mount_options = (char *)options;
	trial.device = window_json(window);
	assert_int_equal(results_make(&of, &one, NULL), 0);
	text = shown(&results_text, &of);
	expect_narrow(text);
	results_free(&of);
	free(trial.device);
	return text;
}

static void expect_text(const struct window *window, const char *options, const char *words,
			bool there)
{
	char *text = text_of(window, options);

	if (!!strstr(text, words) != there)
		print_error("%s\n", text);
	assert_int_equal(!!strstr(text, words), there);
	free(text);
}

/* What an option changes is shown where it is compared. */
static void discards(void **state)
{
	const struct window none = {10, 0, 0, 0, 0, 600, true, 2, 0};
	const struct window some = {10, 0, 0, 0, 0, 600, true, 2, 25};

	(void)state;
	expect_text(&none, "rw,relatime", "discard", false);
	expect_text(&none, "rw,nodiscard_of_others,errors=discard", "discard/s", false);
	expect_text(&none, "rw,discard", "discard/s", true);
	expect_text(&none, "rw,discard=async,space_cache=v2", "discard/s", true);
	expect_text(&none, "nodiscard", "discard/s", true);
	expect_text(&some, "rw,relatime",
		    "on the disk  flush/s  FUA/s discard/s  idle   NCQ flush+drain write p99  "
		    "at risk\n  ext4-barrier-cache\n"
		    "                   0      -       2.5  20 %   1.8           0         -        0",
		    true);
}

/* The score depends on something else: from 90 % on, and not before. */
static void idle(void **state)
{
	static const char words[] = "! ext4-barrier-cache: the disk was idle 90 % of the time:";
	const struct window mostly = {10, 4, 0, 0, 0, 600, true, 9, 0};
	const struct window often = {10, 4, 0, 0, 0, 600, true, 8.99, 0};
	const struct window other = {10, 4, 0, 0, 0, 600, false, 9, 0};

	(void)state;
	expect_text(&mostly, "", words, true);
	expect_text(&mostly, "", "this score says\n    little about it\n", true);
	expect_text(&other, "", words, true);
	expect_text(&often, "", "idle 9", false);
	expect_text(&often, "", "90 %", true);
}

/* Of one document of record, what that document says itself. */
static void one_document(void **state)
{
	struct store_trial trial = sample_trial(0, 1, 50.8);
	struct store_cell cell = sample_cell("a", "b");
	struct store_result one = {
		.cell = &cell, .nr_cells = 1, .trial = &trial, .nr_trials = 1, .run = sample_run()};
	const struct device_figures *device;
	struct report report;
	struct results of;
	json_t *document;
	double elapsed;

	(void)state;
	sample_report(&report, 1, 1, 1);
	trial.device = sample_output(&out_json, &report);
	trial.reason = (char *)"";
	document = json_loads(trial.device, 0, NULL);
	assert_non_null(document);
	assert_int_equal(results_make(&of, &one, NULL), 0);
	device = &of.cell[0].device;
	elapsed = json_number_value(at(document, "elapsed_ns")) / 1e9;
	expect_near(device->seconds, elapsed);
	expect_near(device->flush_per_s,
		    json_number_value(at(document, "request/flush/ios")) / elapsed);
	assert_true(device->flush_per_s > 0);
	expect_near(device->ncq_mean, json_real_value(at(document, "ata/ncq/mean")));
	expect_near(device->depth_mean, json_real_value(at(document, "depth/mean")));
	expect_near(device->flush_drain_share, (0.5 + 600 * 0.0056) / 10);
	expect_near(device->write_p99_ns,
		    json_number_value(at(document, "request/write/device/percentile/99")));
	expect_near(device->unflushed_max_bytes,
		    json_number_value(at(document, "unflushed/bytes_max")));
	expect_near(device->idle_share, 0.5);
	results_free(&of);
	report_free(&report);
	free(trial.device);
	json_decref(document);
}

/* Documents that are none: nothing is known, and nothing falls over. */
static void odd_documents(void **state)
{
	static const char *const odd[] = {
		"{}",
		"[]",
		"{\"kind\":\"disk\"}",
		"{\"kind\":\"set\",\"members\":[]}",
		"{\"kind\":\"disk\",\"elapsed_ns\":\"1\",\"request\":[],\"ata\":3,"
		"\"unflushed\":[]}",
		"{\"kind\":\"disk\",\"elapsed_ns\":-1,\"request\":{\"write\":{\"device\":{"
		"\"min_ns\":9,\"max_ns\":1,\"buckets\":[[1],[2,-3],[],7,[-1,1],[5,9223372036854775807]]}}}}",
		"{\"kind\":\"disk\",\"elapsed_ns\":0,\"request\":{\"flush\":{\"ios\":1e308}},"
		"\"ata\":{\"elapsed_ns\":0,\"ncq\":{\"time_ns\":[1,\"2\"]}}}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		struct store_trial trial = sample_trial(0, 1, 1);
		struct store_cell cell = sample_cell("a", "b");
		struct store_result one = {.cell = &cell,
					   .nr_cells = 1,
					   .trial = &trial,
					   .nr_trials = 1,
					   .run = sample_run()};
		struct results of;
		char *text;

		one.run.name = (char *)"a-1";
		one.run.ended = (char *)"";
		one.run.scale = (char *)"";
		cell.unsupported = (char *)"";
		cell.stop = (char *)"";
		trial.reason = (char *)"";
		trial.device = (char *)odd[i];
		assert_int_equal(results_make(&of, &one, NULL), 0);
		assert_true(isnan(of.cell[0].device.flush_per_s));
		assert_true(isnan(of.cell[0].device.write_p99_ns));
		text = shown(&results_text, &of);
		expect_narrow(text);
		free(text);
		results_free(&of);
	}
}

/* --- many trials --- */

static size_t sorted; /* elements, in all calls */

/* In place of GSL's: what a report does with each of its samples is counted here. */
void gsl_sort(double *data, size_t stride, size_t n);
static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void gsl_sort(double *data, size_t stride, size_t n)
{
	assert_int_equal(stride, 1);
	sorted += n;
	qsort(data, n, sizeof(*data), ascending);
}

/* Elements sorted for all formats of a report on a cell with @nr trials. */
static size_t sorted_for(size_t nr)
{
	static const struct results_ops *const formats[] = {&results_text, &results_table,
							    &results_csv, &results_json};
	struct store_trial *trial = calloc(nr, sizeof(*trial));
	struct store_cell cell = sample_cell("a", "b");
	struct store_result one = {.cell = &cell, .nr_cells = 1, .trial = trial, .nr_trials = nr};
	struct results of;
	char empty[] = "";

	assert_non_null(trial);
	one.run = sample_run();
	one.run.name = empty;
	one.run.ended = empty;
	one.run.scale = empty;
	cell.unsupported = empty;
	cell.stop = empty;
	for (size_t i = 0; i < nr; i++) {
		trial[i] = sample_trial(0, (unsigned int)i + 1, (double)(i * 7919 % nr));
		trial[i].reason = empty;
		trial[i].device = empty;
	}
	/* One that stands out, for a note. */
	trial[7].score = 10 * (double)nr;
	sorted = 0;
	assert_int_equal(results_make(&of, &one, NULL), 0);
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		free(shown(formats[i], &of));
	results_free(&of);
	free(trial);
	return sorted;
}

static void many_trials(void **state)
{
	size_t some = sorted_for(5000), many = sorted_for(20000);

	(void)state;
	assert_true(some >= 5000);
	assert_true(many <= 4 * some);
	/* Once is enough. */
	assert_int_equal(many, 20000);
}

static void another_baseline(void **state)
{
	struct results of;
	char *text;

	(void)state;
	assert_int_equal(results_make(&of, &stored, "ext4-nobarrier-cache"), 0);
	assert_true(of.cell[0].change.known && of.cell[0].change.high < 0);
	results_free(&of);
	assert_int_equal(results_make(&of, &stored, "xfs-nobarrier-cache"), 0);
	assert_false(of.cell[0].change.known);
	text = shown(&results_text, &of);
	assert_non_null(strstr(text, "against xfs-nobarrier-cache: it has no score here"));
	free(text);
	results_free(&of);
	assert_int_equal(results_make(&of, &stored, "tmpfs"), 0);
	text = shown(&results_text, &of);
	assert_non_null(strstr(text, "not comparable (n = 1 of the baseline)"));
	free(text);
	results_free(&of);
}

static void quietly(void **state)
{
	char *loud = shown(&results_text, &results), *text;

	(void)state;
	results.quiet = true;
	text = shown(&results_text, &results);
	assert_non_null(strstr(loud, "stands out"));
	assert_null(strstr(text, "stands out"));
	assert_non_null(strstr(text, "two groups"));
	free(loud);
	free(text);
}

/* Names of any length and kind, and numbers of any size, keep to the lines. */
static void wild_names(void **state)
{
	char name[400];

	(void)state;
	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	for (size_t i = 0; i < stored.nr_cells; i++) {
		free(stored.cell[i].configuration);
		free(stored.cell[i].title);
		stored.cell[i].configuration = strdup(i % 4 ? name : "\033[2J\n\x01");
		stored.cell[i].title = strdup(name);
	}
	for (size_t i = 0; i < results.cell[0].n; i++)
		results.cell[0].sample[i] = 1.5e17 * (double)(i + 1);
	stats_of(&results.cell[0].stats, results.cell[0].sample, results.cell[0].n);
	for (int i = 0; i < 2; i++) {
		char *text = shown(i ? &results_table : &results_text, &results);

		assert_null(strchr(text, '\033'));
		assert_null(strchr(text, '\x01'));
		free(text);
	}
}

#define with_sample(test) cmocka_unit_test_setup_teardown(test, make_sample, drop_sample)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_sample(as_text),
		with_sample(as_table),
		with_sample(as_csv),
		with_sample(as_json),
		with_sample(device_sums),
		cmocka_unit_test(weighted),
		cmocka_unit_test(discards),
		cmocka_unit_test(idle),
		cmocka_unit_test(one_document),
		cmocka_unit_test(odd_documents),
		cmocka_unit_test(many_trials),
		with_sample(another_baseline),
		with_sample(quietly),
		with_sample(wild_names),
	};

	return cmocka_run_group_tests(tests, load_results_schema, drop_schema);
}
