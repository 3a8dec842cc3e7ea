// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_workload_file: files of workloads, as shipped and with each kind of mistake; and what
 * lines of a matrix make of them.
 */
#include "bench/workload.h"
#include "bench/workload_file.h"
#include "bench/workload_words.h"

#include <errno.h>

#include "scratch_dir.h"

static struct workload_library library;
static struct workload_use *uses;
static size_t nr_uses;
static struct trouble trouble;

#define HEAD "schema: fsbstat-workload/1\nname: made\ntitle: made of $n\n"
#define TAIL "command: echo $n\nunit: s\nbetter: less\n"
#define PARAMETERS_ALONE                                             \
	"parameters:\n"                                              \
	"  - {name: n, value: 3, form: '[0-9]+', about: a number}\n" \
	"  - {name: word, value: a b, about: a word}\n"
#define PARAMETERS                                                   \
	"parameters:\n"                                              \
	"  - {name: n, value: 3, form: '[0-9]+', about: a number}\n" \
	"  - {name: word, value: a b, about: a word}\n"              \
	"scales:\n"                                                  \
	"  - {name: small, values: n=1}\n"                           \
	"space: n * 100\n"                                           \
	"seconds: $n * 2\n"

static struct workload loaded;

static int load(const char *text)
{
	char path[PATH_MAX];

	workload_file_free(&loaded);
	memset(&trouble, 0, sizeof(trouble));
	scratch_write("workloads/made.yaml", text);
	scratch_path(path, "workloads/made.yaml");
	return workload_file_load(&loaded, path, &trouble);
}

/* The library is that one file, or those of the tree. */
static void open_library(const char *text)
{
	if (text)
		scratch_write("workloads/made.yaml", text);
	workload_library_free(&library);
	assert_int_equal(setenv("FSBCTL_DATA", text ? scratch_dir : ".", 1), 0);
	if (workload_library_load(&library, &trouble))
		fail_msg("%s: %s", trouble.object, trouble.reason);
}

static int make(void **state)
{
	char path[PATH_MAX];

	if (scratch_make(state) || setenv("XDG_CONFIG_HOME", "/nowhere", 1))
		return -1;
	scratch_path(path, "workloads");
	return mkdir(path, 0755);
}

static int clear(void **state)
{
	(void)state;
	workload_uses_free(uses, nr_uses);
	uses = NULL;
	nr_uses = 0;
	workload_library_free(&library);
	workload_file_free(&loaded);
	return 0;
}

static int parse(const char *text, const char *scale)
{
	memset(&trouble, 0, sizeof(trouble));
	return workload_use_parse(&library, text, scale, &uses, &nr_uses, &trouble);
}

static void parse_well(const char *text, const char *scale)
{
	if (parse(text, scale))
		fail_msg("%s: %s", text, trouble.reason);
}

static void test_least(void **state)
{
	(void)state;
	assert_int_equal(load("schema: fsbstat-workload/1\nname: made\ntitle: costs $$5\n" TAIL),
			 0);
	assert_string_equal(loaded.name, "made");
	assert_string_equal(loaded.result, "");
	assert_string_equal(loaded.window_to, "");
	assert_string_equal(loaded.cleanup, "");
	assert_true(loaded.factor == 1 && loaded.timeout == 0);
	assert_false(loaded.more_is_better);
	assert_int_equal(loaded.nr_parameters, 0);
}

