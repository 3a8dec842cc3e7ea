// SPDX-License-Identifier: GPL-2.0-or-later
/* workload_shell: runs one shell text of a workload; see workload_shell.h. */
#include "bench/workload_shell.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/workload_words.h"
#include "clock_ns.h"
#include "record/child.h"

#define NS	1000000000ULL
#define TICK_NS (NS / 4)
/* After SIGTERM, and after SIGKILL: a disk that hangs keeps its processes for good. */
#define GRACE_NS  (5 * NS)
#define KILLED_NS (60 * NS)
/* Of leftovers that go on writing, no more is read than this. */
#define DRAIN_MAX 0x100000

enum stage { RUNNING, ASKED_TO_END, KILLED, GIVEN_UP };

struct shell {
	const struct shell_job *job;
	struct shell_end *end;
	struct child child;
	int out; /* what the command writes */
	int to; /* its end of that */
	int pidfd;
	enum stage stage;
	uint64_t began, deadline, tick;
};

/* ---- in the child ---- */

static int set_variables(const struct workload_use *use)
{
	const struct workload *workload = use->workload;
	const char *slash = strrchr(workload->path, '/');
	char *here = slash ? strndup(workload->path, (size_t)(slash - workload->path))
			   : strdup(".");

	if (!here || setenv("here", here, 1) || setenv("LC_ALL", "C", 1))
		return -1;
	free(here);
	for (size_t i = 0; i < workload->nr_parameters; i++) {
		char *plain = words_plain(use->value[i]);

		if (!plain || setenv(workload->parameter[i].name, plain, 1))
			return -1;
		free(plain);
	}
	return 0;
}

/* Signals as a shell expects them, whatever fsbctl does with them for its own part. */
static int reset_signals(void)
{
	static const int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGCHLD};
	sigset_t none;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (signal(numbers[i], SIG_DFL) == SIG_ERR)
			return -1;
	return sigemptyset(&none) || sigprocmask(SIG_SETMASK, &none, NULL);
}

static int in_child(void *arg)
{
	const struct shell *shell = arg;
	const struct shell_job *job = shell->job;

	if (dup2(shell->to, STDOUT_FILENO) < 0 || dup2(shell->to, STDERR_FILENO) < 0)
		return 126;
	if (reset_signals() || set_variables(job->use) || chdir(job->dir)) {
		dprintf(STDERR_FILENO, "%s: %s\n", job->dir, strerror(errno));
		return 126;
	}
	execl("/bin/sh", "sh", "-e", "-c", job->text, job->use->workload->name, (char *)NULL);
	dprintf(STDERR_FILENO, "/bin/sh: %s\n", strerror(errno));
	return 127;
}

/* ---- while it runs ---- */

/* What has been written so far; true: there may be more at once. */
static bool read_some(struct shell *shell)
{
	char bytes[0x4000];
	ssize_t got = read(shell->out, bytes, sizeof(bytes));

	if (got > 0) {
		/* Without memory less is kept; its lines are still seen. */
		(void)output_add(&shell->end->output, bytes, (size_t)got, shell->job->line,
				 shell->job->arg);
		return true;
	}
	if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
		close(shell->out);
		shell->out = -1;
	}
	return false;
}

static void ask_to_end(struct shell *shell, enum shell_how how, uint64_t now)
{
	if (shell->stage != RUNNING)
		return;
	shell->end->how = how;
	shell->stage = ASKED_TO_END;
	shell->deadline = now + GRACE_NS;
	child_kill(&shell->child, SIGTERM);
	/* One that is stopped would never hear of it. */
	child_kill(&shell->child, SIGCONT);
}

static void past_deadline(struct shell *shell, uint64_t now)
{
	if (shell->stage == RUNNING) {
		ask_to_end(shell, SHELL_LIMIT, now);
	} else if (shell->stage == ASKED_TO_END) {
		shell->stage = KILLED;
		shell->deadline = now + KILLED_NS;
		child_kill(&shell->child, SIGKILL);
	} else {
		shell->stage = GIVEN_UP;
	}
}

static void look_at_clock(struct shell *shell, uint64_t now)
{
	const struct shell_job *job = shell->job;

	if (now >= shell->tick) {
		shell->tick = now + TICK_NS;
		if (job->tick && !job->tick(job->tick_arg))
			ask_to_end(shell, SHELL_STOPPED, now);
	}
	if (now >= shell->deadline)
		past_deadline(shell, now);
}

static int wait_ms(const struct shell *shell, uint64_t now)
{
	uint64_t until = shell->tick < shell->deadline ? shell->tick : shell->deadline;

	return until <= now ? 0 : (int)((until - now) / 1000000) + 1;
}

