/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sample_top: what the live view is drawn from, made up, for test_top.c and test_keys.c. */
#ifndef FSB_TESTS_SAMPLE_TOP_H
#define FSB_TESTS_SAMPLE_TOP_H

#include <math.h>

#include "sample_report.h"
#include "tui/top.h"

struct sample_top {
	struct report report; /* owns what disk points to */
	struct history history;
	struct top_disk disk;
	struct set_row set[4];
	struct epoch_row epoch[5];
	struct list_row list[3];
	struct top top;
	struct ui ui;
};

static inline void sample_top_sets(struct sample_top *sample)
{
	const struct set_row rows[] = {
		{.number = 1,
		 .name = "barrier",
		 .now = true,
		 .epochs = 5,
		 .held_ns = 161e9,
		 .title = "ext4 barrier, cache on, NCQ 32, mq-deadline",
		 .write_bytes_s = 11.1e6,
		 .fsync_s = 121,
		 .flush_s = 81.2,
		 .ncq_mean = 3.4,
		 .drain_share = 0.072,
		 .write_p99_ns = 14e6,
		 .flush_p99_ns = NAN,
		 .flush_share = 0.388,
		 .fsync_p50_ns = 8e6,
		 .fsync_p99_ns = 78e6,
		 .risk = RISK_KNOWN,
		 .risk_bytes = 18.3e6,
		 .each_bytes = 92e3,
		 .each_ns = 4.7e6,
		 .rate = 121,
		 .rate_half = 4,
		 .change = NAN,
		 .compare_short = "baseline"},
		{.number = 2,
		 .name = "nobarrier",
		 .epochs = 5,
		 .held_ns = 192e9,
		 .write_bytes_s = 24.6e6,
		 .fsync_s = 268,
		 .flush_s = 0,
		 .ncq_mean = 9.8,
		 .drain_share = 0,
		 .write_p99_ns = 48e6,
		 .flush_p99_ns = NAN,
		 .flush_share = 0,
		 .fsync_p50_ns = 3e6,
		 .fsync_p99_ns = 21e6,
		 .risk = RISK_NO_FLUSH,
		 .each_bytes = 92e3,
		 .each_ns = 0,
		 .rate = 268,
		 .rate_half = 9,
		 .change = 121,
		 .change_low = 111,
		 .change_high = 132},
		{.number = 3,
		 .name = "=2, drive cache off",
		 .epochs = 5,
		 .held_ns = 280e9,
		 .write_bytes_s = 16.9e6,
		 .fsync_s = 184,
		 .flush_s = 0,
		 .ncq_mean = 14.2,
		 .drain_share = 0,
		 .write_p99_ns = 96e6,
		 .flush_p99_ns = NAN,
		 .flush_share = 0,
		 .fsync_p50_ns = 4e6,
		 .fsync_p99_ns = 33e6,
		 .risk = RISK_KNOWN,
		 .risk_bytes = 0,
		 .each_bytes = 92e3,
		 .each_ns = 0,
		 .rate = 184,
		 .rate_half = 7,
		 .change = 52,
		 .change_low = 44,
		 .change_high = 60},
		{.number = 4,
		 .name = "=3, NCQ 1",
		 .epochs = 1,
		 .held_ns = 213e9,
		 .write_bytes_s = 9.4e6,
		 .fsync_s = 102,
		 .flush_s = 0,
		 .ncq_mean = 0,
		 .ncq_off = true,
		 .drain_share = 0,
		 .write_p99_ns = 38e6,
		 .flush_p99_ns = NAN,
		 .flush_share = 0,
		 .fsync_p50_ns = 6e6,
		 .fsync_p99_ns = NAN,
		 .risk = RISK_KNOWN,
		 .risk_bytes = 0,
		 .each_bytes = 92e3,
		 .each_ns = 0,
		 .rate = 102,
		 .rate_half = NAN,
		 .change = NAN,
		 .compare = "not comparable (one epoch)",
		 .compare_short = "one epoch"},
	};
	const struct epoch_row epochs[] = {
		{1, 1, "14:02:10", 72e9, "sda1: barrier -> nobarrier", "at once"},
		{2, 2, "14:03:24", 70e9, "drive cache: on -> off", "at once"},
		{3, 3, "14:04:36", 56e9, "NCQ depth: 32 -> 1", "within 1.0 s"},
		{4, 4, "14:05:34", 213e9, "sda1: nobarrier -> barrier, drive cache: off -> on",
		 "at once"},
		{5, 1, "14:09:11", 161e9, "(now)", ""},
	};

	memcpy(sample->set, rows, sizeof(rows));
	memcpy(sample->epoch, epochs, sizeof(epochs));
	sample->disk.set = sample->set;
	sample->disk.nr_sets = 4;
	sample->disk.epoch = sample->epoch;
	sample->disk.nr_epochs = 5;
	sample->disk.settle_s = 2;
	sample->disk.rate_label = "fsync/s";
	sample->disk.each = "fsync";
	sample->disk.no_sets = "none has been seen yet";
}

