// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_workload_run: real commands that succeed, fail, hang, fork, flood and mark a window,
 * each described as a workload's file would.
 */
#include <math.h>
#include <signal.h>
#include <sys/wait.h>

#include "bench/workload_output.h"
#include "bench/workload_run.h"
#include "scratch_dir.h"

static struct workload_parameter parameters[] = {
	{"plain", "12", "", ""},
	{"odd", "a b'c\"d$e\\f *", "", ""},
	{"size", "64K", "", ""},
};

static struct workload workload;
static char *values[3];
static struct workload_use use;
static struct workload_result result;
static struct trouble trouble;

/* What the hooks saw. */
static struct {
	int begun, ended, ticks;
	int stop_at; /* tick that ends the command, 0: none */
	bool file_at_begin, file_at_end; /* was "mark" there? */
} seen;

static void see_begin(void *arg)
{
	(void)arg;
	assert_int_equal(seen.ended, 0);
	seen.begun++;
	seen.file_at_begin = scratch_has("mark");
}

static void see_end(void *arg)
{
	(void)arg;
	assert_int_equal(seen.begun, 1);
	seen.ended++;
	seen.file_at_end = scratch_has("mark");
}

static bool see_tick(void *arg)
{
	(void)arg;
	return ++seen.ticks != seen.stop_at;
}

static const struct workload_hooks hooks = {.begin = see_begin, .end = see_end, .tick = see_tick};

/* A workload that does nothing, to be changed by each test. */
static int set_up(void **state)
{
	(void)state;
	workload = (struct workload){
		.path = "/nowhere/workloads/made.yaml",
		.name = "made",
		.title = "made",
		.needs = "",
		.version = "",
		.prepare = "",
		.command = "true",
		.check = "",
		.cleanup = "",
		.result = "",
		.factor = 1,
		.failure = "",
		.window_from = "",
		.window_to = "",
		.space = "",
		.seconds = "",
		.parameter = parameters,
		.nr_parameters = 3,
	};
	for (size_t i = 0; i < 3; i++)
		values[i] = parameters[i].value;
	use = (struct workload_use){
		.workload = &workload, .label = "made", .value = values, .timeout = 100};
	memset(&seen, 0, sizeof(seen));
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	workload_result_free(&result);
	return 0;
}

static void run(const char *command)
{
	workload_result_free(&result);
	seen.begun = 0;
	seen.ended = 0;
	workload.command = (char *)command;
	assert_int_equal(workload_run(&use, scratch_dir, &hooks, &result, &trouble), 0);
	assert_int_equal(seen.ended, seen.begun);
	assert_int_equal(strlen(result.output), result.output_size);
}

static void expect(enum workload_end end, const char *reason)
{
	if (result.end != end || strcmp(result.reason, reason))
		print_error("end %d, \"%s\"\n%s\n", result.end, result.reason, result.output);
	assert_int_equal(result.end, end);
	assert_string_equal(result.reason, reason);
	assert_true(isnan(result.score) == (end != WORKLOAD_OK));
}

static void test_wall_time(void **state)
{
	(void)state;
	workload.factor = 1000;
	run("sleep 0.3");
	expect(WORKLOAD_OK, "");
	assert_true(result.wall_ns >= 300000000);
	assert_true(result.score == (double)result.wall_ns / 1e9 * 1000);
	assert_int_equal(result.code, 0);
	assert_int_equal(seen.begun, 1);
	assert_true(seen.ticks >= 1);
}

static void test_score(void **state)
{
	(void)state;
	workload.result = "^rate ([0-9.]+) ";
	workload.factor = 0.5;
	run("echo rate 7 x; echo rate 12.5 x >&2; echo rate none; printf 'rate 3 x'");
	expect(WORKLOAD_OK, "");
	/* The last one counts, with or without newline; of stderr too. */
	assert_true(result.score == 1.5);
	assert_string_equal(result.output, "rate 7 x\nrate 12.5 x\nrate none\nrate 3 x");
}

