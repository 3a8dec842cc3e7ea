// SPDX-License-Identifier: GPL-2.0-or-later
/* The commands validate and presets, and the manual's own examples. */
#include "dispatch.h"

static char out[8192], err[8192];
static char folder[64];

/* Runs a command line of words; returns its exit status. */
static int run(const char *line)
{
	static const struct cmd *const table[] = {&cmd_validate, &cmd_presets, NULL};
	char copy[1024], *argv[16] = {(char *)"fsbctl"}, *word, *save = NULL;
	int argc = 1;

	snprintf(copy, sizeof(copy), "%s", line);
	for (word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
		argv[argc++] = word;
	argv[argc] = NULL;
	return dispatch_captured(table, argc, argv, out, sizeof(out), err, sizeof(err));
}

static void put(const char *name, const char *text, size_t size)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "we");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static int begin(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/fsb-cmd-XXXXXX");
	return !mkdtemp(folder) || unsetenv("FSBCTL_DATA") ||
	       setenv("XDG_CONFIG_HOME", "/nowhere", 1);
}

static int end(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

static void test_validate(void **state)
{
	static const char mistake[] = "schema: fsbstat-matrix/1\nname: a\nworklods: [w]\n";
	char line[256], expected[256];

	(void)state;
	assert_int_equal(run("validate presets/barrier.yaml"), EXIT_OK);
	assert_string_equal(out, "presets/barrier.yaml: ok, 4 configurations, 2 workloads, "
				 "8 cells\n");
	assert_string_equal(err, "");
	/* One mistake does not keep the others from being looked at. */
	put("bad.yaml", mistake, strlen(mistake));
	snprintf(line, sizeof(line), "validate %s/bad.yaml %s/none.yaml barrier", folder, folder);
	assert_int_equal(run(line), EXIT_USAGE);
	assert_non_null(strstr(out, "presets/barrier.yaml: ok, "));
	snprintf(expected, sizeof(expected),
		 "fsbctl: %s/bad.yaml:3: unknown key \"worklods\"\n"
		 "        did you mean \"workloads\"?\n"
		 "fsbctl: %s/none.yaml: No such file or directory\n",
		 folder, folder);
	assert_string_equal(err, expected);
	assert_int_equal(run("validate"), EXIT_USAGE);
	assert_int_equal(run("validate bareir"), EXIT_USAGE);
	assert_non_null(strstr(err, "did you mean barrier?"));
}

/* What a matrix names and there is not is told with its line too; exclusions are counted. */
static void test_validate_names(void **state)
{
	static const char head[] = "schema: fsbstat-matrix/1\nname: a\nall: {fs: ext4}\n"
				   "configurations: [{name: a}, {name: b, barrier: off}]\n";
	static const struct {
		const char *rest, *says;
	} matrix[] = {
		{"workloads: [fsync-append,\n dbnech]\n", ":6: no workload is called \"dbnech\"\n"},
		{"workloads:\n  - dbench clients=no\n", ":6: clients=no: expected a value"},
		{"workloads:\n  - fsync-append cuont=1\n", ":6: "},
	};
	char text[512], line[128];

	(void)state;
	snprintf(line, sizeof(line), "validate %s/names.yaml", folder);
	for (size_t i = 0; i < sizeof(matrix) / sizeof(*matrix); i++) {
		snprintf(text, sizeof(text), "%s%s", head, matrix[i].rest);
		put("names.yaml", text, strlen(text));
		assert_int_equal(run(line), EXIT_USAGE);
		assert_non_null(strstr(err, matrix[i].says));
	}
	snprintf(text, sizeof(text),
		 "%sworkloads: [fsync-append, \"dbench clients=1,2\"]\n"
		 "exclude: [{configuration: b, workload: \"dbench-*\"}]\n",
		 head);
	put("names.yaml", text, strlen(text));
	assert_int_equal(run(line), EXIT_OK);
	assert_non_null(strstr(out, ": ok, 2 configurations, 3 workloads, 4 cells\n"));
}

static void test_presets(void **state)
{
	(void)state;
	assert_int_equal(run("presets"), EXIT_OK);
	assert_non_null(strstr(out, "\nbarrier "));
	assert_non_null(strstr(out, "\next4-options-2012 "));
	assert_non_null(strstr(out, "\nsata-ncq-2011 "));
	assert_int_equal(run("presets show barrier"), EXIT_OK);
	assert_non_null(strstr(out, "schema: fsbstat-matrix/1\n"));
	assert_string_equal(err, "");
	assert_int_equal(run("presets show nothing"), EXIT_USAGE);
	assert_string_equal(out, "");
	assert_int_equal(run("presets barrier"), EXIT_USAGE);
	assert_int_equal(run("presets show"), EXIT_USAGE);
}

/* A user's file that is wrong is listed with what is wrong. */
static void test_own_presets(void **state)
{
	char path[128];

	(void)state;
	assert_int_equal(setenv("XDG_CONFIG_HOME", folder, 1), 0);
	snprintf(path, sizeof(path), "%s/fsbctl", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	strcat(path, "/presets");
	assert_int_equal(mkdir(path, 0700), 0);
	put("fsbctl/presets/mine.yaml", "- a\n", 4);
	assert_int_equal(run("presets"), EXIT_OK);
	assert_non_null(strstr(out, "\nmine  "));
	assert_non_null(strstr(out, "expected keys with values, found a list\n"));
	assert_non_null(strstr(out, "\nbarrier "));
}

/* Takes the next example out of the manual into a file; where to go on, NULL: there is none. */
static const char *take_example(const char *manual)
{
	const char *from = strstr(manual, ".nf\nschema: "), *to;
	char example[4096];
	size_t len = 0;

	if (!from)
		return NULL;
	from += strlen(".nf\n");
	to = strstr(from, ".fi\n");
	assert_non_null(to);
	assert_true((size_t)(to - from) < sizeof(example));
	for (; from < to; from++)
		if (*from != '\\')
			example[len++] = *from;
	put("example.yaml", example, len);
	return to;
}

static void test_manual(void **state)
{
	static char manual[32768];
	FILE *file = fopen("docs/fsbctl-matrix.5", "re");
	const char *at = manual;
	unsigned int nr = 0;
	char line[128];

	(void)state;
	assert_non_null(file);
	manual[fread(manual, 1, sizeof(manual) - 1, file)] = '\0';
	assert_int_equal(fclose(file), 0);
	snprintf(line, sizeof(line), "validate %s/example.yaml", folder);
	while ((at = take_example(at))) {
		assert_int_equal(run(line), EXIT_OK);
		nr++;
	}
	assert_int_equal(nr, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_validate), cmocka_unit_test(test_validate_names),
		cmocka_unit_test(test_presets),	 cmocka_unit_test(test_own_presets),
		cmocka_unit_test(test_manual),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
