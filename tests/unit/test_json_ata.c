// SPDX-License-Identifier: GPL-2.0-or-later
/* test_json_ata: the ATA layer of a document, and why it is null. */
#include "document.h"

static void test_ata(void **state)
{
	static const char *const parts[] = { "idle_ns", "queued_ns", "drain_ns", "alone_ns",
					     "error_ns" };
	json_int_t in_parts = 0, at_tags = 0;
	struct report report;
	json_t *document, *time;
	char path[64];
	size_t i;

	(void)state;
	sample_report(&report, 1, 1, 1);
	document = check_report(&report);
	expect_count(document, "ata/ncq/ios", 2312);
	expect_count(document, "ata/ncq/read/ios", 312);
	expect_count(document, "ata/ncq/write/ios", 2000);
	expect_count(document, "ata/ncq/fua_write/ios", 0);
	expect_count(document, "ata/ncq/max", 32);
	assert_true(json_real_value(at(document, "ata/ncq/mean")) > 0.7979 &&
		    json_real_value(at(document, "ata/ncq/mean")) < 0.7981);
	expect_count(document, "ata/non_ncq/flush/ios", 600);
	expect_count(document, "ata/non_ncq/flush/busy_ns", 3360000000);
	expect_count(document, "ata/non_ncq/flush/histogram/sum_ns", 3360000000);
	expect_count(document, "ata/non_ncq/other/ios", 0);
	expect_count(document, "ata/drain/count", 500);
	expect_count(document, "ata/drain/wait/sum_ns", 480000000);
	expect_count(document, "ata/drain/turnaround/sum_ns", 20000000);
	expect_count(document, "ata/drain/histogram/max_ns", 50900000);
	expect_count(document, "ata/refill/count", 480);
	expect_count(document, "ata/refill/censored", 20);
	expect_count(document, "ata/refill/histogram/count", 480);
	expect_count(document, "ata/tag_time_lost_ns", 7000000000);
	expect_count(document, "ata/errors", 0);
	assert_string_equal(json_string_value(at(document, "ata/deferral")), "libata");
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		snprintf(path, sizeof(path), "ata/time/%s", parts[i]);
		in_parts += json_integer_value(at(document, path));
	}
	json_array_foreach(at(document, "ata/ncq/time_ns"), i, time)
		at_tags += json_integer_value(time);
	assert_int_equal(i, 33);
	expect_count(document, "ata/elapsed_ns", in_parts);
	assert_int_equal(at_tags, in_parts);
	json_decref(document);
	report_free(&report);
}

static void expect_no_ata(const struct report *report, const char *why)
{
	json_t *document = check_report(report);

	expect_null(document, "ata");
	assert_string_equal(json_string_value(at(document, "source_reason/ata")), why);
	json_decref(document);
}

static void test_ata_unknown(void **state)
{
	struct report report;

	(void)state;
	sample_report(&report, 1, 2, 1);
	sample_without_ata(&report);
	expect_no_ata(&report, "no ATA command seen yet");
	report.ata_hooks = false;
	expect_no_ata(&report, "libata's tracepoints are missing, fsbctl check says why");
	report.disk[0].begin.info.ncq = -1;
	expect_no_ata(&report, "not behind libata");
	report_free(&report);
}

static void expect_deferral(const struct report *report, const char *expected)
{
	json_t *document = check_report(report), *deferral = at(document, "ata/deferral");

	if (expected) {
		assert_string_equal(json_string_value(deferral), expected);
	} else {
		assert_true(json_is_null(deferral));
		expect_reason(document, "ata.deferral");
	}
	json_decref(document);
}

static void test_deferral(void **state)
{
	struct report report;
	struct figures *figures;

	(void)state;
	sample_report(&report, 1, 1, 1);
	figures = &report.disk[0].figures;
	figures->class[FSBSTAT_CLASS_WRITE].counts.requeues = 7;
	expect_deferral(&report, "libata");
	figures->class[FSBSTAT_CLASS_FLUSH].counts.requeues = 3;
	expect_deferral(&report, "requeue");
	figures->ata.sums.errors = 1;
	expect_deferral(&report, NULL);
	figures->class[FSBSTAT_CLASS_FLUSH].counts.requeues = 0;
	figures->ata.sums.drains = 0;
	expect_deferral(&report, NULL);
	report_free(&report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ata),
		cmocka_unit_test(test_ata_unknown),
		cmocka_unit_test(test_deferral),
	};

	return cmocka_run_group_tests(tests, load_schema, drop_schema);
}
