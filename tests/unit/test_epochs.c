// SPDX-License-Identifier: GPL-2.0-or-later
/* test_epochs: where epochs begin and end, and what is counted in them. */
#include "option_sample.h"

static uint64_t writes_of(const struct figures *figures)
{
	return figures->class[FSBSTAT_CLASS_WRITE].counts.ios;
}

static const struct epoch *epoch(const struct sample_feed *feed, size_t i)
{
	assert_true(i < feed->epochs.nr_epochs);
	return &feed->epochs.epoch[i];
}

/* What an epoch must be: set, beginning after the feed's, held, writes. */
static void expect_epoch(const struct sample_feed *feed, size_t i, unsigned int set,
			 uint64_t began_s, uint64_t held_s, uint64_t writes)
{
	const struct epoch *e = epoch(feed, i);

	assert_int_equal(e->set, set);
	assert_int_equal(e->began_ns, (100 + began_s) * SECOND);
	assert_int_equal(e->held_ns, held_s * SECOND);
	assert_int_equal(e->ended_ns, e->began_ns + e->held_ns);
	assert_int_equal(writes_of(&e->figures), writes);
}

/* Nothing changes: one epoch, which holds all that was counted, whenever somebody looked. */
static void test_held_throughout(void **state)
{
	struct sample_feed feed;
	struct option_set a;

	(void)state;
	sample_options(&a, EXT4);
	sample_feed_begin(&feed);
	assert_false(epochs_settling(&feed.epochs));
	sample_look(&feed, &a, EPOCH_POLLED, 0, 0);
	assert_int_equal(epochs_current(&feed.epochs), 1);
	sample_seconds(&feed, &a, 5, 10);
	sample_look(&feed, &a, EPOCH_NOTIFIED, SECOND, 7);
	assert_int_equal(feed.epochs.nr_epochs, 1);
	assert_int_equal(feed.epochs.nr_sets, 1);
	expect_epoch(&feed, 0, 1, 0, 6, 57);
	assert_int_equal(epoch(&feed, 0)->nr_changes, 0);
	assert_int_equal(epochs_set(&feed.epochs, 1)->n, 1);
	assert_null(epochs_set(&feed.epochs, 0));
	assert_null(epochs_set(&feed.epochs, 2));
	assert_string_equal(epochs_set(&feed.epochs, 1)->name, "barrier");
	option_set_free(&a);
	sample_feed_end(&feed);
}

/* Polled: the second in which it changed is nobody's, nor are the 2 s after it was found. */
static void test_polled_change(void **state)
{
	const struct epoch_change *change;
	struct sample_feed feed;
	struct option_set a, b;

	(void)state;
	sample_options(&a, EXT4);
	sample_options(&b, EXT4);
	b.ncq = 1;
	sample_feed_begin(&feed);
	sample_look(&feed, &a, EPOCH_POLLED, 0, 0);
	sample_seconds(&feed, &a, 4, 10);
	sample_look(&feed, &b, EPOCH_POLLED, SECOND, 1000);
	assert_true(epochs_settling(&feed.epochs));
	assert_int_equal(epochs_current(&feed.epochs), 0);
	assert_int_equal(feed.epochs.nr_sets, 1);
	sample_seconds(&feed, &b, 1, 1000);
	assert_true(epochs_settling(&feed.epochs));
	sample_seconds(&feed, &b, 1, 1000);
	assert_false(epochs_settling(&feed.epochs));
	assert_int_equal(epochs_current(&feed.epochs), 2);
	sample_seconds(&feed, &b, 3, 20);
	assert_int_equal(feed.epochs.nr_epochs, 2);
	expect_epoch(&feed, 0, 1, 0, 4, 40);
	expect_epoch(&feed, 1, 2, 7, 3, 60);
	assert_false(epoch(&feed, 0)->open);
	assert_true(epoch(&feed, 1)->open);
	assert_int_equal(epoch(&feed, 1)->nr_changes, 1);
	change = &epoch(&feed, 1)->change[0];
	assert_int_equal(change->option.key, OPTION_NCQ);
	assert_int_equal(change->seen, EPOCH_POLLED);
	assert_int_equal(change->at_ns, 105 * SECOND);
	assert_int_equal(change->error_ns, SECOND);
	assert_string_equal(epochs_set(&feed.epochs, 2)->name, "NCQ 1");
	option_set_free(&a);
	option_set_free(&b);
	sample_feed_end(&feed);
}

