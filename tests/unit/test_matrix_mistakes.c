// SPDX-License-Identifier: GPL-2.0-or-later
/* Matrix files with a mistake in them: the line, what was expected, and how to go on. */
#include "unit.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/matrix.h"
#include "bench/yaml_form.h"

#define HEAD "schema: fsbstat-matrix/1\nname: test\n" /* two lines */
#define ALL  HEAD "all: {fs: ext4}\n" /* three */
#define GOOD ALL "workloads: [w]\n" /* four, and nothing wrong */

struct mistake {
	const char *text;
	unsigned int line; /* 0: of the file as a whole */
	const char *reason; /* part of it */
	const char *hint; /* part of it, NULL: none at all */
};

static void expect(const struct mistake *mistake)
{
	struct trouble trouble = {0};
	struct matrix matrix;
	char object[32];

	if (!matrix_parse(&matrix, "m.yaml", mistake->text, &trouble))
		fail_msg("taken for right:\n%s", mistake->text);
	matrix_free(&matrix);
	if (mistake->line)
		snprintf(object, sizeof(object), "m.yaml:%u", mistake->line);
	else
		snprintf(object, sizeof(object), "m.yaml");
	if (trouble.kind != TROUBLE_USAGE || strcmp(trouble.object, object) ||
	    !strstr(trouble.reason, mistake->reason) ||
	    (mistake->hint ? !strstr(trouble.hint, mistake->hint) : *trouble.hint != '\0'))
		fail_msg("%s: %s (%s)\nexpected: %s: %s (%s)\nin:\n%s", trouble.object,
			 trouble.reason, trouble.hint, object, mistake->reason,
			 mistake->hint ? mistake->hint : "", mistake->text);
}

static void expect_all(const struct mistake *mistakes, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		expect(&mistakes[i]);
}

#define EXPECT_ALL(mistakes) expect_all(mistakes, sizeof(mistakes) / sizeof(*(mistakes)))

static void test_syntax(void **state)
{
	static const struct mistake mistakes[] = {
		{HEAD "all: {fs: ext4\nworkloads: [w]\n", 4, "not YAML: ", "quotes"},
		{HEAD "all:\n\tfs: ext4\n", 4, "not YAML: ", "never tabs"},
		{HEAD "all: {fs: \"ext4}\n", 4, "not YAML: ", "YAML"},
		{"\n\n# nothing here\n", 0, "has nothing in it", NULL},
		{"just text\n", 1, "expected keys with values, found \"just text\"",
		 "schema: fsbstat-matrix/1"},
		{"- a\n- b\n", 1, "expected keys with values, found a list", "schema: "},
		{GOOD "---\n" GOOD, 5, "a second document", NULL},
		{GOOD "baseline: &x ext4\nabout: *x\n", 6, "aliases", "quotes"},
		{GOOD "? [a, b]\n: c\n", 5, "a list or a mapping for a key", NULL},
		{GOOD "about: \"a\\0b\"\n", 5, "NUL", NULL},
		{GOOD "about: [[[[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]]]\n", 5, "nested more than 16",
		 NULL},
		{HEAD "about: \xff\xfe\n", 3, "no text: ", "UTF-8"},
	};

	(void)state;
	EXPECT_ALL(mistakes);
}

