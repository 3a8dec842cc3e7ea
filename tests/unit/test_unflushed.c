// SPDX-License-Identifier: GPL-2.0-or-later
/* test_unflushed: what is written and not flushed, from two snapshots to what is said of it. */
#include <errno.h>

#include "model/figures.h"
#include "sample_report.h"

#define MS 1000000ULL
#define UNIT_MS 1024000ULL /* a whole number of the integral's units */

static void difference(struct unflushed_delta *result, const struct snapshot *a,
		       const struct snapshot *b)
{
	struct delta delta;

	assert_int_equal(delta_make(&delta, a, b), 0);
	*result = delta.unflushed;
	delta_free(&delta);
}

/* 100 writes of 4 KiB, one every 10.24 ms, a flush after every tenth. */
static void test_window(void **state)
{
	struct unflushed_delta result;
	struct snapshot a, b;
	int i;

	(void)state;
	sample_begin(&a, 1, 32);
	sample_copy(&b, &a);
	for (i = 1; i <= 100; i++) {
		sample_write(&b.unflushed, 4096);
		sample_unflushed_time(&b.unflushed, 10 * UNIT_MS);
		if (i % 10 == 0)
			sample_flush(&b.unflushed);
	}
	difference(&result, &a, &b);
	assert_int_equal(result.elapsed_ns, 1000 * UNIT_MS);
	assert_int_equal(result.flushes, 10);
	assert_int_equal(result.bytes_max, 40960);
	assert_int_equal(result.age_max_ns, 100 * UNIT_MS);
	assert_true(result.exact);
	assert_int_equal(result.at_end, 0);
	/* 1 to 10 pages, each as long as the others. */
	assert_float_equal(unflushed_mean(&result), 5.5 * 4096, 0.001);
	assert_int_equal(b.unflushed.written - b.unflushed.covered, result.at_end);
	snapshot_free(&a);
	snapshot_free(&b);
}

/* What is held at the ends counts, without any flush. */
static void test_ends(void **state)
{
	struct unflushed_delta result;
	struct snapshot a, b, c;

	(void)state;
	sample_begin(&a, 1, 32);
	sample_write(&a.unflushed, 8 << 20);
	sample_unflushed_time(&a.unflushed, 700 * MS);
	sample_copy(&b, &a);
	sample_flush(&b.unflushed);
	sample_unflushed_time(&b.unflushed, 1000 * UNIT_MS);
	difference(&result, &a, &b);
	assert_int_equal(result.bytes_max, 8 << 20);
	assert_int_equal(result.age_max_ns, 700 * MS);
	assert_int_equal(result.at_end, 0);
	assert_float_equal(unflushed_mean(&result), 0, 0.001);
	sample_copy(&c, &b);
	sample_unflushed_time(&c.unflushed, 1000 * UNIT_MS);
	sample_write(&c.unflushed, 512);
	sample_unflushed_time(&c.unflushed, 1000 * UNIT_MS);
	difference(&result, &b, &c);
	assert_int_equal(result.flushes, 0);
	assert_int_equal(result.bytes_max, 512);
	assert_int_equal(result.at_end, 512);
	assert_int_equal(result.age_max_ns, 1000 * UNIT_MS);
	assert_float_equal(unflushed_mean(&result), 256, 0.001);
	assert_true(result.exact);
	snapshot_free(&a);
	snapshot_free(&b);
	snapshot_free(&c);
}

/* An earlier maximum hides a later one: that is read off the histogram, within 1/32. */
static void test_inexact(void **state)
{
	struct unflushed_delta result;
	struct snapshot a, b;

	(void)state;
	sample_begin(&a, 1, 32);
	sample_write(&a.unflushed, 1 << 30);
	sample_unflushed_time(&a.unflushed, 5000 * MS);
	sample_flush(&a.unflushed);
	sample_copy(&b, &a);
	sample_write(&b.unflushed, 1000000 / 512 * 512);
	sample_unflushed_time(&b.unflushed, 33 * MS);
	sample_flush(&b.unflushed);
	difference(&result, &a, &b);
	assert_false(result.exact);
	assert_in_range(result.bytes_max, 999936, 999936 * 33 / 32);
	assert_in_range(result.age_max_ns, 33 * MS, 34032258);
	snapshot_free(&a);
	snapshot_free(&b);
}

/* The integral wraps; only differences mean something. */
static void test_wrapped(void **state)
{
	struct unflushed_delta result;
	struct snapshot a, b;

	(void)state;
	sample_begin(&a, 1, 32);
	a.unflushed.integral = UINT64_MAX - 10;
	sample_copy(&b, &a);
	sample_write(&b.unflushed, 1 << 20);
	sample_unflushed_time(&b.unflushed, 1000 * UNIT_MS);
	difference(&result, &a, &b);
	assert_true(b.unflushed.integral < a.unflushed.integral);
	assert_float_equal(unflushed_mean(&result), 1048576, 0.001);
	snapshot_free(&a);
	snapshot_free(&b);
}

