// SPDX-License-Identifier: GPL-2.0-or-later
/* test_recording: recordings as JSON and back, as a file and as a source; nothing is believed. */
#include <errno.h>
#include <unistd.h>

#include "model/delta.h"
#include "peak.h"
#include "sample_report.h"
#include "source/file.h"
#include "source/recorder.h"

static char path[64];

static int make_path(void **state)
{
	int fd;

	(void)state;
	strcpy(path, "/tmp/fsbstat-unit-recording-XXXXXX");
	fd = mkstemp(path);
	return fd < 0 || close(fd) ? -1 : 0;
}

static int drop_path(void **state)
{
	(void)state;
	return unlink(path);
}

/* --- as JSON and back --- */

/* What the second time round says is what the first said: nothing is lost. */
static void expect_same(json_t *first, json_t *second)
{
	assert_non_null(first);
	assert_non_null(second);
	assert_true(json_equal(first, second));
	json_decref(first);
	json_decref(second);
}

static void round_trip(const struct snapshot *snap, struct snapshot *back)
{
	json_t *json = recording_snapshot_json(snap);
	const char *why = "";

	if (recording_snapshot_get(json, back, &why))
		fail_msg("%s", why);
	expect_same(json, recording_snapshot_json(back));
}

static void test_snapshot(void **state)
{
	struct snapshot a, b, back;
	struct delta delta;

	(void)state;
	for (uint32_t queues = 1; queues <= 3; queues += 2) {
		sample_window(&a, &b, queues);
		b.watch.settling = true;
		b.bio.other_bytes = UINT64_MAX;
		round_trip(&b, &back);
		assert_int_equal(back.bio.other_bytes, UINT64_MAX);
		assert_int_equal(delta_make(&delta, &b, &back), 0);
		assert_int_equal(delta.class[FSBSTAT_CLASS_WRITE].counts.ios, 0);
		assert_int_equal(delta.elapsed_ns, 0);
		delta_free(&delta);
		/* From the same beginning both are the same window, to the last bucket. */
		assert_int_equal(delta_make(&delta, &a, &back), 0);
		assert_int_equal(delta.class[FSBSTAT_CLASS_READ].hist[FSBSTAT_HIST_DEVICE]->count,
				 312);
		assert_int_equal(!!back.ata, queues == 1);
		delta_free(&delta);
		snapshot_free(&a);
		snapshot_free(&b);
		snapshot_free(&back);
	}
}

static void test_missing_layers(void **state)
{
	struct snapshot snap, back;

	(void)state;
	sample_begin(&snap, 1, 0);
	snap.missing = LAYER_BIT(LAYER_ATA) | LAYER_BIT(LAYER_OWNERS);
	snap.kernel.write_ns = 77;
	round_trip(&snap, &back);
	assert_int_equal(back.missing, snap.missing);
	assert_int_equal(back.kernel.write_ns, 77);
	snapshot_free(&snap);
	snapshot_free(&back);
}

static void test_filesystems(void **state)
{
	struct snapshot snap, back;
	struct fs_row *row;

	(void)state;
	sample_begin(&snap, 1, 4);
	snap.fs = calloc(1, sizeof(*snap.fs));
	assert_non_null(snap.fs);
	snap.fs->all.missed = 3;
	snap.fs->calls = true;
	row = fs_new_row(snap.fs, 8, 1, "ext4");
	assert_non_null(row);
	row->here = true;
	row->sums = (struct fs_sums){ 1, 0, 7 };
	row->latency = calloc(1, sizeof(*row->latency));
	assert_non_null(row->latency);
	sample_hist(row->latency, 5000000);
	assert_non_null(fs_new_row(snap.fs, 8, 17, "xfs"));
	round_trip(&snap, &back);
	assert_int_equal(back.fs->nr, 2);
	assert_int_equal(back.fs->row[0].latency->max_ns, 5000000);
	assert_null(back.fs->row[1].latency);
	snapshot_free(&snap);
	snapshot_free(&back);
}

