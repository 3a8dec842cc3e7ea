// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fsync_calls DIR N: makes a file in DIR and does N each of fsync, fdatasync, a write with
 * O_SYNC, msync (each with something to write), and fsync of DIR itself.  Prints how often
 * the filesystem was asked to sync and how long the calls took, as JSON.  Status 1 when
 * anything fails.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define BLOCK 4096

static long long calls, ns;
static char block[BLOCK];

static long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void timed(long long begin)
{
	ns += now() - begin;
	calls++;
}

static int writes(int fd, int (*sync)(int), int n)
{
	long long begin;
	int i;

	for (i = 0; i < n; i++) {
		memset(block, i + 1, BLOCK);
		if (pwrite(fd, block, BLOCK, (off_t)i * BLOCK) != BLOCK)
			return -1;
		begin = now();
		if (sync(fd))
			return -1;
		timed(begin);
	}
	return 0;
}

static int sync_writes(const char *path, int n)
{
	int fd = open(path, O_WRONLY | O_SYNC | O_CLOEXEC), i;
	long long begin;

	for (i = 0; fd >= 0 && i < n; i++) {
		begin = now();
		if (pwrite(fd, block, BLOCK, (off_t)i * BLOCK) != BLOCK)
			return -1;
		timed(begin);
	}
	return fd < 0 ? -1 : close(fd);
}

static int msyncs(int fd, int n)
{
	char *map = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	long long begin;
	int i;

	for (i = 0; map != MAP_FAILED && i < n; i++) {
		memset(map, i, BLOCK);
		begin = now();
		if (msync(map, BLOCK, MS_SYNC))
			return -1;
		timed(begin);
	}
	return map == MAP_FAILED ? -1 : munmap(map, BLOCK);
}

/* A new file each time, or there is nothing to sync. */
static int dir_syncs(const char *dir, int n)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), file, i;
	char path[4096];
	long long begin;

	for (i = 0; fd >= 0 && i < n; i++) {
		snprintf(path, sizeof(path), "%s/entry.%d", dir, i);
		file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
		if (file < 0 || close(file))
			return -1;
		begin = now();
		if (fsync(fd))
			return -1;
		timed(begin);
	}
	return fd < 0 ? -1 : close(fd);
}

int main(int argc, char **argv)
{
	char path[4096];
	int fd, n = argc == 3 ? atoi(argv[2]) : 0;

	if (n < 1)
		return 2;
	snprintf(path, sizeof(path), "%s/calls", argv[1]);
	fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0 || writes(fd, fsync, n) || writes(fd, fdatasync, n) || sync_writes(path, n) ||
	    msyncs(fd, n) || dir_syncs(argv[1], n) || close(fd)) {
		perror(argv[1]);
		return 1;
	}
	printf("{\"calls\": %lld, \"ns\": %lld}\n", calls, ns);
	return 0;
}