static const struct {
	const char *text;
	unsigned int line; /* 0: of the file */
	const char *reason;
} mistakes[] = {
	{HEAD TAIL "faster: yes\n", 7, "unknown key \"faster\""},
	{HEAD PARAMETERS "unit: s\nbetter: less\n", 1, "\"command\" is missing"},
	{HEAD PARAMETERS "command: x\nunit: s\nbetter: least\n", 13,
	 "better: expected more or less"},
	{HEAD PARAMETERS TAIL "result: '([0-9'\n", 14,
	 "result: no extended regular expression: Unmatched [, [^, [:, [., or [="},
	{HEAD PARAMETERS TAIL "result: '[0-9]+'\n", 14,
	 "result: expected a group ( ) around the number"},
	{HEAD PARAMETERS TAIL "window:\n  from: '('\n", 15,
	 "window/from: no extended regular expression: Unmatched ( or \\("},
	{HEAD PARAMETERS TAIL "factor: -1\n", 14, "factor: expected a number above 0"},
	{HEAD PARAMETERS TAIL "timeout: soon\n", 14, "timeout: expected a number above 0"},
	{HEAD TAIL, 3, "title: no parameter is called as at $n"},
	{"schema: fsbstat-workload/1\nname: other\ntitle: made\n" TAIL, 2,
	 "name: expected that of the file, without .yaml"},
	{"schema: fsbstat-workload/1\nname: a/b\ntitle: made\n" TAIL, 2,
	 "name: expected letters, digits, '.', '_', '-'"},
	{HEAD TAIL "parameters:\n  - {name: n, value: x, form: '[0-9]+', about: a}\n", 8,
	 "parameter n: its value is not of its form, [0-9]+"},
	{HEAD TAIL "parameters:\n  - {name: n, value: 1, about: a}\n"
		   "  - {name: n, value: 2, about: b}\n",
	 9, "parameter n: there are two"},
	{HEAD TAIL "parameters:\n  - {name: once, value: 1, about: a}\n", 8,
	 "a parameter's name: expected small letters, digits, '_', and neither once, here nor the "
	 "name of a fact of a disk"},
	{HEAD PARAMETERS TAIL "packages: tar\n", 14, NULL},
	{HEAD PARAMETERS_ALONE TAIL "space: \"$(id > /tmp/x)\"\n", 10,
	 "space: expected a number, a parameter or ( at \"(id > /tmp/x)\""},
	{HEAD PARAMETERS_ALONE TAIL "disk: [{needs: sectors == 512, what: x}]\n", 10,
	 "disk: no parameter is called \"sectors\""},
	{HEAD PARAMETERS_ALONE TAIL "disk: [{needs: discard}]\n", 10,
	 "\"what\" is missing in disk"},
	{HEAD "parameters: [{name: discard, value: 1, about: a}]\n" TAIL, 4,
	 "a parameter's name: expected small letters, digits, '_', and neither once, here nor the "
	 "name of a fact of a disk"},
	{HEAD PARAMETERS_ALONE TAIL "seconds: n * times\n", 10,
	 "seconds: no parameter is called \"times\""},
	{HEAD PARAMETERS_ALONE TAIL "space: 1 +\n", 10,
	 "space: expected a number, a parameter or ( at the end"},
};

static void test_mistakes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		char object[300];

		assert_int_equal(load(mistakes[i].text), -1);
		snprintf(object, sizeof(object), "%s/workloads/made.yaml:%u", scratch_dir,
			 mistakes[i].line);
		if (strcmp(trouble.object, object))
			print_error("%zu: %s: %s\n", i, trouble.object, trouble.reason);
		assert_string_equal(trouble.object, object);
		if (mistakes[i].reason)
			assert_string_equal(trouble.reason, mistakes[i].reason);
		assert_int_equal(trouble.kind, TROUBLE_USAGE);
	}
}

static void scale_mistake(const char *scale, const char *reason)
{
	char text[512];

	snprintf(text, sizeof(text),
		 HEAD TAIL "parameters:\n"
			   "  - {name: n, value: 1, form: '[0-9]+', about: a}\nscales:\n"
			   "  - {name: small, values: n=2}\n  - {name: other, values: '%s'}\n",
		 scale);
	assert_int_equal(load(text), -1);
	assert_string_equal(trouble.reason, reason);
	assert_non_null(strstr(trouble.object, "made.yaml:11"));
}

static void test_scale_mistakes(void **state)
{
	(void)state;
	scale_mistake("m=1", "scale other: no parameter is called m");
	scale_mistake("n=1,2", "scale other: expected one value of n");
	scale_mistake("n=x", "scale other: n is not of its form, [0-9]+");
	scale_mistake("n", "scale other: expected KEY=VALUE[,VALUE...]");
}

