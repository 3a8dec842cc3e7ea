// SPDX-License-Identifier: GPL-2.0-or-later
/* test_diskstats: the kernel's own counters as snapshots, and as a source. */
#include <errno.h>

#include "model/figures.h"
#include "source/diskstats.h"
#include "source/source.h"
#include "tree.h"

static const struct disk sda = { "sda", 8, 0 };

static void test_what_is_told(void **state)
{
	struct diskstats stats = { .read_ios = 1000, .inflight = 3 };
	struct diskstats_track track;
	struct figures figures;
	struct snapshot a, b;
	struct delta delta;
	uint64_t number;
	double ns;

	(void)state;
	diskstats_begin(&track, &stats, 1000000000);
	assert_int_equal(diskstats_snapshot(&track, &sda, &a), 0);
	assert_int_equal(a.queue[0].class[FSBSTAT_CLASS_READ].ios, 0);
	stats = (struct diskstats){ 1010, 2, 160, 50, 20, 5, 320, 100, 4, 500, 160, 3, 1, 24, 9,
				    7, 35 };
	stats.inflight = 4;
	stats.busy_ms = 500;
	stats.waiting_ms = 160;
	diskstats_take(&track, &stats, 3000000000);
	assert_int_equal(diskstats_snapshot(&track, &sda, &b), 0);
	assert_int_equal(delta_make(&delta, &a, &b), 0);
	figures_of(&figures, &delta);
	assert_int_equal(figures.elapsed_ns, 2000000000);
	assert_int_equal(figures.class[FSBSTAT_CLASS_READ].counts.ios, 10);
	assert_int_equal(figures.class[FSBSTAT_CLASS_READ].counts.bytes, 160 * 512);
	assert_int_equal(figures.class[FSBSTAT_CLASS_FLUSH].counts.ios, stats.flush_ios);
	assert_true(figures_mean(&figures, FSBSTAT_CLASS_READ, &ns) && ns == 5e6);
	assert_false(figures_mean(&figures, FSBSTAT_CLASS_FUA_WRITE, &ns));
	assert_false(figures_class_known(&figures, FSBSTAT_CLASS_FUA_WRITE));
	assert_true(figures_merges(&figures, FSBSTAT_CLASS_WRITE, &number) && number == 5);
	assert_false(figures_merges(&figures, FSBSTAT_CLASS_FLUSH, &number));
	assert_true(figures.depth_mean > 0.0799 && figures.depth_mean < 0.0801);
	assert_true(figures.idle_ns == 1.5e9);
	assert_int_equal(figures.inflight_begin, 3);
	assert_int_equal(figures.inflight_end, 4);
	assert_true(figures.missing == diskstats_missing);
	delta_free(&delta);
	snapshot_free(&a);
	snapshot_free(&b);
}

/* The kernel prints milliseconds as 32 bits: they wrap after 49 days of requests. */
static void test_wrap(void **state)
{
	struct diskstats stats = { .write_ios = 5, .write_ms = 4294967290 };
	struct diskstats_track track;

	(void)state;
	diskstats_begin(&track, &stats, 1);
	stats.write_ios = 6;
	stats.write_ms = 10;
	diskstats_take(&track, &stats, 2);
	assert_int_equal(track.sum.write_ms, 16);
	assert_int_equal(track.restarts, 0);
	stats.write_ms = 9;
	diskstats_take(&track, &stats, 3);
	/* One that went back without having been near its end began again. */
	assert_int_equal(track.restarts, 1);
	assert_int_equal(track.sum.write_ms, 0);
}

static void test_subtract(void **state)
{
	struct diskstats a = { .read_ios = 10, .write_sectors = 1000, .read_ms = UINT32_MAX - 4,
			       .flush_ios = 3, .inflight = 9 };
	struct diskstats b = { .read_ios = 15, .write_sectors = 1000, .read_ms = 5,
			       .flush_ios = 4, .inflight = 2 };
	struct diskstats delta = { .read_ios = 77 };

	(void)state;
	assert_int_equal(diskstats_subtract(&delta, &b, &a), 0);
	assert_int_equal(delta.read_ios, 5);
	assert_int_equal(delta.write_sectors, 0);
	assert_int_equal(delta.read_ms, 10);
	assert_int_equal(delta.flush_ios, 1);
	assert_int_equal(delta.inflight, 2);
	diskstats_add(&delta, &delta);
	assert_int_equal(delta.read_ios, 10);
	/* Any one that began again spoils all; nothing is half done. */
	b.flush_ios = 2;
	delta.read_ios = 77;
	assert_int_equal(diskstats_subtract(&delta, &b, &a), -ERANGE);
	assert_int_equal(delta.read_ios, 77);
	b = a;
	b.read_ms = 100;
	a.read_ms = 200;
	assert_int_equal(diskstats_subtract(&delta, &b, &a), -ERANGE);
}