/* Notified: it ended there, and what was counted up to there is its. */
static void test_notified_change(void **state)
{
	struct sample_feed feed;
	struct option_set a, b;

	(void)state;
	sample_options(&a, EXT4);
	sample_options(&b, EXT4_NOBARRIER);
	sample_feed_begin(&feed);
	sample_look(&feed, &a, EPOCH_POLLED, 0, 0);
	sample_seconds(&feed, &a, 4, 10);
	sample_look(&feed, &b, EPOCH_NOTIFIED, SECOND / 2, 3);
	assert_int_equal(feed.epochs.epoch[0].ended_ns, 104 * SECOND + SECOND / 2);
	assert_int_equal(writes_of(&feed.epochs.epoch[0].figures), 43);
	/* 1.5 s and 2.5 s behind it: the first look behind 2 s begins the epoch. */
	sample_look(&feed, &b, EPOCH_POLLED, 3 * SECOND / 2, 1000);
	assert_true(epochs_settling(&feed.epochs));
	sample_seconds(&feed, &b, 1, 1000);
	sample_seconds(&feed, &b, 2, 10);
	assert_int_equal(epoch(&feed, 1)->began_ns, 107 * SECOND);
	assert_int_equal(writes_of(&epoch(&feed, 1)->figures), 20);
	assert_int_equal(epoch(&feed, 1)->change[0].seen, EPOCH_NOTIFIED);
	assert_int_equal(epoch(&feed, 1)->change[0].error_ns, 0);
	option_set_free(&a);
	option_set_free(&b);
	sample_feed_end(&feed);
}

/* What does not outlive the settling time gets no number, but is listed. */
static void test_passing_set(void **state)
{
	struct sample_feed feed;
	struct option_set a, half, b;

	(void)state;
	sample_options(&a, EXT4);
	sample_options(&half, EXT4);
	sample_options(&b, EXT4);
	half.write_cache = OFF;
	b.write_cache = OFF;
	strcpy(b.write_cache_kernel, "write through");
	sample_feed_begin(&feed);
	sample_look(&feed, &a, EPOCH_POLLED, 0, 0);
	sample_seconds(&feed, &a, 2, 10);
	sample_look(&feed, &half, EPOCH_NOTIFIED, SECOND, 10);
	sample_look(&feed, &b, EPOCH_POLLED, SECOND, 10);
	sample_seconds(&feed, &b, 2, 10);
	sample_seconds(&feed, &b, 2, 50);
	assert_int_equal(feed.epochs.nr_sets, 2);
	assert_int_equal(feed.epochs.nr_epochs, 2);
	expect_epoch(&feed, 1, 2, 6, 2, 100);
	assert_int_equal(epoch(&feed, 1)->nr_changes, 2);
	assert_int_equal(epoch(&feed, 1)->change[0].option.key, OPTION_WRITE_CACHE);
	assert_int_equal(epoch(&feed, 1)->change[0].error_ns, 0);
	assert_int_equal(epoch(&feed, 1)->change[1].option.key, OPTION_WRITE_CACHE_KERNEL);
	assert_int_equal(epoch(&feed, 1)->change[1].error_ns, SECOND);
	assert_string_equal(epochs_set(&feed.epochs, 2)->name, "drive cache off");
	/* There and back within the settling time: a new epoch of the same set. */
	sample_look(&feed, &a, EPOCH_NOTIFIED, SECOND, 50);
	sample_look(&feed, &b, EPOCH_NOTIFIED, SECOND, 1);
	sample_seconds(&feed, &b, 3, 50);
	assert_int_equal(feed.epochs.nr_sets, 2);
	assert_int_equal(feed.epochs.nr_epochs, 3);
	assert_int_equal(epoch(&feed, 2)->set, 2);
	assert_int_equal(epoch(&feed, 2)->nr_changes, 4);
	assert_int_equal(epochs_set(&feed.epochs, 2)->n, 2);
	option_set_free(&a);
	option_set_free(&half);
	option_set_free(&b);
	sample_feed_end(&feed);
}