static void test_backwards(void **state)
{
	struct snapshot a, b;
	struct delta delta;
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		sample_begin(&a, 1, 32);
		sample_write(&a.unflushed, 512);
		sample_unflushed_time(&a.unflushed, MS);
		sample_flush(&a.unflushed);
		sample_copy(&b, &a);
		if (i == 0)
			b.unflushed.written = 0;
		else if (i == 1)
			b.unflushed.flushes = 0;
		else
			b.unflushed.time_ns--;
		assert_int_equal(delta_make(&delta, &a, &b), -ERANGE);
		snapshot_free(&a);
		snapshot_free(&b);
	}
}

/* Counting began again: from then on; not known: stays so. */
static void test_restarted(void **state)
{
	struct unflushed_delta result;
	struct snapshot a, b;

	(void)state;
	sample_begin(&a, 1, 32);
	sample_write(&a.unflushed, 1 << 20);
	sample_unflushed_time(&a.unflushed, 1000 * UNIT_MS);
	sample_begin(&b, 1, 32);
	b.watch.restarts++;
	sample_write(&b.unflushed, 4096);
	sample_unflushed_time(&b.unflushed, 500 * UNIT_MS);
	difference(&result, &a, &b);
	assert_int_equal(result.elapsed_ns, 500 * UNIT_MS);
	assert_int_equal(result.bytes_max, 4096);
	assert_true(result.settings_changed);
	b.unflushed.time_ns = 0;
	difference(&result, &a, &b);
	assert_int_equal(result.elapsed_ns, 0);
	snapshot_free(&a);
	snapshot_free(&b);
}

/* Windows one after another are as one. */
static void test_added(void **state)
{
	struct snapshot snap[3];
	struct delta delta, sum;
	int i;

	(void)state;
	memset(&sum, 0, sizeof(sum));
	sample_begin(&snap[0], 1, 32);
	for (i = 0; i < 2; i++) {
		sample_copy(&snap[i + 1], &snap[i]);
		sample_write(&snap[i + 1].unflushed, (i + 1) * 1024);
		sample_unflushed_time(&snap[i + 1].unflushed, 500 * UNIT_MS);
		sample_flush(&snap[i + 1].unflushed);
		assert_int_equal(delta_make(&delta, &snap[i], &snap[i + 1]), 0);
		assert_int_equal(delta_add(&sum, &delta), 0);
		delta_free(&delta);
	}
	assert_int_equal(sum.unflushed.flushes, 2);
	assert_int_equal(sum.unflushed.bytes_max, 2048);
	assert_float_equal(unflushed_mean(&sum.unflushed), 1536, 0.001);
	assert_false(sum.unflushed.settings_changed);
	snap[2].unflushed.time_ns = 0;
	assert_int_equal(delta_make(&delta, &snap[1], &snap[2]), 0);
	assert_int_equal(delta_add(&sum, &delta), 0);
	assert_int_equal(sum.unflushed.elapsed_ns, 0);
	delta_free(&delta);
	delta_free(&sum);
	for (i = 0; i < 3; i++)
		snapshot_free(&snap[i]);
}

static void expect(const struct report *report, enum unflushed expected, const char *text)
{
	const struct report_disk *disk = &report->disk[0];
	const char *why;

	assert_int_equal(report_unflushed(disk, &disk->figures, &why), expected);
	if (text)
		assert_non_null(strstr(why, text));
}

/* Whether the figure applies is for the drive's own cache to decide. */
static void test_cache(void **state)
{
	struct unflushed_delta *unflushed;
	struct report report;
	struct report_disk *disk;

	(void)state;
	sample_report(&report, 1, 1, 1);
	disk = &report.disk[0];
	unflushed = &disk->figures.unflushed;
	expect(&report, UNFLUSHED_KNOWN, NULL);
	strcpy(disk->begin.info.write_cache_kernel, "write through");
	expect(&report, UNFLUSHED_KNOWN, NULL);
	unflushed->flushes = 0;
	expect(&report, UNFLUSHED_NO_FLUSH, NULL);
	unflushed->cache_begin = FSBSTAT_WRITE_CACHE_OFF;
	expect(&report, UNFLUSHED_UNKNOWN, "switched");
	unflushed->cache_end = FSBSTAT_WRITE_CACHE_OFF;
	expect(&report, UNFLUSHED_CACHE_OFF, "is off");
	unflushed->settings_changed = true;
	expect(&report, UNFLUSHED_UNKNOWN, "changed meanwhile");
	/* Not told any more, but seen by ourselves at the end. */
	unflushed->cache_begin = FSBSTAT_WRITE_CACHE_ON;
	unflushed->cache_end = FSBSTAT_WRITE_CACHE_UNKNOWN;
	expect(&report, UNFLUSHED_NO_FLUSH, NULL);
	disk->end.info.write_cache = UNKNOWN;
	expect(&report, UNFLUSHED_UNKNOWN, "not known");
	unflushed->elapsed_ns = 0;
	expect(&report, UNFLUSHED_UNKNOWN, "could not be read");
	report_free(&report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_window),	  cmocka_unit_test(test_ends),
		cmocka_unit_test(test_inexact),	  cmocka_unit_test(test_wrapped),
		cmocka_unit_test(test_backwards), cmocka_unit_test(test_restarted),
		cmocka_unit_test(test_added),	  cmocka_unit_test(test_cache),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