static void test_owners(void **state)
{
	struct owner row[2] = { { .comm = "jbd2/sda1-8", .have_tgid = true, .tgid = 9, .major = 8 },
				{ .comm = "dd", .major = 8, .minor = 1 } };
	struct owners owners = { .nr = 2, .row = row }, back;
	char name[DISK_NAME_MAX];
	const char *why;
	json_t *json;

	(void)state;
	row[0].counts.bio.preflush = 5;
	row[1].counts.bio.write_ios = 6;
	owners.other.bio.write_ios = 1;
	owners.sum.bio.preflush = 5;
	owners.sum.bio.write_ios = 7;
	json = recording_owners_json(&owners);
	assert_int_equal(recording_owners_get(json, &back, &why), 0);
	assert_string_equal(back.row[0].comm, "jbd2/sda1-8");
	assert_int_equal(back.row[1].counts.bio.write_ios, 6);
	assert_true(recording_owner_device(json, 8, 1, name));
	assert_false(recording_owner_device(json, 8, 2, name));
	expect_same(json, recording_owners_json(&back));
	owners_free(&back);
	/* Rows that do not sum up were not written by us. */
	owners.sum.bio.write_ios = 8;
	json = recording_owners_json(&owners);
	assert_int_equal(recording_owners_get(json, &back, &why), -EBADMSG);
	owners_free(&back);
	json_decref(json);
}

static void test_head(void **state)
{
	char *argv[4] = { "sh", "-c", "a\xff b", NULL };
	struct disk disk[2] = { { "sda", 8, 0 }, { "sdb", 8, 16 } };
	struct recording_head head = {
		.counted_by = SOURCE_MODULE, .module_version = "0.1.0", .sees_ata = true,
		.host = { "6.1", "x86_64", "CPU", 2, 1 << 30 }, .start = "2026-11-02T14:02:10Z",
		.interval_ns = 300000000, .wanted_runs = 3, .sync = true, .argv = argv,
		.disks = { .disk = disk, .nr = 2, .via = "md0" },
	}, back;
	const char *why;
	json_t *json;

	(void)state;
	strcpy(head.missing[LAYER_FS], "not there");
	json = recording_head_json(&head);
	assert_int_equal(recording_head_get(json, &back, &why), 0);
	assert_string_equal(back.argv[2], "a\\xff b");
	assert_null(back.argv[3]);
	assert_string_equal(back.disks.disk[1].name, "sdb");
	assert_string_equal(back.missing[LAYER_FS], "not there");
	expect_same(json, recording_head_json(&back));
	recording_head_free(&back);
}

static void test_look_and_end(void **state)
{
	struct mount mount = { "sda1", "/srv \x1b[31m", "ext4", "rw,relatime", 8, 1 };
	char *said[2] = { "one", "two" };
	struct recording_said of_disk = { .lost = true, .line = said, .nr = 2 };
	struct recording_end end = { .code = -1, .signal = 9, .cut_short = true, .sync_ns = 5,
				     .have_dirty = true, .dirty_bytes = 4096, .said = &of_disk,
				     .nr = 1 }, end_back;
	struct report_disk disk = { .lost = false };
	struct source_look look = { .have_info = true, .have_mounts = true,
				    .mounts = { &mount, 1 } }, back;
	const char *why;
	json_t *json;

	(void)state;
	sample_info(&disk);
	look.info = disk.begin.info;
	json = recording_look_json(&look);
	assert_int_equal(recording_look_get(json, &back, &why), 0);
	assert_string_equal(back.info.model, "WDC WD3200AAKX-0");
	assert_int_equal(back.info.write_cache, ON);
	assert_string_equal(back.mounts.mount[0].target, mount.target);
	assert_int_equal(back.mounts.mount[0].minor, 1);
	expect_same(json, recording_look_json(&back));
	source_look_free(&back);
	json = recording_end_json(&end);
	assert_int_equal(recording_end_get(json, &end_back, &why), 0);
	assert_string_equal(end_back.said[0].line[1], "two");
	assert_int_equal(end_back.code, -1);
	expect_same(json, recording_end_json(&end_back));
	recording_end_free(&end_back);
}

static void refuse(const char *text)
{
	json_t *json = json_loads(text, 0, NULL);
	struct snapshot snap;
	const char *why;

	assert_non_null(json);
	if (recording_snapshot_get(json, &snap, &why) != -EBADMSG)
		fail_msg("taken: %s", text);
	snapshot_free(&snap);
	json_decref(json);
}

