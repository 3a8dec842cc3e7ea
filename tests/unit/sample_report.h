/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sample_report: a made-up recording for the tests of the outputs. */
#ifndef FSB_TESTS_SAMPLE_REPORT_H
#define FSB_TESTS_SAMPLE_REPORT_H

#include "out/out.h"
#include "sample.h"

static char *sample_argv[] = { "dbench", "12", NULL };

static inline void sample_mount(struct report_disk *disk)
{
	struct mounts *mounts = &disk->begin.mounts;

	mounts->mount = calloc(1, sizeof(*mounts->mount));
	assert_non_null(mounts->mount);
	mounts->nr = 1;
	mounts->mount[0] = (struct mount){ strdup("sda1"), strdup("/srv"), strdup("ext4"),
					   strdup("rw,relatime"), 8, 1 };
}

static inline void sample_info(struct report_disk *disk)
{
	disk->disk = (struct disk){ "sda", 8, 0 };
	disk->begin.info = (struct disk_info){
		.disk = { "sda", 8, 0 }, .by_id = "wwn-0x50014ee2b1c3d4e5",
		.serial = "WD-1", .model = "WDC WD3200AAKX-0", .transport = "sata",
		.rotational = 1, .size_bytes = 320072933376, .ncq = 32, .queue_depth = 32,
		.nr_requests = 64, .scheduler = "mq-deadline", .write_cache = ON,
		.write_cache_kernel = "write back", .fua = 0, .iostats = 1 };
	disk->begin.have_info = true;
	disk->end.info = disk->begin.info;
	disk->end.have_info = true;
	disk->begin.have_stats = true;
	disk->end.have_stats = true;
	disk->compared = true;
	disk->requests_waiting = 64;
}

/* The same 10 s at the ATA link: 500 of the flushes had to wait for the queue. */
static inline void sample_window_ata(struct snapshot *snap)
{
	struct ata_counts *ata = sample_ata(snap, 5000000000);
	struct ata_sums *sums = &ata->sums;
	int i;

	sums->kind[FSBSTAT_ATA_NCQ_READ].ios = 312;
	sums->kind[FSBSTAT_ATA_NCQ_WRITE].ios = 2000;
	sums->kind[FSBSTAT_ATA_FLUSH] = (struct ata_kind){ 600, 600 * 5600000ULL };
	sample_ata_time(ata, &sums->parts.queued_ns, 3, 1000000000);
	sample_ata_time(ata, &sums->parts.queued_ns, 32, 140000000);
	sample_ata_time(ata, &sums->parts.drain_ns, 1, 500000000);
	sample_ata_time(ata, &sums->parts.alone_ns, 0, 600 * 5600000ULL);
	for (i = 0; i < 500; i++)
		sample_ata_hist(ata, FSBSTAT_ATA_HIST_DRAIN, i ? 900000 : 50900000);
	for (i = 0; i < 600; i++)
		sample_ata_hist(ata, FSBSTAT_ATA_HIST_ALONE, 5600000);
	for (i = 0; i < 480; i++)
		sample_ata_hist(ata, FSBSTAT_ATA_HIST_REFILL, 500000);
	sums->drains = 500;
	sums->wait_ns = 480000000;
	sums->turnaround_ns = 20000000;
	sums->refills = 480;
	sums->refills_censored = 20;
	sums->tag_time_lost_ns = 7000000000;
	assert_true(ata_consistent(ata));
}

/* The same 10 s: 80 MB of writes, 600 flushes, at most 8 MB between two of them. */
static inline void sample_window_unflushed(struct unflushed_counts *counts)
{
	int i;

	for (i = 0; i < 599; i++) {
		sample_write(counts, 119808);
		sample_unflushed_time(counts, 10240000);
		sample_flush(counts);
	}
	sample_write(counts, 8000000 / 512 * 512);
	sample_unflushed_time(counts, 420000000);
	sample_flush(counts);
	sample_unflushed_time(counts, 3446240000);
}