static void test_keys(void **state)
{
	static const struct mistake mistakes[] = {
		{"name: a\nall: {fs: ext4}\nworkloads: [w]\n", 1, "\"schema\" is missing",
		 "schema: fsbstat-matrix/1"},
		{"\nschema: fsbstat-workload/1\nname: a\n", 2, "\"fsbstat-workload/1\" is not one",
		 "schema: fsbstat-matrix/1"},
		{"schema: [fsbstat-matrix/1]\n", 1, "the schema \"\" is not one", "schema: "},
		{GOOD "worklods: [v]\n", 5, "unknown key \"worklods\"",
		 "did you mean \"workloads\"?"},
		{GOOD "xyzzy: 1\n", 5, "unknown key \"xyzzy\"",
		 "expected one of: schema, name, about, target, all"},
		{HEAD "all:\n  fs: ext4\n  barier: on\nworkloads: [w]\n", 5,
		 "unknown key \"barier\" in all", "\"barrier\""},
		{GOOD "configurations:\n- {name: a}\n- name: b\n  shceduler: bfq\n", 8,
		 "unknown key \"shceduler\" in configurations", "\"scheduler\""},
		{GOOD "axes:\n- {barier: [on, off]}\n", 6, "unknown key \"barier\" in axes",
		 "\"barrier\""},
		{GOOD "axes:\n- {name: [a, b]}\n", 6, "unknown key \"name\" in axes",
		 "names are made of the values"},
		{GOOD "repeat: {minimum: 3}\n", 5, "unknown key \"minimum\" in repeat", "min"},
		{GOOD "target: {sise: 1GiB}\n", 5, "unknown key \"sise\" in target", "\"size\""},
		{GOOD "exclude: [{config: a}]\n", 5, "unknown key \"config\" in exclude",
		 "\"configuration\""},
		{GOOD "barrier: off\n", 5, "unknown key \"barrier\"", "belongs into `all`"},
		{GOOD "max_time: 1h\n", 5, "unknown key \"max_time\"", "into `repeat`"},
		{GOOD "size: 1GiB\n", 5, "unknown key \"size\"", "into `target`"},
		{HEAD "all: {fs: ext4, order: listed}\nworkloads: [w]\n", 3,
		 "unknown key \"order\" in all", "outermost"},
		{HEAD "all: {fs: ext4, mount: noatime,discard}\nworkloads: [w]\n", 3,
		 "unknown key \"discard\" in all", "a comma in it needs quotes"},
		{GOOD "order: listed\norder: random\n", 6, "\"order\" is given twice", NULL},
		{HEAD "all: {fs: ext4, fs: xfs}\nworkloads: [w]\n", 3, "\"fs\" is given twice",
		 NULL},
		{"schema: fsbstat-matrix/1\nall: {fs: ext4}\nworkloads: [w]\n", 1,
		 "\"name\" is missing", NULL},
		{ALL, 1, "\"workloads\" is missing", NULL},
		{GOOD "configurations:\n- {name: a}\n- {fs: xfs}\n", 7,
		 "\"name\" is missing in configurations", NULL},
	};

	(void)state;
	EXPECT_ALL(mistakes);
}

static void test_types(void **state)
{
	static const struct mistake mistakes[] = {
		{HEAD "all: ext4\nworkloads: [w]\n", 3,
		 "\"all\": expected keys with values, found \"ext4\"", "{key: value"},
		{HEAD "all: {fs: [ext4]}\nworkloads: [w]\n", 3,
		 "\"fs\": expected one value, found a list", NULL},
		{HEAD "all: {fs: {a: b}}\nworkloads: [w]\n", 3,
		 "\"fs\": expected one value, found keys with values", NULL},
		{HEAD "all: {fs: }\nworkloads: [w]\n", 3, "\"fs\": expected a value, found nothing",
		 NULL},
		{ALL "workloads: w\n", 4, "\"workloads\": expected a list, found \"w\"", "[a, b]"},
		{ALL "workloads:\n- w\n- {v: size}\n", 6,
		 "\"workloads\": expected one value, found keys with values", NULL},
		{ALL "workloads: []\n", 4, "\"workloads\": the list is empty", NULL},
		{ALL "workloads:\n", 4, "\"workloads\": expected a list, found nothing", "[a, b]"},
		{GOOD "axes:\n- {barrier: on}\n", 6, "\"barrier\": expected a list, found \"on\"",
		 "[a, b]"},
		{GOOD "axes:\n- {ncq: [1, 2]}\n- {barrier: []}\n", 7,
		 "\"barrier\": the list is empty, expected one or more", NULL},
		{GOOD "axes: []\n", 5, "\"axes\": the list is empty", NULL},
		{GOOD "configurations: [a, b]\n", 5,
		 "\"configurations\": expected keys with values, found \"a\"", "{key: value"},
		{GOOD "name2: x\n", 5, "unknown key \"name2\"", "\"name\""},
	};

	(void)state;
	EXPECT_ALL(mistakes);
}

