// SPDX-License-Identifier: GPL-2.0-or-later
/* test_ata: what happened at the ATA link between two snapshots. */
#include "model/figures.h"
#include "sample.h"

#define MS 1000000ULL

static uint64_t whole(const struct ata_parts *parts)
{
	return parts->idle_ns + parts->queued_ns + parts->drain_ns + parts->alone_ns +
	       parts->error_ns;
}

/* Reads at a depth of 4, then a flush that waited for them. */
static void work(struct ata_counts *ata, uint64_t drain_ns)
{
	sample_ata_time(ata, &ata->sums.parts.queued_ns, 4, 20 * MS);
	sample_ata_time(ata, &ata->sums.parts.drain_ns, 1, drain_ns);
	sample_ata_time(ata, &ata->sums.parts.alone_ns, 0, 6 * MS);
	ata->sums.kind[FSBSTAT_ATA_NCQ_READ].ios += 40;
	ata->sums.kind[FSBSTAT_ATA_FLUSH].ios++;
	ata->sums.kind[FSBSTAT_ATA_FLUSH].busy_ns += 6 * MS;
	ata->sums.drains++;
	ata->sums.wait_ns += drain_ns;
	sample_ata_hist(ata, FSBSTAT_ATA_HIST_DRAIN, drain_ns);
	sample_ata_hist(ata, FSBSTAT_ATA_HIST_ALONE, 6 * MS);
	assert_true(ata_consistent(ata));
}

static void test_window(void **state)
{
	struct snapshot a, b;
	struct figures figures;
	struct delta delta;

	(void)state;
	sample_begin(&a, 1, 32);
	sample_ata(&a, 500 * MS);
	sample_ata_time(a.ata, &a.ata->sums.parts.queued_ns, 31, 70 * MS);
	work(a.ata, 9 * MS);
	sample_copy(&b, &a);
	work(b.ata, 3 * MS);
	work(b.ata, 4 * MS);
	assert_int_equal(delta_make(&delta, &a, &b), 0);
	assert_int_equal(delta.ata->elapsed_ns, (20 + 3 + 6 + 20 + 4 + 6) * MS);
	assert_int_equal(whole(&delta.ata->sums.parts), delta.ata->elapsed_ns);
	assert_int_equal(delta.ata->sums.parts.drain_ns, 7 * MS);
	assert_int_equal(delta.ata->sums.drains, 2);
	assert_int_equal(delta.ata->hist[FSBSTAT_ATA_HIST_DRAIN]->count, 2);
	assert_null(delta.ata->hist[FSBSTAT_ATA_HIST_REFILL]);
	assert_int_equal(ata_ncq_ios(&delta.ata->sums), 80);
	/* The depth of 31 lies before the window. */
	figures_of(&figures, &delta);
	assert_int_equal(figures.ata.tags_max, 4);
	assert_float_equal(figures.ata.tags_mean, (4 * 40 + 7) / 59.0, 0.000000001);
	assert_int_equal(figures.ata.latency[FSBSTAT_ATA_HIST_DRAIN].sum_ns, 7 * MS);
	assert_false(figures.ata.latency[FSBSTAT_ATA_HIST_DRAIN].exact);
	delta_free(&delta);
	delta_free(&delta);
	snapshot_free(&a);
	snapshot_free(&b);
}

/* The first command came within the window: until then the disk had been idle. */
static void test_first_command(void **state)
{
	struct snapshot a, b;
	struct delta delta;

	(void)state;
	sample_begin(&a, 1, 32);
	sample_time(&a.queue[0], 0, 400 * MS);
	sample_copy(&b, &a);
	assert_int_equal(delta_make(&delta, &a, &b), 0);
	assert_null(delta.ata);
	delta_free(&delta);
	sample_ata(&b, 450 * MS);
	work(b.ata, 5 * MS);
	assert_int_equal(delta_make(&delta, &a, &b), 0);
	assert_int_equal(delta.ata->elapsed_ns, (50 + 31) * MS);
	assert_int_equal(delta.ata->sums.parts.idle_ns, 50 * MS);
	assert_int_equal(whole(&delta.ata->sums.parts), delta.ata->elapsed_ns);
	assert_true(delta.ata->hist[FSBSTAT_ATA_HIST_DRAIN]->exact);
	delta_free(&delta);
	/* The command came while the first snapshot was read: not idle for that long. */
	ata_counts_free(b.ata);
	sample_ata(&b, 399 * MS);
	work(b.ata, 5 * MS);
	assert_int_equal(delta_make(&delta, &a, &b), 0);
	assert_int_equal(delta.ata->sums.parts.idle_ns, 0);
	assert_int_equal(delta.ata->elapsed_ns, 31 * MS);
	assert_int_equal(whole(&delta.ata->sums.parts), delta.ata->elapsed_ns);
	delta_free(&delta);
	snapshot_free(&a);
	snapshot_free(&b);
}

