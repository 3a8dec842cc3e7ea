// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rawio: one thread of 4 KiB O_DIRECT I/O on a device, timed operation by operation with a clock
 * of its own.  Run by the tests of latency and of cost in tests/vm/t:
 *
 *	rawio DEVICE read|write|pair|dsync COUNT
 *
 * read and write go to random places; pair is a write and an fdatasync, timed apart; dsync is a
 * write through O_DSYNC.  Prints one JSON object, all times in ns:
 *
 *	{"write": {"count": 9, "min": 1, "p50": 2, "sum": 20}, "sync": {...}, "elapsed": 30}
 *
 * A time holds the system call too, some thousand instructions beside what the device takes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/fs.h>
#include <sys/ioctl.h>

#define BYTES 4096U
#define COUNT_MAX 1000000UL

struct mode {
	const char *name;
	const char *operation;
	int flags;
	int write;
	int sync;
};

static const struct mode modes[] = {
	{ "read", "read", O_RDONLY, 0, 0 },
	{ "write", "write", O_WRONLY, 1, 0 },
	{ "pair", "write", O_WRONLY, 1, 1 },
	{ "dsync", "write", O_WRONLY | O_DSYNC, 1, 0 },
};

/* What one run needs; times of operations and of the syncs after them. */
struct load {
	const struct mode *mode;
	int fd;
	char *buffer;
	uint64_t blocks;
	size_t count;
	uint64_t *operation;
	uint64_t *sync;
};

static uint64_t now(void)
{
	struct timespec time;

	if (clock_gettime(CLOCK_MONOTONIC, &time))
		abort();
	return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

/* The same places in every run, so that two runs do the same work. */
static off_t next_place(uint64_t *state, uint64_t blocks)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (off_t)(*state % blocks * BYTES);
}

static int run(const struct load *load)
{
	uint64_t random = 88172645463325252U, began, ended;
	ssize_t bytes;
	off_t place;
	size_t i;

	for (i = 0; i < load->count; i++) {
		place = next_place(&random, load->blocks);
		began = now();
		bytes = load->mode->write ? pwrite(load->fd, load->buffer, BYTES, place) :
					    pread(load->fd, load->buffer, BYTES, place);
		ended = now();
		if (bytes != BYTES) {
			fprintf(stderr, "rawio: %s %zu: %s\n", load->mode->operation, i,
				bytes < 0 ? strerror(errno) : "short");
			return -1;
		}
		load->operation[i] = ended - began;
		if (!load->mode->sync)
			continue;
		if (fdatasync(load->fd)) {
			fprintf(stderr, "rawio: fdatasync %zu: %s\n", i, strerror(errno));
			return -1;
		}
		load->sync[i] = now() - ended;
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void print_times(const char *name, uint64_t *times, size_t count)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < count; i++)
		sum += times[i];
	qsort(times, count, sizeof(*times), compare);
	printf("\"%s\": {\"count\": %zu, \"min\": %" PRIu64 ", \"p50\": %" PRIu64
	       ", \"sum\": %" PRIu64 "}, ", name, count, times[0], times[(count - 1) / 2], sum);
}

static int measure(struct load *load)
{
	uint64_t began = now(), elapsed;

	if (run(load))
		return -1;
	elapsed = now() - began;
	printf("{");
	print_times(load->mode->operation, load->operation, load->count);
	if (load->mode->sync)
		print_times("sync", load->sync, load->count);
	printf("\"elapsed\": %" PRIu64 "}\n", elapsed);
	return fflush(stdout) ? -1 : 0;
}

static const struct mode *find_mode(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(modes[i].name, name))
			return &modes[i];
	return NULL;
}

/* All memory is touched here: no page fault falls into what is timed. */
static int prepare(struct load *load, const char *device)
{
	size_t size = load->count * sizeof(uint64_t);
	uint64_t bytes;

	load->fd = open(device, load->mode->flags | O_DIRECT | O_CLOEXEC);
	if (load->fd < 0 || ioctl(load->fd, BLKGETSIZE64, &bytes)) {
		fprintf(stderr, "rawio: %s: %s\n", device, strerror(errno));
		return -1;
	}
	load->blocks = bytes / BYTES;
	load->buffer = aligned_alloc(BYTES, BYTES);
	load->operation = malloc(size);
	load->sync = malloc(size);
	if (!load->blocks || !load->buffer || !load->operation || !load->sync) {
		fprintf(stderr, "rawio: %s: too small, or no memory\n", device);
		return -1;
	}
	memset(load->buffer, 0x5a, BYTES);
	memset(load->operation, 0xff, size);
	memset(load->sync, 0xff, size);
	return 0;
}

int main(int argc, char **argv)
{
	struct load load = { 0 };
	char *end;

	if (argc == 4) {
		load.mode = find_mode(argv[2]);
		load.count = strtoul(argv[3], &end, 10);
	}
	if (!load.mode || !load.count || load.count > COUNT_MAX || *end) {
		fprintf(stderr, "usage: rawio DEVICE read|write|pair|dsync COUNT\n");
		return 2;
	}
	return prepare(&load, argv[1]) || measure(&load) ? 1 : 0;
}
