// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_record_window: whole recordings with a made-up /sys, which their command changes.  What
 * was not counted is not told, and a report that lacks something does not call itself complete.
 */
#include <getopt.h>

#include "cmd/cmd.h"
#include "document.h"
#include "suspended.h"
#include "tree.h"

#define SDA "/sys/devices/pci/ata1/sda"
#define SDB "/sys/devices/pci/ata2/sdb"
#define MD0 "/sys/devices/virtual/block/md0"
#define ARGS_MAX 24

static char said[1 << 16];

static void make_disk(void)
{
	tree_make();
	tree_disk(SDA, "8:0", "2048", 1, "32");
	tree_file(SDA "/stat", "100 0 800 0 50 0 400 0 0 0 0 0 0 0 0 7 0\n");
	tree_file(SDA "/queue/iostats", "1\n");
	tree_file("/proc/1/mountinfo", "");
}

/* Runs cmd with the words, and $R as the made-up root; what it says is in said. */
static int run(const struct cmd *cmd, char **words)
{
	char *argv[ARGS_MAX + 1];
	struct capture capture;
	int argc = 0, status;

	for (; words[argc] && argc < ARGS_MAX; argc++)
		argv[argc] = words[argc];
	argv[argc] = NULL;
	assert_int_equal(setenv("R", tree_root, 1), 0);
	optind = 0;
	capture_begin(&capture, stderr);
	status = cmd->run(argc, argv);
	capture_end(&capture, said, sizeof(said));
	return status;
}

/* The report of a command, which is run by sh. */
static json_t *record_of(const char *disk, const char *script)
{
	char path[PATH_MAX], looks[PATH_MAX], where[512];
	char *words[20] = { (char *)"record", (char *)disk, "--source", "diskstats", "-q", "--json",
			  "-I", "100ms", "-o", path, "--snapshots", looks, "--", "/bin/sh", "-c",
			  (char *)script, NULL };
	json_error_t error;
	json_t *document;

	tree_path(path, "/report.json");
	tree_path(looks, "/looks");
	assert_int_equal(run(&cmd_record, words), EXIT_OK);
	document = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	assert_non_null(document);
	if (!document_valid(document, where)) {
		print_error("schema: %s\n", where);
		fail();
	}
	return document;
}

static bool warned(json_t *document, const char *words)
{
	json_t *line;
	size_t i;

	json_array_foreach(at(document, "quality/warnings"), i, line)
		if (strstr(json_string_value(line), words))
			return true;
	return false;
}

/* At once: a look finds the old or the new. */
#define PUT(text, file) "echo '" text "' > $R/new; mv $R/new $R" SDA file ";"
#define COUNT_MORE PUT("120 0 960 0 90 0 720 0 0 0 0 0 0 0 0 9 0", "/stat")
/* Until there were some looks more. */
#define WAIT                                                                                       \
	"n=$(wc -l < $R/looks); while [ $(wc -l < $R/looks) -lt $((n + 4)) ]; do sleep 0.05; done;"

static void test_counted(void **state)
{
	json_t *document;

	(void)state;
	make_disk();
	document = record_of("sda", COUNT_MORE WAIT);
	expect_count(document, "request/read/ios", 20);
	expect_count(document, "request/write/ios", 40);
	expect_count(document, "request/flush/ios", 2);
	assert_true(json_is_true(at(document, "quality/complete")));
	assert_false(warned(document, "iostats"));
	json_decref(document);
	tree_remove();
}

/* The kernel counts nothing: no zeros that look like an idle disk. */
static void test_not_counted(void **state)
{
	json_t *document;

	(void)state;
	make_disk();
	tree_file(SDA "/queue/iostats", "0\n");
	document = record_of("sda", WAIT);
	expect_null(document, "request");
	expect_null(document, "elapsed_ns");
	assert_string_equal(json_string_value(at(document, "source_reason/request")),
			    "queue/iostats was off");
	assert_true(json_is_false(at(document, "quality/complete")));
	assert_true(warned(document, "echo 1 > /sys/block/sda/queue/iostats"));
	expect_null(document, "intervals/0/request");
	json_decref(document);
	tree_remove();
}

/* Off and on again between the ends. */
static void test_counted_in_part(void **state)
{
	json_t *document;

	(void)state;
	make_disk();
	document = record_of("sda", PUT("0", "/queue/iostats") WAIT COUNT_MORE
			     PUT("1", "/queue/iostats") WAIT);
	expect_null(document, "request");
	assert_string_equal(json_string_value(at(document, "source_reason/request")),
			    "queue/iostats was off for part of the window");
	assert_true(json_is_false(at(document, "quality/complete")));
	json_decref(document);
	tree_remove();
}

/* Another device by the number: what it had counted before is nothing that was done. */
static void test_began_again(void **state)
{
	json_t *document, *row;
	size_t i;

	(void)state;
	make_disk();
	document = record_of("sda",
			     PUT("30 0 240 0 60 0 480 0 0 0 0 0 0 0 0 7 0", "/stat") WAIT
			     PUT("33 0 264 0 60 0 480 0 0 0 0 0 0 0 0 7 0", "/stat") WAIT);
	expect_count(document, "request/read/ios", 3);
	expect_count(document, "request/write/ios", 0);
	assert_true(json_is_true(at(document, "quality/restarted")));
	assert_true(json_is_false(at(document, "quality/complete")));
	json_array_foreach(at(document, "intervals"), i, row)
		if (!json_is_null(json_object_get(row, "request")))
			assert_true(json_integer_value(at(row, "request/read/ios")) <= 3);
	json_decref(document);
	tree_remove();
}