static void test_restarted(void **state)
{
	struct snapshot a, b;
	struct delta delta;

	(void)state;
	sample_begin(&a, 1, 32);
	sample_ata(&a, 5000 * MS);
	work(a.ata, MS);
	sample_begin(&b, 1, 32);
	b.watch.restarts++;
	sample_ata(&b, 100 * MS);
	work(b.ata, MS);
	assert_int_equal(delta_make(&delta, &a, &b), 0);
	assert_true(delta.restarted);
	assert_int_equal(delta.ata->elapsed_ns, (100 + 27) * MS);
	assert_int_equal(delta.ata->sums.drains, 1);
	delta_free(&delta);
	snapshot_free(&a);
	snapshot_free(&b);
}

static void expect_went_back(struct snapshot *a, struct snapshot *b)
{
	struct delta delta;

	assert_int_equal(delta_make(&delta, a, b), -34);
	assert_null(delta.ata);
}

static void test_never_goes_back(void **state)
{
	struct snapshot a, b;
	struct ata_counts *kept;

	(void)state;
	sample_begin(&a, 1, 32);
	sample_ata(&a, MS);
	work(a.ata, MS);
	sample_copy(&b, &a);
	b.ata->sums.kind[FSBSTAT_ATA_FLUSH].busy_ns--;
	expect_went_back(&a, &b);
	b.ata->sums.kind[FSBSTAT_ATA_FLUSH].busy_ns++;
	b.ata->time_ns--;
	expect_went_back(&a, &b);
	b.ata->time_ns++;
	b.ata->hist[FSBSTAT_ATA_HIST_DRAIN]->sum_ns--;
	expect_went_back(&a, &b);
	free(b.ata->hist[FSBSTAT_ATA_HIST_DRAIN]);
	b.ata->hist[FSBSTAT_ATA_HIST_DRAIN] = NULL;
	expect_went_back(&a, &b);
	kept = b.ata;
	b.ata = NULL;
	expect_went_back(&a, &b);
	ata_counts_free(kept);
	snapshot_free(&a);
	snapshot_free(&b);
}

static void test_windows_add_up(void **state)
{
	struct snapshot at[4];
	struct delta part, sum = { 0 }, all;

	(void)state;
	sample_begin(&at[0], 1, 32);
	sample_copy(&at[1], &at[0]);
	sample_ata(&at[1], 0);
	for (int i = 1; i < 4; i++) {
		if (i > 1)
			sample_copy(&at[i], &at[i - 1]);
		work(at[i].ata, (uint64_t)i * MS);
		assert_int_equal(delta_make(&part, &at[i - 1], &at[i]), 0);
		assert_int_equal(delta_add(&sum, &part), 0);
		delta_free(&part);
	}
	assert_int_equal(delta_make(&all, &at[0], &at[3]), 0);
	assert_int_equal(sum.ata->elapsed_ns, all.ata->elapsed_ns);
	assert_memory_equal(&sum.ata->sums, &all.ata->sums, sizeof(all.ata->sums));
	assert_memory_equal(sum.ata->hist[FSBSTAT_ATA_HIST_DRAIN]->bucket,
			    all.ata->hist[FSBSTAT_ATA_HIST_DRAIN]->bucket,
			    sizeof(all.ata->hist[0]->bucket));
	delta_free(&sum);
	delta_free(&all);
	for (int i = 0; i < 4; i++)
		snapshot_free(&at[i]);
}

static void test_consistent(void **state)
{
	struct ata_counts ata = { .start_ns = 5, .time_ns = 15 };

	(void)state;
	ata.sums.parts = (struct ata_parts){ 1, 2, 3, 2, 2 };
	ata.sums.tags_ns[0] = 3;
	ata.sums.tags_ns[32] = 5;
	assert_true(ata_consistent(&ata));
	ata.sums.parts.error_ns++;
	assert_false(ata_consistent(&ata));
	ata.sums.parts.idle_ns--;
	assert_false(ata_consistent(&ata));
	ata.sums.tags_ns[0]--;
	assert_true(ata_consistent(&ata));
	ata.time_ns = 4;
	assert_false(ata_consistent(&ata));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_first_command),
		cmocka_unit_test(test_restarted),
		cmocka_unit_test(test_never_goes_back),
		cmocka_unit_test(test_windows_add_up),
		cmocka_unit_test(test_consistent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
