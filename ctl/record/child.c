// SPDX-License-Identifier: GPL-2.0-or-later
/* child: fork behind a guard, hold, exec, reap; see child.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/child.h"
#include "record/guard.h"

static int set_apart(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || dup2(fd, STDIN_FILENO) < 0 ||
	    dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return -1;
	return 0;
}

static _Noreturn void in_child(const struct child_plan *plan, int go, int trouble)
{
	char byte;
	int err;

	if (plan->events)
		events_forget(plan->events);
	/* The other end closes without a word when fsbctl dies or gives up. */
	if (read(go, &byte, 1) != 1)
		_exit(1);
	if (!plan->apart || set_apart() == 0) {
		if (!plan->argv) {
			close(trouble);
			_exit(plan->function(plan->arg));
		}
		execvp(plan->argv[0], plan->argv);
	}
	err = errno;
	/* The parent knows from this, or from nothing else but the status. */
	_exit(write(trouble, &err, sizeof(err)) == sizeof(err) ? 127 : 1);
}

static void reap(struct child *child)
{
	while (waitpid(child->pid, &child->status, 0) < 0 && errno == EINTR)
		;
	child->ended = true;
}

/* The guard says who its command is. */
static int hear_of_command(struct child *child)
{
	int told = 0;
	ssize_t got;

	do
		got = read(child->trouble, &told, sizeof(told));
	while (got < 0 && errno == EINTR);
	if (got == sizeof(told) && told > 0) {
		child->command = told;
		return 0;
	}
	reap(child);
	errno = got == sizeof(told) && told < 0 ? -told : ECHILD;
	return -1;
}

static pid_t fork_behind_guard(const struct child_plan *plan, const int go[2],
			       const int trouble[2])
{
	pid_t parent = getpid(), pid;

	fflush(NULL);
	pid = fork();
	if (pid)
		return pid;
	close(go[1]);
	close(trouble[0]);
	if (guard_fork(parent, plan->apart, trouble[1]))
		_exit(1);
	in_child(plan, go[0], trouble[1]);
}

int child_hold(struct child *child, const struct child_plan *plan)
{
	int go[2], trouble[2], saved;

	memset(child, 0, sizeof(*child));
	if (pipe2(go, O_CLOEXEC))
		return -1;
	if (pipe2(trouble, O_CLOEXEC))
		goto close_go;
	child->pid = fork_behind_guard(plan, go, trouble);
	if (child->pid < 0)
		goto close_trouble;
	close(go[0]);
	close(trouble[1]);
	child->apart = plan->apart;
	child->go = go[1];
	child->trouble = trouble[0];
	if (!hear_of_command(child))
		return 0;
	go[0] = -1;
	trouble[1] = -1;

close_trouble:
	saved = errno;
	close(trouble[0]);
	close(trouble[1]);
	errno = saved;
close_go:
	saved = errno;
	close(go[0]);
	close(go[1]);
	errno = saved;
	return -1;
}

int child_release(struct child *child)
{
	int err = 0;
	ssize_t got;

	got = write(child->go, "", 1);
	close(child->go);
	if (got == 1) {
		do
			got = read(child->trouble, &err, sizeof(err));
		while (got < 0 && errno == EINTR);
		if (got != sizeof(err))
			err = 0;
	}
	close(child->trouble);
	if (err)
		reap(child);
	return err;
}

void child_drop(struct child *child)
{
	close(child->go);
	close(child->trouble);
	reap(child);
}

void child_kill(const struct child *child, int signal)
{
	(void)kill(child->apart ? -child->command : child->command, signal);
}

bool child_ended(struct child *child)
{
	if (!child->ended && waitpid(child->pid, &child->status, WNOHANG) == child->pid)
		child->ended = true;
	return child->ended;
}

void child_reap_others(const struct child *child)
{
	siginfo_t info;

	for (;;) {
		info.si_pid = 0;
		if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) || !info.si_pid ||
		    (child && info.si_pid == child->pid && !child->ended))
			return;
		(void)waitpid(info.si_pid, NULL, WNOHANG);
	}
}

int child_code(const struct child *child)
{
	return WIFEXITED(child->status) ? WEXITSTATUS(child->status) : -1;
}

int child_signal(const struct child *child)
{
	return WIFSIGNALED(child->status) ? WTERMSIG(child->status) : 0;
}
