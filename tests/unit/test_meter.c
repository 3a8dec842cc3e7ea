// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_meter: what the live view makes of a recording from a real disk, on which four
 * option sets held one after the other; and of the list of a machine with 300 disks.
 */
#include <math.h>

#include "tree.h"
#include "tui/disks.h"
#include "tui/meter.h"
#include "unit.h"

#define RECORDING "tests/terminal/options.json"

static const struct meter_options options = { SOURCE_FILE, RECORDING, 1 };

/* Replays it; how many instants there were. */
static int replay(struct meter *meter, const struct top_disk **disk)
{
	int steps = 0;

	while (meter_step(meter, true) == 1)
		steps++;
	*disk = meter_show(meter, 1);
	assert_non_null(*disk);
	return steps;
}

static void test_sets(void **state)
{
	static const char *const names[] = { "barrier", "nobarrier", "=2, drive cache off",
					     "=3, NCQ 1" };
	const struct top_disk *disk;
	struct meter *meter;
	char clock[16];

	(void)state;
	assert_int_equal(meter_open(&meter, &options, NULL, NULL), 0);
	assert_true(replay(meter, &disk) > 10);
	assert_string_equal(disk->status, "end of recording");
	meter_clock(meter, clock, sizeof(clock));
	assert_string_not_equal(clock, "-");
	assert_string_equal(disk->source, "module");
	assert_int_equal(disk->nr_sets, 4);
	for (unsigned int i = 0; i < 4; i++) {
		assert_string_equal(disk->set[i].name, names[i]);
		assert_int_equal(disk->set[i].now, i == 3);
		assert_true(disk->set[i].held_ns > 1e9);
		assert_true(disk->set[i].write_bytes_s > 1e6);
		/* Only the first one has barriers and a cache to flush. */
		assert_int_equal(disk->set[i].flush_s > 0, i == 0);
		assert_int_equal(disk->set[i].ncq_off, i == 3);
		assert_int_equal(disk->epoch[i].set, i + 1);
		assert_true(disk->set[i].fsync_s > 1);
		/* The same load in all: a good 80 kB for each call. */
		assert_true(disk->set[i].each_bytes > 80e3 && disk->set[i].each_bytes < 84e3);
		assert_true(!i || disk->set[0].each_ns > 10 * disk->set[i].each_ns);
		assert_int_equal(disk->set[i].risk == RISK_KNOWN && disk->set[i].risk_bytes <= 0,
				 i >= 2);
	}
	assert_string_equal(disk->each, "fsync");
	assert_string_equal(disk->rate_label, "fsync/s");
	assert_true(disk->set[0].risk_bytes > 1e5);
	assert_int_equal(disk->nr_epochs, 4);
	assert_string_equal(disk->epoch[0].ended_by, "sda: barrier -> nobarrier");
	assert_string_equal(disk->epoch[0].seen, "at once");
	assert_non_null(strstr(disk->epoch[1].ended_by, "drive cache: on -> off"));
	assert_non_null(strstr(disk->epoch[1].seen, "within"));
	assert_string_equal(disk->epoch[2].ended_by, "NCQ depth: 32 -> 1");
	assert_string_equal(disk->epoch[3].ended_by, "(now)");
	/* The baseline has no change, one epoch is no sample. */
	assert_true(isnan(disk->set[0].change) && isnan(disk->set[1].change));
	assert_string_equal(disk->set[0].compare, "");
	assert_string_not_equal(disk->set[1].compare, "");
	meter_close(meter);
}

/* The first lines of the recording, and one more. */
static void cut_recording(const char *path, int lines, const char *more)
{
	FILE *from = fopen(RECORDING, "re"), *to = fopen(path, "we");
	char *line = NULL;
	size_t size = 0;

	assert_non_null(from);
	assert_non_null(to);
	while (lines-- && getline(&line, &size, from) > 0)
		fputs(line, to);
	fputs(more, to);
	free(line);
	assert_int_equal(fclose(from), 0);
	assert_int_equal(fclose(to), 0);
}

