// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * interrupt: see interrupt.h.  Handlers, not a signalfd: what is forked meanwhile (mkfs,
 * mount, workloads) finds its signals as fsbctl found them.
 */
#include "bench/interrupt.h"

#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

static const int counted[] = {SIGINT, SIGTERM, SIGQUIT};
static const int ignored[] = {SIGHUP, SIGPIPE};

/* Only to be known about: whoever was stopped has measured the stop too. */
static struct sigaction old_continue;

#define NR_COUNTED (sizeof(counted) / sizeof(counted[0]))
#define NR_IGNORED (sizeof(ignored) / sizeof(ignored[0]))

static volatile sig_atomic_t count;
static volatile sig_atomic_t first;
static volatile sig_atomic_t continued;
static struct sigaction old_counted[NR_COUNTED], old_ignored[NR_IGNORED];

static void note(int signal)
{
	if (!count)
		first = signal;
	count++;
}

/* Nothing to do: being caught, unlike being ignored, ends with exec(). */
static void drop(int signal)
{
	(void)signal;
}

static void note_continue(int signal)
{
	(void)signal;
	continued++;
}

void interrupt_open(void)
{
	struct sigaction action;
	size_t i;

	memset(&action, 0, sizeof(action));
	action.sa_flags = SA_RESTART;
	count = 0;
	first = 0;
	action.sa_handler = note;
	for (i = 0; i < NR_COUNTED; i++)
		(void)sigaction(counted[i], &action, &old_counted[i]);
	action.sa_handler = note_continue;
	(void)sigaction(SIGCONT, &action, &old_continue);
	action.sa_handler = drop;
	for (i = 0; i < NR_IGNORED; i++)
		(void)sigaction(ignored[i], &action, &old_ignored[i]);
}

void interrupt_close(void)
{
	size_t i;

	for (i = 0; i < NR_COUNTED; i++)
		(void)sigaction(counted[i], &old_counted[i], NULL);
	for (i = 0; i < NR_IGNORED; i++)
		(void)sigaction(ignored[i], &old_ignored[i], NULL);
	(void)sigaction(SIGCONT, &old_continue, NULL);
}

unsigned int interrupt_count(void)
{
	return (unsigned int)count;
}

int interrupt_signal(void)
{
	return (int)first;
}

unsigned int interrupt_continued(void)
{
	return (unsigned int)continued;
}

bool interrupt_sleep(double seconds)
{
	double whole = floor(seconds);
	struct timespec left = {.tv_sec = (time_t)whole,
				.tv_nsec = (long)((seconds - whole) * 1e9)};

	while (!count && clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left))
		;
	return !count;
}
