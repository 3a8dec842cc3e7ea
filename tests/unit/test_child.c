// SPDX-License-Identifier: GPL-2.0-or-later
/* test_child: real processes: held, let go, their status, their output; and signals. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/child.h"
#include "unit.h"

static struct events events;

/* What a process of ours has before anything is done to it. */
static char signals_before[256], files_before[256];

static int read_signals(char *text, size_t size)
{
	FILE *status = fopen("/proc/self/status", "re");
	char line[128];
	size_t used = 0;

	while (status && fgets(line, sizeof(line), status))
		if (!strncmp(line, "SigBlk", 6) || !strncmp(line, "SigIgn", 6))
			used += (size_t)snprintf(text + used, size - used, "%s", line);
	return status ? fclose(status) : -1;
}

static int open_events(void **state)
{
	FILE *files = popen("ls /proc/self/fd | wc -l", "re");
	size_t got = files ? fread(files_before, 1, sizeof(files_before) - 1, files) : 0;

	(void)state;
	if (!got || pclose(files) || read_signals(signals_before, sizeof(signals_before)))
		return -1;
	return events_open(&events);
}

static int close_events(void **state)
{
	(void)state;
	events_close(&events);
	return 0;
}

static void wait_for(struct child *child)
{
	struct event event;

	while (!child_ended(child))
		assert_int_equal(events_wait(&events, &event), 0);
}

/* Runs sh -c to its end. */
static struct child run_shell(const char *script)
{
	char *argv[4] = { "/bin/sh", "-c", (char *)script, NULL };
	struct child_plan plan = { .argv = argv, .events = &events };
	struct child child;

	assert_int_equal(child_hold(&child, &plan), 0);
	assert_int_equal(child_release(&child), 0);
	wait_for(&child);
	return child;
}

static void test_status(void **state)
{
	struct child child = run_shell("exit 0");

	(void)state;
	assert_int_equal(child_code(&child), 0);
	assert_int_equal(child_signal(&child), 0);
	child = run_shell("exit 3");
	assert_int_equal(child_code(&child), 3);
	child = run_shell("kill -USR1 $$");
	assert_int_equal(child_code(&child), -1);
	assert_int_equal(child_signal(&child), SIGUSR1);
}

static int try_exec(const char *path)
{
	char *argv[2] = { (char *)path, NULL };
	struct child_plan plan = { .argv = argv, .events = &events };
	struct child child;
	int err;

	assert_int_equal(child_hold(&child, &plan), 0);
	err = child_release(&child);
	if (!err)
		wait_for(&child);
	assert_true(child.ended);
	return err;
}

static void test_not_found_and_not_executable(void **state)
{
	char path[] = "/tmp/fsbstat-unit-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(chmod(path, 0644), 0);
	assert_int_equal(try_exec("/nowhere/command"), 2);
	assert_int_equal(try_exec("no-such-command-in-path"), 2);
	assert_int_equal(try_exec(path), 13);
	assert_int_equal(try_exec("/"), 13);
	assert_int_equal(try_exec("true"), 0);
	unlink(path);
}

static void test_nothing_runs_before_release(void **state)
{
	char path[] = "/tmp/fsbstat-unit-XXXXXX", script[64];
	char *argv[4] = { "/bin/sh", "-c", script, NULL };
	struct child_plan plan = { .argv = argv, .events = &events };
	int fd = mkstemp(path);
	struct child child;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	snprintf(script, sizeof(script), "rm %s", path);
	assert_int_equal(child_hold(&child, &plan), 0);
	usleep(100000);
	assert_int_equal(access(path, F_OK), 0);
	assert_false(child_ended(&child));
	assert_int_equal(child_release(&child), 0);
	wait_for(&child);
	assert_int_equal(access(path, F_OK), -1);
	/* One that is given up never runs. */
	snprintf(script, sizeof(script), "touch %s", path);
	assert_int_equal(child_hold(&child, &plan), 0);
	child_drop(&child);
	assert_true(child.ended);
	assert_int_equal(access(path, F_OK), -1);
}

/* What a command reads and writes while stdin and stdout are a file each. */
static void with_files(struct child_plan *plan, char *out, size_t size)
{
	char in_path[] = "/tmp/fsbstat-unit-XXXXXX", out_path[] = "/tmp/fsbstat-unit-XXXXXX";
	int in = mkostemp(in_path, O_CLOEXEC), to = mkostemp(out_path, O_CLOEXEC);
	int saved_in = fcntl(0, F_DUPFD_CLOEXEC, 3), saved_out, got;
	struct child child;

	fflush(stdout);
	saved_out = fcntl(1, F_DUPFD_CLOEXEC, 3);
	assert_true(in >= 0 && to >= 0 && saved_in >= 0 && saved_out >= 0);
	assert_int_equal(write(in, "input\n", 6), 6);
	assert_int_equal(lseek(in, 0, SEEK_SET), 0);
	dup2(in, 0);
	dup2(to, 1);
	plan->events = &events;
	assert_int_equal(child_hold(&child, plan), 0);
	assert_int_equal(child_release(&child), 0);
	wait_for(&child);
	dup2(saved_in, 0);
	dup2(saved_out, 1);
	close(saved_in);
	close(saved_out);
	got = (int)pread(to, out, size - 1, 0);
	assert_true(got >= 0);
	out[got] = '\0';
	close(in);
	close(to);
	unlink(in_path);
	unlink(out_path);
}