/* A recording that cannot be read any further has not come to its end. */
static void test_bad_recording(void **state)
{
	static const char *const more[] = { "", "{\"disk\":0,\"instant\":7}\n" };
	const struct top_disk *disk;
	struct meter *meter;
	char path[PATH_MAX];

	(void)state;
	tree_make();
	tree_path(path, "/cut.jsonl");
	for (int bad = 0; bad < 2; bad++) {
		const struct meter_options of = { SOURCE_FILE, path, 1 };

		cut_recording(path, 12, more[bad]);
		assert_int_equal(meter_open(&meter, &of, NULL, NULL), 0);
		assert_true(replay(meter, &disk) > 1);
		assert_int_equal(meter_failed(meter), bad);
		assert_int_equal(disk->bad, bad);
		assert_string_equal(disk->status, bad ? "bad recording" : "end of recording");
		if (bad)
			assert_non_null(strstr(meter_error(meter), "line 13 of the recording"));
		/* What was counted until then is shown. */
		assert_non_null(disk->all.delta);
		meter_close(meter);
	}
	tree_remove();
}

/* The last seconds are a part of all, and both are of whole intervals. */
static void test_stretches(void **state)
{
	const struct top_disk *disk;
	struct meter *meter;
	uint64_t window, all;

	(void)state;
	assert_int_equal(meter_open(&meter, &options, NULL, "sda"), 0);
	assert_int_equal(meter_step(meter, true), 1);
	disk = meter_show(meter, 0);
	assert_null(disk->window.delta);
	replay(meter, &disk);
	window = disk->window.figures->elapsed_ns;
	all = disk->all.figures->elapsed_ns;
	assert_true(window > 9e9 && window < 12e9 && all > 20e9);
	assert_true(disk->window.figures->class[FSBSTAT_CLASS_WRITE].counts.ios <
		    disk->all.figures->class[FSBSTAT_CLASS_WRITE].counts.ios);
	assert_true(disk->all.figures->class[FSBSTAT_CLASS_FLUSH].counts.ios > 0);
	assert_true(disk->history->nr > 5);
	/* The kernel drops flags now, so what was asked is not known. */
	assert_true(isnan(disk->window.why.asked_s));
	assert_non_null(disk->window.why.asked_unknown);
	assert_true(disk->window.why.fsync_s > disk->window.why.commit_s &&
		    disk->window.why.commit_s > 1);
	assert_int_equal(disk->window.why.risk, RISK_KNOWN);
	assert_true(disk->window.why.risk_worst <= 0 && disk->window.why.risk_now <= 0);
	assert_true(meter_interval_s(meter) == 2);
	/* Showing again changes nothing. */
	assert_int_equal(meter_show(meter, 0)->all.figures->elapsed_ns, all);
	meter_close(meter);
}

/* Half-way through, before anything was switched off. */
static void test_why(void **state)
{
	const struct top_disk *disk;
	const struct why *why;
	struct meter *meter;

	(void)state;
	assert_int_equal(meter_open(&meter, &options, NULL, NULL), 0);
	for (int i = 0; i < 6; i++)
		assert_int_equal(meter_step(meter, true), 1);
	disk = meter_show(meter, 0);
	why = &disk->window.why;
	assert_true(why->fsync_s > why->commit_s && why->commit_s > 1);
	assert_true(why->asked_s >= why->sent_s && why->sent_s > 1);
	assert_true(why->each_bytes > 80e3 && why->each_bytes < 84e3);
	assert_true(fabs(why->each_flushes - why->sent_s / why->fsync_s) < 0.001);
	assert_true(why->each_ns > 0);
	assert_int_equal(why->risk, RISK_KNOWN);
	assert_true(why->risk_worst >= why->risk_now && why->risk_worst > 1e5);
	assert_true(why->risk_longest_ns > 1e6);
	/* Owners stand at the end of a recording. */
	assert_int_equal(why->nr_owners, 0);
	assert_string_equal(disk->left_out[disk->nr_left_out - 1].what, "asked by");
	meter_close(meter);
}

