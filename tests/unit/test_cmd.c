// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line: durations, slips of the finger, options, dispatch, tables. */
#include "duration.h"
#include "dispatch.h"
#include "nearest.h"

#include <fcntl.h>
#include <getopt.h>
#include <math.h>
#include <sys/wait.h>

#include "cmd/table.h"
#include "message.h"

static void test_durations(void **state)
{
	static const struct {
		const char *text;
		double seconds;
	} good[] = {
		{ "1", 1 },	  { "0.5s", 0.5 },    { "200ms", 0.2 }, { "2m", 120 },
		{ "1h", 3600 },	  { "250us", 0.00025 }, { "7ns", 0.000000007 },	{ ".5", 0.5 },
		{ "1.5h", 5400 }, { "3.", 3 },
	};
	static const char *const bad[] = {
		"", "0", "0s", "-1", "+1", "1 s", " 1", "1x", "s", ".", "1..", "1e3", "0x10",
		"inf", "nan", "1sm", "1S", "0.1ns", "99999999h", "1.2.3",
	};
	double seconds;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_int_equal(duration_parse(good[i].text, &seconds), 0);
		assert_true(fabs(seconds / good[i].seconds - 1) < 0.000000000001);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (!duration_parse(bad[i], &seconds))
			fail_msg("\"%s\" was taken for %g s", bad[i], seconds);
}

static const char *nearest(const char *word)
{
	static const char *const words[] = { "list", "check", "watch", "unwatch", "record" };
	const char *near = nearest_word(word, words, sizeof(words) / sizeof(*words));

	return near ? near : "";
}

static void test_nearest(void **state)
{
	(void)state;
	assert_string_equal(nearest("recrod"), "record");
	assert_string_equal(nearest("rec"), "record");
	assert_string_equal(nearest("lst"), "list");
	assert_string_equal(nearest("chekc"), "check");
	assert_string_equal(nearest("wach"), "watch");
	assert_string_equal(nearest("unwach"), "unwatch");
	assert_string_equal(nearest("frobnicate"), "");
	assert_string_equal(nearest(""), "");
	assert_string_equal(nearest("recordrecordrecordrecordrecordrecord"), "");
}

static int seen_argc;
static char seen_options[64];

static int run_fake(int argc, char **argv);

static const struct cmd fake = {
	.name = "fake", .usage = "DISK [-w TIME]", .summary = "for the test", .help = "more",
	.run = run_fake,
};

static const struct cmd other = {
	.name = "other", .usage = "", .summary = "another", .help = "", .run = run_fake,
};

static const struct cmd *const table[] = { &fake, &other, NULL };

static int run_fake(int argc, char **argv)
{
	static const struct option options[] = {
		{ "wait", required_argument, NULL, 'w' },
		{ "warn", no_argument, NULL, 'W' },
		{ "json", no_argument, NULL, 'j' },
		{ 0 },
	};
	int c;

	seen_options[0] = '\0';
	while ((c = cmd_getopt(&fake, argc, argv, "w:j", options)) != -1) {
		if (c == 'h')
			return EXIT_OK;
		if (c == '?')
			return EXIT_USAGE;
		strncat(seen_options, &(char){ (char)c }, 1);
	}
	seen_argc = argc - optind;
	return 42;
}

