// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_intervals: the rows of a recording.  They take the same memory after ten and after a
 * thousand of them, in each format, and all of them are in the document.
 */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "cmd/cmd.h"
#include "document.h"
#include "record/record.h"
#include "tree.h"

#define ROWS 1000
#define ROW_NS 10000000ULL
/* A buffer of stdio, a report's text: nothing that a row of 2.9 kB could hide in 990 times. */
#define NOISE 65536

/* Of ASan, under which unit tests run; its header comes with one compiler only. */
size_t __sanitizer_get_current_allocated_bytes(void);

/* ---- the rows alone ---- */

static struct report_interval row_of(size_t i)
{
	return (struct report_interval){ .run = 1, .begin_ns = i * ROW_NS,
					 .figures.elapsed_ns = ROW_NS };
}

static int see_next(void *arg, const struct report_interval *row)
{
	size_t *nr = arg;

	assert_int_equal(row->begin_ns, *nr * ROW_NS);
	assert_int_equal(row->figures.elapsed_ns, ROW_NS);
	(*nr)++;
	return 0;
}

static size_t seen(const struct intervals *intervals)
{
	size_t nr = 0;

	assert_int_equal(intervals_each(intervals, see_next, &nr), 0);
	return nr;
}

static int see_one(void *arg, const struct report_interval *row)
{
	(void)arg;
	return row->begin_ns == ROW_NS ? 7 : 0;
}

static void test_in_order(void **state)
{
	struct intervals intervals = { .nr_held = 0 };
	struct report_interval row;
	size_t i;

	(void)state;
	assert_int_equal(seen(&intervals), 0);
	for (i = 0; i < 3 * INTERVALS_HELD + 5; i++) {
		row = row_of(i);
		assert_int_equal(intervals_add(&intervals, &row), 0);
		/* A short recording leaves the machine's disks alone. */
		assert_int_equal(intervals.have_file, i >= INTERVALS_HELD);
	}
	assert_int_equal(seen(&intervals), i);
	assert_int_equal(seen(&intervals), i);
	assert_int_equal(intervals_each(&intervals, see_one, NULL), 7);
	intervals_free(&intervals);
	assert_int_equal(seen(&intervals), 0);
}

