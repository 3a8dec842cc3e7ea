// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_store_hold: what is in progress and what was interrupted, seen from another process; and
 * deleting runs.
 */
#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "store_case.h"

/* A process with the store open that has begun a run, or goes on with the run @id. */
struct other {
	pid_t pid;
	int64_t id;
};

static void be_other(int to, int64_t id)
{
	struct store_cell cell[2] = {sample_cell("a", "w"), sample_cell("b", "w")};
	struct store_run run = sample_run();
	struct store *store;

	if (store_open(&store, run_store, STORE_WRITE, &trouble))
		_exit(1);
	if (!id && store_run_add(store, &run, "barrier", cell, 2, &trouble))
		_exit(2);
	if (id && store_run_hold(store, id, "barrier", &trouble))
		_exit(3);
	if (!id) {
		add_trial(store, sample_trial(cell[0].id, 1, 50.8));
		id = run.id;
	}
	if (write(to, &id, sizeof(id)) != sizeof(id))
		_exit(4);
	for (;;)
		pause();
}

static struct other other_process(int64_t id)
{
	struct other other = {0};
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	other.pid = fork();
	assert_true(other.pid >= 0);
	if (!other.pid)
		be_other(ends[1], id);
	close(ends[1]);
	assert_int_equal(read(ends[0], &other.id, sizeof(other.id)), sizeof(other.id));
	close(ends[0]);
	return other;
}

static void kill_other(struct other other)
{
	int status;

	assert_int_equal(kill(other.pid, SIGKILL), 0);
	assert_int_equal(waitpid(other.pid, &status, 0), other.pid);
	assert_true(WIFSIGNALED(status));
}

/* As the list and the run itself have it. */
static void expect_state(struct store *store, int64_t id, const char *state)
{
	struct store_result result;
	struct store_run *runs;
	size_t nr, i;

	expect_fine(store_list(store, &runs, &nr, &trouble), &trouble);
	for (i = 0; i < nr && runs[i].id != id; i++)
		;
	assert_true(i < nr);
	assert_string_equal(store_state_name(&runs[i]), state);
	expect_fine(store_load(store, runs[i].name, &result, &trouble), &trouble);
	assert_string_equal(store_state_name(&result.run), state);
	store_result_free(&result);
	store_runs_free(runs, nr);
}

static void interrupted(void **state)
{
	struct other first = other_process(0), second = other_process(0), again;
	struct store *store = open_run_store(STORE_READ);

	(void)state;
	expect_state(store, first.id, "running");
	kill_other(first);
	expect_state(store, first.id, "interrupted");
	expect_state(store, second.id, "running");
	/* Gone on with, and seen by one who may only read. */
	again = other_process(first.id);
	expect_state(store, first.id, "running");
	kill_other(again);
	expect_state(store, first.id, "interrupted");
	kill_other(second);
	store_close(store);
}

/* One of two goes on with it; the other one's attempt changes nothing. */
static void one_at_a_time(void **state)
{
	struct other other = other_process(0);
	struct store *store = open_run_store(STORE_WRITE);

	(void)state;
	expect_trouble(store_run_hold(store, other.id, "barrier-1", &trouble), TROUBLE_REFUSED,
		       "in progress in another process");
	expect_state(store, other.id, "running");
	kill_other(other);
	expect_fine(store_run_hold(store, other.id, "barrier-1", &trouble), &trouble);
	store_close(store);
	store = open_run_store(STORE_READ);
	expect_state(store, other.id, "interrupted");
	store_close(store);
}

/* A run that has ended in its own words, and one that a document tells of. */
static void ended(void **state)
{
	struct store *store = open_run_store(STORE_WRITE), *reader;
	char path[128], *name;
	struct store_cell cell[2];
	struct store_run run;
	bool new;

	(void)state;
	add_run(store, &run, cell);
	snprintf(path, sizeof(path), "%s/document", run_directory);
	expect_fine(store_export(store, run.name, path, &trouble), &trouble);
	expect_fine(store_run_state(store, run.id, "stopped", NULL, &trouble), &trouble);
	reader = open_run_store(STORE_READ);
	expect_state(reader, run.id, "stopped");
	store_close(reader);
	free(run.name);
	store_close(store);
	strcat(run_store, "2");
	store = open_run_store(STORE_WRITE);
	expect_fine(store_import(store, path, &name, &new, &trouble), &trouble);
	expect_state(store, 1, "interrupted");
	free(name);
	store_close(store);
}

static void deleted(void **state)
{
	struct other other = other_process(0);
	struct store *store = open_run_store(STORE_WRITE);
	struct store_run run[2], *runs;
	struct store_cell cell[2];
	size_t nr, trials;

	(void)state;
	add_run(store, &run[0], cell);
	add_trial(store, sample_trial(cell[0].id, 1, 50.8));
	run[1] = (struct store_run){.id = other.id, .name = (char *)"barrier-1"};
	/* All or none. */
	expect_trouble(store_delete(store, run, 2, &trouble), TROUBLE_REFUSED, "in progress");
	assert_int_equal(nr_runs(store), 2);
	expect_fine(store_count(store, run[0].id, &trials, &trouble), &trouble);
	assert_int_equal(trials, 1);
	kill_other(other);
	expect_fine(store_delete(store, &run[1], 1, &trouble), &trouble);
	expect_fine(store_list(store, &runs, &nr, &trouble), &trouble);
	assert_int_equal(nr, 1);
	assert_int_equal(runs[0].id, run[0].id);
	store_runs_free(runs, nr);
	expect_fine(store_count(store, run[0].id, &trials, &trouble), &trouble);
	assert_int_equal(trials, 1);
	expect_fine(store_count(store, other.id, &trials, &trouble), &trouble);
	assert_int_equal(trials, 0);
	store_close(store);
	/* Its number is free for another process. */
	store = open_run_store(STORE_WRITE);
	expect_fine(store_delete(store, &run[0], 1, &trouble), &trouble);
	other = other_process(0);
	expect_state(store, other.id, "running");
	kill_other(other);
	free(run[0].name);
	store_close(store);
}

/* What a user who is not root reads where there is no store of his own. */
static void other_user(int to)
{
	struct store *store;
	char *own;

	if (!geteuid() && setuid(65534))
		_exit(1);
	if (setenv("HOME", "/nonexistent", 1) || unsetenv("XDG_DATA_HOME"))
		_exit(2);
	own = store_default_path();
	if (!own || !store_open(&store, own, STORE_READ, &trouble))
		_exit(3);
	free(own);
	if (write(to, &trouble, sizeof(trouble)) != sizeof(trouble) ||
	    !store_open(&store, "/nonexistent/runs.db", STORE_READ, &trouble) ||
	    strstr(trouble.hint, "sudo"))
		_exit(4);
	_exit(0);
}

static void roots_runs(void **state)
{
	int ends[2], status;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		other_user(ends[1]);
	close(ends[1]);
	assert_int_equal(read(ends[0], &trouble, sizeof(trouble)), sizeof(trouble));
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	expect_trouble(-1, TROUBLE_MISSING, "no runs are stored there");
	assert_non_null(strstr(trouble.hint, "sudo fsbctl run keeps its runs in /root/.local/share/"
					     "fsbctl/runs.db:\nsudo fsbctl report shows them"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_directory(interrupted), in_directory(one_at_a_time), in_directory(ended),
		in_directory(deleted), cmocka_unit_test(roots_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