static void test_refusals(void **state)
{
	static const struct meter_options foreign = { SOURCE_FILE, "Makefile", 2 };
	static const struct meter_options absent = { SOURCE_FILE, "/nonexistent/file", 2 };
	struct meter *meter;

	(void)state;
	assert_int_equal(meter_open(&meter, &options, NULL, "sd\x1b"), -1);
	assert_string_equal(meter_error(meter), "the recording has no disk sd\\x1b; it has sda");
	meter_close(meter);
	assert_int_equal(meter_open(&meter, &foreign, NULL, NULL), -1);
	assert_string_not_equal(meter_error(meter), "");
	meter_close(meter);
	assert_int_equal(meter_open(&meter, &absent, NULL, NULL), -1);
	assert_string_not_equal(meter_error(meter), "");
	meter_close(meter);
}

/* Cut off anywhere a recording is shown as far as it is whole. */
static void test_truncated(void **state)
{
	static char text[1 << 20];
	struct meter_options cut = options;
	char path[PATH_MAX];
	int longest = 0;
	size_t len;
	FILE *file = fopen(RECORDING, "r");

	(void)state;
	assert_non_null(file);
	len = fread(text, 1, sizeof(text), file);
	fclose(file);
	tree_make();
	tree_path(path, "/cut");
	cut.path = path;
	for (size_t part = 0; part < 20; part++) {
		const struct top_disk *disk;
		struct meter *meter;
		int steps = 0;

		tree_bytes("/cut", text, len * part / 20);
		disk_root = "";
		if (meter_open(&meter, &cut, NULL, NULL) == 0)
			steps = replay(meter, &disk);
		else
			assert_string_not_equal(meter_error(meter), "");
		assert_true(steps >= longest);
		longest = steps;
		meter_close(meter);
	}
	assert_true(longest > 5);
	tree_remove();
}

#define MANY 300

static void many_disks(unsigned int ios)
{
	char dir[PATH_MAX], number[32], stat[128];

	for (int i = 0; i < MANY; i++) {
		tree_format(dir, "/sys/devices/x/block/disk%d", i);
		snprintf(number, sizeof(number), "8:%d", i);
		tree_disk(dir, number, "2048", 1, "32");
		snprintf(stat, sizeof(stat), "%u 0 0 0 %u 0 0 0 0 0 0 0 0 0 0 %u 0", ios, ios, ios);
		tree_attr(dir, "stat", stat);
	}
}

static void test_list(void **state)
{
	const struct list_row *rows;
	struct disks *disks;
	size_t nr;

	(void)state;
	tree_make();
	many_disks(0);
	tree_file("/proc/self/mountinfo", "21 1 8:7 / /srv rw,relatime - ext4 /dev/disk7 rw\n");
	disks = disks_open(NULL);
	assert_non_null(disks);
	assert_int_equal(disks_step(disks), 0);
	rows = disks_rows(disks, &nr);
	assert_int_equal(nr, MANY);
	assert_true(isnan(rows[0].ios_s));
	assert_string_equal(disks_candidate(disks)->name, "disk7");
	assert_string_equal(rows[7].mounts, "/srv");
	many_disks(1000);
	assert_int_equal(disks_step(disks), 0);
	rows = disks_rows(disks, &nr);
	for (size_t i = 0; i < nr; i++)
		assert_true(rows[i].ios_s > 2 * rows[i].flush_s - 1 && rows[i].flush_s > 0);
	/* Of counters that began again nothing is known, whichever went back. */
	many_disks(500);
	tree_attr("/sys/devices/x/block/disk7", "stat",
		  "1600 0 0 0 1600 0 0 0 0 0 0 0 0 0 0 999 0");
	assert_int_equal(disks_step(disks), 0);
	rows = disks_rows(disks, &nr);
	for (size_t i = 0; i < nr; i++)
		assert_true(isnan(rows[i].ios_s) && isnan(rows[i].flush_s));
	assert_int_equal(disks_step(disks), 0);
	rows = disks_rows(disks, &nr);
	assert_true(rows[0].ios_s == 0 && rows[7].flush_s == 0);
	disks_close(disks);
	tree_remove();
	tree_make();
	tree_dirs("/sys/class/block/");
	disks = disks_open(NULL);
	assert_non_null(disks);
	assert_null(disks_candidate(disks));
	disks_close(disks);
	tree_remove();
}

