// SPDX-License-Identifier: GPL-2.0-or-later
// build: -pthread
/*
 * busy_reads: 4 KiB direct reads of a device, one after another, while a thread of the lowest
 * priority counts: it gets all time that nobody else wants, so that the only CPU is never idle.
 * Under -icount that makes the time of the guest its instructions even while it waits for a disk
 * of QEMU.  Run by the tests of cost in tests/vm/t:
 *
 *	busy_reads DEVICE COUNT
 *
 * First it sleeps a while, for what a turn of counting takes: a whole number of instructions, and
 * a little more for the timer's interrupts.  Prints one JSON object, times in ns without those of
 * counting:
 *
 *	{"count": 9, "turn": 4, "min": 12000, "p50": 13000}
 *
 * The median is of a read that no timer interrupted.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BYTES 4096U
#define BLOCKS 4096UL
#define SLEEP_NS 400000000L

static volatile uint64_t turns;

static uint64_t now(void)
{
	struct timespec time;

	if (clock_gettime(CLOCK_MONOTONIC, &time))
		abort();
	return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static void *count(void *arg)
{
	struct sched_param none = { 0 };

	(void)arg;
	if (pthread_setschedparam(pthread_self(), SCHED_IDLE, &none))
		abort();
	for (;;)
		turns++;
	return NULL;
}

/* The whole instructions of a turn. */
static uint64_t turn_ns(void)
{
	const struct timespec nap = { .tv_nsec = SLEEP_NS };
	uint64_t began = now(), first = turns;

	if (nanosleep(&nap, NULL) || turns == first)
		abort();
	return (now() - began) / (turns - first);
}

static int read_all(int fd, uint64_t turn, size_t nr, uint64_t *times)
{
	uint64_t began, first;
	void *buffer;
	size_t i;

	if (posix_memalign(&buffer, BYTES, BYTES))
		return -1;
	for (i = 0; i < nr; i++) {
		first = turns;
		began = now();
		if (pread(fd, buffer, BYTES, (off_t)(i % BLOCKS * BYTES)) != BYTES)
			break;
		times[i] = now() - began - turn * (turns - first);
	}
	free(buffer);
	return i == nr ? 0 : -1;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	uint64_t *times, turn;
	pthread_t counter;
	size_t nr = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	int fd;

	if (!nr) {
		fprintf(stderr, "usage: busy_reads DEVICE COUNT\n");
		return 2;
	}
	fd = open(argv[1], O_RDONLY | O_DIRECT);
	times = calloc(nr, sizeof(*times));
	if (fd < 0 || !times || pthread_create(&counter, NULL, count, NULL)) {
		fprintf(stderr, "busy_reads: %s: %s\n", argv[1], strerror(errno));
		return 1;
	}
	turn = turn_ns();
	if (read_all(fd, turn, nr, times)) {
		fprintf(stderr, "busy_reads: %s: %s\n", argv[1], strerror(errno));
		return 1;
	}
	qsort(times, nr, sizeof(*times), compare);
	printf("{\"count\": %zu, \"turn\": %" PRIu64 ", \"min\": %" PRIu64 ", \"p50\": %" PRIu64
	       "}\n", nr, turn, times[0], times[nr / 2]);
	return 0;
}
