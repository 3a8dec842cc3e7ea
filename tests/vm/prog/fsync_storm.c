// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fsync_storm DIR FILES THREADS ROUNDS: threads that write 4 KiB and fsync, ROUNDS times
 * each, all at once on the same FILES files.  Status 1 when anything fails.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_FILES 64
#define MAX_THREADS 512
#define STACK (64 << 10)

static int fds[MAX_FILES];
static int files, rounds;
static pthread_barrier_t start;

static void *storm(void *arg)
{
	static const char block[4096];
	long self = (long)arg;
	int i;

	pthread_barrier_wait(&start);
	for (i = 0; i < rounds; i++) {
		int fd = fds[(self + i) % files];
		off_t at = (self * rounds + i) * (off_t)sizeof(block);

		if (pwrite(fd, block, sizeof(block), at) != sizeof(block) || fsync(fd))
			return (void *)1;
	}
	return NULL;
}

static int open_files(const char *dir)
{
	char path[4096];
	int i;

	for (i = 0; i < files; i++) {
		snprintf(path, sizeof(path), "%s/storm.%d", dir, i);
		fds[i] = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
		if (fds[i] < 0) {
			fprintf(stderr, "fsync_storm: %s: %s\n", path, strerror(errno));
			return -1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	static pthread_t thread[MAX_THREADS];
	int threads, i, failed = 0;
	pthread_attr_t small;
	void *result;

	if (argc != 5)
		return 2;
	files = atoi(argv[2]);
	threads = atoi(argv[3]);
	rounds = atoi(argv[4]);
	if (files < 1 || files > MAX_FILES || threads < 1 || threads > MAX_THREADS || rounds < 1)
		return 2;
	if (open_files(argv[1]) || pthread_attr_init(&small) ||
	    pthread_attr_setstacksize(&small, STACK) ||
	    pthread_barrier_init(&start, NULL, (unsigned int)threads))
		return 1;
	for (i = 0; i < threads; i++)
		if (pthread_create(&thread[i], &small, storm, (void *)(long)i))
			return 1;
	for (i = 0; i < threads; i++)
		failed |= pthread_join(thread[i], &result) || result;
	return failed;
}
