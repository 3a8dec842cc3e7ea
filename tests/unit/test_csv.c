// SPDX-License-Identifier: GPL-2.0-or-later
/* test_csv: quoting (RFC 4180), the shape of the table, and its numbers. */
#include <locale.h>

#include "out/csv.h"
#include "out/number.h"
#include "sample_report.h"

static void expect_field(const char *text, const char *expected)
{
	char *written = NULL;
	size_t size;
	FILE *to = open_memstream(&written, &size);

	assert_non_null(to);
	csv_field(to, text);
	assert_int_equal(fclose(to), 0);
	assert_string_equal(written, expected);
	free(written);
}

static void test_quoting(void **state)
{
	(void)state;
	expect_field("sda", "sda");
	expect_field("", "");
	expect_field("a,b", "\"a,b\"");
	expect_field("say \"x\"", "\"say \"\"x\"\"\"");
	expect_field("blank is fine", "blank is fine");
}

/* What a spreadsheet would take for a formula, and what it would be read as without care. */
static void test_formulas(void **state)
{
	(void)state;
	expect_field("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0");
	expect_field("+1", "'+1");
	expect_field("-x", "'-x");
	expect_field("@SUM(A1,2)", "\"'@SUM(A1,2)\"");
	expect_field("'quoted", "''quoted");
	expect_field("a=b", "a=b");
	expect_field("a;=b", "\"a;=b\"");
	/* These, too, may come before a formula. */
	expect_field("\t=x", "\\x09=x");
	expect_field("\r=x", "\\x0d=x");
	expect_field("two\nlines", "two\\x0alines");
	expect_field("\033[31m", "\\x1b[31m");
}

/* What a reader does (docs/output.md), on fields without quotes. */
static void test_formulas_back(void **state)
{
	static const char *const texts[] = {"=1", "'=1", "''", "-", "plain", "", "@'"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char *written = NULL;
		size_t size;
		FILE *to = open_memstream(&written, &size);

		assert_non_null(to);
		csv_field(to, texts[i]);
		assert_int_equal(fclose(to), 0);
		assert_null(strchr("=+-@", *written ? *written : 'x'));
		assert_string_equal(written + (*written == '\''), texts[i]);
		free(written);
	}
}

static int fields(const char *line)
{
	int nr = 1;

	for (; *line && *line != '\r'; line++)
		nr += *line == ',';
	return nr;
}

/* Column @name of the row whose beginning is @row; "" when it is empty. */
static void cell(char *text, const char *table, const char *row, const char *name)
{
	const char *line = strstr(table, row), *head = table;
	size_t len = strlen(name);
	int column = 0;

	assert_non_null(line);
	while (strncmp(head, name, len) || (head[len] != ',' && head[len] != '\r')) {
		head += strcspn(head, ",\r");
		assert_true(*head == ',');
		head++;
		column++;
	}
	for (; column; column--)
		line += strcspn(line, ",") + 1;
	sprintf(text, "%.*s", (int)strcspn(line, ",\r"), line);
}

static void expect_cell(const char *table, const char *row, const char *name, const char *expected)
{
	char text[64];

	cell(text, table, row, name);
	assert_string_equal(text, expected);
}

