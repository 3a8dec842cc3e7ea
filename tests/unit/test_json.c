// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_json: every document against docs/fsbstat-1.schema.json, in every shape a
 * recording can take; and the checker itself against documents that are wrong.
 */
#include <jansson.h>
#include <locale.h>

#include "sample_report.h"

static json_t *schema;

/* --- as much of JSON Schema as the file uses, and closed: unknown keys are errors --- */

static bool valid(json_t *value, json_t *rule, char *path);

static bool is_type(json_t *value, const char *type)
{
	if (!strcmp(type, "number"))
		return json_is_number(value);
	return (!strcmp(type, "object") && json_is_object(value)) ||
	       (!strcmp(type, "array") && json_is_array(value)) ||
	       (!strcmp(type, "string") && json_is_string(value)) ||
	       (!strcmp(type, "integer") && json_is_integer(value)) ||
	       (!strcmp(type, "boolean") && json_is_boolean(value)) ||
	       (!strcmp(type, "null") && json_is_null(value));
}

static bool type_fits(json_t *value, json_t *types)
{
	json_t *type;
	size_t i;

	if (json_is_string(types))
		return is_type(value, json_string_value(types));
	json_array_foreach(types, i, type)
		if (is_type(value, json_string_value(type)))
			return true;
	return false;
}

static bool one_of(json_t *value, json_t *choices)
{
	json_t *choice;
	size_t i;

	json_array_foreach(choices, i, choice)
		if (json_equal(value, choice))
			return true;
	return false;
}

static bool object_valid(json_t *object, json_t *rule, char *path)
{
	json_t *properties = json_object_get(rule, "properties"), *required, *member;
	size_t len = strlen(path), i;
	const char *key;

	json_array_foreach(json_object_get(rule, "required"), i, required) {
		if (!json_object_get(object, json_string_value(required))) {
			sprintf(path + len, ".%s is missing", json_string_value(required));
			return false;
		}
	}
	json_object_foreach(object, key, member) {
		sprintf(path + len, ".%.60s", key);
		/* source_reason has free keys, and so no properties. */
		if (properties && !json_object_get(properties, key))
			return false;
		if (properties && !valid(member, json_object_get(properties, key), path))
			return false;
		path[len] = '\0';
	}
	return true;
}

static bool valid(json_t *value, json_t *rule, char *path)
{
	const char *ref = json_string_value(json_object_get(rule, "$ref"));
	json_t *types = json_object_get(rule, "type"), *items = json_object_get(rule, "items");
	size_t len = strlen(path), i;
	json_t *item;

	if (ref)
		return valid(value, json_object_get(json_object_get(schema, "$defs"),
						    ref + strlen("#/$defs/")), path);
	if (types && !type_fits(value, types))
		return false;
	if (json_object_get(rule, "const") && !json_equal(value, json_object_get(rule, "const")))
		return false;
	if (json_object_get(rule, "enum") && !one_of(value, json_object_get(rule, "enum")))
		return false;
	if (json_object_get(rule, "minimum") && json_is_number(value) &&
	    json_number_value(value) < json_number_value(json_object_get(rule, "minimum")))
		return false;
	if (json_is_object(value) && !object_valid(value, rule, path))
		return false;
	if (!items)
		return true;
	json_array_foreach(value, i, item) {
		sprintf(path + len, "[%zu]", i);
		if (!valid(item, items, path))
			return false;
		path[len] = '\0';
	}
	return true;
}

static bool document_valid(json_t *document, char *path)
{
	json_t *choices = json_object_get(schema, "oneOf"), *choice;
	bool set = !!json_object_get(document, "members");
	size_t i;

	path[0] = '\0';
	json_array_foreach(choices, i, choice)
		if (!!strstr(json_string_value(json_object_get(choice, "$ref")), "set") == set)
			return valid(document, choice, path);
	return false;
}

/* --- documents --- */

static json_t *check_report(const struct report *report)
{
	char *text = sample_output(&out_json, report), path[512];
	json_error_t error;
	json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	if (!document)
		print_error("%s\n", error.text);
	assert_non_null(document);
	/* One document, one line. */
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
	if (!document_valid(document, path)) {
		print_error("schema: %s\n", path);
		fail();
	}
	free(text);
	return document;
}

static json_t *at(json_t *document, const char *path)
{
	char part[64];

	while (*path && document) {
		size_t len = strcspn(path, "/");

		snprintf(part, sizeof(part), "%.*s", (int)len, path);
		document = json_is_array(document) ?
				   json_array_get(document, (size_t)atoi(part)) :
				   json_object_get(document, part);
		path += len + (path[len] == '/');
	}
	return document;
}

static void expect_count(json_t *document, const char *path, json_int_t value)
{
	assert_true(json_is_integer(at(document, path)));
	assert_int_equal(json_integer_value(at(document, path)), value);
}

static void expect_null(json_t *document, const char *path)
{
	assert_non_null(at(document, path));
	assert_true(json_is_null(at(document, path)));
}