static void test_bad_snapshots(void **state)
{
	(void)state;
	refuse("{}");
	refuse("[]");
	refuse("{\"queues\":[]}");
	refuse("{\"queues\":[7]}");
	refuse("{\"queues\":[{},{}]}");
	refuse("{\"queues\":[{\"time_ns\":-1}]}");
	refuse("{\"queues\":[{\"time_ns\":1.5}]}");
	refuse("{\"queues\":[{\"time_ns\":\"99999999999999999999\"}]}");
	refuse("{\"queues\":[{\"depth_ns\":[[1,1]]}]}");
	refuse("{\"queues\":[{\"depth_ns\":[[-1,1]]}]}");
	refuse("{\"queues\":[{\"depth_ns\":[[0,1,2]]}]}");
	refuse("{\"queues\":[{\"depth_ns\":7}]}");
	refuse("{\"watch\":{\"state\":7},\"queues\":[{}]}");
	refuse("{\"watch\":{\"depth_limit\":4294967295},\"queues\":[{}]}");
	refuse("{\"watch\":{\"name\":\"01234567890123456789012345678901\"},\"queues\":[{}]}");
	refuse("{\"queues\":[{\"read\":{\"device\":{\"count\":1}}}]}");
	refuse("{\"queues\":[{\"read\":{\"device\":{\"buckets\":[[834,1]],\"count\":1}}}]}");
	refuse("{\"queues\":[{}],\"ata\":{\"time_ns\":1}}");
	refuse("{\"queues\":[{}],\"ata\":{\"tags_ns\":[[33,1]]}}");
}

/* --- as a file --- */

static void write_instant(struct recorder *recorder, enum source_phase phase, uint64_t second,
			  const struct snapshot *snap)
{
	struct source_instant instant = { .phase = phase, .run = 1,
					  .realtime_ns = second * 1000000000 };
	struct diskstats stats = { .read_ios = second };

	recorder_instant(recorder, 0, &instant, snap, "lost", &stats);
}

/* One disk, one window of two instants and a tick, with or without its end. */
static void write_recording(bool whole)
{
	struct disk disk = { "sda", 8, 0 };
	struct recording_head head = { .counted_by = SOURCE_MODULE, .wanted_runs = 1,
				       .interval_ns = 1, .disks = { .disk = &disk, .nr = 1 } };
	struct recording_run run = { 1, 0, 0, 12 };
	struct recording_said said = { .lost = false };
	struct recording_end end = { .said = &said, .nr = 1 };
	struct source_look look = { .have_info = true };
	struct recorder *recorder;
	struct snapshot a, b;

	sample_window(&a, &b, 1);
	assert_int_equal(recorder_open(&recorder, path), 0);
	recorder_head(recorder, &head);
	recorder_look(recorder, 0, &look);
	recorder_look(recorder, 0, &look);
	write_instant(recorder, PHASE_BEGIN, 10, &a);
	write_instant(recorder, PHASE_TICK, 11, NULL);
	if (whole) {
		write_instant(recorder, PHASE_END, 13, &b);
		look.info.ncq = 1;
		recorder_look(recorder, 0, &look);
		recorder_run(recorder, &run);
		recorder_end(recorder, &end);
	}
	assert_int_equal(recorder_close(recorder), 0);
	snapshot_free(&a);
	snapshot_free(&b);
}

static void test_play(void **state)
{
	struct source_instant instant;
	struct source *source;
	struct snapshot snap;
	struct source_look look;
	struct diskstats stats;

	(void)state;
	write_recording(true);
	assert_int_equal(source_open(&source, SOURCE_FILE, path), 0);
	assert_int_equal(source_counted_by(source), SOURCE_MODULE);
	assert_int_equal(source_nr_disks(source), 1);
	assert_int_equal(source_step(source, &instant), 1);
	assert_int_equal(instant.phase, PHASE_BEGIN);
	assert_int_equal(source_stats(source, 0, &stats), 0);
	assert_int_equal(stats.read_ios, 10);
	/* As often as one likes. */
	for (int i = 0; i < 3; i++) {
		assert_int_equal(source_snapshot(source, 0, &snap), 0);
		assert_int_equal(snap.queue[0].class[FSBSTAT_CLASS_READ].ios, 0);
		snapshot_free(&snap);
	}
	assert_int_equal(source_step(source, &instant), 1);
	assert_int_equal(instant.gap_ns, 1000000000);
	assert_int_equal(source_snapshot(source, 0, &snap), -ENODATA);
	assert_string_equal(source_error(source), "lost");
	assert_string_equal(source_vanished(source, 0), "lost");
	assert_null(file_run(source));
	assert_int_equal(source_step(source, &instant), 1);
	assert_int_equal(instant.phase, PHASE_END);
	assert_int_equal(source_snapshot(source, 0, &snap), 0);
	assert_int_equal(snap.queue[0].class[FSBSTAT_CLASS_READ].ios, 312);
	snapshot_free(&snap);
	/* What stands behind a window is told with its last instant. */
	assert_int_equal(file_run(source)->wall_ns, 12);
	assert_int_equal(source_look(source, 0, &look), 0);
	assert_int_equal(look.info.ncq, 1);
	source_look_free(&look);
	assert_int_equal(source_step(source, &instant), 0);
	assert_non_null(file_end(source));
	assert_string_equal(source_notice(source), "");
	source_close(source);
}

