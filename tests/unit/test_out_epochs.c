// SPDX-License-Identifier: GPL-2.0-or-later
/* test_out_epochs: option sets and epochs in a report, as JSON and as text. */
#include "document.h"
#include "option_sample.h"

/* A report in whose window that was fed; the feed's epochs become its. */
static void report_of(struct report *report, struct sample_feed *feed)
{
	sample_report(report, 1, 1, 1);
	report->origin_ns = 100 * SECOND;
	report->disk[0].epochs = feed->epochs;
	snapshot_free(&feed->last);
}

/* 4 s with barrier, 3 s settled without (remounted after 4.5 s), and an end with NCQ 1. */
static void fed(struct report *report)
{
	struct option_set a, b, c;
	struct sample_feed feed;

	sample_options(&a, EXT4);
	sample_options(&b, EXT4_NOBARRIER);
	sample_options(&c, EXT4_NOBARRIER);
	c.ncq = 1;
	sample_feed_begin(&feed);
	sample_look(&feed, &a, EPOCH_POLLED, 0, 0);
	sample_seconds(&feed, &a, 4, 10);
	sample_look(&feed, &b, EPOCH_NOTIFIED, SECOND / 2, 5);
	sample_look(&feed, &b, EPOCH_POLLED, SECOND / 2, 5);
	sample_seconds(&feed, &b, 2, 10);
	sample_seconds(&feed, &b, 3, 20);
	sample_look(&feed, &c, EPOCH_POLLED, SECOND, 7);
	epochs_break(&feed.epochs);
	report_of(report, &feed);
	option_set_free(&a);
	option_set_free(&b);
	option_set_free(&c);
}

static void expect_text(const char *text, const char *expected)
{
	if (!strstr(text, expected))
		fprintf(stderr, "no \"%s\" in:\n%s", expected, text);
	assert_non_null(strstr(text, expected));
}

static void expect_word(json_t *document, const char *path, const char *word)
{
	assert_true(json_is_string(at(document, path)));
	assert_string_equal(json_string_value(at(document, path)), word);
}

static void test_json(void **state)
{
	struct report report;
	json_t *document;

	(void)state;
	fed(&report);
	document = check_report(&report);
	assert_int_equal(json_array_size(at(document, "epochs")), 2);
	expect_count(document, "epochs/0/set", 1);
	expect_count(document, "epochs/0/began_ns", 0);
	expect_count(document, "epochs/0/held_ns", 4500000000);
	expect_count(document, "epochs/0/request/write/ios", 45);
	assert_int_equal(json_array_size(at(document, "epochs/0/changed")), 0);
	expect_count(document, "epochs/1/set", 2);
	expect_count(document, "epochs/1/began_ns", 7000000000);
	expect_count(document, "epochs/1/held_ns", 3000000000);
	expect_count(document, "epochs/1/request/write/ios", 60);
	expect_word(document, "epochs/1/changed/0/what", "mount");
	expect_word(document, "epochs/1/changed/0/source", "sda1");
	expect_word(document, "epochs/1/changed/0/from", "barrier");
	expect_word(document, "epochs/1/changed/0/to", "nobarrier");
	expect_word(document, "epochs/1/changed/0/seen", "notified");
	expect_count(document, "epochs/1/changed/0/at_ns", 4500000000);
	expect_count(document, "epochs/1/changed/0/error_ns", 0);
	expect_word(document, "unsettled/changed/0/what", "ncq");
	expect_null(document, "unsettled/changed/0/source");
	expect_count(document, "unsettled/changed/0/at_ns", 11000000000);
	expect_count(document, "unsettled/changed/0/error_ns", 1000000000);
	expect_word(document, "unsettled/changed/0/seen", "polled");
	assert_int_equal(json_array_size(at(document, "option_sets")), 2);
	expect_null(document, "option_sets/0/derived_from");
	expect_count(document, "option_sets/1/derived_from", 1);
	expect_word(document, "option_sets/1/name", "nobarrier");
	expect_word(document, "option_sets/1/options/mounts/0/options", EXT4_NOBARRIER);
	expect_word(document, "option_sets/1/options/write_cache", "on");
	expect_count(document, "option_sets/1/options/ncq", 32);
	assert_true(json_real_value(at(document, "option_sets/1/rates/write_per_s/mean")) == 20);
	expect_null(document, "option_sets/1/rates/write_per_s/half_95");
	expect_null(document, "option_sets/1/rates/write_per_s/change");
	expect_word(document, "option_sets/1/rates/write_per_s/why_no_change",
		    "not comparable (one epoch)");
	json_decref(document);
	report_free(&report);
}