/* A reason stands for a null, and each null layer has one. */
static void expect_reason(json_t *document, const char *key)
{
	json_t *reasons = json_object_get(document, "source_reason");

	if (!json_is_string(json_object_get(reasons, key)))
		print_error("no reason for %s\n", key);
	assert_true(json_is_string(json_object_get(reasons, key)));
}

static void test_whole(void **state)
{
	struct report report;
	json_t *document, *bucket, *time;
	json_int_t in_buckets = 0, in_time = 0;
	size_t i;

	(void)state;
	sample_report(&report, 1, 1, 1);
	document = check_report(&report);
	expect_count(document, "request/read/ios", 312);
	expect_count(document, "request/write/bytes", 80000000);
	expect_count(document, "request/write/merges", 500);
	expect_count(document, "elapsed_ns", 10000000000);
	expect_count(document, "bio/fua", 290);
	expect_count(document, "flush/asked/pre", 300);
	expect_count(document, "flush/asked/post", 290);
	expect_count(document, "flush/sent", 600);
	expect_count(document, "depth/max", 32);
	expect_count(document, "inflight/end", 2);
	expect_count(document, "command/exit/code", 0);
	expect_null(document, "command/exit/signal");
	expect_null(document, "request/read/device/percentile/99");
	assert_true(json_is_integer(at(document, "request/write/device/percentile/99")));
	expect_null(document, "request/read/durable");
	json_array_foreach(at(document, "request/write/device/buckets"), i, bucket)
		in_buckets += json_integer_value(json_array_get(bucket, 1));
	assert_int_equal(in_buckets, 2000);
	json_array_foreach(at(document, "depth/time_ns"), i, time)
		in_time += json_integer_value(time);
	assert_int_equal(in_time, 10000000000);
	assert_true(json_is_true(at(document, "quality/complete")));
	json_decref(document);
	report_free(&report);
}

static void test_null_layers_have_reasons(void **state)
{
	static const char *const layers[] = { "ata", "unflushed", "fs", "owners", "epochs" };
	struct report report;
	json_t *document;
	size_t i;

	(void)state;
	sample_report(&report, 1, 1, 1);
	document = check_report(&report);
	for (i = 0; i < sizeof(layers) / sizeof(layers[0]); i++) {
		expect_null(document, layers[i]);
		expect_reason(document, layers[i]);
	}
	expect_reason(document, "summary");
	expect_reason(document, "sync");
	json_decref(document);
	report_free(&report);
}

static void test_runs(void **state)
{
	struct report report;
	json_t *document;

	(void)state;
	sample_report(&report, 1, 3, 1);
	document = check_report(&report);
	assert_int_equal(json_array_size(at(document, "runs")), 3);
	expect_count(document, "request/read/ios", 3 * 312);
	expect_count(document, "runs/2/request/read/ios", 312);
	assert_true(json_number_value(at(document, "summary/read/ios/mean")) == 312);
	assert_true(json_number_value(at(document, "summary/read/ios/se")) == 0);
	expect_count(document, "summary/write/device_p99_ns/n", 3);
	expect_count(document, "summary/read/device_p99_ns/n", 0);
	expect_null(document, "summary/read/device_p99_ns/mean");
	expect_null(document, "depth/queues/0/begin");
	json_decref(document);
	report_free(&report);
}

static void test_several_queues(void **state)
{
	struct report report;
	json_t *document;

	(void)state;
	sample_report(&report, 1, 1, 4);
	document = check_report(&report);
	expect_null(document, "depth/max");
	expect_null(document, "depth/time_ns");
	expect_reason(document, "depth.time_ns");
	assert_int_equal(json_array_size(at(document, "depth/queues")), 4);
	expect_count(document, "depth/queues/0/max", 32);
	expect_count(document, "depth/queues/0/end/time_ns", 11000000000);
	json_decref(document);
	report_free(&report);
}

static void test_set(void **state)
{
	struct report report;
	json_t *document;

	(void)state;
	sample_report(&report, 2, 1, 1);
	document = check_report(&report);
	assert_string_equal(json_string_value(at(document, "kind")), "set");
	assert_int_equal(json_array_size(at(document, "members")), 2);
	json_decref(document);
	report_free(&report);
}

static void test_intervals(void **state)
{
	struct report report;
	struct report_disk *disk;
	json_t *document;

	(void)state;
	sample_report(&report, 1, 1, 1);
	disk = &report.disk[0];
	disk->interval = calloc(2, sizeof(*disk->interval));
	disk->nr_intervals = 2;
	disk->interval[0] = (struct report_interval){ 1, 0, disk->figures };
	disk->interval[1] = (struct report_interval){ 1, 10000000000, disk->figures };
	document = check_report(&report);
	expect_count(document, "intervals/1/begin_ns", 10000000000);
	expect_count(document, "intervals/1/request/flush/ios", 600);
	json_decref(document);
	report_free(&report);
}