/* Plays what there is; the number of instants, or a negative error number. */
static int play(void)
{
	struct source_instant instant;
	struct source *source;
	struct snapshot snap;
	int got, instants = 0;

	got = source_open(&source, SOURCE_FILE, path);
	while (!got && (got = source_step(source, &instant)) == 1) {
		if (source_snapshot(source, 0, &snap) == 0)
			snapshot_free(&snap);
		instants++;
		got = 0;
	}
	if (got >= 0 && !file_end(source))
		assert_non_null(strstr(source_notice(source), "breaks off"));
	if (got < 0)
		assert_true(strlen(source_error(source)) > 0);
	source_close(source);
	return got < 0 ? got : instants;
}

static size_t slurp(char *text, size_t size)
{
	FILE *file = fopen(path, "r");
	size_t len;

	assert_non_null(file);
	len = fread(text, 1, size, file);
	assert_true(len < size);
	fclose(file);
	return len;
}

static void spill(const char *text, size_t len)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

static void test_cut_anywhere(void **state)
{
	static char text[65536];
	size_t len, cut;
	int before = -EBADMSG, now;

	(void)state;
	write_recording(true);
	len = slurp(text, sizeof(text));
	for (cut = 0; cut <= len; cut += cut < 2000 ? 7 : 1) {
		spill(text, cut);
		now = play();
		/* Never an error once the first line is whole, and never less than before. */
		assert_true(now >= before);
		before = now;
	}
	assert_int_equal(play(), 3);
	write_recording(false);
	assert_int_equal(play(), 2);
}

/* Some byte is another: a result or an error, never more (the sanitizers look on). */
static void test_any_byte_changed(void **state)
{
	static char text[65536];
	uint64_t random = 88172645463325252;
	size_t len;

	(void)state;
	write_recording(true);
	len = slurp(text, sizeof(text));
	for (int i = 0; i < 3000; i++) {
		size_t at = sample_random(&random) % len;
		char old = text[at];

		text[at] = (char)sample_random(&random);
		spill(text, len);
		(void)play();
		text[at] = old;
	}
}

static void test_a_bad_line_in_between(void **state)
{
	static char text[65536];
	struct source_instant instant;
	struct source *source;
	size_t len;
	char *line;

	(void)state;
	write_recording(true);
	len = slurp(text, sizeof(text));
	line = memchr(text, '\n', len);
	line[1] = '!';
	spill(text, len);
	assert_int_equal(source_open(&source, SOURCE_FILE, path), 0);
	assert_int_equal(source_step(source, &instant), -EBADMSG);
	assert_non_null(strstr(source_error(source), "line 2"));
	source_close(source);
}

static void refuse_file(const char *text, const char *words)
{
	struct source *source;

	spill(text, strlen(text));
	assert_int_equal(source_open(&source, SOURCE_FILE, path), -EBADMSG);
	if (!strstr(source_error(source), words))
		print_error("%s: %s\n", text, source_error(source));
	assert_non_null(strstr(source_error(source), words));
	source_close(source);
}

