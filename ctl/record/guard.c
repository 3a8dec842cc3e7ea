// SPDX-License-Identifier: GPL-2.0-or-later
/* guard: see guard.h. */
#include "record/guard.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "process_file.h"
#include "record/child.h"
#include "record/descendants.h"

/* What a disk that hangs holds cannot be ended; it has its signal by then. */
#define ROUNDS 100
#define ROUND_NS 10000000L

static _Noreturn void end_all(void)
{
	const struct timespec round = { .tv_nsec = ROUND_NS };
	const struct descendants none = { .nr = 0 };
	int i;

	for (i = 0; i < ROUNDS && descendants_signal(&none, SIGKILL, NULL, 0); i++) {
		(void)nanosleep(&round, NULL);
		child_reap_others(NULL);
	}
	_exit(1);
}

/* The signal that ended the command ends the guard, which leaves no second core. */
static _Noreturn void end_as(int status)
{
	const struct rlimit none = { 0, 0 };
	int number = WTERMSIG(status);
	sigset_t only;

	if (WIFEXITED(status))
		_exit(WEXITSTATUS(status));
	(void)setrlimit(RLIMIT_CORE, &none);
	(void)signal(number, SIG_DFL);
	(void)raise(number);
	sigemptyset(&only);
	sigaddset(&only, number);
	(void)sigprocmask(SIG_UNBLOCK, &only, NULL);
	_exit(1);
}

/*
 * Not yet waited for, the command still has its number, and so has its group: the guard joins that,
 * and the number stays the group's until the guard is waited for.
 */
static _Noreturn void end_with(pid_t command, bool apart)
{
	int status = 0;

	if (apart)
		(void)setpgid(0, command);
	while (waitpid(command, &status, 0) < 0 && errno == EINTR)
		;
	end_as(status);
}

/* Says how, in *info, once the command has ended; it stays to be waited for. */
static bool has_ended(pid_t command, siginfo_t *info)
{
	info->si_pid = 0;
	return waitid(P_PID, (id_t)command, info, WEXITED | WNOHANG | WNOWAIT) || info->si_pid;
}

/* Whether the process was sent SIGKILL and has not come to its end yet: proc(5), status. */
static bool kill_pending(pid_t pid)
{
	static const char *const masks[] = { "\nSigPnd:", "\nShdPnd:" };
	const unsigned long long kill_bit = 1ULL << (SIGKILL - 1);
	char status[4096];
	const char *mask;
	size_t i;

	if (process_file(pid, "status", status, sizeof(status)))
		return false;
	for (i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
		mask = strstr(status, masks[i]);
		if (mask && strtoull(mask + strlen(masks[i]), NULL, 16) & kill_bit)
			return true;
	}
	return false;
}

/*
 * kill -9 of a process group reaches the command and fsbctl one after the other, and either may be
 * the first to come to its end.  Two rounds are for the rest of that one system call.
 */
static bool killed_too(pid_t parent)
{
	const struct timespec round = { .tv_nsec = ROUND_NS };
	int i;

	for (i = 0; i < 2 || kill_pending(parent); i++) {
		if (getppid() != parent)
			return true;
		(void)nanosleep(&round, NULL);
	}
	return getppid() != parent;
}

static _Noreturn void watch(pid_t parent, pid_t command, bool apart)
{
	const struct child child = { .pid = command };
	siginfo_t info = { .si_pid = 0 };
	sigset_t all;

	sigfillset(&all);
	for (;;) {
		if (has_ended(command, &info)) {
			if (info.si_status == SIGKILL && info.si_code != CLD_EXITED &&
			    killed_too(parent))
				end_all();
			end_with(command, apart);
		}
		if (getppid() != parent)
			end_all();
		child_reap_others(&child);
		(void)sigwaitinfo(&all, NULL);
	}
}

/* Whatever ends fsbctl and its group by their names or number does not end the guard. */
static int prepare(pid_t parent)
{
	(void)prctl(PR_SET_NAME, "fsb-guard");
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) || prctl(PR_SET_PDEATHSIG, SIGTERM))
		return -1;
	if (getppid() == parent)
		return 0;
	errno = ESRCH;
	return -1;
}

int guard_fork(pid_t parent, bool apart, int tell)
{
	sigset_t all, before;
	pid_t command = -1;
	int told;

	sigfillset(&all);
	if (!sigprocmask(SIG_SETMASK, &all, &before) && !prepare(parent))
		command = fork();
	if (command == 0)
		return sigprocmask(SIG_SETMASK, &before, NULL);
	told = command > 0 ? command : -errno;
	if (command > 0 && apart)
		(void)setpgid(command, command);
	if (write(tell, &told, sizeof(told)) != sizeof(told) || command < 0)
		_exit(1);
	/* Not one file of fsbctl's stays open by it: no pipe, no reference on a disk. */
	if (syscall(__NR_close_range, 0, ~0U, 0) || signal(SIGCHLD, SIG_DFL) == SIG_ERR)
		_exit(1);
	(void)setpgid(0, 0);
	watch(parent, command, apart);
}