/* Runs a command line; out and err are what it printed. */
static int dispatch(const char *line, char out[4096], char err[4096])
{
	char copy[256], *argv[16] = { (char *)"fsbctl" }, *word, *save = NULL;
	int argc = 1;

	snprintf(copy, sizeof(copy), "%s", line);
	for (word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
		argv[argc++] = word;
	return dispatch_captured(table, argc, argv, out, 4096, err, 4096);
}

static void expect(const char *line, int status, const char *in_out, const char *in_err)
{
	char out[4096], err[4096];
	int got = dispatch(line, out, err);

	if (got != status || !strstr(out, in_out) || !strstr(err, in_err))
		fail_msg("%s: status %d, stdout \"%s\", stderr \"%s\"", line, got, out, err);
	/* Help that was asked for is no complaint, and a complaint is no output. */
	assert_true(!*in_out == !*out);
	assert_true(!*in_err == !*err);
}

static void test_dispatch(void **state)
{
	(void)state;
	expect("", EXIT_USAGE, "", "usage: fsbctl COMMAND");
	expect("--help", EXIT_OK, "  other     another\n", "");
	expect("help", EXIT_OK, "usage: fsbctl COMMAND", "");
	expect("help fake", EXIT_OK,
	       "usage: fsbctl fake DISK [-w TIME]\n\nfor the test\n\nmore\n", "");
	expect("help other", EXIT_OK, "usage: fsbctl other\n\nanother\n", "");
	expect("help fkae", EXIT_USAGE, "",
	       "fsbctl: fkae: unknown command\n        did you mean fake?");
	expect("--version", EXIT_OK, "fsbctl ", "");
	expect("faek", EXIT_USAGE, "", "did you mean fake?");
	expect("zzzzz", EXIT_USAGE, "", "fsbctl --help lists the commands");
	expect("--nonsense", EXIT_USAGE, "", "fsbctl: --nonsense: unknown option");
	expect("\033[31m", EXIT_USAGE, "", "fsbctl: \\x1b[31m: unknown command");
	expect("fake", 42, "", "");
}

static void test_options(void **state)
{
	(void)state;
	expect("fake sda -w 5 --json x -- -y", 42, "", "");
	assert_string_equal(seen_options, "wj");
	assert_int_equal(seen_argc, 3);
	expect("fake sda --help", EXIT_OK, "usage: fsbctl fake", "");
	expect("fake -h", EXIT_OK, "usage: fsbctl fake", "");
	expect("fake --wiat 5", EXIT_USAGE, "",
	       "fsbctl: fake: unknown option --wiat\n        did you mean --wait?");
	expect("fake --jsno=1", EXIT_USAGE, "",
	       "unknown option --jsno\n        did you mean --json?");
	expect("fake --qqqqqqqq", EXIT_USAGE, "", "fsbctl fake --help lists its options");
	expect("fake --wa 1", EXIT_USAGE, "", "option --wa is short for more than one");
	expect("fake --wait", EXIT_USAGE, "",
	       "option --wait needs a value\n        usage: fsbctl fake");
	expect("fake -w", EXIT_USAGE, "", "option -w needs a value");
	expect("fake --json=1", EXIT_USAGE, "", "option --json=1 takes no value");
	expect("fake --json -xj", EXIT_USAGE, "", "unknown option -x");
	expect("fake -jx", EXIT_USAGE, "", "unknown option -x");
}

static void test_full_stdout(void **state)
{
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC), saved, status;
	char line[] = "fsbctl\0--version", *argv[3] = { line, line + 7, NULL };
	struct capture capture;
	char err[4096];

	(void)state;
	assert_true(full >= 0);
	fflush(stdout);
	saved = dup(STDOUT_FILENO);
	assert_true(saved >= 0 && dup2(full, STDOUT_FILENO) >= 0);
	capture_begin(&capture, stderr);
	status = cmd_dispatch(table, 2, argv);
	capture_end(&capture, err, sizeof(err));
	dup2(saved, STDOUT_FILENO);
	clearerr(stdout);
	close(saved);
	close(full);
	assert_int_equal(status, EXIT_FSBCTL);
	assert_string_equal(err, "fsbctl: standard output: No space left on device\n");
}

static int run_open(int argc, char **argv)
{
	(void)argc;
	return open(argv[0], O_RDONLY | O_CLOEXEC);
}

/* What a command opens is never where messages go. */
static void test_closed_standard(void **state)
{
	static const struct cmd opens = {.name = "/", .usage = "", .summary = "", .help = "",
					 .run = run_open};
	static const struct cmd *const commands[] = { &opens, NULL };
	char line[] = "fsbctl\0/", *argv[3] = { line, line + 7, NULL };
	int status;
	pid_t pid;

	(void)state;
	fflush(stdout);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		close(STDIN_FILENO);
		close(STDERR_FILENO);
		_exit(cmd_dispatch(commands, 2, argv));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_in_range(WEXITSTATUS(status), STDERR_FILENO + 1, 100);
}