/* There is no room for all of a second block: what was there before stays. */
static void test_no_space(void **state)
{
	const struct rlimit small = { (INTERVALS_HELD + 7) * sizeof(struct report_interval),
				      RLIM_INFINITY };
	struct intervals intervals = { .nr_held = 0 };
	struct report_interval row;
	struct rlimit before;
	size_t i;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	for (i = 0; i < 2 * INTERVALS_HELD; i++) {
		row = row_of(i);
		assert_int_equal(intervals_add(&intervals, &row), 0);
	}
	row = row_of(i);
	assert_int_equal(intervals_add(&intervals, &row), -EFBIG);
	row = row_of(i + 1);
	assert_int_equal(intervals_add(&intervals, &row), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(intervals.lost_ns, i * ROW_NS);
	assert_int_equal(seen(&intervals), i);
	intervals_free(&intervals);
}

/* ---- a whole recording ---- */

/* The recording in tests/unit/data, with that many more instants in its window. */
static void make_recording(const char *path)
{
	FILE *from = fopen("tests/unit/data/diskstats.jsonl", "re"), *to = fopen(path, "we");
	unsigned long long ns = 15712526610, realtime = 1796045075884445620;
	char line[4096];
	int nr = 0, i;

	assert_non_null(from);
	assert_non_null(to);
	for (; fgets(line, sizeof(line), from); nr++) {
		fputs(line, to);
		for (i = 1; nr == 2 && i <= ROWS; i++)
			fprintf(to, "{\"disk\":0,\"instant\":{\"phase\":\"tick\",\"run\":1,"
				"\"realtime_ns\":%llu},\"snapshot\":{\"missing\":[\"classes\","
				"\"latency\",\"depth\",\"bio\",\"ata\",\"unflushed\",\"fs\","
				"\"owners\"],\"watch\":{\"major\":8,\"name\":\"sda\","
				"\"added_ns\":15671799090,\"queues\":1,\"shards\":1},"
				"\"queues\":[{\"start_ns\":15671799090,\"time_ns\":%llu,"
				"\"read\":{\"ios\":%d,\"bytes\":%d}}]}}\n",
				realtime + i * 100000ULL, ns + i * 100000ULL, i / 50,
				i / 50 * 4096);
	}
	assert_int_equal(fclose(from), 0);
	assert_int_equal(fclose(to), 0);
}

static struct {
	const struct out_ops *ops;
	size_t rows, after_ten, most;
	char *text;
	size_t size;
} watched;

static void look_at_memory(void)
{
	size_t now = __sanitizer_get_current_allocated_bytes();

	if (watched.rows == 10)
		watched.after_ten = now;
	if (watched.rows >= 10 && now > watched.most)
		watched.most = now;
}

static void watch_interval(struct out *out, const struct report *report,
			   const struct report_disk *disk, const struct report_interval *interval)
{
	watched.rows++;
	look_at_memory();
	if (watched.ops->interval)
		watched.ops->interval(out, report, disk, interval);
}

static ssize_t watch_write(void *arg, const char *text, size_t size)
{
	FILE *kept = arg;

	look_at_memory();
	return (ssize_t)fwrite(text, 1, size, kept);
}

/* What it writes is looked at elsewhere than in memory. */
static int watch_report(struct out *out, const struct report *report)
{
	FILE *kept = tmpfile();
	struct out watching = { .ops = watched.ops,
				.to = fopencookie(kept, "w", (cookie_io_functions_t){
							      .write = watch_write }) };
	int err;

	(void)out;
	assert_non_null(kept);
	assert_non_null(watching.to);
	err = watched.ops->report(&watching, report);
	assert_int_equal(fclose(watching.to), 0);
	watched.size = (size_t)ftell(kept);
	rewind(kept);
	watched.text = calloc(1, watched.size + 1);
	assert_int_equal(fread(watched.text, 1, watched.size, kept), watched.size);
	assert_int_equal(fclose(kept), 0);
	return err;
}

/* Replays the long recording; its status, and its report in watched.text. */
static int replay(const struct out_ops *ops)
{
	struct out_ops watching = { .name = ops->name, .needs_intervals = ops->needs_intervals,
				    .interval = watch_interval, .report = watch_report };
	struct record_options options = { .runs = 1, .settle_ns = EPOCHS_SETTLE_NS, .baseline = 1,
					  .format = &watching, .output = "/dev/null" };
	char path[PATH_MAX];
	int status;

	memset(&watched, 0, sizeof(watched));
	watched.ops = ops;
	tree_make();
	tree_path(path, "/long.jsonl");
	make_recording(path);
	options.from = path;
	status = record_run(&options);
	tree_remove();
	assert_int_equal(watched.rows, ROWS + 1);
	return status;
}

static json_t *document_of_replay(void)
{
	json_error_t error;
	json_t *document = json_loads(watched.text, JSON_REJECT_DUPLICATES, &error);
	char where[512];

	assert_non_null(document);
	if (!document_valid(document, where)) {
		print_error("schema: %s\n", where);
		fail();
	}
	return document;
}

static void test_memory(void **state)
{
	static const struct out_ops *const formats[] = { &out_text, &out_csv, &out_json };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		assert_int_equal(replay(formats[i]), EXIT_OK);
		free(watched.text);
		if (watched.most > watched.after_ten + NOISE +
		    (formats[i]->needs_intervals ? INTERVALS_HELD : 0) *
		    sizeof(struct report_interval))
			fail_msg("%s: %zu bytes after 10 rows, %zu after more", formats[i]->name,
				 watched.after_ten, watched.most);
	}
}

static void test_all_of_them(void **state)
{
	json_t *document, *row;
	json_int_t reads = 0;
	size_t i;

	(void)state;
	assert_int_equal(replay(&out_json), EXIT_OK);
	document = document_of_replay();
	free(watched.text);
	assert_int_equal(json_array_size(at(document, "intervals")), ROWS + 1);
	json_array_foreach(at(document, "intervals"), i, row) {
		expect_count(row, "begin_ns", (json_int_t)i * 100000);
		reads += json_integer_value(at(row, "request/read/ios"));
	}
	assert_int_equal(reads, 30);
	expect_count(document, "request/read/ios", 30);
	assert_true(json_is_true(at(document, "quality/complete")));
	json_decref(document);
}

/* One clear error, and only what had no place is missing. */
static void test_no_place(void **state)
{
	json_t *document;
	struct capture capture;
	char said[4096];

	(void)state;
	assert_int_equal(setenv("TMPDIR", "/no/such/folder", 1), 0);
	capture_begin(&capture, stderr);
	assert_int_equal(replay(&out_json), EXIT_FSBCTL);
	capture_end(&capture, said, sizeof(said));
	assert_int_equal(unsetenv("TMPDIR"), 0);
	assert_string_equal(said, "fsbctl: /no/such/folder: No such file or directory: the report "
				  "will lack intervals of sda from 0.01 s on\n"
				  "        TMPDIR names another folder for them\n");
	document = document_of_replay();
	free(watched.text);
	assert_int_equal(json_array_size(at(document, "intervals")), INTERVALS_HELD);
	expect_count(document, "request/read/ios", 30);
	expect_count(document, "request/flush/ios", 29);
	assert_true(json_is_false(at(document, "quality/complete")));
	assert_non_null(strstr(json_string_value(at(document, "quality/warnings/0")),
			       "/no/such/folder: No such file or directory"));
	json_decref(document);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_order),
		cmocka_unit_test(test_no_space),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_all_of_them),
		cmocka_unit_test(test_no_place),
	};

	return cmocka_run_group_tests(tests, load_schema, drop_schema);
}
