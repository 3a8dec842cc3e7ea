// SPDX-License-Identifier: GPL-2.0-or-later
/* test_text: the report as a person reads it; whole, and what it says in odd cases. */
#include "out/stat.h"
#include "out/text.h"
#include "sample_report.h"

static const char whole[] =
	"\n"
	"record: dbench 12, 10.0 s, exit 0\n"
	"disk    sda  WDC WD3200AAKX-0  320 GB SATA rotational  wwn-0x50014ee2b1c3d4e5\n"
	"set     drive cache on, kernel write back, FUA no, NCQ 32, mq-deadline\n"
	"mounts  sda1 /srv  ext4 rw,relatime\n"
	"\n"
	"                                               device time, ms        waiting\n"
	"requests            count      /s       MB    p50    p99  p99.9     max  p99, ms\n"
	"  read                312    31.2      2.6   8.40      -      -    8.40        -\n"
	"  write             2 000   200.0     80.0   2.02   2.03      -    50.0    0.300\n"
	"  FUA write             0   disk has no FUA, see below\n"
	"  flush               600    60.0            5.60      -      -    5.60        -\n"
	"\n"
	"from fsync to the disk              count     /s\n"
	"  fsync calls                         900   90.0  p50 80.9 max ~81.8 ms\n"
	"  journal commits                     300   30.0  3.0 fsyncs per commit\n"
	"  flushes asked for                   630   63.0  300 before a write, 290 FUA,\n"
	"                                                  40 alone\n"
	"  flushes sent                        600   60.0  1.05 asked per sent\n"
	"  flushes that drained NCQ            500   50.0  1.00 ms mean\n"
	"  per fsync                                       0.67 flushes, 88.9 kB written,\n"
	"                                                  4.29 ms of the disk flushing\n"
	"                                                  or draining\n"
	"\n"
	"where the disk's time went             s      %\n"
	"  idle                               5.0   50.0\n"
	"  working on queued commands         1.1   11.4   NCQ depth 0.80 mean, 4.87\n"
	"                                                  while in use, 32 max, at the\n"
	"                                                  limit (32) 1.4 % of the time\n"
	"  draining the queue for a flush     0.5    5.0   500 flushes waited, 1.00 ms\n"
	"                                                  mean, 50.9 ms longest\n"
	"  a flush alone on the disk          3.4   33.6   600 flushes\n"
	"  (refilling, also counted above     0.2    2.4)  480 times, 0.500 ms mean, 20\n"
	"                                                  cut short\n"
	"\n"
	"not yet safe   worst 8.0 MB, longest 0.42 s, mean 409 kB; at the end 0 B\n"
	"asked by       jbd2/sda1-8 590 (93.7 %), dbench (12 tasks) 36 (5.7 %), others 4\n"
	"               (0.6 %)\n"
	"at end         3.2 MB dirty in memory (all disks together), not written yet and\n"
	"               not counted above\n"
	"checked        2 912 requests, all matched; diskstats agree (w 2 040 = 2 000 +\n"
	"               40 empty flushes)\n"
	"note           the disk has no FUA: a FUA write is sent as a write and then a\n"
	"               flush.\n";

static void test_whole(void **state)
{
	struct report report;
	char *text;

	(void)state;
	sample_report(&report, 1, 1, 1);
	text = sample_output(&out_text, &report);
	assert_string_equal(text, whole);
	free(text);
	report_free(&report);
}

/* That an option had nothing to change is shown where it was set. */
static void test_discards(void **state)
{
	static const char *const options[] = { "rw,relatime", "rw,discard", "rw,discard=async" };
	struct report report;
	size_t i;
	char *text;

	(void)state;
	for (i = 0; i < 3 * 2; i++) {
		sample_report(&report, 1, 1, 1);
		free(report.disk[0].begin.mounts.mount[0].options);
		report.disk[0].begin.mounts.mount[0].options = strdup(options[i / 2]);
		if (i % 2)
			report.disk[0].figures.missing = LAYER_BIT(LAYER_LATENCY);
		text = sample_output(&out_text, &report);
		assert_int_equal(!!strstr(text, "\n  discard               0"), i / 2 > 0);
		free(text);
		report_free(&report);
	}
}

static int longest_line(const char *text)
{
	int longest = 0, column = 0;

	for (; *text; text++) {
		if (*text == '\n')
			column = 0;
		else if (((unsigned char)*text & 0xc0) != 0x80)
			longest = ++column > longest ? column : longest;
	}
	return longest;
}