static void test_printable(void **state)
{
	static const struct {
		const char *text, *safe;
	} cases[] = {
		{ "plain text", "plain text" },
		{ "\033[2J\a\r\n\t\x7f", "\\x1b[2J\\x07\\x0d\\x0a\\x09\\x7f" },
		{ "\xc3\xbc \xe2\x82\xac \xf0\x9f\x92\xbe",
		  "\xc3\xbc \xe2\x82\xac \xf0\x9f\x92\xbe" },
		{ "\xc2\x9b[1m", "\\xc2\\x9b[1m" }, /* CSI as one character */
		{ "a\xff\xc3", "a\\xff\\xc3" },
		{ "\xc0\xaf", "\\xc0\\xaf" }, /* overlong '/' */
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" }, /* surrogate */
		{ "\xe2\x80\xaexyz", "\\xe2\\x80\\xaexyz" }, /* right-to-left override */
	};
	char safe[128];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_string_equal(message_printable(safe, sizeof(safe), cases[i].text),
				    cases[i].safe);
	/* Cut at a whole character, never inside one or inside an escape. */
	assert_string_equal(message_printable(safe, 4, "ab\xc3\xbc"), "ab");
	assert_string_equal(message_printable(safe, 5, "ab\xc3\xbc"), "ab\xc3\xbc");
	assert_string_equal(message_printable(safe, 6, "ab\033"), "ab");
	assert_string_equal(message_printable(safe, 1, "ab"), "");
}

static void test_table(void **state)
{
	static const struct column columns[] = {
		{ "disk", false, 0 }, { "model", false, 8 }, { "size", true, 0 },
		{ "none", false, 0 }, { "mounts", false, 8 },
	};
	char long_model[] = "a model with a name of forty characters.";
	char mounts[] = "/srv/\xc3\xbc /a /very/long/list/of/mounts";
	char *cells[10] = {
		(char *)"sda", long_model, (char *)"1 T", (char *)"-", mounts,
		(char *)"nvme0n1", (char *)"X", (char *)"512 G", (char *)"", (char *)"-",
	};
	struct capture capture;
	char out[1024];

	(void)state;
	capture_begin(&capture, stdout);
	table_print(columns, 5, cells, 2, stdout);
	capture_end(&capture, out, sizeof(out));
	assert_string_equal(out,
			    "disk     model                         size  mounts\n"
			    "sda      a model with a name of fo..    1 T  "
			    "/srv/\xc3\xbc /a /very/long/list/of/mounts\n"
			    "nvme0n1  X                            512 G  -\n");
}

static void test_layers(void **state)
{
	static const struct {
		const char *text;
		uint32_t layers; /* 0: refused */
	} cases[] = {
		{ "all", FSBSTAT_LAYERS_ALL },
		{ "request", FSBSTAT_LAYER_REQUEST },
		{ "bio,fs", FSBSTAT_LAYER_BIO | FSBSTAT_LAYER_FS },
		{ "request,drive", FSBSTAT_LAYER_REQUEST | FSBSTAT_LAYER_DRIVE },
		{ "", 0 },    { "bio,", 0 }, { ",bio", 0 },
		{ "ata", 0 }, { "BIO", 0 },  { "bio fs", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct capture capture;
		char said[4096];
		uint32_t layers;
		int status, expected;

		capture_begin(&capture, stderr);
		status = cmd_layers_option(cases[i].text, &layers);
		capture_end(&capture, said, sizeof(said));
		expected = EXIT_USAGE;
		if (cases[i].layers)
			expected = 0;
		assert_int_equal(status, expected);
		assert_int_equal(!*said, !status);
		if (!status)
			assert_int_equal(layers, cases[i].layers);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_durations), cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_dispatch),  cmocka_unit_test(test_options),
		cmocka_unit_test(test_layers),
		cmocka_unit_test(test_full_stdout), cmocka_unit_test(test_printable),
		cmocka_unit_test(test_closed_standard), cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
