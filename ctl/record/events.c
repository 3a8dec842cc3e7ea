// SPDX-License-Identifier: GPL-2.0-or-later
/* events: signals, children and timers as one stream, see events.h. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "record/events.h"

static void taken_signals(sigset_t *set)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD,
					SIGCONT };
	size_t i;

	sigemptyset(set);
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(set, signals[i]);
}

/*
 * What was ignored from outside (nohup) stays ignored; but not SIGINT, which every
 * script's background job ignores: kill -INT is how a script ends a recording.
 */
static void leave_ignored(sigset_t *set)
{
	static const int signals[] = { SIGHUP, SIGQUIT };
	struct sigaction action;
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!sigaction(signals[i], NULL, &action) && action.sa_handler == SIG_IGN)
			sigdelset(set, signals[i]);
}

int events_open(struct events *events)
{
	struct sigaction ignore;
	sigset_t set;
	int i;

	memset(&ignore, 0, sizeof(ignore));
	ignore.sa_handler = SIG_IGN;
	memset(events, 0, sizeof(*events));
	sigemptyset(&events->old_mask);
	for (i = 0; i < EVENT_KINDS; i++)
		events->fd[i] = -1;
	events_hear(events, -1, -1);
	taken_signals(&set);
	leave_ignored(&set);
	if (sigprocmask(SIG_BLOCK, &set, &events->old_mask))
		return -1;
	/* A reader of our rows that goes away must not take the report with it. */
	if (sigaction(SIGPIPE, &ignore, &events->old_pipe))
		return -1;
	events->fd[EVENT_SIGNAL] = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (events->fd[EVENT_SIGNAL] < 0)
		return -1;
	for (i = EVENT_DEADLINE; i <= EVENT_TICK; i++) {
		events->fd[i] = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
		if (events->fd[i] < 0)
			return -1;
	}
	return 0;
}

void events_hear(struct events *events, int first, int second)
{
	events->notice[0] = first;
	events->notice[1] = second;
}

void events_close(struct events *events)
{
	int i;

	for (i = 0; i < EVENT_KINDS; i++)
		if (events->fd[i] >= 0)
			close(events->fd[i]);
	events_forget(events);
}

void events_forget(const struct events *events)
{
	(void)sigaction(SIGPIPE, &events->old_pipe, NULL);
	(void)sigprocmask(SIG_SETMASK, &events->old_mask, NULL);
}

static struct timespec to_timespec(double seconds)
{
	double whole = floor(seconds);

	return (struct timespec){ .tv_sec = (time_t)whole,
				  .tv_nsec = (long)((seconds - whole) * 1e9) };
}

int events_arm(struct events *events, enum event_kind timer, double first, double period)
{
	struct itimerspec spec = { .it_value = to_timespec(first),
				   .it_interval = to_timespec(period) };

	return timerfd_settime(events->fd[timer], 0, &spec, NULL);
}

static bool take_signal(int fd, struct event *event)
{
	struct signalfd_siginfo info;

	if (read(fd, &info, sizeof(info)) != sizeof(info))
		return false;
	event->kind = info.ssi_signo == SIGCHLD ? EVENT_CHILD :
		      info.ssi_signo == SIGCONT ? EVENT_CONTINUED : EVENT_SIGNAL;
	event->signal = (int)info.ssi_signo;
	event->from_terminal = info.ssi_code == SI_KERNEL;
	return true;
}

static bool take_timer(int fd, enum event_kind kind, struct event *event)
{
	uint64_t expirations;

	if (read(fd, &expirations, sizeof(expirations)) != sizeof(expirations))
		return false;
	event->kind = kind;
	return true;
}

static bool heard(const struct events *events, struct event *event)
{
	struct pollfd fds[2] = { { .fd = events->notice[0], .events = POLLIN },
				 { .fd = events->notice[1], .events = POLLIN } };

	event->kind = EVENT_NOTICE;
	return poll(fds, 2, 0) > 0;
}

int events_wait(struct events *events, struct event *event)
{
	struct pollfd fds[EVENT_KINDS + 1];
	int i;

	for (i = 0; i < EVENT_KINDS; i++)
		fds[i] = (struct pollfd){ .fd = events->fd[i], .events = POLLIN };
	fds[EVENT_NOTICE].fd = events->notice[0];
	fds[EVENT_KINDS] = (struct pollfd){ .fd = events->notice[1], .events = POLLIN };
	for (;;) {
		memset(event, 0, sizeof(*event));
		if (take_signal(events->fd[EVENT_SIGNAL], event))
			return 0;
		if (heard(events, event))
			return 0;
		for (i = EVENT_DEADLINE; i <= EVENT_TICK; i++)
			if (take_timer(events->fd[i], (enum event_kind)i, event))
				return 0;
		if (poll(fds, EVENT_KINDS + 1, -1) < 0 && errno != EINTR)
			return -1;
	}
}