static void test_words(void **state)
{
	struct words words;

	(void)state;
	assert_null(words_parse(&words, " w a=1,2  b='x, y',\"q\\\"\",\\ z c=", true));
	assert_string_equal(words.name, "w");
	assert_int_equal(words.nr_items, 3);
	assert_string_equal(words.item[0].value[1], "2");
	assert_int_equal(words.item[1].nr_values, 3);
	assert_string_equal(words.item[1].value[0], "x, y");
	assert_string_equal(words.item[1].value[1], "q\"");
	assert_string_equal(words.item[1].value[2], " z");
	assert_int_equal(words.item[2].nr_values, 1);
	assert_string_equal(words.item[2].value[0], "");
	words_free(&words);
}

static void word_mistake(const char *text, const char *wrong)
{
	struct words words;
	const char *said = words_parse(&words, text, true);

	assert_non_null(said);
	assert_string_equal(said, wrong);
	words_free(&words);
}

static void test_word_mistakes(void **state)
{
	(void)state;
	word_mistake("", "expected the name of a workload");
	word_mistake(" \t", "expected the name of a workload");
	word_mistake("a=1", "expected the name of a workload first");
	word_mistake("w a", "expected KEY=VALUE[,VALUE...]");
	word_mistake("w =1", "expected KEY=VALUE[,VALUE...]");
	word_mistake("w a=1 a=2", "a parameter that is given twice");
	word_mistake("w a='1", "a quote without its end");
	word_mistake("w a=\"1\\\"", "a quote without its end");
}

static void expect_plain(const char *value, const char *plain)
{
	char *is = words_plain(value);

	assert_string_equal(is, plain);
	free(is);
}

static void test_units(void **state)
{
	(void)state;
	expect_plain("64k", "65536");
	expect_plain("64K", "65536");
	expect_plain("1M", "1048576");
	expect_plain("4GiB", "4294967296");
	expect_plain("2TB", "2199023255552");
	expect_plain("12", "12");
	expect_plain("1.5G", "1.5G");
	expect_plain("1m", "1m");
	expect_plain("99999999999999999999T", "99999999999999999999T");
	expect_plain("16777216T", "16777216T");
	expect_plain("", "");
}