static inline void sample_top_why(struct why *why)
{
	*why = (struct why){.fsync_s = 121,
			    .commit_s = 40,
			    .asked_s = 82,
			    .sent_s = 81,
			    .waited_s = 30,
			    .each_flushes = 0.67,
			    .each_bytes = 92e3,
			    .each_ns = 4.7e6,
			    .risk = RISK_KNOWN,
			    .risk_now = 96e3,
			    .risk_now_ns = 11e6,
			    .risk_worst = 18.3e6,
			    .risk_longest_ns = 0.42e9,
			    .nr_owners = 2,
			    .owner = {{"jbd2/sda1-8", 80.4}, {"dbench (12 tasks)", 1.6}}};
}

static inline void sample_top_list(struct sample_top *sample)
{
	struct list_row *row = sample->list;

	row[0].info = sample->disk.info;
	strcpy(row[0].mounts, "/srv");
	row[0].ios_s = 294;
	row[0].flush_s = 81.2;
	row[1].info = (struct disk_info){.disk = {"sdb", 8, 16},
					 .model = "ST500DM002-1BD14",
					 .transport = "sata",
					 .size_bytes = 500107862016,
					 .ncq = 32,
					 .write_cache = ON,
					 .write_cache_kernel = "write through"};
	row[2].info = (struct disk_info){.disk = {"nvme0n1", 259, 0},
					 .model = "SAMSUNG MZVL2512",
					 .transport = "nvme",
					 .size_bytes = 512110190592,
					 .ncq = -1,
					 .write_cache = ON,
					 .write_cache_kernel = "write back"};
	strcpy(row[2].mounts, "/ /boot/efi");
	row[2].ios_s = 12;
	row[2].flush_s = 3.1;
	sample->top.list = sample->list;
	sample->top.nr_list = 3;
}

/* A disk behind libata of which everything is known; free with sample_top_free(). */
static inline void sample_top(struct sample_top *sample, uint32_t queues)
{
	struct report_disk *disk;

	memset(sample, 0, sizeof(*sample));
	sample_report(&sample->report, 1, 1, queues);
	disk = &sample->report.disk[0];
	sample->disk.info = disk->begin.info;
	sample->disk.mounts = &disk->begin.mounts;
	strcpy(sample->disk.status, "live");
	strcpy(sample->disk.source, "module");
	sample->disk.has_percentiles = true;
	sample->disk.window = (struct stretch){.delta = &disk->delta, .figures = &disk->figures};
	sample_top_why(&sample->disk.window.why);
	sample->disk.all = sample->disk.window;
	for (unsigned int i = 0; i < 60; i++) {
		struct history_point *point = &sample->history.point[sample->history.nr++];

		point->rate[FSBSTAT_CLASS_READ] = i % 7 ? 0 : 31;
		point->rate[FSBSTAT_CLASS_WRITE] = 100 + 5 * i % 100;
		point->rate[FSBSTAT_CLASS_FLUSH] = i < 30 ? 0 : 60;
	}
	sample->disk.history = &sample->history;
	sample_top_sets(sample);
	sample_top_list(sample);
	strcpy(sample->top.clock, "14:32:07");
	sample->top.disk = &sample->disk;
	sample->ui = (struct ui){.tab = TAB_OVERVIEW, .interval_s = 1, .kind = FSBSTAT_HIST_DEVICE};
}

static inline void sample_top_free(struct sample_top *sample)
{
	report_free(&sample->report);
}

#endif /* FSB_TESTS_SAMPLE_TOP_H */