static void test_configurations(void **state)
{
	static const struct mistake mistakes[] = {
		{HEAD "workloads: [w]\n", 1, "\"fs\" is missing", "`all`"},
		{HEAD "configurations:\n- {name: a, fs: xfs}\n- {name: b}\nworkloads: [w]\n", 5,
		 "\"fs\" is missing in b", "`all`"},
		{HEAD "workloads: [w]\naxes:\n- {barrier: [on, off]}\n", 4,
		 "\"fs\" is missing in barrier", "`all`"},
		{HEAD "all:\n  fs: ext4\n  barrier: onn\nworkloads: [w]\n", 5,
		 "\"barrier\": expected on or off, found \"onn\"", "did you mean \"on\"?"},
		{HEAD "all: {fs: a b}\nworkloads: [w]\n", 3, "\"fs\": expected the name of a",
		 NULL},
		{HEAD "all: {fs: -f}\nworkloads: [w]\n", 3, "\"fs\": expected the name of a", NULL},
		{HEAD "all:\n  mount: a b\nworkloads: [w]\n", 4,
		 "\"mount\": expected mount options", NULL},
		{HEAD "all:\n  mount: 'a=\"b,c\"'\nworkloads: [w]\n", 4,
		 "\"mount\": expected mount options separated by commas, without blanks or quotes",
		 NULL},
		{HEAD "all:\n  mount: 'a,,b'\nworkloads: [w]\n", 4, "\"mount\": expected", NULL},
		{HEAD "all:\n  mkfs: \"-O a\\n-b\"\nworkloads: [w]\n", 4, "\"mkfs\": expected",
		 NULL},
		{HEAD "all: {write_cache: maybe}\nworkloads: [w]\n", 3,
		 "\"write_cache\": expected on or off, found \"maybe\"", NULL},
		{HEAD "all: {write_cache_kernel: write_trough}\nworkloads: [w]\n", 3,
		 "expected write back or write through", "\"write through\""},
		{HEAD "all: {ncq: 0}\nworkloads: [w]\n", 3,
		 "\"ncq\": expected a number from 1, max or off, found \"0\"", NULL},
		{HEAD "all: {nr_requests: many}\nworkloads: [w]\n", 3, "\"nr_requests\": expected",
		 NULL},
		{HEAD "all: {scheduler: a/b}\nworkloads: [w]\n", 3, "\"scheduler\": expected",
		 NULL},
		{HEAD "all: {cache: hot}\nworkloads: [w]\n", 3,
		 "\"cache\": expected cold or warm, found \"hot\"", NULL},
		{HEAD "all: {preparation: tirm}\nworkloads: [w]\n", 3,
		 "expected none, trim or fill", "\"trim\""},
		{HEAD "all: {emulate: 1}\nworkloads: [w]\n", 3, "\"emulate\": expected yes or no",
		 NULL},
		{GOOD "configurations:\n- {name: a}\n- {name: b,\n   ncq: x}\n", 8,
		 "\"ncq\": expected", NULL},
		{GOOD "configurations:\n- {name: a}\n- {name: b}\n- {name: a}\n", 8,
		 "two configurations have the name \"a\", the first in line 6", NULL},
		{GOOD "configurations: [{name: a/b}]\n", 5, "it has '/' in it", "letters"},
		{GOOD "configurations: [{name: a b}]\n", 5, "it has ' ' in it", "letters"},
		{GOOD "configurations: [{name: -a}]\n", 5, "\"-a\" cannot be the name of a conf",
		 "letters"},
	};

	(void)state;
	EXPECT_ALL(mistakes);
}