static const char table[] =
	"option sets on sda                              baseline 1     settle 0.0 s\n"
	"    set                      n    held        write/s  change             each\n"
	"b 1 ext4 barrier, cache      3  12.0 s   100.0 +- 0.0  baseline           4.0 kB\n"
	"    on, NCQ 32,\n"
	"    mq-deadline\n"
	"  2 nobarrier                3  12.0 s   150.0 +- 2.5  +50 % [48, 52]     4.0 kB\n"
	"\n"
	" #     began     held  set  what changed before it                  seen\n"
	" 1     0.0 s    4.0 s    1\n"
	"       4.0 s               sda1: barrier -> nobarrier              at once\n"
	" 2     4.0 s    4.0 s    2\n"
	"       8.0 s               sda1: nobarrier -> barrier              at once\n"
	" 3     8.0 s    4.0 s    1\n"
	"      12.0 s               sda1: barrier -> nobarrier              at once\n"
	" 4    12.0 s    4.0 s    2\n"
	"      16.0 s               sda1: nobarrier -> barrier              at once\n"
	" 5    16.0 s    4.0 s    1\n"
	"      20.0 s               sda1: barrier -> nobarrier              at once\n"
	" 6    20.0 s    4.0 s    2\n";

static void test_compared(void **state)
{
	struct option_set a, b;
	struct sample_feed feed;
	struct report report;
	json_t *document;
	char *text;

	(void)state;
	sample_options(&a, EXT4);
	sample_options(&b, EXT4_NOBARRIER);
	sample_feed_begin(&feed);
	feed.epochs.settle_ns = 0;
	for (unsigned int i = 0; i < 3; i++) {
		sample_look(&feed, &a, EPOCH_NOTIFIED, 0, 0);
		sample_seconds(&feed, &a, 4, 100);
		sample_look(&feed, &b, EPOCH_NOTIFIED, 0, 0);
		sample_seconds(&feed, &b, 4, 149 + i);
	}
	report_of(&report, &feed);
	text = sample_output(&out_epochs, &report);
	assert_string_equal(text, table);
	free(text);
	document = check_report(&report);
	expect_null(document, "option_sets/1/rates/write_per_s/why_no_change");
	assert_true(json_real_value(at(document, "option_sets/1/rates/write_per_s/half_95")) > 0);
	assert_true(json_real_value(at(document,
				       "option_sets/1/rates/write_per_s/change/ratio")) == 0.5);
	expect_word(document, "option_sets/0/rates/write_per_s/why_no_change", "baseline");
	json_decref(document);
	text = sample_output(&out_text, &report);
	expect_text(text, "sets    1  12.0 s in 3 epochs: read 0.0/s, write 100.0/s, flush 0.0/s\n"
			  "        2  12.0 s in 3 epochs: read 0.0/s, write 150.0/s, flush 0.0/s; writes\n"
			  "        +50 % [48, 52]\n");
	free(text);
	option_set_free(&a);
	option_set_free(&b);
	report_free(&report);
}