static void test_no_score(void **state)
{
	(void)state;
	workload.result = "^rate ([0-9.x]*)";
	run("echo nothing");
	expect(WORKLOAD_FAILED, "no result: no line like ^rate ([0-9.x]*)");
	tear_down(state);
	set_up(state);
	workload.result = "^rate ([0-9.x]*)";
	run("echo rate 1.2.x");
	expect(WORKLOAD_FAILED, "no result: \"1.2.x\" is no number");
}

static void test_status(void **state)
{
	(void)state;
	run("echo this went wrong; echo; false; echo not reached");
	expect(WORKLOAD_FAILED, "exit status 1: this went wrong");
	assert_int_equal(result.code, 1);
	assert_string_equal(result.output, "this went wrong\n\n");
	tear_down(state);
	set_up(state);
	run("kill -SEGV $$");
	expect(WORKLOAD_FAILED, "ended by signal 11 (Segmentation fault)");
	assert_int_equal(result.signal, SIGSEGV);
	assert_int_equal(result.code, -1);
	tear_down(state);
	set_up(state);
	run("no-such-tool");
	expect(WORKLOAD_FAILED, "exit status 127: made: 1: no-such-tool: not found");
}

static void test_failure_line_with_status_0(void **state)
{
	(void)state;
	workload.failure = "^Error: ";
	run("echo fine; echo Error: disk full; echo Error: more");
	expect(WORKLOAD_FAILED, "failed: Error: disk full");
	assert_int_equal(result.code, 0);
}

/* As a shell sees them: none is split, expanded or run, and units are numbers. */
static void test_environment(void **state)
{
	(void)state;
	run("printf '%s|' \"$plain\" \"$odd\" \"$size\" \"$here\" \"$LC_ALL\" \"$0\"; pwd; cat; "
	    "echo $((size * plain))");
	expect(WORKLOAD_OK, "");
	char expected[512];

	snprintf(expected, sizeof(expected),
		 "12|a b'c\"d$e\\f *|65536|/nowhere/workloads|C|made|%s\n786432\n", scratch_dir);
	assert_string_equal(result.output, expected);
}

static void test_signals_of_the_command(void **state)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	unsigned long long blocked, ignored;
	sigset_t all, was;
	int nr;

	(void)state;
	sigfillset(&all);
	assert_int_equal(sigaction(SIGPIPE, &ignore, &before), 0);
	assert_int_equal(sigprocmask(SIG_BLOCK, &all, &was), 0);
	run("grep -E '^Sig(Blk|Ign)' /proc/self/status");
	assert_int_equal(sigprocmask(SIG_SETMASK, &was, NULL), 0);
	assert_int_equal(sigaction(SIGPIPE, &before, NULL), 0);
	nr = sscanf(result.output, "SigBlk: %llx SigIgn: %llx", &blocked, &ignored);
	assert_int_equal(nr, 2);
	assert_int_equal(blocked, 0);
	/* What fsbctl ignores for itself; what whoever started it ignores (nohup) is passed on. */
	assert_int_equal(ignored & 1ULL << (SIGPIPE - 1), 0);
}

static void test_nothing_before_begin(void **state)
{
	(void)state;
	run("touch mark");
	expect(WORKLOAD_OK, "");
	assert_false(seen.file_at_begin);
	assert_true(seen.file_at_end);
	run("rm mark");
}

static void test_window_marks(void **state)
{
	(void)state;
	workload.window_from = "^execute";
	workload.window_to = "^cleanup";
	/* Each mark is seen as it is written: what comes a while later is not yet there. */
	run("echo cleanup; echo warmup; sleep 0.2; touch mark; echo execute 1; sleep 0.3; rm mark; "
	    "echo execute 2; echo cleanup; sleep 0.5; touch mark; sleep 0.1; rm mark");
	expect(WORKLOAD_OK, "");
	assert_int_equal(seen.begun, 1);
	assert_int_equal(seen.ended, 1);
	assert_true(seen.file_at_begin);
	assert_false(seen.file_at_end);
	assert_true(result.window_from_seen);
	assert_true(result.window_to_seen);
}

static void test_window_never_begun(void **state)
{
	(void)state;
	workload.window_from = "^execute";
	workload.window_to = "^cleanup";
	run("echo cleanup");
	expect(WORKLOAD_OK, "");
	assert_int_equal(seen.begun, 0);
	assert_false(result.window_from_seen);
	assert_false(result.window_to_seen);
}