static void test_table(void **state)
{
	struct report report;
	struct report_disk *disk;
	const char *line;
	char *table;
	int rows = 0;

	(void)state;
	sample_report(&report, 1, 2, 1);
	disk = &report.disk[0];
	sample_interval(disk, 1, 5, &disk->run[0]);
	table = sample_output(&out_csv, &report);
	for (line = table; *line; line = strchr(line, '\n') + 1, rows++) {
		assert_int_equal(fields(line), fields(table));
		assert_true(strchr(line, '\n')[-1] == '\r');
	}
	/* Header, an interval, two runs, the total: seven classes each; four owners. */
	assert_int_equal(rows, 1 + 4 * FSBSTAT_CLASSES + 4);
	expect_cell(table, "sda,interval,1,5,", "elapsed_ns", "10000000000");
	expect_cell(table, "sda,total,,0,20000000000,read", "ios", "624");
	expect_cell(table, "sda,total,,0,20000000000,write,", "merges", "1000");
	expect_cell(table, "sda,total,,0,20000000000,flush", "asked_post", "580");
	expect_cell(table, "sda,total,,0,20000000000,flush", "merges", "");
	expect_cell(table, "sda,total,,0,20000000000,flush", "complete", "1");
	expect_cell(table, "sda,run,2,0,10000000000,read", "device_p99_ns", "");
	expect_cell(table, "sda,run,2,0,10000000000,discard", "device_min_ns", "");
	expect_cell(table, "sda,run,2,0,10000000000,read", "depth_mean", "6.550000");
	expect_cell(table, "sda,run,2,0,10000000000,read", "idle_ns", "5000000000");
	expect_cell(table, "sda,total,,0,20000000000,flush", "idle_ns", "10000000000");
	/* The ATA layer is the disk's: the same in each row. */
	expect_cell(table, "sda,run,2,0,10000000000,read", "ata_drain_ns", "500000000");
	expect_cell(table, "sda,total,,0,20000000000,other", "ata_drain_count", "1000");
	expect_cell(table, "sda,total,,0,20000000000,other", "ata_elapsed_ns", "20000000000");
	expect_cell(table, "sda,total,,0,20000000000,flush", "ata_ncq_mean", "0.798000");
	expect_cell(table, "sda,total,,0,20000000000,flush", "ata_ncq_max", "32");
	expect_cell(table, "sda,total,,0,20000000000,flush", "ata_ncq_write_ios", "4000");
	expect_cell(table, "sda,total,,0,20000000000,flush", "ata_ncq_other_ios", "0");
	expect_cell(table, "sda,total,,0,20000000000,flush", "ata_flush_ios", "1200");
	expect_cell(table, "sda,total,,0,20000000000,flush", "ata_flush_busy_ns", "6720000000");
	expect_cell(table, "sda,total,,0,20000000000,flush", "ata_other_busy_ns", "0");
	expect_cell(table, "sda,total,,0,20000000000,flush", "ata_drain_max_ns", "50900000");
	expect_cell(table, "sda,total,,0,20000000000,flush", "ata_refill_sum_ns", "480000000");
	expect_cell(table, "sda,total,,0,20000000000,flush", "ata_tag_time_lost_ns",
		    "14000000000");
	expect_cell(table, "sda,total,,0,20000000000,flush", "ata_errors", "0");
	expect_cell(table, "sda,total,,0,20000000000,flush", "owner_comm", "");
	line = strstr(table, "sda,owner,");
	expect_cell(table, line, "owner_comm", "jbd2/sda1-8");
	expect_cell(table, line, "owner_device", "sda1");
	expect_cell(table, line, "owner_tasks", "1");
	expect_cell(table, line, "owner_fua", "580");
	expect_cell(table, line, "class", "");
	line = strchr(line, '\n') + 1;
	expect_cell(table, line, "owner_comm", "dbench");
	expect_cell(table, line, "owner_empty_flush", "72");
	line = strchr(strchr(line, '\n') + 1, '\n') + 1;
	expect_cell(table, line, "owner_comm", "");
	expect_cell(table, line, "owner_bios", "8");
	expect_cell(table, line, "owner_fsync", "");
	expect_cell(table, "sda,total,,0,20000000000,flush", "unflushed_bytes_max", "8000000");
	expect_cell(table, "sda,total,,0,20000000000,flush", "unflushed_max_ns", "420000000");
	expect_cell(table, "sda,total,,0,20000000000,flush", "unflushed_exact", "1");
	expect_cell(table, "sda,total,,0,20000000000,read", "unflushed_flushes", "1200");
	free(table);
	report_free(&report);
}

static void test_unknown_is_empty(void **state)
{
	struct report report;
	char *table;

	(void)state;
	sample_report(&report, 1, 1, 3);
	sample_write_through(&report.disk[0].begin.info);
	report.disk[0].figures.unflushed.flushes = 0;
	table = sample_output(&out_csv, &report);
	expect_cell(table, "sda,total,,0,10000000000,flush", "asked_pre", "");
	expect_cell(table, "sda,total,,0,10000000000,flush", "depth_max", "");
	expect_cell(table, "sda,total,,0,10000000000,flush", "ata_elapsed_ns", "");
	expect_cell(table, "sda,total,,0,10000000000,flush", "ata_ncq_mean", "");
	expect_cell(table, "sda,total,,0,10000000000,flush", "ata_errors", "");
	expect_cell(table, "sda,total,,0,10000000000,flush", "unflushed_bytes_max", "");
	expect_cell(table, "sda,total,,0,10000000000,flush", "unflushed_bytes_mean", "");
	expect_cell(table, "sda,total,,0,10000000000,flush", "unflushed_flushes", "0");
	free(table);
	report_free(&report);
}

static void test_numbers(void **state)
{
	struct number number;

	(void)state;
	(void)setlocale(LC_ALL, "de_DE.UTF-8");
	assert_string_equal(number_decimal(&number, 1234.56, 1), "1234.6");
	assert_string_equal(number_decimal(&number, -0.04, 1), "0.0");
	assert_string_equal(number_decimal(&number, -2.5, 1), "-2.5");
	assert_string_equal(number_decimal(&number, 0.0 / 0.0, 1), "n/a");
	assert_string_equal(number_decimal(&number, 1e300, 1), "n/a");
	assert_string_equal(number_count(&number, 0), "0");
	assert_string_equal(number_count(&number, 999), "999");
	assert_string_equal(number_count(&number, 1234567), "1 234 567");
	assert_string_equal(number_count(&number, UINT64_MAX), "18 446 744 073 709 551 615");
	assert_string_equal(number_ms(&number, 4300), "0.004");
	assert_string_equal(number_ms(&number, 999400), "0.999");
	assert_string_equal(number_ms(&number, 999600), "1.00");
	assert_string_equal(number_ms(&number, 9996000), "10.0");
	assert_string_equal(number_ms(&number, 2214318000.0), "2214");
	assert_string_equal(number_bytes(&number, 999), "999 B");
	assert_string_equal(number_bytes(&number, 4100), "4.1 kB");
	assert_string_equal(number_bytes(&number, 999600), "1.0 MB");
	assert_string_equal(number_bytes(&number, 320072933376), "320 GB");
	(void)setlocale(LC_ALL, "C");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quoting),
		cmocka_unit_test(test_formulas),
		cmocka_unit_test(test_formulas_back),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_unknown_is_empty),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
