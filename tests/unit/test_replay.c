// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_replay: `record` and `stat` from the recordings in tests/unit/data, which were made
 * on an emulated SATA disk; no disk, no module, no privilege.  Run from the top directory.
 */
#include <unistd.h>

#include "cmd/cmd.h"
#include "document.h"
#include "tree.h"

#define MODULE "tests/unit/data/module.jsonl"
#define DISKSTATS "tests/unit/data/diskstats.jsonl"
#define ARGS_MAX 12

static char text[1 << 20];

/* Runs a command line; what it writes to stdout is in text. */
static int run(const struct cmd *cmd, const char *line)
{
	char copy[256], *argv[ARGS_MAX + 1], *word;
	struct capture capture;
	int argc = 0, status;

	snprintf(copy, sizeof(copy), "%s", line);
	for (word = strtok(copy, " "); word && argc < ARGS_MAX; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	optind = 0;
	capture_begin(&capture, stdout);
	status = cmd->run(argc, argv);
	capture_end(&capture, text, sizeof(text));
	return status;
}

static json_t *document_of(const struct cmd *cmd, const char *line)
{
	json_error_t error;
	json_t *document;

	assert_int_equal(run(cmd, line), EXIT_OK);
	document = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	if (!document)
		print_error("%s: %s\n", line, error.text);
	assert_non_null(document);
	return document;
}

static json_t *record_of(const char *line)
{
	json_t *document = document_of(&cmd_record, line);
	char where[512];

	if (!document_valid(document, where)) {
		print_error("schema: %s\n", where);
		fail();
	}
	assert_string_equal(json_string_value(at(document, "source")), "file");
	return document;
}

static void test_record_of_module(void **state)
{
	json_t *document = record_of("record --json --from " MODULE);

	(void)state;
	expect_count(document, "request/read/ios", 63);
	expect_count(document, "request/write/ios", 151);
	expect_count(document, "request/flush/ios", 59);
	expect_count(document, "request/write/requeues", 19);
	expect_count(document, "quality/sequence_end_empty", 15);
	expect_count(document, "diskstats/begin/read_ios", 145);
	expect_null(document, "request/read/total_ns");
	assert_int_equal(json_array_size(at(document, "runs")), 2);
	assert_int_equal(json_array_size(at(document, "intervals")), 2);
	assert_string_equal(json_string_value(at(document, "mounts/0/target")), "/tmp/m");
	assert_true(json_is_true(at(document, "quality/complete")));
	json_decref(document);
}

static void test_record_of_diskstats(void **state)
{
	static const char *const reasons[] = { "bio", "ata", "request.fua_write", "depth.max",
					       "request.*.device", "request.*.errors",
					       "module.version", "quality" };
	json_t *document = record_of("record --json --from " DISKSTATS);
	size_t i;

	(void)state;
	expect_count(document, "request/read/ios", 30);
	expect_count(document, "request/write/ios", 79);
	expect_count(document, "request/flush/ios", 29);
	expect_null(document, "module/version");
	expect_null(document, "request/fua_write/ios");
	expect_null(document, "request/write/device");
	expect_null(document, "request/write/errors");
	expect_null(document, "bio");
	expect_null(document, "ata");
	expect_null(document, "depth/max");
	expect_null(document, "flush/asked/pre");
	expect_null(document, "quality/unmatched");
	assert_true(json_integer_value(at(document, "request/write/total_ns")) > 0);
	assert_true(json_number_value(at(document, "depth/mean")) > 0.1);
	for (i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		expect_reason(document, reasons[i]);
	json_decref(document);
}

static const char of_module[] =
	"sda  QEMU HARDDISK  268 MB  sata  file\n"
	" read/s  rMB/s write/s  wMB/s flush/s   r_ms   w_ms  fl_ms depth busy% fl+dr%\n"
	"   93.4    5.6   226.4    0.9    70.8  0.667   1.81   2.63   0.7  46.4   18.4\n"
	"  119.5    7.8   282.9    0.9   135.5   1.60  0.518  0.985   0.5  44.7   12.9\n";

static const char of_diskstats[] =
	"sda  QEMU HARDDISK  268 MB  sata  file\n"
	"times: waiting included; write: FUA writes and empty flushes included\n"
	" read/s  rMB/s write/s  wMB/s flush/s disc/s   r_ms   w_ms  fl_ms depth busy%\n"
	"   76.9    5.0   202.5    0.6    74.3    0.0   1.10   2.04   1.34   0.6  31.8\n";

/* 80 columns, and what the disk cannot have (FUA) or the source (drain) is not there. */
static void test_stat_text(void **state)
{
	(void)state;
	setenv("COLUMNS", "80", 1);
	assert_int_equal(run(&cmd_stat, "stat --from " MODULE), EXIT_OK);
	assert_string_equal(text, of_module);
	assert_int_equal(run(&cmd_stat, "stat --from " DISKSTATS), EXIT_OK);
	assert_string_equal(text, of_diskstats);
	assert_int_equal(run(&cmd_stat, "stat --from " MODULE " 1h 1 --columns flush/s,FUA_per_s"),
			 EXIT_OK);
	assert_non_null(strstr(text, "\nflush/s  FUA/s\n   70.8    n/a\n"));
}

/* Four numbers of a line. */
static void row_of(const char *line, double row[4])
{
	char *end;

	for (unsigned int i = 0; i < 4; i++) {
		row[i] = strtod(line, &end);
		assert_ptr_not_equal(line, end);
		line = end;
	}
	assert_int_equal(*line, '\n');
}

/* A disk with filesystems; its cache is switched off on the way, and last there is no flush. */
static void test_stat_layers(void **state)
{
	double now[4]; /* writes, calls, commits, at risk */
	const char *line, *first, *last = NULL;
	unsigned int rows = 0;

	(void)state;
	assert_int_equal(run(&cmd_stat, "stat --from tests/terminal/options.json --columns "
					"write/s,fsync/s,comm/s,riskMB"), EXIT_OK);
	line = strstr(text, "riskMB\n");
	assert_non_null(line);
	first = line + strlen("riskMB\n");
	for (line = first; *line; line = strchr(line, '\n') + 1, rows++)
		last = line;
	assert_true(rows > 10);
	row_of(first, now);
	assert_true(now[0] > now[1] && now[1] > now[2] && now[2] > 1 && now[3] > 0.1);
	row_of(last, now);
	assert_true(now[0] > now[1] && now[1] > now[2] && now[2] > 1 && now[3] <= 0);
	/* Without a flush nobody knows. */
	assert_non_null(strstr(first, "-\n"));
}

static void test_stat_width(void **state)
{
	static const char *const widths[] = { "20", "40", "80", "100", "132", "200" };
	size_t i, before = 0;

	(void)state;
	for (i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		char *line, *end;
		size_t len;

		setenv("COLUMNS", widths[i], 1);
		assert_int_equal(run(&cmd_stat, "stat -t --from " MODULE), EXIT_OK);
		line = strstr(text, "time ");
		assert_non_null(line);
		end = strchr(line, '\n');
		len = (size_t)(end - line);
		assert_true(len <= (size_t)atoi(widths[i]));
		assert_true(len > before);
		before = len;
		/* Rows are as wide as their header. */
		assert_int_equal(strcspn(end + 1, "\n"), len);
	}
	setenv("COLUMNS", "80", 1);
}

/* By one of the definitions of the schema. */
static void expect_valid(json_t *json, const char *kind)
{
	json_t *rule = json_object_get(json_object_get(schema, "$defs"), kind);
	char path[512] = "";

	assert_non_null(rule);
	if (!valid(json, rule, path)) {
		print_error("schema: %s\n", path);
		fail();
	}
}

/* Each line says what it is. */
static void expect_valid_lines(void)
{
	char *line, *rest;

	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		json_t *json = json_loads(line, 0, NULL);

		assert_non_null(json);
		expect_valid(json, json_string_value(json_object_get(json, "kind")));
		json_decref(json);
	}
}

/* A row says what the interval of `record` says. */
static void test_stat_json(void **state)
{
	json_t *record = record_of("record --json --from " MODULE);
	json_t *stat = document_of(&cmd_stat, "stat --json --from " MODULE);
	json_t *rows = at(stat, "rows"), *row, *value;
	const char *key;
	size_t i;

	(void)state;
	expect_valid(stat, "stat");
	assert_true(json_is_true(at(stat, "complete")));
	assert_string_equal(json_string_value(at(stat, "disks/0/device/name")), "sda");
	assert_int_equal(json_array_size(rows), 2);
	json_array_foreach(rows, i, row) {
		json_t *interval = json_array_get(at(record, "intervals"), i);

		json_object_foreach(row, key, value)
			if (strcmp(key, "time") && strcmp(key, "disk"))
				assert_true(json_equal(value, json_object_get(interval, key)));
		assert_int_equal(json_object_size(row), json_object_size(interval));
	}
	json_decref(stat);
	json_decref(record);
	assert_int_equal(run(&cmd_stat, "stat --jsonl --from " MODULE), EXIT_OK);
	assert_int_equal(strncmp(text, "{\"schema\": \"fsbstat/1\"", 10), 0);
	for (i = 0, key = text; (key = strchr(key, '\n')); key++)
		i++;
	assert_int_equal(i, 3);
	expect_valid_lines();
}

static void test_stat_of_part(void **state)
{
	(void)state;
	assert_int_equal(run(&cmd_stat, "stat --from " MODULE " sdb"), EXIT_FSBCTL);
	assert_int_equal(run(&cmd_stat, "stat --csv --from " MODULE " /dev/sda 0.5 1"), EXIT_OK);
	assert_int_equal(strncmp(text, "time,disk,elapsed_ns,read_per_s", 31), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record_of_module),
		cmocka_unit_test(test_record_of_diskstats),
		cmocka_unit_test(test_stat_text),
		cmocka_unit_test(test_stat_layers),
		cmocka_unit_test(test_stat_width),
		cmocka_unit_test(test_stat_json),
		cmocka_unit_test(test_stat_of_part),
	};

	return cmocka_run_group_tests(tests, load_schema, drop_schema);
}
