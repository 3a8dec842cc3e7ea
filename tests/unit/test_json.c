// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_json: every document against docs/fsbstat-1.schema.json, in every shape a
 * recording can take; and the checker itself against documents that are wrong.
 */
#include <locale.h>

#include "document.h"

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
	expect_count(document, "depth/idle_ns", 5000000000);
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
	static const char *const layers[] = { "unsettled" };
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

static void test_owners(void **state)
{
	struct report report;
	json_t *document;

	(void)state;
	sample_report(&report, 1, 2, 1);
	document = check_report(&report);
	assert_int_equal(json_array_size(at(document, "owners")), 4);
	assert_string_equal(json_string_value(at(document, "owners/0/comm")), "jbd2/sda1-8");
	assert_string_equal(json_string_value(at(document, "owners/0/device")), "sda1");
	expect_count(document, "owners/0/preflush", 600);
	expect_count(document, "owners/0/fua", 580);
	assert_string_equal(json_string_value(at(document, "owners/1/comm")), "dbench");
	expect_count(document, "owners/1/tasks", 12);
	expect_count(document, "owners/1/bios", 2 * 12 * 29);
	expect_count(document, "owners/1/bytes", 2 * 312 * 8192);
	expect_count(document, "owners/2/write_ios", 2 * 1910);
	expect_null(document, "owners/3/comm");
	expect_null(document, "owners/3/device");
	expect_null(document, "owners/3/tasks");
	expect_count(document, "owners/3/empty_flush", 8);
	expect_reason(document, "owners.*.comm");
	expect_reason(document, "owners.*.fsync");
	json_decref(document);
	report.disk[0].groups.group[0].tasks = 0;
	document = check_report(&report);
	expect_null(document, "owners/0/tasks");
	expect_reason(document, "owners.*.tasks");
	json_decref(document);
	strcpy(report.disk[0].owners_unknown, "the loaded module does not count them");
	document = check_report(&report);
	expect_null(document, "owners");
	expect_reason(document, "owners");
	json_decref(document);
	report_free(&report);
}

static void test_unflushed(void **state)
{
	struct report report;
	struct report_disk *disk;
	json_t *document;

	(void)state;
	sample_report(&report, 1, 2, 1);
	disk = &report.disk[0];
	document = check_report(&report);
	expect_count(document, "unflushed/bytes_max", 8000000);
	expect_count(document, "unflushed/at_end_bytes", 0);
	expect_count(document, "unflushed/flushes_in_window", 1200);
	assert_true(json_number_value(at(document, "unflushed/seconds_max")) == 0.42);
	assert_true(json_number_value(at(document, "unflushed/bytes_mean")) > 400000);
	assert_true(json_is_true(at(document, "unflushed/exact")));
	expect_count(document, "runs/1/unflushed/flushes_in_window", 600);
	json_decref(document);
	disk->run[1].unflushed.flushes = 0;
	document = check_report(&report);
	expect_null(document, "runs/1/unflushed/bytes_max");
	expect_reason(document, "unflushed.*");
	json_decref(document);
	disk->figures.unflushed.cache_begin = FSBSTAT_WRITE_CACHE_OFF;
	disk->figures.unflushed.cache_end = FSBSTAT_WRITE_CACHE_OFF;
	document = check_report(&report);
	expect_count(document, "unflushed/bytes_max", 0);
	expect_reason(document, "unflushed");
	json_decref(document);
	disk->figures.unflushed.cache_end = FSBSTAT_WRITE_CACHE_ON;
	document = check_report(&report);
	expect_null(document, "unflushed");
	expect_reason(document, "unflushed");
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
	expect_count(document, "ata/drain/count", 1500);
	expect_count(document, "runs/1/ata/drain/count", 500);
	assert_null(at(document, "runs/1/ata/ncq/time_ns"));
	json_decref(document);
	/* Nothing had come to the disk before the second run. */
	memset(&report.disk[0].run[0].ata, 0, sizeof(report.disk[0].run[0].ata));
	document = check_report(&report);
	expect_null(document, "runs/0/ata");
	expect_reason(document, "intervals.*.ata");
	json_decref(document);
	report_free(&report);
}

static void test_several_queues(void **state)
{
	struct report report;
	json_t *document;

	(void)state;
	sample_report(&report, 1, 2, 4);
	report.disk[0].counted.busy_ms = 13000;
	document = check_report(&report);
	/* Of two windows of 10 s, by the kernel; of one alone it is not known. */
	expect_count(document, "depth/idle_ns", 7000000000);
	expect_null(document, "runs/0/depth/idle_ns");
	expect_reason(document, "depth.idle_ns");
	json_decref(document);
	report.disk[0].iostats_off = true;
	document = check_report(&report);
	expect_null(document, "depth/idle_ns");
	json_decref(document);
	report_free(&report);
	sample_report(&report, 1, 1, 4);
	document = check_report(&report);
	expect_null(document, "depth/max");
	expect_null(document, "depth/time_ns");
	expect_reason(document, "depth.time_ns");
	expect_null(document, "ata");
	expect_reason(document, "ata");
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
	sample_interval(disk, 1, 0, &disk->figures);
	sample_interval(disk, 1, 10000000000, &disk->figures);
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
	sample_write_through(&report.disk[0].end.info);
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
	sample_lost(disk);
	disk->end.have_stats = false;
	report.argv = NULL;
	document = check_report(&report);
	expect_null(document, "request");
	expect_null(document, "ata");
	expect_reason(document, "ata");
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_null_layers_have_reasons),
		cmocka_unit_test(test_owners),
		cmocka_unit_test(test_unflushed),
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