/* 10 s: 312 reads, 2000 writes of which some FUA, 600 flushes; half the time idle. */
static inline void sample_window(struct snapshot *a, struct snapshot *b, uint32_t queues)
{
	struct queue_counts *queue;
	int i;

	sample_begin(a, queues, 32);
	if (queues == 1)
		sample_fs(a, 1, "ext4", true, 7, 20, 90000000);
	sample_copy(b, a);
	queue = &b->queue[0];
	for (i = 0; i < 312; i++)
		sample_request(queue, FSBSTAT_CLASS_READ, 8192, 100000, 8400000);
	for (i = 0; i < 2000; i++)
		sample_request(queue, FSBSTAT_CLASS_WRITE, 40000, 300000,
			       i < 1990 ? 2000000 : 50000000);
	for (i = 0; i < 600; i++)
		sample_request(queue, FSBSTAT_CLASS_FLUSH, 0, 20000, 5600000);
	sample_time(queue, 0, 5000000000);
	sample_time(queue, 1, 3000000000);
	sample_time(queue, 31, 1500000000);
	sample_time(queue, 32, 500000000);
	queue->quality.sequence_end_empty = 40;
	queue->edge.inflight = 2;
	b->bio.read_ios = 312;
	b->bio.read_bytes = 312 * 8192;
	b->bio.write_ios = 2500;
	b->bio.write_bytes = 80000000;
	b->bio.preflush = 300;
	b->bio.fua = 290;
	b->bio.empty_flush = 40;
	b->bio.write_merges = 500;
	sample_window_unflushed(&b->unflushed);
	/* More queues than one has no disk behind libata. */
	if (queues == 1)
		sample_window_ata(b);
	if (queues == 1)
		sample_fs(b, 1, "ext4", true, 300, 900, 80000000);
}

static inline void sample_owner(struct owners *owners, const char *comm, uint32_t tgid,
				uint32_t minor, const struct bio_counts *bio)
{
	struct owner owner = { .have_tgid = true, .tgid = tgid, .major = 8, .minor = minor };

	owner.counts.bio = *bio;
	strncpy(owner.comm, comm, sizeof(owner.comm) - 1);
	assert_int_equal(owners_count(owners, &owner), 0);
	owners->sum.bio.read_ios += bio->read_ios;
	owners->sum.bio.read_bytes += bio->read_bytes;
	owners->sum.bio.write_ios += bio->write_ios;
	owners->sum.bio.write_bytes += bio->write_bytes;
	owners->sum.bio.preflush += bio->preflush;
	owners->sum.bio.fua += bio->fua;
	owners->sum.bio.empty_flush += bio->empty_flush;
}

/* Who did what sample_window() holds: a journal, dbench, the kernel's writeback, and a rest. */
static inline void sample_owners(struct owners *owners)
{
	struct bio_counts journal = { .write_ios = 590, .write_bytes = 590 * 4096, .preflush = 300,
				      .fua = 290 };
	struct bio_counts client = { .read_ios = 26, .read_bytes = 26 * 8192, .empty_flush = 3 };
	struct bio_counts writeback = { .write_ios = 955, .write_bytes = 38791680 };
	struct bio_counts other = { .empty_flush = 4 };

	memset(owners, 0, sizeof(*owners));
	sample_owner(owners, "jbd2/sda1-8", 101, 1, &journal);
	for (uint32_t i = 0; i < 12; i++)
		sample_owner(owners, "dbench", 200 + i, 1, &client);
	sample_owner(owners, "kworker/u4:1", 31, 1, &writeback);
	sample_owner(owners, "kworker/u4:2", 32, 1, &writeback);
	owners->other.bio = other;
	owners->sum.bio.empty_flush += other.empty_flush;
	assert_true(owners_consistent(owners));
}

/* As record does when it ends. */
static inline void sample_group(struct report_disk *disk)
{
	assert_int_equal(owners_group(&disk->groups, &disk->owners, disk->begin.info.fua == 0), 0);
	for (size_t i = 0; i < disk->groups.nr; i++)
		snprintf(disk->groups.group[i].device, OWNER_DEVICE_MAX, "sda%u",
			 disk->groups.group[i].minor);
}

