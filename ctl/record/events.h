/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events: what a recording waits for (signals, the end of a child, timers) as one
 * stream.  Between events_open() and events_close() signals arrive here and nowhere
 * else, so nothing is interrupted half way.
 */
#ifndef FSB_RECORD_EVENTS_H
#define FSB_RECORD_EVENTS_H

#include <signal.h>
#include <stdbool.h>

enum event_kind {
	EVENT_SIGNAL, /* INT, TERM, HUP or QUIT */
	EVENT_CHILD, /* some child may have ended */
	EVENT_DEADLINE,
	EVENT_INTERVAL,
	EVENT_TICK, /* time to look whether the disk is still there */
	EVENT_CONTINUED, /* fsbctl itself was stopped until now */
	EVENT_NOTICE, /* something to take is where events_hear() said */
	EVENT_KINDS,
};

struct event {
	enum event_kind kind;
	int signal;
	bool from_terminal; /* the kernel sent it to the whole foreground job */
};

struct events {
	int fd[EVENT_KINDS]; /* EVENT_SIGNAL has both signals and children, EVENT_NOTICE none */
	int notice[2]; /* not ours; -1: none */
	sigset_t old_mask;
	struct sigaction old_pipe;
};

/* 0 or -1 with errno. */
int events_open(struct events *events);
void events_close(struct events *events);

/* EVENT_NOTICE comes as long as one of them is readable; -1: there is none. */
void events_hear(struct events *events, int first, int second);

/* In a forked child: signals as fsbctl found them. */
void events_forget(const struct events *events);

/* First after @first seconds, then every @period; 0 and 0 disarm.  0 or -1. */
int events_arm(struct events *events, enum event_kind timer, double first, double period);

/* Waits for the next one, signals first.  0 or -1 with errno. */
int events_wait(struct events *events, struct event *event);

#endif /* FSB_RECORD_EVENTS_H */
