// SPDX-License-Identifier: GPL-2.0-or-later
/* test_store_writes: what a full disk and kill -9 leave in the store. */
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>

#include "clock_ns.h"
#include "store_case.h"

/* --- a full disk: the calls that SQLite writes with say so --- */

static unsigned int writes_left, directories;
static sqlite3_syscall_ptr real_write, real_directory;

static ssize_t write_until_full(int fd, const void *bytes, size_t size, off_t at)
{
	if (!writes_left) {
		errno = ENOSPC;
		return -1;
	}
	writes_left--;
	return ((ssize_t(*)(int, const void *, size_t, off_t))real_write)(fd, bytes, size, at);
}

static int count_directory(const char *path, int *fd)
{
	directories++;
	return ((int (*)(const char *, int *))real_directory)(path, fd);
}

static void disk_full(void **state)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
	const char *call = vfs->xGetSystemCall(vfs, "pwrite64") ? "pwrite64" : "pwrite";
	struct store *store = open_run_store(STORE_WRITE);
	struct store_trial trial;
	struct store_cell cell[2];
	struct store_run run;
	unsigned int refusals = 0;
	size_t trials;

	(void)state;
	add_run(store, &run, cell);
	trial = sample_trial(cell[0].id, 1, 50.8);
	real_write = vfs->xGetSystemCall(vfs, call);
	vfs->xSetSystemCall(vfs, call, (sqlite3_syscall_ptr)write_until_full);
	/* Full at the first write, at the second, and so on until there was room for all. */
	for (unsigned int room = 0;; room++) {
		writes_left = room;
		if (!store_trial_add(store, &trial, &trouble))
			break;
		expect_trouble(-1, TROUBLE_FAILED, "no space left");
		refusals++;
		writes_left = 1000;
		expect_fine(store_count(store, run.id, &trials, &trouble), &trouble);
		assert_int_equal(trials, 0);
	}
	writes_left = 0;
	vfs->xSetSystemCall(vfs, call, NULL);
	assert_true(refusals >= 3);
	trial.block = 2;
	add_trial(store, trial);
	expect_fine(store_count(store, run.id, &trials, &trouble), &trouble);
	assert_int_equal(trials, 2);
	store_close(store);
	free(run.name);
}

/* The journal's directory is made durable when it comes and when it has gone. */
static void durable_directory(void **state)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
	struct store *store = open_run_store(STORE_WRITE);
	struct store_cell cell[2];
	struct store_run run;

	(void)state;
	add_run(store, &run, cell);
	real_directory = vfs->xGetSystemCall(vfs, "openDirectory");
	vfs->xSetSystemCall(vfs, "openDirectory", (sqlite3_syscall_ptr)count_directory);
	directories = 0;
	add_trial(store, sample_trial(cell[0].id, 1, 50.8));
	assert_true(directories >= 2);
	vfs->xSetSystemCall(vfs, "openDirectory", NULL);
	store_close(store);
	free(run.name);
}

/* --- kill -9 --- */

#define ROUNDS 50

/* Adds trials until it is killed; the number of each goes to @to when the call has returned. */
static void add_forever(int to, int64_t cell, unsigned int block)
{
	struct store *store;

	if (store_open(&store, run_store, STORE_WRITE, &trouble))
		_exit(1);
	for (;; block++) {
		struct store_trial trial = sample_trial(cell, block, block);

		if (store_trial_add(store, &trial, &trouble))
			_exit(2);
		if (write(to, &block, sizeof(block)) != sizeof(block))
			_exit(3);
	}
}

/*
 * The last block whose call returned, 0: none.  In every other round the child is killed after
 * its first trial, else perhaps while it opens the store; in both at a random moment of twice
 * the time that a first trial takes on this machine.
 */
static unsigned int kill_while_adding(int64_t cell, unsigned int block, int round)
{
	static unsigned int seed = 42, took_us = 10000;
	uint64_t began = clock_ns(CLOCK_MONOTONIC);
	unsigned int last = 0, told;
	int ends[2], status;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (!child) {
		close(ends[0]);
		add_forever(ends[1], cell, block);
	}
	close(ends[1]);
	if (round % 2 == 0) {
		assert_int_equal(read(ends[0], &last, sizeof(last)), sizeof(last));
		took_us = (unsigned int)((clock_ns(CLOCK_MONOTONIC) - began) / 1000);
	}
	usleep((unsigned int)rand_r(&seed) % (2 * took_us));
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	while (read(ends[0], &told, sizeof(told)) == sizeof(told))
		last = told;
	close(ends[0]);
	return last;
}

static void killed(void **state)
{
	struct store *store = open_run_store(STORE_WRITE);
	struct store_cell cell[2];
	struct store_run run;
	struct store_result result;
	unsigned int next = 1;

	(void)state;
	add_run(store, &run, cell);
	store_close(store);
	for (int round = 0; round < ROUNDS; round++) {
		unsigned int last = kill_while_adding(cell[0].id, next, round);

		store = open_run_store(STORE_READ);
		expect_fine(store_load(store, run.name, &result, &trouble), &trouble);
		store_close(store);
		/* All from 1 on, each once, whole; one more than was told of at most. */
		last = last ? last : next - 1;
		assert_true(result.nr_trials >= last && result.nr_trials <= last + 1);
		for (size_t i = 0; i < result.nr_trials; i++) {
			assert_int_equal(result.trial[i].block, i + 1);
			assert_true(result.trial[i].score == i + 1);
			assert_string_equal(result.trial[i].output, "Throughput 50.80 MB/sec\n");
		}
		next = (unsigned int)result.nr_trials + 1;
		store_result_free(&result);
	}
	assert_true(next > ROUNDS / 2);
	free(run.name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_directory(disk_full),
		in_directory(durable_directory),
		in_directory(killed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