static void test_window_never_ended(void **state)
{
	(void)state;
	workload.window_from = "^execute";
	workload.window_to = "^cleanup";
	run("printf execute");
	assert_int_equal(seen.begun, 1);
	assert_true(result.window_from_seen);
	assert_false(result.window_to_seen);
}

/* The number that a command wrote into a file, as a process that is still there. */
static bool alive(const char *name)
{
	char text[64], command[128];
	long pid;

	scratch_read(name, text, sizeof(text));
	pid = strtol(text, NULL, 10);
	assert_true(pid > 1);
	snprintf(command, sizeof(command), "grep -qs '^State:.[^Z]' /proc/%ld/status", pid);
	return system(command) == 0;
}

static void test_hang(void **state)
{
	(void)state;
	use.timeout = 0.5;
	run("sleep 1000 & echo $! > sleeper; echo waiting; wait");
	expect(WORKLOAD_TIMEOUT, "still running after 0 s and ended by force: waiting");
	assert_false(alive("sleeper"));
	assert_true(result.wall_ns < 60000000000);
}

static void test_hang_that_ignores_sigterm(void **state)
{
	(void)state;
	use.timeout = 0.5;
	run("trap '' TERM; echo deaf; (sleep 1000 & echo $! > sleeper; wait); sleep 1000");
	expect(WORKLOAD_TIMEOUT, "still running after 0 s and ended by force: deaf");
	assert_false(alive("sleeper"));
	/* Its five seconds of grace were over. */
	assert_true(result.wall_ns > 5000000000);
}

static void test_stopped_from_outside(void **state)
{
	(void)state;
	seen.stop_at = 2;
	workload.cleanup = "touch cleaned";
	run("rm -f cleaned; sleep 1000");
	expect(WORKLOAD_STOPPED, "stopped");
	assert_true(scratch_has("cleaned"));
}

/* It keeps the pipe open, and nothing waits for it. */
static void test_background_process_is_ended(void **state)
{
	(void)state;
	run("sleep 1000 & echo $! > sleeper; echo done");
	expect(WORKLOAD_OK, "");
	assert_string_equal(result.output, "done\n");
	assert_false(alive("sleeper"));
}

static void test_daemon_does_not_hold_it_up(void **state)
{
	char text[64];

	(void)state;
	run("setsid sh -c 'echo $$ > daemon; exec sleep 1000' & while ! [ -s daemon ]; do sleep "
	    "0.01; "
	    "done; echo done");
	expect(WORKLOAD_OK, "");
	assert_true(result.wall_ns < 60000000000);
	/* A session of its own is left alone: cleanup is for that. */
	assert_true(alive("daemon"));
	scratch_read("daemon", text, sizeof(text));
	assert_int_equal(kill((pid_t)strtol(text, NULL, 10), SIGKILL), 0);
}

static void test_megabytes_of_output(void **state)
{
	(void)state;
	workload.result = "^rate ([0-9]+)$";
	workload.failure = "^broken";
	run("echo first; yes 0123456789012345678901234567890123456789 | head -c 20000000; echo; "
	    "echo rate 5; echo last");
	expect(WORKLOAD_OK, "");
	assert_true(result.score == 5);
	assert_true(result.output_size > OUTPUT_MAX && result.output_size < OUTPUT_MAX + 100);
	assert_memory_equal(result.output, "first\n0123", 10);
	assert_non_null(strstr(result.output, "\n[15805715 bytes are left out here]\n"));
	assert_string_equal(result.output + result.output_size - 12, "rate 5\nlast\n");
}

/* What is left out of the output is seen all the same. */
static void test_failure_in_the_middle(void **state)
{
	(void)state;
	workload.failure = "^broken";
	run("yes x | head -c 6000000; echo broken; yes x | head -c 6000000");
	expect(WORKLOAD_FAILED, "failed: broken");
	assert_null(strstr(result.output, "broken"));
}

static void test_output_that_is_no_text(void **state)
{
	(void)state;
	workload.result = "rate ([0-9]+)";
	run("printf 'a\\0b\\rrate 3\\r\\200\\n'; head -c 100000 /dev/zero | tr '\\0' x; "
	    "printf '\\nrate 4'");
	expect(WORKLOAD_OK, "");
	assert_true(result.score == 4);
	assert_memory_equal(result.output, "a b\rrate 3\r", 11);
}

