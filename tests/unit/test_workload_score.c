// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_workload_score: the score that each workload's file finds in what its tool really wrote
 * (tests/unit/data/workloads: recorded from dbench 4.0, fs_mark 3.3, PostMark 1.51, fio 3.33),
 * failures too; and lines made up.
 */
#include <math.h>
#include <unistd.h>

#include "bench/workload_file.h"
#include "bench/workload_run.h"
#include "unit.h"

#define SAMPLES "tests/unit/data/workloads/"

struct sample {
	const char *workload, *output;
	double score; /* NAN: it failed */
	const char *reason;
};

static const struct sample samples[] = {
	{"dbench", "dbench.1", 90.6705, ""},
	{"dbench", "dbench.12", 297.887, ""},
	{"dbench", "dbench.enospc", NAN,
	 "failed: [20] write failed on handle 9938 (No space left on device)"},
	{"dbench", "dbench.nodir", NAN,
	 "failed: [3] open /nonexist/clients/client0 failed for handle 16385 (No such file or "
	 "directory)"},
	{"dbench", "dbench.noload", NAN,
	 "failed: dbench: error opening '/nonexist': No such file or directory"},
	{"fs_mark", "fsmark.std", 166.3, ""},
	{"fs_mark", "fsmark.nosync", 2402.4, ""},
	{"fs_mark", "fsmark.t4", 320.3, ""},
	{"fs_mark", "fsmark.d32", 185.3, ""},
	{"fs_mark", "fsmark.enospc", NAN,
	 "failed: Insufficient free space in /mnt/t/small to create 100 new files, exiting"},
	{"fs_mark", "fsmark.nodir", NAN,
	 "failed: fill_dir:mkdir /nonexist/x failed: No such file or directory"},
	{"fs_mark", "fsmark.long", NAN,
	 "failed: fs_mark: /mnt/t/big/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa "
	 "directory pathname too long (must be less than 40 bytes)"},
	{"postmark", "postmark", 4166, ""},
	/* Its exit status is 0 with both, and there is a rate. */
	{"postmark", "postmark.enospc", NAN,
	 "failed: Creating files...Error: cannot open '/mnt/t/small/298' for writing"},
	{"postmark", "postmark.nodir", NAN,
	 "failed: Creating files...Error: cannot open '/nonexist/1' for writing"},
	{"fio-iometer", "fio.enospc", NAN,
	 "failed: fio: pid=0, err=28/file:filesetup.c:240, func=write, error=No space left on "
	 "device"},
	{"fio-iometer", "fio.nodir", NAN,
	 "failed: fio: file:options.c:1457, func=lstat, error=No such file or directory"},
	{"fsync-append", "fsync-append", 895.522388, ""},
	{"fsync-append", "fsync-append.enospc", NAN,
	 "failed: fio: pid=16630, err=28/file:io_u.c:1876, func=io_u error, error=No space left "
	 "on device"},
	{"sqlite-inserts", "sqlite.enospc", NAN,
	 "failed: Runtime error near line 1: database or disk is full (13)"},
};

static void read_text(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "re");
	size_t got;

	if (!file)
		print_error("%s is not there\n", path);
	assert_non_null(file);
	got = fread(text, 1, size - 1, file);
	assert_true(got > 0 && got < size - 1);
	text[got] = '\0';
	assert_int_equal(fclose(file), 0);
}

static void load(struct workload *workload, const char *name)
{
	struct trouble trouble = {.reason = ""};
	char path[128];
	int err;

	snprintf(path, sizeof(path), "workloads/%s.yaml", name);
	err = workload_file_load(workload, path, &trouble);
	if (err)
		print_error("%s: %s\n", trouble.object, trouble.reason);
	assert_int_equal(err, 0);
}

static void test_samples(void **state)
{
	static char text[65536];

	(void)state;
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		const struct sample *sample = &samples[i];
		struct workload workload;
		char path[128], reason[640] = "";
		double score;
		int err;

		load(&workload, sample->workload);
		snprintf(path, sizeof(path), SAMPLES "%s.txt", sample->output);
		read_text(path, text, sizeof(text));
		err = workload_score(&workload, text, &score, reason, sizeof(reason));
		if (strcmp(reason, sample->reason))
			print_error("%s: %s\n", sample->output, reason);
		assert_string_equal(reason, sample->reason);
		assert_int_equal(err, isnan(sample->score) ? -1 : 0);
		assert_true(isnan(sample->score) ? isnan(score) : score == sample->score);
		workload_file_free(&workload);
	}
}

/* Its score is the wall time: a good run has nothing that says it failed. */
static void test_good_run_without_score(void **state)
{
	static char text[65536];
	struct workload workload;
	char reason[640];
	double score;

	(void)state;
	load(&workload, "fio-iometer");
	read_text(SAMPLES "fio.iometer.txt", text, sizeof(text));
	assert_int_equal(workload_score(&workload, text, &score, reason, sizeof(reason)), -1);
	assert_string_equal(reason, "no result: no line like ");
	workload_file_free(&workload);
}

static double score_of(const char *result, const char *text, char reason[640])
{
	struct workload workload = {.path = "made",
				    .result = (char *)result,
				    .failure = "",
				    .window_from = "",
				    .window_to = "",
				    .factor = 1};
	double score;

	reason[0] = '\0';
	(void)workload_score(&workload, text, &score, reason, 640);
	return score;
}

static void test_numbers(void **state)
{
	static const struct {
		const char *text;
		double value;
	} good[] = {{"0", 0},	   {"17", 17},		{"1.5", 1.5},
		    {"2e3", 2000}, {"1.25E-2", 0.0125}, {".5", 0.5}};
	static const char *const bad[] = {"inf", "nan",	  "0x10", "1,5", "1.2.3",
					  "-1",	 "1e999", "12k",  "--",	 ""};
	char line[64], reason[640];

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		snprintf(line, sizeof(line), "is %s\n", good[i].text);
		assert_true(score_of("^is (.*)$", line, reason) == good[i].value);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char expected[640];

		snprintf(line, sizeof(line), "is %s\n", bad[i]);
		assert_true(isnan(score_of("^is (.*)$", line, reason)));
		snprintf(expected, sizeof(expected), "no result: \"%s\" is no number", bad[i]);
		assert_string_equal(reason, expected);
	}
}

static void test_last_line_counts(void **state)
{
	char reason[640];

	(void)state;
	assert_true(score_of("^is ([0-9]*)", "is 1\nis 2\nwas 3\n", reason) == 2);
	/* A group that took no part. */
	assert_true(isnan(score_of("^is (x)?", "is 1\n", reason)));
	assert_true(isnan(score_of("^is ([0-9]*)", "", reason)));
	assert_string_equal(reason, "no result: no line like ^is ([0-9]*)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_good_run_without_score),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_last_line_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