/* Another device by the same number: no count of 2^64, counting begins again and says so. */
static void test_came_back(void **state)
{
	struct diskstats stats = { .read_ios = 100, .write_ios = 100 };
	struct diskstats_track track;
	struct snapshot a, b;
	struct delta delta;

	(void)state;
	diskstats_begin(&track, &stats, 1000);
	stats.read_ios = 150;
	diskstats_take(&track, &stats, 2000);
	assert_int_equal(diskstats_snapshot(&track, &sda, &a), 0);
	stats = (struct diskstats){ .read_ios = 7, .write_ios = 120 };
	diskstats_take(&track, &stats, 3000);
	assert_int_equal(diskstats_snapshot(&track, &sda, &b), 0);
	assert_int_equal(delta_make(&delta, &a, &b), 0);
	assert_true(delta.restarted);
	/* When it came, and how much of that is older, nobody knows. */
	assert_int_equal(delta.class[FSBSTAT_CLASS_READ].counts.ios, 0);
	assert_int_equal(delta.class[FSBSTAT_CLASS_WRITE].counts.ios, 0);
	assert_int_equal(delta.elapsed_ns, 0);
	delta_free(&delta);
	snapshot_free(&a);
	a = b;
	stats.read_ios = 9;
	diskstats_take(&track, &stats, 5000);
	assert_int_equal(diskstats_snapshot(&track, &sda, &b), 0);
	assert_int_equal(delta_make(&delta, &a, &b), 0);
	assert_false(delta.restarted);
	assert_int_equal(delta.class[FSBSTAT_CLASS_READ].counts.ios, 2);
	assert_int_equal(delta.elapsed_ns, 2000);
	delta_free(&delta);
	snapshot_free(&a);
	snapshot_free(&b);
}

#define SDA "/sys/devices/pci/ata1/sda"

static struct source *tree_source(void)
{
	struct disk_set set = { .disk = (struct disk *)&sda, .nr = 1 };
	struct source *source;

	tree_make();
	tree_disk(SDA, "8:0", "2048", 1, "32");
	tree_file(SDA "/stat", "1 0 8 0 0 0 0 0 0 0 0\n");
	assert_int_equal(source_open(&source, SOURCE_DISKSTATS, NULL), 0);
	assert_int_equal(source_watch(source, &set, NULL), 0);
	return source;
}

static void test_source(void **state)
{
	struct source *source = tree_source();
	struct source_instant instant;
	struct snapshot snap;

	(void)state;
	assert_int_equal(source_kind(source), SOURCE_DISKSTATS);
	assert_non_null(source_missing(source, LAYER_ATA));
	assert_true(source_settled(source));
	assert_int_equal(source_fd(source), -1);
	tree_file(SDA "/stat", "5 0 40 0 0 0 0 0 1 0 0 0 0 0 0 2 0 and more\n");
	assert_int_equal(source_step(source, &instant), 1);
	assert_int_equal(source_snapshot(source, 0, &snap), 0);
	assert_int_equal(snap.queue[0].class[FSBSTAT_CLASS_READ].ios, 4);
	assert_int_equal(snap.queue[0].class[FSBSTAT_CLASS_FLUSH].ios, 2);
	snapshot_free(&snap);
	assert_null(source_vanished(source, 0));
	tree_remove();
	assert_non_null(source_vanished(source, 0));
	/* The last counts stay readable. */
	assert_int_equal(source_snapshot(source, 0, &snap), 0);
	assert_int_equal(snap.watch.state, FSBSTAT_DISK_GONE);
	assert_int_equal(snap.queue[0].class[FSBSTAT_CLASS_READ].ios, 4);
	snapshot_free(&snap);
	source_close(source);
}

/* A disk that came by the number of one that went is not the one that was asked for. */
static void test_another_disk(void **state)
{
	struct source *source = tree_source();
	struct snapshot snap;

	(void)state;
	tree_file(SDA "/diskseq", "9\n");
	tree_file(SDA "/stat", "9 0 72 0 0 0 0 0 0 0 0\n");
	assert_int_equal(source_snapshot(source, 0, &snap), 0);
	assert_int_equal(snap.watch.state, FSBSTAT_DISK_GONE);
	assert_int_equal(snap.queue[0].class[FSBSTAT_CLASS_READ].ios, 0);
	snapshot_free(&snap);
	source_close(source);
	tree_remove();
}

static void test_no_disk(void **state)
{
	struct disk_set set = { .disk = (struct disk *)&sda, .nr = 1 };
	struct source *source;
	size_t culprit = 7;

	(void)state;
	tree_make();
	assert_int_equal(source_open(&source, SOURCE_DISKSTATS, NULL), 0);
	assert_int_equal(source_watch(source, &set, &culprit), -ENOENT);
	assert_int_equal(culprit, 0);
	source_close(source);
	tree_remove();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_told),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_subtract),
		cmocka_unit_test(test_came_back),
		cmocka_unit_test(test_source),
		cmocka_unit_test(test_another_disk),
		cmocka_unit_test(test_no_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