static void watch(struct shell *shell)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	while (shell->stage != GIVEN_UP) {
		struct pollfd fds[2] = {{.fd = shell->pidfd, .events = POLLIN},
					{.fd = shell->out, .events = POLLIN}};
		int got = poll(fds, 2, wait_ms(shell, now));

		now = clock_ns(CLOCK_MONOTONIC);
		if (got > 0 && fds[0].revents) {
			shell->end->wall_ns = now - shell->began;
			shell->end->gone = true;
			return;
		}
		if (got > 0 && fds[1].revents)
			(void)read_some(shell);
		look_at_clock(shell, now);
	}
	shell->end->wall_ns = now - shell->began;
}

/* ---- after it ---- */

/* A group that was killed may take a moment; nothing of it should hold the filesystem. */
static void end_group(const struct shell *shell)
{
	const struct timespec moment = {.tv_nsec = 10000000};

	for (int i = 0; i < 200 && kill(-shell->child.command, 0) == 0; i++)
		nanosleep(&moment, NULL);
}

static void finish(struct shell *shell)
{
	size_t before = (size_t)shell->end->output.total;

	while (shell->out >= 0 && shell->end->output.total - before < DRAIN_MAX)
		if (!read_some(shell))
			break;
	output_end(&shell->end->output, shell->job->line, shell->job->arg);
	if (shell->job->ended)
		shell->job->ended(shell->job->arg);
	/* Not yet waited for, so that its number is still that of its group. */
	child_kill(&shell->child, SIGKILL);
	if (!shell->end->gone || !child_ended(&shell->child))
		return;
	end_group(shell);
	shell->end->code = child_code(&shell->child);
	shell->end->signal = child_signal(&shell->child);
}

static int start(struct shell *shell)
{
	struct child_plan plan = {.function = in_child, .arg = shell, .apart = true};
	int ends[2], saved;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	shell->out = ends[0];
	shell->to = ends[1];
	if (fcntl(shell->out, F_SETFL, O_NONBLOCK) || child_hold(&shell->child, &plan))
		goto close_ends;
	close(shell->to);
	shell->pidfd = (int)syscall(__NR_pidfd_open, shell->child.pid, 0);
	if (shell->pidfd >= 0)
		return 0;
	saved = errno;
	child_drop(&shell->child);
	close(shell->out);
	errno = saved;
	return -1;

close_ends:
	saved = errno;
	close(shell->out);
	close(shell->to);
	errno = saved;
	return -1;
}

int shell_run(const struct shell_job *job, struct shell_end *end)
{
	struct shell shell = {.job = job, .end = end};
	int err;

	memset(end, 0, sizeof(*end));
	end->code = -1;
	if (start(&shell))
		return -1;
	if (job->held)
		job->held(job->arg);
	shell.began = clock_ns(CLOCK_MONOTONIC);
	shell.deadline = shell.began + (uint64_t)(job->limit * 1e9);
	shell.tick = shell.began + TICK_NS;
	err = child_release(&shell.child);
	if (!err) {
		watch(&shell);
		finish(&shell);
	}
	close(shell.pidfd);
	if (shell.out >= 0)
		close(shell.out);
	errno = err;
	return err ? -1 : 0;
}

void shell_why(const struct shell_job *job, const struct shell_end *end, const char *last,
	       char *why, size_t size)
{
	const char *colon = *last ? ": " : "";

	if (!end->gone)
		snprintf(why, size, "did not end even when killed: does the disk hang?");
	else if (end->how == SHELL_LIMIT)
		snprintf(why, size, "still running after %.0f s and ended by force%s%s", job->limit,
			 colon, last);
	else if (end->how == SHELL_STOPPED)
		snprintf(why, size, "stopped");
	else if (end->signal)
		snprintf(why, size, "ended by signal %d (%s)%s%s", end->signal,
			 strsignal(end->signal), colon, last);
	else
		snprintf(why, size, "exit status %d%s%s", end->code, colon, last);
}

/* ---- questions ---- */

struct answer {
	char first[512], last[512];
};

static void hear(void *arg, const char *line)
{
	struct answer *answer = arg;

	if (!line[strspn(line, " \t")])
		return;
	if (!answer->first[0])
		snprintf(answer->first, sizeof(answer->first), "%s", line);
	snprintf(answer->last, sizeof(answer->last), "%s", line);
}

bool shell_ask(const struct workload_use *use, const char *text, char *line, size_t size)
{
	struct answer answer = {.first = ""};
	struct shell_job job = {
		.use = use, .text = text, .dir = "/", .limit = 10, .line = hear, .arg = &answer};
	struct shell_end end;
	bool well;

	if (shell_run(&job, &end)) {
		snprintf(line, size, "%s", strerror(errno));
		return false;
	}
	output_free(&end.output);
	well = end.how == SHELL_ENDED && end.code == 0;
	if (well || answer.last[0])
		snprintf(line, size, "%s", well ? answer.first : answer.last);
	else
		shell_why(&job, &end, "", line, size);
	errno = end.how == SHELL_LIMIT ? ETIMEDOUT : 0;
	return well;
}