/* Everything long at once, and names that try to reach the terminal. */
static void test_fits_and_is_harmless(void **state)
{
	struct report report;
	struct report_disk *disk;
	char *text;
	size_t i;

	(void)state;
	sample_report(&report, 2, 4, 1);
	disk = &report.disk[0];
	report.argv = (char *[]){ "/bin/sh", "-c", "evil \x1b]0;title\x07 \x9b 31m", "caf\xc3\xa9",
				  NULL };
	strcpy(report.via, "mount /srv on sda1");
	free(disk->begin.mounts.mount[0].target);
	disk->begin.mounts.mount[0].target = strdup("/mnt/\x1b[2Jclear me");
	free(disk->begin.mounts.mount[0].options);
	disk->begin.mounts.mount[0].options =
		strdup("rw,relatime,data=ordered stripe=128 commit=30 errors=remount-ro nobarrier");
	for (i = 0; i < 2; i++) {
		unsigned int class;

		for (class = 0; class < FSBSTAT_CLASSES; class++) {
			struct class_figures *figures = &report.disk[i].figures.class[class];

			*figures = report.disk[i].figures.class[FSBSTAT_CLASS_WRITE];
			figures->counts = (struct class_counts){ 999999999, 9999999900000, 1, 2, 3,
								 4, 5 };
			figures->latency[FSBSTAT_HIST_DEVICE].exact = false;
		}
	}
	warnings_add(&disk->warnings, "a warning that is \x1b[31mlonger than one line can be and "
				      "therefore has to be wrapped at the end of the second word");
	text = sample_output(&out_text, &report);
	if (longest_line(text) > TEXT_COLUMNS)
		fputs(text, stderr);
	assert_true(longest_line(text) <= TEXT_COLUMNS);
	assert_null(strchr(text, '\x1b'));
	assert_null(strchr(text, '\x07'));
	assert_non_null(strstr(text, "\\x1b[2Jclear me"));
	assert_non_null(strstr(text, "caf\xc3\xa9"));
	assert_non_null(strstr(text, "counted the whole disk sda (asked for: mount /srv on sda1)"));
	assert_non_null(strstr(text, "write zeroes"));
	assert_non_null(strstr(text, "~50.0"));
	assert_non_null(strstr(text, "~ was read off the histogram"));
	assert_non_null(strstr(text, "warning:       a warning that is"));
	free(text);
	report_free(&report);
}

static void expect_in_report(const struct report *report, const char *expected)
{
	char *text = sample_output(&out_text, report);

	if (!strstr(text, expected))
		fprintf(stderr, "no \"%s\" in:\n%s", expected, text);
	assert_non_null(strstr(text, expected));
	free(text);
}

static void test_unflushed(void **state)
{
	struct report report;
	struct unflushed_delta *unflushed;

	(void)state;
	sample_report(&report, 1, 1, 1);
	unflushed = &report.disk[0].figures.unflushed;
	unflushed->exact = false;
	unflushed->age_max_ns = 4300000;
	expect_in_report(&report, "not yet safe   worst ~8.0 MB, longest ~4.30 ms, mean");
	expect_in_report(&report, "~ was read off the histogram");
	unflushed->bytes_max = 0;
	expect_in_report(&report, "not yet safe   0 B: nothing was written but by FUA\n");
	unflushed->bytes_max = 1;
	unflushed->at_end = 41200000000;
	unflushed->flushes = 0;
	expect_in_report(&report, "not yet safe   no flush: 41.2 GB written since the last one;");
	unflushed->cache_begin = FSBSTAT_WRITE_CACHE_OFF;
	unflushed->cache_end = FSBSTAT_WRITE_CACHE_OFF;
	expect_in_report(&report, "not yet safe   0 B: the drive's write cache is off\n");
	unflushed->cache_end = FSBSTAT_WRITE_CACHE_ON;
	expect_in_report(&report, "not yet safe   n/a  the drive's write cache was switched");
	report_free(&report);
}

static void test_write_through(void **state)
{
	struct report report;

	(void)state;
	sample_report(&report, 1, 1, 1);
	sample_write_through(&report.disk[0].begin.info);
	expect_in_report(&report,
			 "  flushes asked for                   n/a   the kernel drops them before they\n"
			 "                                            can be counted (write through)\n");
	report_free(&report);
}

static void test_ends(void **state)
{
	struct report report;

	(void)state;
	sample_report(&report, 1, 1, 1);
	report.code = -1;
	report.signal = 15;
	report.cut_short = true;
	expect_in_report(&report, "record: dbench 12, 10.0 s, killed by signal 15 (Terminated), "
				  "incomplete\n");
	report.argv = NULL;
	expect_in_report(&report, "record: 10.0 s, incomplete\n");
	report.cut_short = false;
	expect_in_report(&report, "record: 10.0 s\n");
	report_free(&report);
}