/* The drive was told something: what it then says is seen later, and is one change. */
static void test_unknown_for_a_moment(void **state)
{
	struct option_set a, unknown, off;
	struct sample_feed feed;
	char text[64];

	(void)state;
	sample_options(&a, EXT4);
	sample_options(&unknown, EXT4);
	sample_options(&off, EXT4);
	unknown.write_cache = UNKNOWN;
	off.write_cache = OFF;
	sample_feed_begin(&feed);
	sample_look(&feed, &a, EPOCH_POLLED, 0, 0);
	sample_seconds(&feed, &a, 3, 10);
	sample_look(&feed, &unknown, EPOCH_NOTIFIED, SECOND / 2, 10);
	/* The kernel has not asked it yet. */
	sample_look(&feed, &a, EPOCH_POLLED, SECOND / 2, 10);
	sample_look(&feed, &off, EPOCH_POLLED, SECOND / 2, 10);
	sample_seconds(&feed, &off, 4, 10);
	assert_int_equal(feed.epochs.nr_sets, 2);
	assert_int_equal(epoch(&feed, 1)->nr_changes, 1);
	assert_int_equal(epoch(&feed, 1)->change[0].at_ns, 103 * SECOND + SECOND / 2);
	assert_int_equal(epoch(&feed, 1)->change[0].error_ns, 0);
	option_change_text(text, sizeof(text), &epoch(&feed, 1)->change[0].option);
	assert_string_equal(text, "drive cache: on -> off");
	/* Told something else, or the same again: a disturbance, and the same set after it. */
	sample_look(&feed, &unknown, EPOCH_NOTIFIED, SECOND, 10);
	sample_look(&feed, &off, EPOCH_POLLED, SECOND, 10);
	sample_seconds(&feed, &off, 4, 10);
	assert_int_equal(feed.epochs.nr_epochs, 3);
	assert_int_equal(epoch(&feed, 2)->set, 2);
	option_change_text(text, sizeof(text), &epoch(&feed, 2)->change[0].option);
	assert_string_equal(text, "drive cache: set again (off)");
	option_set_free(&a);
	option_set_free(&unknown);
	option_set_free(&off);
	sample_feed_end(&feed);
}

/* An epoch in which nothing was counted is none. */
static void test_nothing_counted(void **state)
{
	struct sample_feed feed;
	struct option_set a, b;

	(void)state;
	sample_options(&a, EXT4);
	sample_options(&b, EXT4_NOBARRIER);
	sample_feed_begin(&feed);
	sample_look(&feed, &a, EPOCH_POLLED, 0, 0);
	sample_look(&feed, &b, EPOCH_POLLED, SECOND, 10);
	assert_int_equal(feed.epochs.nr_epochs, 0);
	sample_seconds(&feed, &b, 2, 10);
	assert_int_equal(feed.epochs.nr_epochs, 1);
	assert_int_equal(epoch(&feed, 0)->nr_changes, 1);
	sample_look(&feed, &a, EPOCH_POLLED, SECOND, 10);
	sample_seconds(&feed, &a, 4, 10);
	assert_int_equal(feed.epochs.nr_epochs, 1);
	assert_int_equal(epoch(&feed, 0)->set, 1);
	assert_int_equal(epoch(&feed, 0)->nr_changes, 2);
	/* A look without counts: time of which nothing is known. */
	feed.now_ns += 50 * SECOND;
	assert_int_equal(epochs_feed(&feed.epochs, feed.now_ns, EPOCH_POLLED, &a, NULL), 0);
	assert_int_equal(epoch(&feed, 0)->held_ns, 2 * SECOND);
	option_set_free(&a);
	option_set_free(&b);
	sample_feed_end(&feed);
}