static void test_check(void **state)
{
	(void)state;
	workload.check = "echo looking; echo 3 rows instead of 5; exit 4";
	workload.cleanup = "touch cleaned";
	run("rm -f cleaned; echo fine");
	expect(WORKLOAD_FAILED, "check: exit status 4: 3 rows instead of 5");
	assert_int_equal(result.code, 0);
	assert_string_equal(result.output, "fine\n");
	assert_true(scratch_has("cleaned"));
}

static void test_cleanup(void **state)
{
	(void)state;
	workload.cleanup = "echo busy; exit 2";
	run("true");
	expect(WORKLOAD_FAILED, "cleanup: exit status 2: busy");
	/* The first reason is the one that is told. */
	run("echo bad; exit 3");
	expect(WORKLOAD_FAILED, "exit status 3: bad");
}

static void test_prepare(void **state)
{
	(void)state;
	assert_int_equal(workload_prepare(&use, scratch_dir, NULL, &trouble), 0);
	workload.prepare = "touch prepared";
	workload.cleanup = "rm prepared";
	assert_int_equal(workload_prepare(&use, scratch_dir, &hooks, &trouble), 0);
	assert_true(scratch_has("prepared"));
	assert_int_equal(seen.begun, 0);
	workload.prepare = "echo no room; exit 9";
	assert_int_equal(workload_prepare(&use, scratch_dir, NULL, &trouble), -1);
	assert_int_equal(trouble.kind, TROUBLE_FAILED);
	assert_string_equal(trouble.object, "made");
	assert_string_equal(trouble.reason, "prepare: exit status 9: no room");
	assert_false(scratch_has("prepared"));
	workload.prepare = "sleep 1000";
	seen.stop_at = 1;
	assert_int_equal(workload_prepare(&use, scratch_dir, &hooks, &trouble), -1);
	assert_string_equal(trouble.reason, "prepare: stopped");
}

static void test_no_directory(void **state)
{
	(void)state;
	assert_int_equal(workload_run(&use, "/nowhere/at all", &hooks, &result, &trouble), -1);
	assert_string_equal(trouble.object, "/nowhere/at all");
	assert_string_equal(trouble.reason, "No such file or directory");
	assert_int_equal(seen.begun, 0);
}

/* A command must not outlive the one that looks after it. */
static void test_command_ends_with_its_runner(void **state)
{
	int status, tries;
	pid_t pid;

	(void)state;
	scratch_write("sleeper", "");
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		workload.command = "trap '' TERM HUP; sleep 1000 & echo $! > sleeper; wait";
		_exit(workload_run(&use, scratch_dir, NULL, &result, &trouble) ? 1 : 0);
	}
	for (tries = 0; tries < 1000; tries++) {
		char text[64];

		scratch_read("sleeper", text, sizeof(text));
		if (strchr(text, '\n'))
			break;
		usleep(10000);
	}
	assert_true(alive("sleeper"));
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	for (tries = 0; tries < 1000 && alive("sleeper"); tries++)
		usleep(10000);
	assert_false(alive("sleeper"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_wall_time),
		TEST(test_score),
		TEST(test_no_score),
		TEST(test_status),
		TEST(test_failure_line_with_status_0),
		TEST(test_environment),
		TEST(test_signals_of_the_command),
		TEST(test_nothing_before_begin),
		TEST(test_window_marks),
		TEST(test_window_never_begun),
		TEST(test_window_never_ended),
		TEST(test_hang),
		TEST(test_hang_that_ignores_sigterm),
		TEST(test_stopped_from_outside),
		TEST(test_background_process_is_ended),
		TEST(test_daemon_does_not_hold_it_up),
		TEST(test_megabytes_of_output),
		TEST(test_failure_in_the_middle),
		TEST(test_output_that_is_no_text),
		TEST(test_check),
		TEST(test_cleanup),
		TEST(test_prepare),
		TEST(test_no_directory),
		TEST(test_command_ends_with_its_runner),
	};

	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
