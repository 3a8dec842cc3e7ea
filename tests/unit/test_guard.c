// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_guard: real processes that are killed.  Nothing of a command outlives what started it, a
 * whole process group included; and the guard holds nothing of fsbctl's.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/child.h"
#include "record/descendants.h"
#include "unit.h"

#define TRIES 2000
/* A child, one in a session of its own, and an orphan in a session of its own. */
#define SLEEPERS "sleep 1000 & setsid sleep 1000 & (setsid sleep 1000 &); wait"

static struct descendants since;

static int adopt(void **state)
{
	(void)state;
	return descendants_adopt() || descendants_begin(&since);
}

static int leave(void **state)
{
	(void)state;
	descendants_free(&since);
	return 0;
}

/* What fsbctl does while a command runs. */
static _Noreturn void stay(bool apart, bool group)
{
	char *argv[4] = { "/bin/sh", "-c", SLEEPERS, NULL };
	struct child_plan plan = { .argv = argv, .apart = apart };
	struct child child;

	if ((group && setpgid(0, 0)) || child_hold(&child, &plan) || child_release(&child))
		_exit(1);
	while (!child_ended(&child))
		(void)pause();
	_exit(2);
}

/* Until so many processes are there. */
static void wait_until(size_t nr)
{
	char names[256] = "";
	int tries = 0;

	while (descendants_signal(&since, 0, names, sizeof(names)) != nr && tries++ < TRIES) {
		child_reap_others(NULL);
		usleep(10000);
	}
	if (tries > TRIES)
		fail_msg("not %zu processes, but %s", nr, names);
}

static void kill_while_it_runs(bool apart, bool group)
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (!pid)
		stay(apart, group);
	/* It and the guard, the shell and three sleepers. */
	wait_until(6);
	assert_int_equal(kill(group ? -pid : pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	wait_until(0);
	child_reap_others(NULL);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void test_killed(void **state)
{
	(void)state;
	kill_while_it_runs(false, false);
	kill_while_it_runs(true, false);
}

/* As a shell does with its job. */
static void test_killed_with_its_group(void **state)
{
	(void)state;
	kill_while_it_runs(false, true);
	kill_while_it_runs(true, true);
}

/* Nor does the guard keep a signal to itself that is meant for the command. */
static void test_holds_nothing(void **state)
{
	char *argv[3] = { "/bin/sleep", "1000", NULL };
	struct child_plan plan = { .argv = argv };
	char path[64], comm[32] = "";
	struct dirent *entry;
	struct child child;
	int nr = 0, fd, tries = 0;
	DIR *files;

	(void)state;
	assert_int_equal(child_hold(&child, &plan), 0);
	assert_int_equal(child_release(&child), 0);
	do {
		usleep(10000);
		nr = 0;
		snprintf(path, sizeof(path), "/proc/%d/fd", child.pid);
		files = opendir(path);
		assert_non_null(files);
		while ((entry = readdir(files)) != NULL)
			nr += entry->d_name[0] != '.';
		closedir(files);
	} while (nr && tries++ < TRIES);
	assert_int_equal(nr, 0);
	snprintf(path, sizeof(path), "/proc/%d/comm", child.pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(read(fd, comm, sizeof(comm) - 1) > 0);
	close(fd);
	assert_string_equal(comm, "fsb-guard\n");
	assert_int_equal(getpgid(child.command), getpgid(0));
	assert_int_not_equal(getpgid(child.pid), getpgid(0));
	child_kill(&child, SIGUSR1);
	for (tries = 0; tries < TRIES && !child_ended(&child); tries++)
		usleep(10000);
	assert_true(child.ended);
	assert_int_equal(child_signal(&child), SIGUSR1);
}

/* Of a command apart the number is its group's until it is waited for. */
static void test_group_keeps_its_number(void **state)
{
	char *argv[2] = { "/bin/true", NULL };
	struct child_plan plan = { .argv = argv, .apart = true };
	struct child child;
	siginfo_t info;

	(void)state;
	assert_int_equal(child_hold(&child, &plan), 0);
	assert_int_equal(child_release(&child), 0);
	assert_int_equal(waitid(P_PID, (id_t)child.pid, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(kill(child.command, 0), -1);
	assert_int_equal(kill(-child.command, 0), 0);
	assert_true(child_ended(&child));
	assert_int_equal(kill(-child.command, 0), -1);
	assert_int_equal(errno, ESRCH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_killed_with_its_group),
		cmocka_unit_test(test_holds_nothing),
		cmocka_unit_test(test_group_keeps_its_number),
	};

	return cmocka_run_group_tests(tests, adopt, leave);
}