static void test_not_behind_libata(void **state)
{
	struct report report;

	(void)state;
	sample_report(&report, 1, 1, 1);
	sample_without_ata(&report);
	report.disk[0].begin.info.ncq = -1;
	expect_in_report(&report,
			 "disk's time             s       %\n"
			 "  idle                5.0    50.0\n"
			 "  busy                5.0    50.0   depth 6.55 mean, 13.10 while busy, 32 max,\n"
			 "                                    at the limit (32) 5.0 % of the time\n"
			 "  draining            n/a           not behind libata\n");
	report.disk[0].begin.info.ncq = 32;
	report.ata_hooks = false;
	expect_in_report(&report,
			 "  draining            n/a           libata's tracepoints are missing, fsbctl\n"
			 "                                    check says why\n");
	report_free(&report);
}

/* Queue depth 1: libata queues nothing, so every command has the disk alone. */
static void test_ncq_off(void **state)
{
	struct ata_figures *ata;
	struct report report;

	(void)state;
	sample_report(&report, 1, 1, 1);
	report.disk[0].begin.info.ncq = 1;
	ata = &report.disk[0].figures.ata;
	memset(ata, 0, sizeof(*ata));
	ata->elapsed_ns = 9000000000;
	ata->sums.parts = (struct ata_parts){ .idle_ns = 3000000000, .alone_ns = 6000000000 };
	ata->sums.tags_ns[0] = 9000000000;
	ata->sums.kind[FSBSTAT_ATA_FLUSH].ios = 1;
	ata->sums.kind[FSBSTAT_ATA_TRIM].ios = 12;
	ata->sums.kind[FSBSTAT_ATA_FUA_WRITE].ios = 1;
	ata->sums.kind[FSBSTAT_ATA_OTHER].ios = 2312;
	expect_in_report(&report,
			 "  idle                               3.0   33.3\n"
			 "  working on queued commands         0.0    0.0   NCQ is off (queue depth 1)\n"
			 "  draining the queue                 0.0    0.0\n"
			 "  a non-NCQ command alone            6.0   66.7   1 flush, 12 TRIMs, 1 FUA\n"
			 "                                                  write, 2 312 other non-NCQ\n"
			 "                                                  commands\n"
			 "\n");
	report_free(&report);
}

/* The printed shares sum to 100.0, whatever was cut off; errors show when there were any. */
static void test_shares(void **state)
{
	struct ata_figures *ata;
	struct report report;

	(void)state;
	sample_report(&report, 1, 1, 1);
	ata = &report.disk[0].figures.ata;
	ata->elapsed_ns = 3000000003;
	ata->sums.parts = (struct ata_parts){ 1000000001, 1000000001, 333333333, 333333334,
					      333333334 };
	ata->sums.errors = 3;
	ata->sums.drains = 1;
	ata->sums.refills = 0;
	ata->sums.refills_censored = 0;
	ata->sums.kind[FSBSTAT_ATA_TRIM].ios = 1;
	/* Read off the histogram. */
	ata->latency[FSBSTAT_ATA_HIST_DRAIN] = (struct latency){ .count = 1, .sum_ns = 9000000,
								 .max_ns = 9100000 };
	expect_in_report(&report, "  idle                               1.0   33.4\n"
				  "  working on queued commands         1.0   33.3   ");
	expect_in_report(&report,
			 "  draining the queue                 0.3   11.1   1 command waited, 9.00 ms\n"
			 "                                                  mean, ~9.10 ms longest\n"
			 "  a non-NCQ command alone            0.3   11.1   600 flushes, 1 TRIM\n"
			 "  error handling                     0.3   11.1   3 commands failed\n");
	report_free(&report);
}

static void test_several_queues(void **state)
{
	struct report report;

	(void)state;
	sample_report(&report, 1, 1, 4);
	expect_in_report(&report, "depth         6.55 mean, the sum of 4 hardware queues' means");
	expect_in_report(&report, "\ndraining      n/a  not behind libata\n");
	report_free(&report);
}

static void test_comparison(void **state)
{
	struct report report;
	struct report_disk *disk;

	(void)state;
	sample_report(&report, 1, 1, 1);
	disk = &report.disk[0];
	disk->counted.write_ios += 3;
	disk->counted.flush_ios -= 1;
	expect_in_report(&report, "diskstats differ: writes +3, flushes\n"
				  "               -1, with 0 and 2 in flight at the ends");
	disk->iostats_off = true;
	expect_in_report(&report, "queue/iostats was off\n");
	disk->iostats_on = true;
	expect_in_report(&report, "queue/iostats was off for part of the window\n");
	disk->delta.quality.untracked = 5;
	expect_in_report(&report, "2 912 requests, 5 more seen ending only;");
	report_free(&report);
}