static void test_axes(void **state)
{
	static const struct mistake mistakes[] = {
		{GOOD "axes:\n- ncq:\n  - max\n  - fast\n", 8, "\"ncq\": expected a number", NULL},
		{GOOD "axes:\n- {barrier: [on, off, on]}\n", 6, "\"on\" is in the list twice",
		 NULL},
		{GOOD "axes:\n- {barrier: [on, yes]}\n", 6, "\"yes\" is in the list twice", NULL},
		{GOOD "axes:\n- {barrier: [on, off], ncq: [1, 2]}\n", 6,
		 "expected one key an axis, found 2", "as in"},
		{GOOD "axes:\n- {barrier: [on, off]}\n- {}\n", 7,
		 "expected one key an axis, found 0", "as in"},
		{GOOD "axes:\n- {ncq: [1, 2]}\n- {ncq: [3]}\n", 7, "a second axis of \"ncq\"",
		 "one list"},
		{GOOD "configurations:\n- {name: a, ncq: 3}\naxes:\n- {ncq: [1, 2]}\n", 6,
		 "\"ncq\" is an axis as well, in line 8", "leave it out"},
		{GOOD "axes:\n- {ncq: [1, 2]}\nbaseline: ext4-ncq-3\n", 7,
		 "there is no configuration \"ext4-ncq-3\"", "did you mean \"ext4-ncq-1\"?"},
	};

	(void)state;
	EXPECT_ALL(mistakes);
}

static void test_values(void **state)
{
	static const struct mistake mistakes[] = {
		{"schema: fsbstat-matrix/1\nname: a/b\nall: {fs: e}\nworkloads: [w]\n", 2,
		 "cannot be the name of a matrix", "letters"},
		{GOOD "target:\n  size: 16\n  offset: 0\n", 6, "\"size\": expected 1MiB or more",
		 NULL},
		{GOOD "target: {size: 16G}\n", 5, "16GiB (1024^3) or 16GB (1000^3), found \"16G\"",
		 NULL},
		{GOOD "target: {size: -1GiB}\n", 5, "\"size\": expected 1MiB or more", NULL},
		{GOOD "target: {size: 1e3}\n", 5, "\"size\": expected 1MiB or more", NULL},
		{GOOD "target: {size: 99999999TiB}\n", 5, "\"size\": expected 1MiB or more", NULL},
		{GOOD "target: {offset: x}\n", 5, "\"offset\": expected a size", NULL},
		{GOOD "repeat: {min: 0}\n", 5, "\"min\": expected a number from 1 to 1000", NULL},
		{GOOD "repeat: {max: 1001}\n", 5, "\"max\": expected a number", NULL},
		{GOOD "repeat:\n  min: 5\n  max: 4\n", 7, "expected 5 (\"min\") or more, found 4",
		 NULL},
		{GOOD "repeat: {rule: ptss}\n", 5, "\"rule\": expected interval or pts", NULL},
		{GOOD "repeat: {within: 5}\n", 5, "\"within\": expected a share", NULL},
		{GOOD "repeat: {within: 0%}\n", 5, "\"within\": expected a share", NULL},
		{GOOD "repeat:\n  rule: pts\n  within: 5%\n", 7, "\"within\" is for", "3.5 %"},
		{GOOD "repeat: {max_time: 5 parsecs}\n", 5, "\"max_time\": expected a time", NULL},
		{GOOD "order: sorted\n", 5, "\"order\": expected random or listed", NULL},
		{GOOD "seed: -1\n", 5, "\"seed\": expected a number", NULL},
		{GOOD "seed: 18446744073709551616\n", 5, "\"seed\": expected a number", NULL},
		{GOOD "keep_fs: maybe\n", 5, "\"keep_fs\": expected yes or no", NULL},
		{GOOD "about: |\n  two\n  lines\n", 5, "\"about\": expected one line", NULL},
		{GOOD "baseline: ext3\n", 5, "there is no configuration \"ext3\"",
		 "did you mean \"ext4\"?"},
		{GOOD "exclude:\n- {configuration: 'xfs*'}\n", 6,
		 "there is no configuration \"xfs*\"", "pattern"},
		{GOOD "exclude:\n- {workload: w}\n- {}\n", 7,
		 "\"configuration\", \"workload\" or both", NULL},
		{GOOD "exclude: [{configuration: '*'}]\n", 5, "takes away the baseline, \"ext4\"",
		 "`baseline`"},
	};

	(void)state;
	EXPECT_ALL(mistakes);
}

