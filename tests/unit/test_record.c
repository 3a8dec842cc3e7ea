// SPDX-License-Identifier: GPL-2.0-or-later
/* test_record: what `fsbctl record`, `watch` and `unwatch` refuse before they touch anything. */
#include <getopt.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "unit.h"

#define ARGS_MAX 12

/* Runs a command line and returns its status; what it says goes to @said. */
static int run(const struct cmd *cmd, const char *line, char *said, size_t size)
{
	char copy[256], *argv[ARGS_MAX + 1], *word, path[] = "/tmp/fsbstat-unit-XXXXXX";
	int argc = 0, to = mkstemp(path), saved, status;
	ssize_t got;

	assert_true(to >= 0);
	unlink(path);
	snprintf(copy, sizeof(copy), "%s", line);
	for (word = strtok(copy, " "); word && argc < ARGS_MAX; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	fflush(stderr);
	saved = dup(2);
	dup2(to, 2);
	optind = 0;
	status = cmd->run(argc, argv);
	fflush(stderr);
	dup2(saved, 2);
	close(saved);
	got = pread(to, said, size - 1, 0);
	assert_true(got >= 0);
	said[got] = '\0';
	close(to);
	return status;
}

static void expect(const struct cmd *cmd, const char *line, int status, const char *words)
{
	char said[2048];
	int got = run(cmd, line, said, sizeof(said));

	if (got != status || !strstr(said, words))
		print_error("%s: status %d, said: %s\n", line, got, said);
	assert_int_equal(got, status);
	assert_non_null(strstr(said, words));
	assert_int_equal(strncmp(said, "fsbctl: ", 8), 0);
}

static void test_usage(void **state)
{
	(void)state;
	expect(&cmd_record, "record", EXIT_USAGE, "no disk named");
	expect(&cmd_record, "record -- true", EXIT_USAGE, "no disk named");
	expect(&cmd_record, "record x --", EXIT_USAGE, "no command behind --");
	expect(&cmd_record, "record x ls", EXIT_USAGE, "goes behind --");
	expect(&cmd_record, "record x -w", EXIT_USAGE, "-w");
	expect(&cmd_record, "record x --intervall 1", EXIT_USAGE, "--interval");
	expect(&cmd_record, "record x --json --csv", EXIT_USAGE, "exclude each other");
	expect(&cmd_record, "record x --json -- true", EXIT_USAGE, "need -o FILE");
	expect(&cmd_record, "record x --csv -- true", EXIT_USAGE, "need -o FILE");
	expect(&cmd_record, "record x -r 2", EXIT_USAGE, "needs -w");
	expect(&cmd_record, "record x --settle x", EXIT_USAGE, "is not a time");
	expect(&cmd_epochs, "epochs", EXIT_USAGE, "no recording named");
	expect(&cmd_epochs, "epochs a b", EXIT_USAGE, "one recording only");
	expect(&cmd_epochs, "epochs a --rate fl", EXIT_USAGE, "no rate 'fl'");
	expect(&cmd_epochs, "epochs a --baseline 0", EXIT_USAGE, "'0' is no number");
	expect(&cmd_epochs, "epochs a --settle 1y", EXIT_USAGE, "'1y' is not a time");
	expect(&cmd_epochs, "epochs /no/such/file", EXIT_FSBCTL, "/no/such/file");
	expect(&cmd_epochs, "epochs /dev/null", EXIT_FSBCTL, "no recording");
	expect(&cmd_watch, "watch", EXIT_USAGE, "no disk named");
	expect(&cmd_watch, "watch a b", EXIT_USAGE, "one disk only");
	expect(&cmd_unwatch, "unwatch", EXIT_USAGE, "no disk named");
}

static void test_nonsense_numbers(void **state)
{
	static const char *const bad[] = { "-I 0", "-I -1", "-I x", "-I 1us", "-I 5ms", "-I 1y",
					   "-I 1e99", "-I nan", "-w 0", "-w inf", "-w 2000000h",
					   "-w 1s1", "-r 0", "-r -1", "-r 1.5", "-r 1001",
					   "-r x", "-r 99999999999999999999" };
	char line[64];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(line, sizeof(line), "record x %s", bad[i]);
		expect(&cmd_record, line, EXIT_USAGE, "'");
	}
}

static void test_no_such_disk(void **state)
{
	(void)state;
	expect(&cmd_record, "record no-such-disk -w 1", EXIT_FSBCTL, "no-such-disk");
	expect(&cmd_record, "record /dev/null -w 1", EXIT_FSBCTL, "/dev/null");
	expect(&cmd_watch, "watch no-such-disk", EXIT_FSBCTL, "no-such-disk");
	/* Behind -- nothing is an option of ours. */
	expect(&cmd_record, "record no-such-disk -- ls --json --csv -r 0", EXIT_FSBCTL,
	       "no-such-disk");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_usage),
		cmocka_unit_test(test_nonsense_numbers),
		cmocka_unit_test(test_no_such_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
