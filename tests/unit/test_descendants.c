// SPDX-License-Identifier: GPL-2.0-or-later
/* test_descendants: real processes: orphans, sessions of their own, what was there before. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/child.h"
#include "record/descendants.h"
#include "unit.h"

#define TRIES 1000

static void moment(void)
{
	const struct timespec pause = { .tv_nsec = 10000000 };

	(void)nanosleep(&pause, NULL);
}

/* Until so many are there; their names in @names. */
static void wait_until(const struct descendants *since, size_t nr, int signal, char *names,
		       size_t size)
{
	int tries = 0;

	while (descendants_signal(since, signal, names, size) != nr && tries++ < TRIES) {
		child_reap_others(NULL);
		moment();
	}
	assert_true(tries <= TRIES);
}

static pid_t run_shell(const char *script)
{
	pid_t pid = fork();

	if (pid == 0) {
		(void)execl("/bin/sh", "sh", "-c", script, (char *)NULL);
		_exit(127);
	}
	assert_true(pid > 0);
	return pid;
}

static void end_all(const struct descendants *since)
{
	char names[128];

	wait_until(since, 0, SIGKILL, names, sizeof(names));
	child_reap_others(NULL);
	/* Not even one that has ended and was not waited for. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* One in the background, one in a session of its own, one whose parent has ended already. */
static void test_all_are_found(void **state)
{
	struct descendants since;
	char names[128];
	pid_t shell;

	(void)state;
	assert_int_equal(descendants_begin(&since), 0);
	assert_int_equal(since.nr, 0);
	shell = run_shell("sleep 1000 & setsid sleep 1000 & (sleep 1000 &); wait");
	wait_until(&since, 4, 0, names, sizeof(names));
	assert_non_null(strstr(names, "..."));
	/* The shell alone is no longer a way to them. */
	assert_int_equal(kill(shell, SIGKILL), 0);
	wait_until(&since, 3, 0, names, sizeof(names));
	assert_non_null(strstr(names, "sleep ("));
	wait_until(&since, 0, SIGTERM, names, sizeof(names));
	assert_string_equal(names, "");
	end_all(&since);
	descendants_free(&since);
}

/* A process that is stopped hears of SIGTERM too. */
static void test_stopped(void **state)
{
	struct descendants since;
	char names[128];
	pid_t shell;
	int status;

	(void)state;
	assert_int_equal(descendants_begin(&since), 0);
	shell = run_shell("kill -STOP $$; exit 0");
	assert_int_equal(waitpid(shell, &status, WUNTRACED), shell);
	assert_true(WIFSTOPPED(status));
	assert_int_equal(descendants_signal(&since, SIGTERM, names, sizeof(names)), 1);
	assert_int_equal(waitpid(shell, &status, 0), shell);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	descendants_free(&since);
}

/* What runs already is left alone, and what that starts later. */
static void test_those_before_are_spared(void **state)
{
	char names[128], go[] = "/tmp/fsbstat-unit-XXXXXX", script[128];
	struct descendants none, since;
	int fd = mkstemp(go);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(descendants_begin(&none), 0);
	snprintf(script, sizeof(script), "while [ -e %s ]; do :; done; sleep 1000 & wait", go);
	(void)run_shell(script);
	wait_until(&none, 1, 0, names, sizeof(names));
	assert_int_equal(descendants_begin(&since), 0);
	assert_int_equal(since.nr, 1);
	assert_int_equal(unlink(go), 0);
	wait_until(&none, 2, 0, names, sizeof(names));
	assert_int_equal(descendants_signal(&since, SIGKILL, names, sizeof(names)), 0);
	(void)run_shell("exec sleep 1000");
	wait_until(&since, 1, 0, names, sizeof(names));
	wait_until(&since, 0, SIGKILL, names, sizeof(names));
	assert_int_equal(descendants_signal(&none, 0, names, sizeof(names)), 2);
	end_all(&none);
	descendants_free(&since);
	descendants_free(&none);
}

/* A name may hold what ends a name in /proc/PID/stat. */
static void test_odd_names(void **state)
{
	struct descendants since;
	char names[128];

	(void)state;
	assert_int_equal(descendants_begin(&since), 0);
	(void)run_shell("printf ') S 1 (' > /proc/$$/comm; kill -STOP $$");
	do
		wait_until(&since, 1, 0, names, sizeof(names));
	while (!strstr(names, ") S 1 ("));
	end_all(&since);
	descendants_free(&since);
}

static int adopt(void **state)
{
	(void)state;
	return descendants_adopt();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_are_found),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_those_before_are_spared),
		cmocka_unit_test(test_odd_names),
	};

	return cmocka_run_group_tests(tests, adopt, NULL);
}