static void test_workloads(void **state)
{
	static const struct mistake mistakes[] = {
		{ALL "workloads:\n- w\n- dbench clients\n", 6,
		 "expected NAME KEY=VALUE,VALUE ..., found \"clients\"", "as in"},
		{ALL "workloads: [dbench clients=]\n", 4, "found \"clients=\"", "as in"},
		{ALL "workloads: ['dbench clients=1,,2']\n", 4, "found \"clients=1,,2\"", "as in"},
		{ALL "workloads: ['dbench clients=1,']\n", 4, "found \"clients=1,\"", "as in"},
		{ALL "workloads: ['dbench =1']\n", 4, "found \"=1\"", "as in"},
		{ALL "workloads:\n- a x='b c\n", 5, "found \"x='b\"", "as in"},
		{ALL "workloads:\n- a x=\"b\\\"\n", 5, "found \"x=\"b\\\"\"", "as in"},
		{ALL "workloads: ['../dbench']\n", 4, "found \"../dbench\"", "as in"},
		{ALL "workloads: ['a;b']\n", 4, "found \"a;b\"", "as in"},
		{ALL "workloads: [dbench clients=1,12]\n", 4, "found \"12\"", "needs quotes"},
		{ALL "workloads: ['a x=1 y=2 x=3']\n", 4, "\"x\" is given twice", "commas"},
		{ALL "workloads:\n- a x=1\n- b\n- a x=1\n", 7, "\"a x=1\" is in line 5 already",
		 NULL},
	};

	(void)state;
	EXPECT_ALL(mistakes);
}

/* Counted, not made: this would take some hundred gigabytes. */
static void test_too_many(void **state)
{
	static const struct mistake mistakes[] = {
		{ALL "workloads: ['a a=1,2,3,4,5,6,7,8,9,0 b=1,2,3,4,5,6,7,8,9,0 "
		     "c=1,2,3,4,5,6,7,8,9,0 d=1,2,3,4,5,6,7,8,9,0 e=1,2,3,4,5,6,7,8,9,0']\n"
		     "axes:\n- {ncq: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}\n",
		 5, "more than 10000 cells", "fewer values"},
	};
	static const char *const keys[] = {"ncq", "nr_requests", "scheduler", "mkfs", "mount"};
	char text[65536];
	size_t len = (size_t)snprintf(text, sizeof(text), "%s", GOOD "axes:\n");
	struct mistake mistake = {text, 5, "more than 10000 cells", "fewer values"};

	(void)state;
	EXPECT_ALL(mistakes);
	for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++) {
		len += (size_t)snprintf(text + len, sizeof(text) - len, "- {%s: [1", keys[k]);
		for (int i = 2; i <= 1000; i++)
			len += (size_t)snprintf(text + len, sizeof(text) - len, ", %d", i);
		len += (size_t)snprintf(text + len, sizeof(text) - len, "]}\n");
	}
	assert_true(len < sizeof(text));
	expect(&mistake);
}

/* The most there may be. */
static void test_most(void **state)
{
	char text[65536];
	size_t len = (size_t)snprintf(text, sizeof(text), "%s",
				      GOOD "axes:\n- {barrier: [on, off]}\n"
					   "- {nr_requests: [1");
	struct trouble trouble;
	struct matrix matrix;

	(void)state;
	for (int i = 2; i <= 5000; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, ", %d", i);
	snprintf(text + len, sizeof(text) - len, "]}\n");
	assert_int_equal(matrix_parse(&matrix, "m.yaml", text, &trouble), 0);
	assert_int_equal(matrix.nr_configurations, MATRIX_CELLS_MAX);
	assert_string_equal(matrix.configuration[9999].name, "ext4-nobarrier-nr_requests-5000");
	matrix_free(&matrix);
}

/* A few lines that stand for more than any memory. */
static void test_bomb(void **state)
{
	char text[4096];
	size_t len = (size_t)snprintf(text, sizeof(text), "%s", GOOD "a: &a [x,x,x,x,x,x,x,x]\n");
	struct mistake mistake = {text, 6, "aliases", "quotes"};

	(void)state;
	for (char c = 'b'; c <= 'z'; c++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n", c, c, c - 1,
					c - 1, c - 1, c - 1, c - 1, c - 1, c - 1, c - 1);
	assert_true(len < sizeof(text));
	expect(&mistake);
}