static void test_foreign_files(void **state)
{
	struct source *source;

	(void)state;
	refuse_file("", "no recording");
	refuse_file("{}\n", "no recording");
	refuse_file("{\"schema\":\"fsbstat/1\"}\n", "no recording");
	refuse_file("hello\nworld\n", "no recording");
	refuse_file("{\"schema\":\"fsbstat-recording/2\"}\n", "later fsbctl");
	refuse_file("{\"schema\":\"fsbstat-recording/1\"}\n", "makes no sense");
	refuse_file("{\"schema\":\"fsbstat-recording/1\",\"counted_by\":\"module\",\"disks\":[]}\n",
		    "makes no sense");
	assert_int_equal(source_open(&source, SOURCE_FILE, "/nonexistent/file"), -ENOENT);
	source_close(source);
	assert_int_equal(source_open(&source, SOURCE_FILE, "/tmp"), -EIO);
	source_close(source);
}

static void test_no_room(void **state)
{
	struct recording_head head = { .counted_by = SOURCE_MODULE };
	struct recorder *recorder;

	(void)state;
	assert_int_equal(recorder_open(&recorder, "/nonexistent/file"), -ENOENT);
	assert_int_equal(recorder_open(&recorder, "/dev/full"), 0);
	recorder_head(recorder, &head);
	recorder_head(recorder, &head);
	assert_int_equal(recorder_close(recorder), -ENOSPC);
}

/* --- lines without bound --- */

#define HEAD "{\"schema\":\"fsbstat-recording/1\",\"counted_by\":\"module\",\"host\":{}," \
	     "\"wanted_runs\":1,\"disks\":[{\"name\":\"sda\"},{\"name\":\"sdb\"}]}\n"

static const char *large_part; /* of why it is refused */

static int play_large(void)
{
	struct source_instant instant;
	struct source *source;
	int got = source_open(&source, SOURCE_FILE, path);
	bool right;

	while (got >= 0) {
		got = source_step(source, &instant);
		if (!got)
			break;
	}
	right = got == -EFBIG && strstr(source_error(source), large_part);
	if (!right)
		fprintf(stderr, "%d: %s\n", got, source_error(source));
	source_close(source);
	return !right;
}

static void test_large_lines(void **state)
{
	static const struct {
		const char *before, *piece;
		size_t nr;
		const char *after, *part;
	} file[] = {
		{ "", "x", 60 << 20, "",
		  "line 1 of the recording is too large (more than 16 MiB)" },
		{ HEAD "{\"disk\":0,\"x\":\"", "0123456789abcdef", 4 << 20, "",
		  "line 2 of the recording is too large (more than 16 MiB)" },
		{ HEAD "{\"disk\":0,\"look\":{\"mounts\":[", "[],", 5000000, "[]]}}\n",
		  "line 2 of the recording is too large (more than 1000000 values)" },
		{ "[", "[],", 2000000, "[]]\n", "(more than 1000000 values)" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(file) / sizeof(file[0]); i++) {
		large_part = file[i].part;
		peak_file(path, file[i].before, file[i].piece, file[i].nr, file[i].after);
		assert_true(peak_of(play_large) < 300 * PEAK_MIB);
	}
}

/* A line each of many disks: none is too large, all together are. */
static void test_large_lines_together(void **state)
{
	FILE *file = fopen(path, "we");

	(void)state;
	assert_non_null(file);
	fputs("{\"schema\":\"fsbstat-recording/1\",\"counted_by\":\"module\",\"host\":{},"
	      "\"wanted_runs\":1,\"disks\":[{}", file);
	for (int i = 1; i < 10; i++)
		fputs(",{}", file);
	fputs("]}\n", file);
	for (int i = 0; i < 5; i++) {
		fprintf(file, "{\"disk\":%d,\"look\":{\"x\":[", i);
		for (int k = 0; k < 900000; k++)
			fputs("0,", file);
		fputs("0]}}\n", file);
	}
	assert_int_equal(fclose(file), 0);
	large_part = "too large for so many disks";
	assert_int_equal(play_large(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_snapshot),
		cmocka_unit_test(test_missing_layers),
		cmocka_unit_test(test_filesystems),
		cmocka_unit_test(test_owners),
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_look_and_end),
		cmocka_unit_test(test_bad_snapshots),
		cmocka_unit_test(test_play),
		cmocka_unit_test(test_cut_anywhere),
		cmocka_unit_test(test_any_byte_changed),
		cmocka_unit_test(test_a_bad_line_in_between),
		cmocka_unit_test(test_foreign_files),
		cmocka_unit_test(test_no_room),
		cmocka_unit_test(test_large_lines),
		cmocka_unit_test(test_large_lines_together),
	};

	return cmocka_run_group_tests(tests, make_path, drop_path);
}
