// SPDX-License-Identifier: GPL-2.0-or-later
/* test_fs: calls of fsync and commits between two snapshots, and in the reports. */
#include <errno.h>

#include "document.h"

#define MS 1000000ULL

static void test_window(void **state)
{
	struct snapshot a, b;
	struct figures figures;
	struct delta delta, sum = { 0 };

	(void)state;
	sample_begin(&a, 1, 32);
	sample_fs(&a, 1, "ext4", true, 40, 100, 5 * MS);
	sample_fs(&a, 2, "ext4", false, 1, 1, 5 * MS);
	sample_copy(&b, &a);
	sample_fs(&b, 1, "ext4", true, 6, 20, 30 * MS);
	sample_fs(&b, 2, "ext4", false, 9, 9, 5 * MS); /* on another disk */
	sample_fs(&b, 3, "xfs", true, 0, 7, 2 * MS); /* mounted meanwhile */
	b.fs->all.missed = 3;
	assert_int_equal(delta_make(&delta, &a, &b), 0);
	figures_of(&figures, &delta);
	assert_true(figures.fs.calls && figures.fs.journal);
	assert_int_equal(figures.fs.sums.fsyncs, 27);
	assert_int_equal(figures.fs.sums.commits, 6);
	assert_int_equal(figures.fs.latency.count, 27);
	assert_int_equal(figures.fs.latency.sum_ns, (20 * 30 + 7 * 2) * MS);
	assert_int_equal(figures.fs.latency.max_ns, 30 * MS);
	assert_int_equal(figures.fs.all.missed, 3);
	/* Each of the two that are on the disk, and no third. */
	assert_int_equal(delta.fs->nr, 2);
	assert_int_equal(delta.fs->row[0].sums.fsyncs, 20);
	assert_int_equal(delta.fs->row[0].sums.commits, 6);
	assert_string_equal(delta.fs->row[1].type, "xfs");
	assert_int_equal(delta.fs->row[1].sums.fsyncs, 7);
	assert_int_equal(delta.fs->row[1].latency->count, 7);
	/* A further window adds to the rows of the first. */
	assert_int_equal(delta_add(&sum, &delta), 0);
	assert_int_equal(delta_add(&sum, &delta), 0);
	assert_int_equal(sum.fs->nr, 2);
	assert_int_equal(sum.fs->row[1].sums.fsyncs, 14);
	assert_int_equal(sum.fs->row[1].latency->count, 14);
	assert_int_equal(sum.fs->sums.fsyncs, 54);
	delta_free(&sum);
	delta_free(&delta);
	snapshot_free(&a);
	snapshot_free(&b);
}

/* What was mounted and left alone is known to have done nothing; what was not is not known. */
static void test_idle(void **state)
{
	struct snapshot a, b;
	struct delta delta;

	(void)state;
	sample_begin(&a, 1, 32);
	sample_fs(&a, 1, "ext4", true, 3, 1, MS);
	sample_copy(&b, &a);
	assert_int_equal(delta_make(&delta, &a, &b), 0);
	assert_false(delta.fs->calls || delta.fs->journal);
	delta_free(&delta);
	b.fs->calls = true;
	assert_int_equal(delta_make(&delta, &a, &b), 0);
	assert_true(delta.fs->calls && !delta.fs->journal);
	delta_free(&delta);
	snapshot_free(&a);
	snapshot_free(&b);
}

/* It counts as here when either end says so: it may have been unmounted in between. */
static void test_unmounted(void **state)
{
	struct snapshot a, b;
	struct delta delta;

	(void)state;
	sample_begin(&a, 1, 32);
	sample_fs(&a, 9, "btrfs", true, 0, 1, MS);
	sample_copy(&b, &a);
	sample_fs(&b, 9, "btrfs", false, 0, 4, MS);
	assert_int_equal(delta_make(&delta, &a, &b), 0);
	assert_int_equal(delta.fs->sums.fsyncs, 4);
	delta_free(&delta);
	snapshot_free(&b);
	/* Not known at one end: not known. */
	sample_copy(&b, &a);
	fs_counts_free(b.fs);
	b.fs = NULL;
	assert_int_equal(delta_make(&delta, &a, &b), 0);
	assert_null(delta.fs);
	delta_free(&delta);
	snapshot_free(&a);
	snapshot_free(&b);
}

static void test_went_back(void **state)
{
	struct snapshot a, b;
	struct delta delta;

	(void)state;
	sample_begin(&a, 1, 32);
	sample_fs(&a, 1, "ext4", true, 40, 100, 5 * MS);
	sample_begin(&b, 1, 32);
	sample_fs(&b, 1, "ext4", true, 40, 99, 5 * MS);
	assert_int_equal(delta_make(&delta, &a, &b), -ERANGE);
	/* Of a watch of its own it is all since that began. */
	b.watch.id++;
	assert_int_equal(delta_make(&delta, &a, &b), 0);
	assert_int_equal(delta.fs->sums.fsyncs, 99);
	delta_free(&delta);
	snapshot_free(&b);
	/* A superblock that is gone from the module has gone back as well. */
	sample_begin(&b, 1, 32);
	sample_fs(&b, 2, "ext4", true, 0, 1, MS);
	assert_int_equal(delta_make(&delta, &a, &b), -ERANGE);
	snapshot_free(&a);
	snapshot_free(&b);
}