/* A, B, A, B: two sets, and each pools both its epochs; the numbers stay. */
static void test_pooling(void **state)
{
	const struct epoch_set *first, *second;
	struct sample_feed feed;
	struct option_set a, b;

	(void)state;
	sample_options(&a, EXT4);
	sample_options(&b, EXT4_NOBARRIER);
	sample_feed_begin(&feed);
	for (unsigned int i = 0; i < 2; i++) {
		sample_look(&feed, &a, EPOCH_NOTIFIED, 0, 0);
		sample_seconds(&feed, &a, 2, 999);
		sample_seconds(&feed, &a, 5, 10 + i);
		sample_look(&feed, &b, EPOCH_NOTIFIED, 0, 0);
		sample_seconds(&feed, &b, 2, 999);
		sample_seconds(&feed, &b, 3, 20 + i);
	}
	assert_int_equal(feed.epochs.nr_sets, 2);
	assert_int_equal(feed.epochs.nr_epochs, 4);
	first = epochs_set(&feed.epochs, 1);
	second = epochs_set(&feed.epochs, 2);
	assert_int_equal(first->nr, 1);
	assert_int_equal(first->n, 2);
	/* The very first one had nothing to settle from. */
	assert_int_equal(first->held_ns, 12 * SECOND);
	assert_int_equal(first->delta.class[FSBSTAT_CLASS_WRITE].counts.ios, 2 * 999 + 50 + 55);
	assert_int_equal(first->delta.class[FSBSTAT_CLASS_WRITE].hist[FSBSTAT_HIST_DEVICE]->count,
			 2 * 999 + 50 + 55);
	assert_int_equal(second->n, 2);
	assert_int_equal(second->held_ns, 6 * SECOND);
	assert_int_equal(second->delta.class[FSBSTAT_CLASS_WRITE].counts.ios, 60 + 63);
	assert_int_equal(second->delta.bio.write_bytes, 4000 * (60 + 63));
	assert_int_equal(second->derived_from, 1);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(epoch(&feed, i)->set, 1 + i % 2);
	option_set_free(&a);
	option_set_free(&b);
	sample_feed_end(&feed);
}

/* A set is named by what differs from its nearest relative. */
static void test_names(void **state)
{
	static const char *const names[] = { "barrier", "nobarrier", "=2, drive cache off",
					     "=3, NCQ 1", "bfq" };
	struct option_set set[5];
	struct sample_feed feed;

	(void)state;
	sample_options(&set[0], EXT4);
	for (size_t i = 1; i < 4; i++)
		sample_options(&set[i], EXT4_NOBARRIER);
	set[2].write_cache = OFF;
	strcpy(set[2].write_cache_kernel, "write through");
	set[3].write_cache = OFF;
	strcpy(set[3].write_cache_kernel, "write through");
	set[3].ncq = 1;
	/* After all that is put back it is one step from the first, not three from the last. */
	sample_options(&set[4], EXT4);
	strcpy(set[4].scheduler, "bfq");
	sample_feed_begin(&feed);
	for (size_t i = 0; i < 5; i++) {
		sample_look(&feed, &set[i], EPOCH_NOTIFIED, 0, 0);
		sample_seconds(&feed, &set[i], 4, 10);
	}
	assert_int_equal(feed.epochs.nr_sets, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_string_equal(feed.epochs.set[i].name, names[i]);
		option_set_free(&set[i]);
	}
	assert_int_equal(feed.epochs.set[3].derived_from, 3);
	assert_int_equal(feed.epochs.set[4].derived_from, 1);
	sample_feed_end(&feed);
}

/* Runs: an epoch does not go on over what lies between them; a change there is noticed. */
static void test_break(void **state)
{
	struct sample_feed feed;
	struct option_set a, b;

	(void)state;
	sample_options(&a, EXT4);
	sample_options(&b, EXT4_NOBARRIER);
	sample_feed_begin(&feed);
	for (unsigned int run = 0; run < 3; run++) {
		const struct option_set *set = run < 2 ? &a : &b;

		feed.now_ns += 10 * SECOND;
		assert_int_equal(epochs_feed(&feed.epochs, feed.now_ns, EPOCH_POLLED, set, NULL),
				 0);
		sample_seconds(&feed, set, 4, 10);
		epochs_break(&feed.epochs);
		assert_null(epochs_open(&feed.epochs));
	}
	assert_int_equal(feed.epochs.nr_epochs, 3);
	expect_epoch(&feed, 0, 1, 10, 4, 40);
	expect_epoch(&feed, 1, 1, 24, 4, 40);
	expect_epoch(&feed, 2, 2, 40, 2, 20);
	assert_int_equal(epoch(&feed, 1)->nr_changes, 0);
	assert_int_equal(epoch(&feed, 2)->nr_changes, 1);
	assert_int_equal(epoch(&feed, 2)->change[0].error_ns, 10 * SECOND);
	assert_int_equal(epochs_set(&feed.epochs, 1)->n, 2);
	option_set_free(&a);
	option_set_free(&b);
	sample_feed_end(&feed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_held_throughout),
		cmocka_unit_test(test_polled_change),
		cmocka_unit_test(test_notified_change),
		cmocka_unit_test(test_passing_set),
		cmocka_unit_test(test_unknown_for_a_moment),
		cmocka_unit_test(test_nothing_counted),
		cmocka_unit_test(test_pooling),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_break),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