static void test_many(void **state)
{
	struct option_set a, b;
	struct sample_feed feed;
	struct report report;
	char *text;

	(void)state;
	sample_options(&a, EXT4);
	sample_options(&b, EXT4_NOBARRIER);
	sample_feed_begin(&feed);
	feed.epochs.settle_ns = 0;
	for (unsigned int i = 0; i < 13; i++) {
		sample_look(&feed, i % 2 ? &b : &a, EPOCH_NOTIFIED, 0, 0);
		sample_seconds(&feed, i % 2 ? &b : &a, 1, 1);
	}
	report_of(&report, &feed);
	text = sample_output(&out_text, &report);
	expect_text(text, "epochs  3 earlier ones are in --json only\n"
			  "            3.0 s  sda1: barrier -> nobarrier (seen at once)\n"
			  "            3.0 s  set 2 for 1.0 s: nobarrier\n");
	assert_null(strstr(text, "  2.0 s  set 1 for"));
	free(text);
	option_set_free(&a);
	option_set_free(&b);
	report_free(&report);
}

static void test_text(void **state)
{
	struct report report;
	char *text;

	(void)state;
	fed(&report);
	text = sample_output(&out_text, &report);
	expect_text(text, "epochs      0.0 s  set 1 for 4.5 s: ext4 barrier, cache on, NCQ 32, "
			  "mq-deadline\n"
			  "            4.5 s  sda1: barrier -> nobarrier (seen at once)\n"
			  "            7.0 s  set 2 for 3.0 s: nobarrier\n"
			  "           11.0 s  NCQ depth: 32 -> 1 (seen within 1.0 s)\n"
			  "sets    1  4.5 s in 1 epoch: read 0.0/s, write 10.0/s, flush 0.0/s\n"
			  "        2  3.0 s in 1 epoch: read 0.0/s, write 20.0/s, flush 0.0/s; not\n"
			  "        comparable (one epoch)\n");
	assert_null(strstr(text, "held throughout"));
	free(text);
	report_free(&report);
}

static void test_throughout(void **state)
{
	struct sample_feed feed;
	struct report report;
	struct option_set a;
	json_t *document;
	char *text;

	(void)state;
	sample_options(&a, EXT4);
	sample_feed_begin(&feed);
	sample_look(&feed, &a, EPOCH_POLLED, 0, 0);
	sample_seconds(&feed, &a, 4, 10);
	epochs_break(&feed.epochs);
	report_of(&report, &feed);
	text = sample_output(&out_text, &report);
	expect_text(text, "mounts  sda1 /srv  ext4 rw,relatime    held throughout\n");
	assert_null(strstr(text, "epochs"));
	free(text);
	document = check_report(&report);
	assert_int_equal(json_array_size(at(document, "epochs")), 1);
	expect_null(document, "unsettled");
	expect_reason(document, "unsettled");
	json_decref(document);
	option_set_free(&a);
	report_free(&report);
}

/* What a filesystem calls its options and its device never reaches the terminal raw. */
static void test_hostile(void **state)
{
	struct option_set a, b;
	struct sample_feed feed;
	struct report report;
	json_t *document;
	char *text;

	(void)state;
	sample_options(&a, "rw,x=\x1b]0;title\x07");
	sample_options(&b, "rw,x=\x1b[2J\xff");
	sample_feed_begin(&feed);
	feed.epochs.settle_ns = 0;
	sample_look(&feed, &a, EPOCH_POLLED, 0, 0);
	sample_seconds(&feed, &a, 2, 10);
	sample_look(&feed, &b, EPOCH_NOTIFIED, SECOND, 10);
	sample_seconds(&feed, &b, 2, 10);
	report_of(&report, &feed);
	text = sample_output(&out_text, &report);
	assert_null(strchr(text, '\x1b'));
	assert_null(strchr(text, '\xff'));
	expect_text(text, "\\x1b[2J");
	free(text);
	document = check_report(&report);
	json_decref(document);
	option_set_free(&a);
	option_set_free(&b);
	report_free(&report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json),	   cmocka_unit_test(test_compared),
		cmocka_unit_test(test_text),	   cmocka_unit_test(test_throughout),
		cmocka_unit_test(test_hostile),	   cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, load_schema, drop_schema);
}