static void test_files_untouched(void **state)
{
	char script[] = "cat; printf 'a\\0b' | od -An -c; ls /proc/self/fd | wc -l";
	char *argv[4] = { "/bin/sh", "-c", script, NULL };
	struct child_plan plan = { .argv = argv };
	char out[256], expected[512];

	(void)state;
	with_files(&plan, out, sizeof(out));
	/* No file of ours leaks into the command. */
	snprintf(expected, sizeof(expected), "input\n   a  \\0   b\n%s", files_before);
	assert_string_equal(out, expected);
	plan.apart = true;
	with_files(&plan, out, sizeof(out));
	assert_string_equal(out, "");
}

/* A command apart ends with all it has started. */
static void test_group_ends_as_a_whole(void **state)
{
	char path[] = "/tmp/fsbstat-unit-XXXXXX", script[96];
	char *argv[4] = { "/bin/sh", "-c", script, NULL };
	struct child_plan plan = { .argv = argv, .apart = true, .events = &events };
	int fd = mkstemp(path), tries;
	struct child child;
	struct stat status;
	pid_t grandchild;

	(void)state;
	assert_true(fd >= 0);
	snprintf(script, sizeof(script), "sleep 100 & echo $! > %s; wait", path);
	assert_int_equal(child_hold(&child, &plan), 0);
	assert_int_equal(child_release(&child), 0);
	for (tries = 0; tries < 500 && (fstat(fd, &status) || !status.st_size); tries++)
		usleep(10000);
	assert_true(pread(fd, script, sizeof(script) - 1, 0) > 0);
	grandchild = atoi(script);
	assert_true(grandchild > 1);
	child_kill(&child, SIGTERM);
	wait_for(&child);
	assert_int_equal(child_signal(&child), SIGTERM);
	/* It is nobody's child here and may take a moment to be buried. */
	for (tries = 0; tries < 500 && !kill(grandchild, 0); tries++) {
		snprintf(script, sizeof(script), "grep -q '^State:.Z' /proc/%d/status", grandchild);
		if (system(script) == 0)
			break;
		usleep(10000);
	}
	assert_true(tries < 500);
	close(fd);
	unlink(path);
}

static int give_back(void *arg)
{
	return *(int *)arg;
}

static void test_function(void **state)
{
	int value = 42;
	struct child_plan plan = { .function = give_back, .arg = &value, .events = &events };
	struct child child;

	(void)state;
	assert_int_equal(child_hold(&child, &plan), 0);
	assert_int_equal(child_release(&child), 0);
	wait_for(&child);
	assert_int_equal(child_code(&child), 42);
}

static void test_signals_as_found(void **state)
{
	char *argv[5] = { "/bin/grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status", NULL };
	struct child_plan plan = { .argv = argv };
	char out[256];

	(void)state;
	with_files(&plan, out, sizeof(out));
	assert_string_equal(out, signals_before);
}

/* The way a background job of a script is started. */
static void test_int_although_ignored(void **state)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
	struct events own;
	struct event event;

	(void)state;
	assert_int_equal(sigaction(SIGINT, &ignore, &before), 0);
	assert_int_equal(events_open(&own), 0);
	assert_int_equal(kill(getpid(), SIGINT), 0);
	do
		assert_int_equal(events_wait(&own, &event), 0);
	while (event.kind == EVENT_CHILD);
	assert_int_equal(event.signal, SIGINT);
	events_close(&own);
	assert_int_equal(sigaction(SIGINT, &before, NULL), 0);
}

/* The end of an earlier test's child may still be in the stream. */
static void next_event(struct event *event)
{
	do
		assert_int_equal(events_wait(&events, event), 0);
	while (event->kind == EVENT_CHILD);
}

static void test_events_in_order(void **state)
{
	struct event event;

	(void)state;
	assert_int_equal(events_arm(&events, EVENT_INTERVAL, 0.01, 0.01), 0);
	usleep(30000);
	assert_int_equal(kill(getpid(), SIGTERM), 0);
	next_event(&event);
	assert_int_equal(event.kind, EVENT_SIGNAL);
	assert_int_equal(event.signal, SIGTERM);
	assert_false(event.from_terminal);
	next_event(&event);
	assert_int_equal(event.kind, EVENT_INTERVAL);
	assert_int_equal(events_arm(&events, EVENT_INTERVAL, 0, 0), 0);
	assert_int_equal(events_arm(&events, EVENT_DEADLINE, 0.02, 0), 0);
	next_event(&event);
	assert_int_equal(event.kind, EVENT_DEADLINE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_not_found_and_not_executable),
		cmocka_unit_test(test_nothing_runs_before_release),
		cmocka_unit_test(test_files_untouched),
		cmocka_unit_test(test_group_ends_as_a_whole),
		cmocka_unit_test(test_function),
		cmocka_unit_test(test_signals_as_found),
		cmocka_unit_test(test_events_in_order),
		cmocka_unit_test(test_int_although_ignored),
	};

	return cmocka_run_group_tests(tests, open_events, close_events);
}
