// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * load_disk: threads of 4 KiB O_DIRECT reads and writes on a device or file that may fail or
 * vanish meanwhile.  Run by the tests in tests/vm/t that take disks away or change them:
 *
 *	load_disk [-r] [-t THREADS] [-n OPERATIONS] [-b BURST] PATH
 *
 * Every other thread writes, each fourth operation with an fdatasync after it; -r: all read.
 * A thread ends after OPERATIONS (for ever: 0, the default), or when SIGTERM has come.  It opens
 * PATH anew for every BURST operations (0, the default: never while all goes well) and after
 * every failure, each time with a pause in which it is closed.  Prints at the end what went well
 * and what did not, operation by operation:
 *
 *	{"reads": 9, "writes": 8, "syncs": 2, "failed": 0, "opens_failed": 0}
 *
 * Status 0 whatever failed, 2 for wrong arguments.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BYTES 4096
#define BLOCKS 2048U		/* places used: the first 8 MiB */
#define THREADS_MAX 128
#define SYNC_EVERY 4
#define PAUSE_US 2000

struct options {
	const char *path;
	bool only_read;
	unsigned long threads;
	unsigned long operations;
	unsigned long burst;
};

struct counts {
	unsigned long reads;
	unsigned long writes;
	unsigned long syncs;
	unsigned long failed;
	unsigned long opens_failed;
};

struct worker {
	pthread_t thread;
	unsigned int number;
	struct counts counts;
};

static struct options options = { .threads = 8 };
static volatile sig_atomic_t stop;

static void on_stop(int signal)
{
	(void)signal;
	stop = 1;
}

/* One operation; false when any part of it failed. */
static bool operate(int fd, char *buffer, off_t place, bool sync, struct worker *worker)
{
	struct counts *counts = &worker->counts;
	bool writes = !options.only_read && worker->number % 2;

	if ((writes ? pwrite(fd, buffer, BYTES, place) : pread(fd, buffer, BYTES, place)) != BYTES)
		return false;
	if (!writes) {
		counts->reads++;
		return true;
	}
	counts->writes++;
	if (!sync)
		return true;
	if (fdatasync(fd))
		return false;
	counts->syncs++;
	return true;
}

static int reopen(int fd, struct worker *worker)
{
	if (fd >= 0)
		close(fd);
	usleep(PAUSE_US);
	fd = open(options.path, (options.only_read ? O_RDONLY : O_RDWR) | O_DIRECT | O_CLOEXEC);
	if (fd < 0)
		worker->counts.opens_failed++;
	return fd;
}

static void *work(void *arg)
{
	struct worker *worker = arg;
	unsigned int seed = worker->number + 1;
	unsigned long done = 0;
	char *buffer = aligned_alloc(BYTES, BYTES);
	int fd = -1;

	if (!buffer)
		abort();
	memset(buffer, 0x5a, BYTES);
	while (!stop && (!options.operations || done < options.operations)) {
		if (fd < 0 || (options.burst && done % options.burst == 0)) {
			fd = reopen(fd, worker);
			if (fd < 0)
				continue;
		}
		done++;
		if (operate(fd, buffer, (off_t)(rand_r(&seed) % BLOCKS) * BYTES,
			    done % SYNC_EVERY == 0, worker))
			continue;
		worker->counts.failed++;
		close(fd);
		fd = -1;
	}
	if (fd >= 0)
		close(fd);
	free(buffer);
	return NULL;
}

static void add(struct counts *sum, const struct counts *counts)
{
	sum->reads += counts->reads;
	sum->writes += counts->writes;
	sum->syncs += counts->syncs;
	sum->failed += counts->failed;
	sum->opens_failed += counts->opens_failed;
}

static int run(void)
{
	static struct worker workers[THREADS_MAX];
	struct counts sum = { 0 };
	unsigned int i;

	for (i = 0; i < options.threads; i++) {
		workers[i].number = i;
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			abort();
	}
	for (i = 0; i < options.threads; i++) {
		if (pthread_join(workers[i].thread, NULL))
			abort();
		add(&sum, &workers[i].counts);
	}
	printf("{\"reads\": %lu, \"writes\": %lu, \"syncs\": %lu, ", sum.reads, sum.writes,
	       sum.syncs);
	printf("\"failed\": %lu, \"opens_failed\": %lu}\n", sum.failed, sum.opens_failed);
	return fflush(stdout) ? 1 : 0;
}

static bool parse(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "rt:n:b:")) != -1) {
		switch (option) {
		case 'r':
			options.only_read = true;
			break;
		case 't':
			options.threads = strtoul(optarg, NULL, 10);
			break;
		case 'n':
			options.operations = strtoul(optarg, NULL, 10);
			break;
		case 'b':
			options.burst = strtoul(optarg, NULL, 10);
			break;
		default:
			return false;
		}
	}
	options.path = argv[optind];
	return optind == argc - 1 && options.threads && options.threads <= THREADS_MAX;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_stop, .sa_flags = SA_RESTART };

	if (!parse(argc, argv)) {
		fprintf(stderr,
			"usage: load_disk [-r] [-t THREADS] [-n OPERATIONS] [-b BURST] PATH\n");
		return 2;
	}
	if (sigaction(SIGTERM, &action, NULL))
		return 1;
	return run();
}