static void make_stack(void)
{
	make_disk();
	tree_disk(SDB, "8:16", "2048", 1, "32");
	tree_file(SDB "/stat", "0 0 0 0 0 0 0 0 0 0 0\n");
	tree_blockdev(MD0, "9:0", "2048");
	tree_slave(MD0, SDA);
}

/* A disk comes below the one that is recorded: mdadm --add, pvmove, a path of multipath. */
static void test_added_below(void **state)
{
	json_t *document;

	(void)state;
	make_stack();
	document = record_of("md0", "ln -s ../../../../pci/ata2/sdb $R" MD0 "/slaves/sdb;" WAIT);
	assert_string_equal(json_string_value(at(document, "device/name")), "sda");
	assert_true(warned(document, "sdb was added below md0"));
	assert_true(json_is_false(at(document, "quality/complete")));
	json_decref(document);
	/* One that was there already, and is known by another way too, is none. */
	document = record_of("sda", "ln -s ../../../../pci/ata2/sdb $R" MD0 "/slaves/sdc;" WAIT);
	assert_true(json_is_true(at(document, "quality/complete")));
	json_decref(document);
	tree_remove();
}

static void test_joins_btrfs(void **state)
{
	json_t *document;

	(void)state;
	make_stack();
	tree_file("/proc/self/mountinfo", "21 20 0:40 / /b rw - btrfs /dev/sda rw\n");
	tree_dirs("/b/");
	tree_dirs("/dev/");
	tree_link("/sys/fs/btrfs/uuid-1/devices/sda", SDA);
	document = record_of("/b", "ln -s ../../../../devices/pci/ata2/sdb"
			     " $R/sys/fs/btrfs/uuid-1/devices/sdb;" WAIT);
	assert_true(warned(document, "sdb was added below /b"));
	assert_true(json_is_false(at(document, "quality/complete")));
	json_decref(document);
	tree_remove();
}

static void stat_rows(const char *iostats, const char *expected)
{
	char *words[8] = { (char *)"stat", "sda", "50ms", "2", "--source", "diskstats", NULL };
	char text[8192], *row;
	struct capture capture;

	make_disk();
	tree_file(SDA "/queue/iostats", iostats);
	capture_begin(&capture, stdout);
	assert_int_equal(run(&cmd_stat, words), EXIT_OK);
	capture_end(&capture, text, sizeof(text));
	tree_remove();
	/* Banner, remark, titles, and the first row. */
	row = strstr(text, "read/s");
	row = row ? strchr(row, '\n') : NULL;
	assert_non_null(row);
	row++;
	row += strspn(row, " ");
	assert_int_equal(strncmp(row, expected, strlen(expected)), 0);
}

static void test_stat(void **state)
{
	(void)state;
	stat_rows("1\n", "0.0 ");
	assert_null(strstr(said, "iostats"));
	stat_rows("0\n", "n/a ");
	assert_non_null(strstr(said, "sda: queue/iostats is off"));
}

static uint64_t asleep_ns;

/* The longer it is asked, the longer it has slept. */
static uint64_t sleepy_clock(clockid_t clock)
{
	static uint64_t now_ns = 1000000000;

	now_ns += 1000;
	return clock == CLOCK_BOOTTIME ? now_ns + asleep_ns : now_ns;
}

static uint64_t falling_asleep(clockid_t clock)
{
	if (clock == CLOCK_BOOTTIME)
		asleep_ns += 5000000000;
	return sleepy_clock(clock);
}

static void test_suspended_clock(void **state)
{
	uint64_t before;
	double seconds;

	(void)state;
	before = suspended_ns();
	assert_false(suspended_between(before, suspended_ns(), &seconds));
	suspended_clock = sleepy_clock;
	asleep_ns = 7000000000;
	before = suspended_ns();
	assert_false(suspended_between(before, suspended_ns(), &seconds));
	asleep_ns += 5000000000;
	assert_true(suspended_between(before, suspended_ns(), &seconds));
	assert_true(seconds > 4.99 && seconds < 5.01);
}

static void test_suspended(void **state)
{
	json_t *document;

	(void)state;
	make_disk();
	suspended_clock = sleepy_clock;
	document = record_of("sda", "true");
	assert_false(warned(document, "suspended"));
	json_decref(document);
	suspended_clock = falling_asleep;
	document = record_of("sda", "true");
	assert_true(warned(document, "the machine was suspended for 5.0 s;"));
	json_decref(document);
	tree_remove();
	stat_rows("1\n", "0.0 ");
	assert_non_null(strstr(said, "stat: the machine was suspended for 5.0 s"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counted),
		cmocka_unit_test(test_not_counted),
		cmocka_unit_test(test_counted_in_part),
		cmocka_unit_test(test_began_again),
		cmocka_unit_test(test_added_below),
		cmocka_unit_test(test_joins_btrfs),
		cmocka_unit_test(test_stat),
		cmocka_unit_test(test_suspended_clock),
		cmocka_unit_test(test_suspended),
	};

	return cmocka_run_group_tests(tests, load_schema, drop_schema);
}