static void test_rows(void **state)
{
	struct fs_counts *fs = calloc(1, sizeof(*fs));

	(void)state;
	assert_non_null(fs);
	assert_non_null(fs_new_row(fs, 8, 1, "ext4"));
	assert_null(fs_new_row(fs, 8, 1, "ext4"));
	assert_non_null(fs_new_row(fs, 8, 1, "xfs"));
	assert_null(fs_new_row(fs, 8, 2, "a name that is longer than any filesystem's"));
	assert_int_equal(fs->nr, 2);
	fs_counts_free(fs);
	fs_counts_free(NULL);
}

static void test_json(void **state)
{
	struct report report;
	json_t *document;

	(void)state;
	sample_report(&report, 1, 2, 1);
	report.disk[0].delta.fs->all.missed = 5;
	document = check_report(&report);
	expect_count(document, "fs/fsync/calls", 1800);
	expect_count(document, "fs/fsync/errors", 0);
	expect_count(document, "fs/fsync/latency/count", 1800);
	expect_count(document, "fs/fsync/latency/sum_ns", 1800 * 80 * MS);
	expect_count(document, "fs/commits", 600);
	expect_count(document, "runs/0/fs/fsync/calls", 900);
	expect_count(document, "quality/nmissed", 5);
	expect_count(document, "quality/fsync_lost", 0);
	json_decref(document);
	report_free(&report);
}

static void expect_no_fs(const struct report *report, const char *why)
{
	json_t *document = check_report(report);

	expect_null(document, "fs");
	assert_string_equal(json_string_value(at(document, "source_reason/fs")), why);
	json_decref(document);
}

static void test_unknown(void **state)
{
	struct report report;
	struct report_disk *disk;
	json_t *document;

	(void)state;
	sample_report(&report, 1, 1, 1);
	disk = &report.disk[0];
	disk->figures.fs.journal = false;
	document = check_report(&report);
	expect_null(document, "fs/commits");
	expect_reason(document, "fs.commits");
	json_decref(document);
	memset(&disk->figures.fs, 0, sizeof(disk->figures.fs));
	expect_no_fs(&report, "this kernel cannot probe functions, fsbctl check says more");
	strcpy(disk->begin.mounts.mount[0].fstype, "vfat");
	expect_no_fs(&report,
		     "no filesystem of a counted type is on it (ext2 to ext4, xfs, btrfs, f2fs)");
	fs_delta_free(disk->delta.fs);
	disk->delta.fs = NULL;
	expect_no_fs(&report, "the module could not tell");
	report_free(&report);
}

static void test_csv(void **state)
{
	struct report report;
	char *text;

	(void)state;
	sample_report(&report, 1, 1, 1);
	text = sample_output(&out_csv, &report);
	assert_non_null(strstr(text, ",fsync_calls,fsync_errors,fsync_count,fsync_sum_ns,"));
	assert_non_null(strstr(text, ",900,0,900,72000000000,"));
	assert_non_null(strstr(text, ",300,"));
	free(text);
	memset(&report.disk[0].figures.fs, 0, sizeof(report.disk[0].figures.fs));
	text = sample_output(&out_csv, &report);
	assert_null(strstr(text, ",900,0,900,"));
	free(text);
	report_free(&report);
}

static void expect_text(const struct report *report, const char *expected)
{
	char *text = sample_output(&out_text, report);

	if (!strstr(text, expected))
		fprintf(stderr, "no \"%s\" in:\n%s", expected, text);
	assert_non_null(strstr(text, expected));
	free(text);
}

static void test_text(void **state)
{
	struct report report;
	struct fs_figures *fs;

	(void)state;
	sample_report(&report, 1, 1, 1);
	fs = &report.disk[0].figures.fs;
	fs->sums.errors = 12;
	expect_text(&report, "p50 80.9 max ~81.8 ms, 12\n"
			     "                                                  failed\n");
	fs->sums = (struct fs_sums){ 0 };
	fs->latency.count = 0;
	memset(fs->latency.enough, 0, sizeof(fs->latency.enough));
	expect_text(&report, "  fsync calls                           0    0.0\n"
			     "  journal commits                       0    0.0\n");
	sample_without_ata(&report);
	fs->sums.fsyncs = 10;
	expect_text(&report, "60.00 flushes, 8.0 MB written,\n");
	expect_text(&report, " 336.0 ms of the disk flushing\n");
	fs->calls = false;
	expect_text(&report,
		    "  fsync calls                         n/a   this kernel cannot probe functions");
	report_free(&report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_unmounted),
		cmocka_unit_test(test_went_back),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, load_schema, drop_schema);
}