static void test_write_through(void **state)
{
	struct report report;
	json_t *document;

	(void)state;
	sample_report(&report, 1, 1, 1);
	strcpy(report.disk[0].end.info.write_cache_kernel, "write through");
	document = check_report(&report);
	assert_true(json_is_true(at(document, "bio/flags_dropped")));
	expect_null(document, "bio/fua");
	expect_null(document, "flush/asked/pre");
	expect_count(document, "flush/sent", 600);
	expect_reason(document, "flush.asked");
	json_decref(document);
	report_free(&report);
}

static void test_silent_bios(void **state)
{
	struct report report;
	json_t *document;

	(void)state;
	sample_report(&report, 1, 1, 1);
	memset(&report.disk[0].delta.bio, 0, sizeof(struct bio_counts));
	document = check_report(&report);
	expect_null(document, "bio");
	expect_reason(document, "bio");
	expect_null(document, "flush/asked/pre");
	json_decref(document);
	/* A few requests whose bios may have come before the window say nothing. */
	report.disk[0].requests_waiting = 100000;
	document = check_report(&report);
	assert_true(json_is_object(at(document, "bio")));
	json_decref(document);
	report_free(&report);
}

static void test_incomplete(void **state)
{
	struct report report;
	json_t *document;

	(void)state;
	sample_report(&report, 1, 1, 1);
	report.cut_short = true;
	report.code = -1;
	report.signal = 2;
	report.argv = (char *[]){ "bad\xff\xfename", "line\nfeed \"q\"", NULL };
	warnings_add(&report.disk[0].warnings, "said %d times", 3);
	document = check_report(&report);
	assert_true(json_is_false(at(document, "quality/complete")));
	expect_null(document, "command/exit/code");
	expect_count(document, "command/exit/signal", 2);
	assert_string_equal(json_string_value(at(document, "command/argv/0")),
			    "bad\\xff\\xfename");
	assert_string_equal(json_string_value(at(document, "command/argv/1")),
			    "line\nfeed \"q\"");
	assert_string_equal(json_string_value(at(document, "quality/warnings/0")),
			    "said 3 times");
	json_decref(document);
	report_free(&report);
}

static void test_lost(void **state)
{
	struct report report;
	struct report_disk *disk;
	json_t *document;

	(void)state;
	sample_report(&report, 1, 1, 1);
	disk = &report.disk[0];
	delta_free(&disk->delta);
	memset(&disk->delta, 0, sizeof(disk->delta));
	memset(&disk->figures, 0, sizeof(disk->figures));
	disk->lost = true;
	disk->end.have_stats = false;
	report.argv = NULL;
	document = check_report(&report);
	expect_null(document, "request");
	expect_null(document, "elapsed_ns");
	expect_null(document, "command");
	expect_null(document, "diskstats/end");
	expect_reason(document, "request");
	expect_reason(document, "command");
	assert_true(json_is_false(at(document, "quality/complete")));
	json_decref(document);
	report_free(&report);
}

static void test_locale(void **state)
{
	struct report report;
	json_t *document;

	(void)state;
	sample_report(&report, 1, 2, 1);
	/* Decimal commas, where that locale is installed. */
	(void)setlocale(LC_ALL, "de_DE.UTF-8");
	document = check_report(&report);
	assert_true(json_is_real(at(document, "depth/mean")));
	(void)setlocale(LC_ALL, "C");
	json_decref(document);
	report_free(&report);
}

/* The checker finds what is wrong: without this the tests above could not fail. */
static void test_checker(void **state)
{
	struct report report;
	json_t *document;
	char path[512];

	(void)state;
	sample_report(&report, 1, 1, 1);
	document = check_report(&report);
	json_object_del(at(document, "request/write/device"), "sum_ns");
	assert_false(document_valid(document, path));
	assert_string_equal(path, ".request.write.device.sum_ns is missing");
	json_object_set_new(at(document, "request/write/device"), "sum_ns", json_real(1.5));
	assert_false(document_valid(document, path));
	json_object_set_new(at(document, "request/write/device"), "sum_ns", json_integer(-1));
	assert_false(document_valid(document, path));
	json_object_set_new(at(document, "request/write/device"), "sum_ns", json_integer(1));
	assert_true(document_valid(document, path));
	json_object_set_new(document, "surprise", json_null());
	assert_false(document_valid(document, path));
	json_object_del(document, "surprise");
	json_object_set_new(document, "schema", json_string("fsbstat/2"));
	assert_false(document_valid(document, path));
	json_decref(document);
	report_free(&report);
}

static int load_schema(void **state)
{
	json_error_t error;

	(void)state;
	schema = json_load_file("docs/fsbstat-1.schema.json", 0, &error);
	if (!schema)
		print_error("docs/fsbstat-1.schema.json: %s (run from the top directory)\n",
			    error.text);
	return schema ? 0 : -1;
}

static int drop_schema(void **state)
{
	(void)state;
	json_decref(schema);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_null_layers_have_reasons),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_several_queues),
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_write_through),
		cmocka_unit_test(test_silent_bios),
		cmocka_unit_test(test_incomplete),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_locale),
		cmocka_unit_test(test_checker),
	};

	return cmocka_run_group_tests(tests, load_schema, drop_schema);
}