static inline void sample_fill(struct report_disk *disk, unsigned int runs, uint32_t queues)
{
	struct snapshot a, b;
	struct owners owners;
	struct delta delta;

	sample_info(disk);
	if (queues > 1)
		disk->begin.info.ncq = -1;
	sample_mount(disk);
	disk->run = calloc(runs, sizeof(*disk->run));
	assert_non_null(disk->run);
	sample_window(&a, &b, queues);
	sample_owners(&owners);
	for (unsigned int i = 0; i < runs; i++) {
		assert_int_equal(owners_add(&disk->owners, &owners), 0);
		assert_int_equal(delta_make(&delta, &a, &b), 0);
		figures_of(&disk->run[i], &delta);
		assert_int_equal(delta_add(&disk->delta, &delta), 0);
		delta_free(&delta);
	}
	figures_of(&disk->figures, &disk->delta);
	owners_free(&owners);
	sample_group(disk);
	disk->counted = (struct diskstats){ .read_ios = runs * 312, .write_ios = runs * 2040,
					    .flush_ios = runs * 600 };
	snapshot_free(&a);
	snapshot_free(&b);
}

/* Free with report_free(). */
static inline void sample_report(struct report *report, size_t disks, unsigned int runs,
				 uint32_t queues)
{
	memset(report, 0, sizeof(*report));
	report->host = (struct host){ "6.1.0-57-amd64", "x86_64", "Some CPU", 2, 2048000000 };
	strcpy(report->module_version, "0.1.0");
	report->source_name = "module";
	report->ata_hooks = true;
	report->baseline = 1;
	report->rate = &rates[RATE_WRITE];
	strcpy(report->start, "2026-11-02T14:02:10Z");
	report->argv = sample_argv;
	report->run = calloc(runs, sizeof(*report->run));
	report->disk = calloc(disks, sizeof(*report->disk));
	assert_true(report->run && report->disk);
	report->nr_runs = runs;
	report->wanted_runs = runs;
	for (unsigned int i = 0; i < runs; i++)
		report->run[i] = (struct report_run){ 0, 0, 10002000000 };
	report->wall_ns = runs * 10002000000;
	report->have_dirty = true;
	report->dirty_bytes = 3200000;
	report->nr_disks = disks;
	for (size_t i = 0; i < disks; i++)
		sample_fill(&report->disk[i], runs, queues);
}

/* As if no ATA command had been seen. */
static inline void sample_without_ata(struct report *report)
{
	struct report_disk *disk = &report->disk[0];

	ata_delta_free(disk->delta.ata);
	disk->delta.ata = NULL;
	memset(&disk->figures.ata, 0, sizeof(disk->figures.ata));
	for (unsigned int i = 0; i < report->nr_runs; i++)
		memset(&disk->run[i].ata, 0, sizeof(disk->run[i].ata));
}

/* The kernel sees no volatile cache. */
static inline void sample_write_through(struct disk_info *info)
{
	strcpy(info->write_cache_kernel, "write through");
}

/* As if the disk's counters could not be read. */
static inline void sample_lost(struct report_disk *disk)
{
	delta_free(&disk->delta);
	memset(&disk->delta, 0, sizeof(disk->delta));
	memset(&disk->figures, 0, sizeof(disk->figures));
	disk->lost = true;
}

static inline void sample_interval(struct report_disk *disk, unsigned int run, uint64_t begin_ns,
				   const struct figures *figures)
{
	const struct report_interval row = { run, begin_ns, *figures };

	assert_int_equal(intervals_add(&disk->intervals, &row), 0);
}

struct sample_row {
	struct out *out;
	const struct report *report;
	const struct report_disk *disk;
};

static inline int sample_show_row(void *arg, const struct report_interval *interval)
{
	const struct sample_row *row = arg;

	row->out->ops->interval(row->out, row->report, row->disk, interval);
	return 0;
}

/* What a back-end writes. */
static inline char *sample_output(const struct out_ops *ops, const struct report *report)
{
	struct out out = { .ops = ops };
	struct sample_row row = { &out, report, NULL };
	char *text = NULL;
	size_t size;

	out.to = open_memstream(&text, &size);
	assert_non_null(out.to);
	for (size_t i = 0; i < report->nr_disks && ops->interval; i++) {
		row.disk = &report->disk[i];
		assert_int_equal(intervals_each(&row.disk->intervals, sample_show_row, &row), 0);
	}
	assert_int_equal(ops->report(&out, report), 0);
	assert_int_equal(fclose(out.to), 0);
	return text;
}

#endif /* FSB_TESTS_SAMPLE_REPORT_H */