static void test_lost(void **state)
{
	struct report report;
	struct report_disk *disk;
	char *text;

	(void)state;
	sample_report(&report, 1, 1, 1);
	disk = &report.disk[0];
	sample_lost(disk);
	warnings_add(&disk->warnings, "the counters could not be read");
	text = sample_output(&out_text, &report);
	/* No zero stands for what is not known. */
	assert_null(strstr(text, "requests"));
	assert_non_null(strstr(text, "incomplete"));
	assert_non_null(strstr(text, "warning:       the counters could not be read"));
	free(text);
	report_free(&report);
}

/* Names differ, and each row is as long as its header: its numbers end under their titles. */
static void expect_rows(char *text, const char *header, const char *const names[2])
{
	size_t width = 0, rows = 0;
	char *line;

	while ((line = strsep(&text, "\n"))) {
		if (!strncmp(line, header, strlen(header)))
			width = strlen(line);
		for (int i = 0; i < 2; i++) {
			if (!width || strncmp(line, names[i], strlen(names[i])) ||
			    line[strlen(names[i])] != ' ' || strstr(line, "QEMU"))
				continue;
			assert_int_equal(strlen(line), width);
			rows++;
		}
	}
	assert_true(width && width <= 80);
	assert_int_equal(rows, 2);
}

static void test_names_of_disks(void **state)
{
	static const char *const names[] = { "loop1000000", "loop1000001" };
	static const char *const cut[] = { "loo..00", "loo..01" };
	struct stat_out out = { .ops = &stat_text };
	struct report report;
	char *text;
	size_t size;

	(void)state;
	sample_report(&report, 2, 1, 1);
	for (size_t i = 0; i < 2; i++) {
		strcpy(report.disk[i].disk.name, names[i]);
		report.disk[i].begin.have_info = false;
		sample_interval(&report.disk[i], 1, 0, &report.disk[i].figures);
	}
	out.to = open_memstream(&text, &size);
	assert_non_null(out.to);
	assert_int_equal(stat_text.begin(&out, &report), 0);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(stat_text.row(&out, &report, &report.disk[i], 0), 0);
	assert_int_equal(fclose(out.to), 0);
	expect_rows(text, "disk ", names);
	free(text);
	text = sample_output(&out_text, &report);
	expect_rows(text, "disk     time s", cut);
	free(text);
	report_free(&report);
}

static uint32_t layers_of_column(const char *name, const struct stat_ops *ops)
{
	struct stat_out out = { .ops = ops, .chosen = { stat_find_column(name) }, .nr_chosen = 1 };

	assert_true(out.chosen[0] < stat_nr_columns);
	return stat_layers(&out);
}

static void test_layers_of_columns(void **state)
{
	struct stat_out unnamed = { .ops = &stat_text };

	(void)state;
	assert_int_equal(stat_layers(&unnamed), FSBSTAT_LAYERS_ALL);
	assert_int_equal(layers_of_column("read/s", &stat_text), FSBSTAT_LAYER_REQUEST);
	assert_int_equal(layers_of_column("fua/s", &stat_csv), FSBSTAT_LAYER_REQUEST);
	assert_int_equal(layers_of_column("asked/s", &stat_text),
			 FSBSTAT_LAYER_REQUEST | FSBSTAT_LAYER_BIO);
	assert_int_equal(layers_of_column("fs_p99", &stat_csv),
			 FSBSTAT_LAYER_REQUEST | FSBSTAT_LAYER_FS);
	assert_int_equal(layers_of_column("tags", &stat_text),
			 FSBSTAT_LAYER_REQUEST | FSBSTAT_LAYER_DRIVE);
	assert_int_equal(layers_of_column("riskMB", &stat_text),
			 FSBSTAT_LAYER_REQUEST | FSBSTAT_LAYER_DRIVE);
	assert_int_equal(layers_of_column("read/s", &stat_json), FSBSTAT_LAYERS_ALL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_discards),
		cmocka_unit_test(test_fits_and_is_harmless),
		cmocka_unit_test(test_unflushed),
		cmocka_unit_test(test_write_through),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_not_behind_libata),
		cmocka_unit_test(test_ncq_off),
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_several_queues),
		cmocka_unit_test(test_comparison),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_names_of_disks),
		cmocka_unit_test(test_layers_of_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