static void put_disk(const char *name, const char *number, const char *serial)
{
	char dir[PATH_MAX];

	tree_format(dir, "/sys/devices/x/block/%s", name);
	tree_disk(dir, number, "2048", 1, "32");
	tree_attr(dir, "stat", "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0");
	tree_attr(dir, "device/serial", serial);
	tree_attr(dir, "device/model", "A drive\n");
}

static void pull_disk(const char *name)
{
	char path[PATH_MAX], to[PATH_MAX], from[PATH_MAX];

	tree_format(from, "/sys/devices/x/block/%s", name);
	tree_format(to, "/pulled-%s", name);
	tree_path(path, from);
	tree_path(from, to);
	assert_int_equal(rename(path, from), 0);
}

/* A disk that went comes back under another name, and is recognised by its serial number. */
static void test_back_again(void **state)
{
	const struct meter_options by_diskstats = {.kind = SOURCE_DISKSTATS};
	const struct disk disk = {"nvme0n1", 259, 0};
	struct meter *meter;
	char word[160];

	(void)state;
	tree_make();
	tree_file("/proc/self/mountinfo", "");
	put_disk("nvme0n1", "259:0", "ONE\n");
	assert_int_equal(meter_open(&meter, &by_diskstats, &disk, NULL), 0);
	assert_int_equal(meter_step(meter, true), 1);
	assert_int_equal(meter_step(meter, true), 1);
	assert_string_equal(meter_show(meter, 0)->status, "live");
	pull_disk("nvme0n1");
	put_disk("nvme1n1", "259:1", "TWO\n");
	assert_int_equal(meter_step(meter, true), 1);
	assert_int_equal(meter_step(meter, true), 1);
	assert_string_equal(meter_show(meter, 0)->status, "device gone");
	assert_false(meter_word(meter, word, sizeof(word)));
	put_disk("nvme2n1", "259:2", "ONE\n");
	assert_int_equal(meter_step(meter, true), 1);
	assert_int_equal(meter_step(meter, true), 1);
	assert_string_equal(meter_show(meter, 0)->status, "live");
	assert_string_equal(meter_show(meter, 0)->info.disk.name, "nvme2n1");
	assert_true(meter_word(meter, word, sizeof(word)));
	assert_string_equal(word, "nvme0n1 is back as nvme2n1; counting goes on");
	assert_false(meter_word(meter, word, sizeof(word)));
	/* Two of one serial number cannot be told apart. */
	pull_disk("nvme2n1");
	put_disk("nvme3n1", "259:3", "ONE\n");
	put_disk("nvme4n1", "259:4", "ONE\n");
	assert_int_equal(meter_step(meter, true), 1);
	assert_int_equal(meter_step(meter, true), 1);
	assert_string_equal(meter_show(meter, 0)->status, "device gone");
	meter_close(meter);
	tree_remove();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sets),	  cmocka_unit_test(test_bad_recording),
		cmocka_unit_test(test_stretches),
		cmocka_unit_test(test_refusals),  cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_list),	  cmocka_unit_test(test_why),
		cmocka_unit_test(test_back_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