static void test_cross_product(void **state)
{
	static const char *const labels[] = {"made-1-x", "made-1-y_z", "made-2-x", "made-2-y_z"};

	(void)state;
	open_library(HEAD PARAMETERS TAIL);
	parse_well("made n=1,2 word=x,'y z'", NULL);
	assert_int_equal(nr_uses, 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(uses[i].label, labels[i]);
	assert_string_equal(uses[3].title, "made of 2");
	assert_string_equal(uses[3].value[1], "y z");
	assert_int_equal(uses[3].space, 200);
	assert_true(uses[3].seconds == 4 && uses[3].timeout == 600);
	assert_false(uses[3].once);
}

static void test_labels(void **state)
{
	(void)state;
	open_library(HEAD PARAMETERS TAIL);
	parse_well("made", NULL);
	parse_well("made n=1K word=x once=host", NULL);
	parse_well("made n=1K word=y/../*", NULL);
	assert_string_equal(uses[0].label, "made");
	assert_string_equal(uses[0].title, "made of 3");
	assert_string_equal(uses[1].label, "made-1K");
	assert_true(uses[1].once);
	assert_int_equal(uses[1].space, 102400);
	assert_true(uses[1].timeout == 20480);
	/* One that is taken says more. */
	assert_string_equal(uses[2].label, "made-1K-word=y_..__");
	assert_int_equal(parse("made n=1K word=x", NULL), 0);
	assert_int_equal(parse("made word=x n=1K", NULL), -1);
	assert_string_equal(trouble.reason, "made-1K-word=x is there twice");
}

static void test_scale(void **state)
{
	(void)state;
	open_library(HEAD PARAMETERS TAIL);
	parse_well("made", "small");
	parse_well("made n=50 word=x", "small");
	parse_well("made n=7,8", "small");
	assert_string_equal(uses[0].value[0], "1");
	/* One value gives way, and the label tells what is done; a list stays. */
	assert_string_equal(uses[1].value[0], "1");
	assert_string_equal(uses[1].label, "made-1");
	assert_string_equal(uses[2].value[0], "7");
	assert_string_equal(uses[3].label, "made-8");
	assert_int_equal(parse("made", "smal"), -1);
	assert_string_equal(trouble.reason, "no workload has the scale \"smal\"");
}

static void use_mistake(const char *text, const char *reason, const char *hint)
{
	assert_int_equal(parse(text, NULL), -1);
	assert_int_equal(trouble.kind, TROUBLE_USAGE);
	assert_string_equal(trouble.reason, reason);
	assert_string_equal(trouble.hint, hint);
}

static void test_use_mistakes(void **state)
{
	(void)state;
	open_library(HEAD PARAMETERS TAIL);
	use_mistake("mad", "no workload is called \"mad\"", "there are: made");
	use_mistake("made m=1", "made has no parameter \"m\"", "it has: n=3 word=a b once=host");
	use_mistake("made n=x", "n=x: expected a value of the form [0-9]+", "a number");
	use_mistake("made n=", "n=: expected a value of the form [0-9]+", "a number");
	use_mistake("made n=1,1", "n=1 is there twice", "");
	use_mistake("made once=each", "once: expected host", "");
	open_library("schema: fsbstat-workload/1\nname: made\ntitle: made\nseconds: 1 - 2\n" TAIL);
	assert_int_equal(parse("made", NULL), -1);
	assert_non_null(strstr(trouble.reason, "made: seconds cannot be evaluated"));
	assert_non_null(strstr(trouble.reason, "with these values: -1 is below 0"));
	assert_non_null(strstr(trouble.hint, "workloads/made.yaml is: 1 - 2"));
	clear(state);
	open_library("schema: fsbstat-workload/1\nname: made\ntitle: made\nspace: 7 / n * word\n"
		     "parameters:\n  - {name: n, value: 1, about: a}\n"
		     "  - {name: word, value: 5, about: a}\n" TAIL);
	assert_int_equal(parse("made n=0", NULL), -1);
	assert_string_equal(trouble.reason,
			    "made: space cannot be evaluated with these values: division by 0");
	assert_int_equal(parse("made word='$(id)'", NULL), -1);
	assert_non_null(strstr(trouble.reason, "word=$(id) is not a whole number"));
	assert_int_equal(parse("made n=1 word=8000000000G", NULL), -1);
	assert_non_null(strstr(trouble.reason, "does not fit into 64 bits"));
}

static void test_too_many(void **state)
{
	char text[4096] = "made";

	(void)state;
	open_library(HEAD PARAMETERS TAIL);
	for (int i = 0; i < 200; i++)
		sprintf(text + strlen(text), "%s%d", i ? "," : " n=", i);
	for (int i = 0; i < 200; i++)
		sprintf(text + strlen(text), "%s%d", i ? "," : " word=", i);
	assert_int_equal(parse(text, NULL), -1);
	assert_string_equal(trouble.reason, "more than 10000 combinations");
}

static void test_needs_and_version(void **state)
{
	char version[64];

	(void)state;
	open_library(HEAD PARAMETERS TAIL
		     "tools: [sh]\npackages: [dash, tar]\n"
		     "needs: '[ \"$n\" != 3 ] || { echo no 3 here; exit 1; }'\n"
		     "version: echo; echo made $n; echo more\n");
	parse_well("made n=2,3", NULL);
	assert_int_equal(workload_tools(uses[0].workload, &trouble), 0);
	assert_int_equal(workload_needs(&uses[0], &trouble), 0);
	assert_int_equal(workload_needs(&uses[1], &trouble), -1);
	assert_int_equal(trouble.kind, TROUBLE_MISSING);
	assert_string_equal(trouble.reason, "no 3 here");
	assert_string_equal(trouble.hint, "apt install dash tar");
	assert_int_equal(workload_version(&uses[0], version, sizeof(version)), 0);
	assert_string_equal(version, "made 2");
	clear(state);
	open_library(HEAD PARAMETERS TAIL "tools: [sh, no-such-tool]\nversion: exit 1\n");
	parse_well("made", NULL);
	assert_string_equal(workload_missing_tool(uses[0].workload), "no-such-tool");
	assert_int_equal(workload_tools(uses[0].workload, &trouble), -1);
	assert_string_equal(trouble.reason, "needs no-such-tool, which is not in PATH");
	assert_int_equal(workload_version(&uses[0], version, sizeof(version)), -1);
	assert_string_equal(version, "");
	assert_int_not_equal(errno, ETIMEDOUT);
	clear(state);
	open_library(HEAD PARAMETERS TAIL "version: echo 1.0; exec sleep 1000\n");
	parse_well("made", NULL);
	assert_int_equal(workload_version(&uses[0], version, sizeof(version)), -1);
	assert_string_equal(version, "");
	assert_int_equal(errno, ETIMEDOUT);
}

/* A mistake in a file concerns only the matrix that uses it. */
static void test_broken_file(void **state)
{
	char path[PATH_MAX];

	(void)state;
	scratch_write("workloads/broken.yaml", "schema: fsbstat-workload/1\nname: [\n");
	open_library(HEAD PARAMETERS TAIL);
	parse_well("made n=2", NULL);
	assert_int_equal(parse("broken", NULL), -1);
	assert_non_null(strstr(trouble.reason, "the workload broken cannot be used: "));
	assert_non_null(strstr(trouble.reason, "workloads/broken.yaml:"));
	clear(state);
	/* Nor is one read that another user could change. */
	scratch_write("workloads/broken.yaml", "schema: fsbstat-workload/1\nname: broken\n"
		      "title: b\n" TAIL);
	scratch_path(path, "workloads/broken.yaml");
	open_library(HEAD PARAMETERS TAIL);
	parse_well("broken", NULL);
	clear(state);
	assert_int_equal(chmod(path, 0666), 0);
	open_library(HEAD PARAMETERS TAIL);
	if (!geteuid()) {
		assert_int_equal(parse("broken", NULL), -1);
		assert_non_null(strstr(trouble.reason, "can be written by any user (mode 0666)"));
		assert_int_equal(trouble.kind, TROUBLE_REFUSED);
	}
	assert_int_equal(unlink(path), 0);
}

/* Every file that comes with fsbctl says what a report needs, and its scales can be used. */
static void test_shipped(void **state)
{
	static const char *const names[] = {"abench",	      "dbench",	      "fio-iometer",
					    "fs_mark",	      "fsync-append", "postmark",
					    "sqlite-inserts", "untar-kernel"};

	(void)state;
	open_library(NULL);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_non_null(workload_find(&library, names[i]));
	for (size_t i = 0; i < library.nr; i++) {
		const struct workload *workload = &library.workload[i];

		assert_true(workload->nr_tools && workload->nr_packages);
		assert_true(*workload->unit && *workload->version && *workload->cleanup);
		/* A score is printed, or it is the time that is taken. */
		assert_true(*workload->result || !strcmp(workload->unit, "s"));
		for (size_t p = 0; p < workload->nr_parameters; p++)
			assert_true(*workload->parameter[p].about);
		for (size_t k = 0; k < 3; k++) {
			static const char *const scales[] = {NULL, "published", "small"};

			workload_uses_free(uses, nr_uses);
			uses = NULL;
			nr_uses = 0;
			parse_well(workload->name, scales[k]);
		}
		assert_true(uses[0].space > 0 && uses[0].space < 400000000);
		assert_true(uses[0].seconds > 0 && uses[0].seconds < 30);
	}
}

#define TEST(name) cmocka_unit_test_teardown(name, clear)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_least),	  TEST(test_mistakes),	    TEST(test_scale_mistakes),
		TEST(test_words),	  TEST(test_word_mistakes), TEST(test_units),
		TEST(test_cross_product), TEST(test_labels),	    TEST(test_scale),
		TEST(test_use_mistakes),  TEST(test_too_many),	    TEST(test_needs_and_version),
		TEST(test_shipped),	  TEST(test_broken_file),
	};

	return cmocka_run_group_tests(tests, make, scratch_remove);
}