/* Of a long path the end is kept, and the line with it. */
static void test_long_path(void **state)
{
	char path[1024];
	struct trouble trouble;
	struct matrix matrix;
	size_t len;

	(void)state;
	memset(path, 'x', sizeof(path));
	strcpy(path + 1000, "/m.yaml");
	assert_int_equal(matrix_parse(&matrix, path, GOOD "order: x\n", &trouble), -1);
	len = strlen(trouble.object);
	assert_true(len < sizeof(trouble.object));
	assert_string_equal(trouble.object + len - 9, "/m.yaml:5");
	matrix_free(&matrix);
}

static char folder[64];

static int begin(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/fsb-matrix-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int end(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

/* A file of these bytes, @nr times. */
static void put(const char *name, const char *bytes, size_t size, size_t nr)
{
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "we");
	assert_non_null(file);
	while (nr--)
		assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void expect_file(const char *name, const char *reason)
{
	char path[PATH_MAX];
	struct trouble trouble = {0};
	struct matrix matrix;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	assert_int_equal(matrix_load(&matrix, path, &trouble), -1);
	matrix_free(&matrix);
	assert_string_equal(trouble.object, path);
	if (trouble.kind != TROUBLE_USAGE || !strstr(trouble.reason, reason))
		fail_msg("%s: %s\nexpected: %s", path, trouble.reason, reason);
}

static void test_files(void **state)
{
	static const char binary[] = "schema\0: x";

	(void)state;
	put("empty.yaml", "", 0, 0);
	put("blank.yaml", "\n\t", 2, 100);
	put("binary.yaml", binary, sizeof(binary), 1);
	put("huge.yaml", "# 45678\n", 8, YAML_FILE_MAX / 8 + 1);
	expect_file("none.yaml", strerror(ENOENT));
	expect_file(".", "is a directory");
	expect_file("empty.yaml", "is empty");
	expect_file("blank.yaml", "is empty");
	expect_file("binary.yaml", "is no text");
	expect_file("huge.yaml", "is longer than 1 MiB");
	if (geteuid()) {
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s/blank.yaml", folder);
		assert_int_equal(chmod(path, 0), 0);
		expect_file("blank.yaml", strerror(EACCES));
	}
}

static void expect_found(const char *word, const char *path)
{
	struct trouble trouble;
	char *found = matrix_find(word, &trouble);

	assert_non_null(found);
	assert_string_equal(found, path);
	free(found);
}

static void expect_lost(const char *word, const char *hint)
{
	struct trouble trouble;

	assert_null(matrix_find(word, &trouble));
	assert_int_equal(trouble.kind, TROUBLE_USAGE);
	assert_string_equal(trouble.object, word);
	assert_non_null(strstr(trouble.hint, hint));
}

static void test_find(void **state)
{
	char preset[PATH_MAX], file[PATH_MAX];

	(void)state;
	snprintf(preset, sizeof(preset), "%s/presets", folder);
	assert_int_equal(mkdir(preset, 0700), 0);
	put("presets/mine.yaml", GOOD, strlen(GOOD), 1);
	put("file", GOOD, strlen(GOOD), 1);
	assert_int_equal(setenv("FSBCTL_DATA", folder, 1), 0);
	assert_int_equal(setenv("XDG_CONFIG_HOME", "/nowhere", 1), 0);
	snprintf(preset, sizeof(preset), "%s/presets/mine.yaml", folder);
	snprintf(file, sizeof(file), "%s/file", folder);
	expect_found("mine", preset);
	expect_found(file, file);
	expect_found("none.yaml", "none.yaml"); /* a path: what is wrong with it says reading */
	expect_lost("mein", "did you mean mine?");
	expect_lost("xyzzy", "fsbctl presets");
	expect_lost("", "fsbctl presets");
	expect_found("..", "..");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_syntax),	  cmocka_unit_test(test_keys),
		cmocka_unit_test(test_types),	  cmocka_unit_test(test_configurations),
		cmocka_unit_test(test_axes),	  cmocka_unit_test(test_values),
		cmocka_unit_test(test_workloads), cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_most),	  cmocka_unit_test(test_bomb),
		cmocka_unit_test(test_long_path), cmocka_unit_test(test_files),
		cmocka_unit_test(test_find),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
