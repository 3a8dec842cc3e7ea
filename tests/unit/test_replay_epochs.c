// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_replay_epochs: a recording is written, then `fsbctl epochs` reads it: the way from
 * looks and counts to epochs as a live recording goes it.
 */
#include <getopt.h>

#include "cmd/cmd.h"
#include "option_sample.h"
#include "source/recorder.h"
#include "tree.h"

#define TEMPLATE "/tmp/fsbstat-replay-XXXXXX"

static char path[sizeof(TEMPLATE)];

struct written {
	struct recorder *recorder;
	struct snapshot last;
	struct source_instant instant;
};

static void write_look(struct written *written, const char *options, int ncq,
		       enum tristate cache)
{
	struct mount mount = { .source = (char *)"sda1", .target = (char *)"/srv",
				 .fstype = (char *)"ext4", .options = (char *)options };
	struct source_look look = { .have_info = true, .have_mounts = true,
				    .mounts = { &mount, 1 } };

	look.info = (struct disk_info){ .disk = { "sda", 8, 0 }, .write_cache = cache,
					.write_cache_kernel = "write back", .fua = 0, .ncq = ncq,
					.queue_depth = ncq, .nr_requests = 64, .iostats = 1,
					.size_bytes = 1000000, .rotational = 1,
					.scheduler = "mq-deadline" };
	recorder_look(written->recorder, 0, &look);
}

static void write_instant(struct written *written, enum source_phase phase, uint64_t ns,
			  unsigned int writes)
{
	static const struct diskstats stats;
	struct snapshot next;

	sample_copy(&next, &written->last);
	sample_time(&next.queue[0], 0, ns);
	for (unsigned int i = 0; i < writes; i++)
		sample_request(&next.queue[0], FSBSTAT_CLASS_WRITE, 4000, 1000, 50000);
	next.bio.write_ios += writes;
	next.bio.write_bytes += writes * 4000ULL;
	written->instant.phase = phase;
	written->instant.realtime_ns += ns;
	recorder_instant(written->recorder, 0, &written->instant, &next, NULL,
			 phase == PHASE_TICK || phase == PHASE_NOTICE ? NULL : &stats);
	snapshot_free(&written->last);
	written->last = next;
}

static void write_head(struct written *written)
{
	struct disk disk = { "sda", 8, 0 };
	struct recording_head head = { .counted_by = SOURCE_MODULE, .module_version = "0.1.0",
				       .sees_ata = true, .start = "2026-11-02T14:02:10Z",
				       .wanted_runs = 1, .disks = { .disk = &disk, .nr = 1 } };

	recorder_head(written->recorder, &head);
}

static void write_end(struct written *written)
{
	const struct recording_run run = { .number = 1 };
	struct recording_said said = { .lost = false };
	const struct recording_end end = { .said = &said, .nr = 1 };

	recorder_run(written->recorder, &run);
	recorder_end(written->recorder, &end);
}

/* 5 s; a remount that was heard of; the drive told something, seen later; an end. */
static void write_recording(bool whole)
{
	struct written written = { .instant = { .run = 1, .realtime_ns = SECOND } };
	int fd;

	strcpy(path, TEMPLATE);
	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	sample_begin(&written.last, 1, 32);
	assert_int_equal(recorder_open(&written.recorder, path), 0);
	write_head(&written);
	write_look(&written, EXT4, 32, ON);
	write_instant(&written, PHASE_BEGIN, 0, 0);
	for (unsigned int i = 0; i < 5; i++)
		write_instant(&written, PHASE_TICK, SECOND, 10);
	write_look(&written, EXT4_NOBARRIER, 32, ON);
	write_instant(&written, PHASE_NOTICE, SECOND / 2, 5);
	write_instant(&written, PHASE_TICK, SECOND / 2, 99);
	for (unsigned int i = 0; i < 2; i++)
		write_instant(&written, PHASE_TICK, SECOND, 99);
	for (unsigned int i = 0; i < 3; i++)
		write_instant(&written, PHASE_TICK, SECOND, 20);
	write_look(&written, EXT4_NOBARRIER, 32, OFF);
	write_instant(&written, PHASE_TICK, SECOND, 99);
	if (whole) {
		write_instant(&written, PHASE_END, SECOND / 2, 1);
		write_look(&written, EXT4_NOBARRIER, 1, OFF);
		write_end(&written);
	}
	assert_int_equal(recorder_close(written.recorder), 0);
	snapshot_free(&written.last);
}

static void expect_epochs(const char *option, int status, const char *expected)
{
	char *argv[4] = { NULL }, said[8192];
	struct capture capture;
	int got;

	argv[0] = (char *)"epochs";
	argv[1] = path;
	argv[2] = (char *)option;
	optind = 0;
	capture_begin(&capture, stdout);
	got = cmd_epochs.run(option ? 3 : 2, argv);
	capture_end(&capture, said, sizeof(said));
	if (got != status || !strstr(said, expected))
		print_error("status %d, said:\n%s", got, said);
	assert_int_equal(got, status);
	assert_non_null(strstr(said, expected));
}

static void test_table(void **state)
{
	(void)state;
	write_recording(true);
	expect_epochs(NULL, EXIT_OK,
		      " 1     0.0 s    5.5 s    1\n"
		      "       5.5 s               sda1: barrier -> nobarrier              at once\n"
		      " 2     8.0 s    3.0 s    2\n"
		      "      12.0 s               drive cache: on -> off                  within 1.0 s\n"
		      "      12.5 s               NCQ depth: 32 -> 1                      within 0.5 s\n");
	expect_epochs(NULL, EXIT_OK,
		      "  2 nobarrier                1   3.0 s           20.0  one epoch          4.0 kB\n");
	expect_epochs("--rate=flush", EXIT_OK, "flush/s");
	expect_epochs("--settle=100ms", EXIT_OK, " 2     6.0 s    5.0 s    2\n");
	unlink(path);
}

/* What is whole of one that broke off. */
static void test_broken_off(void **state)
{
	(void)state;
	write_recording(false);
	expect_epochs(NULL, EXIT_OK, " 2     8.0 s    3.0 s    2\n");
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_broken_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
