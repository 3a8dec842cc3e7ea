// SPDX-License-Identifier: GPL-2.0-or-later
/* test_store: what goes into the store comes out, and what a bad file does. */
#include "unit.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "store_case.h"

static void sql(const char *text)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(run_store, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void add_and_load(void **state)
{
	struct store *store = open_run_store(STORE_WRITE);
	struct store_trial odd;
	struct store_cell cell[2];
	struct store_run run;
	struct store_result result;

	(void)state;
	add_run(store, &run, cell);
	assert_string_equal(run.name, "barrier-1");
	assert_true(run.id && cell[0].id && cell[1].id && cell[0].id != cell[1].id);
	add_trial(store, sample_trial(cell[0].id, 1, 50.8));
	odd = sample_trial(cell[0].id, 2, NAN);
	odd.state = TRIAL_FAILED;
	odd.reason = (char *)"exit status 1: \033[1m\xff\xfe";
	odd.place = 4294967295U;
	odd.device = (char *)"{\"schema\":\"fsbstat/1\",\"kind\":\"disk\"}";
	odd.seconds = INFINITY;
	add_trial(store, odd);
	expect_fine(store_cell_stop(store, cell[0].id, "failed", &trouble), &trouble);
	expect_fine(store_run_state(store, run.id, "complete", "2026-11-30T15:00:00Z", &trouble),
		    &trouble);
	store_close(store);

	store = open_run_store(STORE_READ);
	expect_fine(store_load(store, "barrier-1", &result, &trouble), &trouble);
	assert_int_equal(result.nr_cells, 2);
	assert_int_equal(result.nr_trials, 2);
	assert_string_equal(result.run.name, "barrier-1");
	assert_true(result.run.seed == 18446744073709551615U);
	assert_string_equal(result.run.state, "complete");
	assert_string_equal(result.run.ended, "2026-11-30T15:00:00Z");
	assert_string_equal(result.run.scale, "");
	assert_string_equal(result.run.baseline, "ext4-barrier");
	assert_string_equal(result.run.host.tools, run.host.tools);
	assert_string_equal(result.run.host.firmware, "KC45");
	assert_string_equal(result.cell[0].stop, "failed");
	assert_string_equal(result.cell[1].stop, "");
	assert_string_equal(result.cell[1].unsupported, cell[1].unsupported);
	assert_true(result.cell[0].more_is_better);
	assert_true(result.trial[0].score == 50.8 && result.trial[0].seconds == 60.25);
	assert_true(result.trial[0].sync_seconds == 0.125);
	assert_int_equal(result.trial[0].cell, cell[0].id);
	assert_int_equal(result.trial[1].state, TRIAL_FAILED);
	assert_int_equal(result.trial[1].place, 4294967295U);
	assert_string_equal(result.trial[1].reason, odd.reason);
	assert_true(isnan(result.trial[1].score) && isnan(result.trial[1].seconds));
	assert_string_equal(result.trial[1].device, odd.device);
	store_result_free(&result);
	store_close(store);
	free(run.name);
}

static void names(void **state)
{
	struct store *store = open_run_store(STORE_WRITE);
	struct store_run run[4] = {sample_run(), sample_run(), sample_run(), sample_run()};
	struct store_run *all;
	struct store_result result;
	size_t nr, trials = 9;

	(void)state;
	run[1].name = (char *)"barrier-7";
	run[2].name = (char *)"barrier-x-9";
	for (int i = 0; i < 4; i++)
		expect_fine(store_run_add(store, &run[i], "barrier", NULL, 0, &trouble), &trouble);
	assert_string_equal(run[0].name, "barrier-1");
	assert_string_equal(run[3].name, "barrier-8");
	expect_trouble(store_run_add(store, &run[1], "barrier", NULL, 0, &trouble), TROUBLE_USAGE,
		       "a run of that name already");
	expect_fine(store_list(store, &all, &nr, &trouble), &trouble);
	assert_int_equal(nr, 4);
	assert_string_equal(all[1].name, "barrier-7");
	expect_fine(store_count(store, all[0].id, &trials, &trouble), &trouble);
	assert_int_equal(trials, 0);
	store_runs_free(all, nr);
	expect_fine(store_load(store, NULL, &result, &trouble), &trouble);
	assert_string_equal(result.run.name, "barrier-8");
	store_result_free(&result);
	expect_trouble(store_load(store, "barier-1", &result, &trouble), TROUBLE_USAGE,
		       "no run of that name");
	store_close(store);
	free(run[0].name);
	free(run[3].name);
}

static void refused(void **state)
{
	struct store *store = open_run_store(STORE_WRITE);
	struct store_cell cell[2];
	struct store_run run;
	struct store_trial trial;
	size_t trials;

	(void)state;
	add_run(store, &run, cell);
	trial = sample_trial(cell[0].id, 1, 1);
	add_trial(store, trial);
	expect_trouble(store_trial_add(store, &trial, &trouble), TROUBLE_FAILED, "already");
	trial.cell = 12345;
	expect_trouble(store_trial_add(store, &trial, &trouble), TROUBLE_FAILED, "FOREIGN KEY");
	trial = sample_trial(cell[0].id, 2, 1);
	trial.device = (char *)"{\"schema\": ";
	expect_trouble(store_trial_add(store, &trial, &trouble), TROUBLE_FAILED, "device");
	trial.device = (char *)"[]";
	expect_trouble(store_trial_add(store, &trial, &trouble), TROUBLE_FAILED, "no JSON object");
	expect_trouble(store_cell_stop(store, 99, "max", &trouble), TROUBLE_FAILED,
		       "no run or cell");
	expect_trouble(store_run_state(store, 99, "stopped", "", &trouble), TROUBLE_FAILED,
		       "no run or cell");
	expect_fine(store_count(store, run.id, &trials, &trouble), &trouble);
	assert_int_equal(trials, 1);
	store_close(store);
	free(run.name);
}

/* --- the file itself --- */

static void default_path(void **state)
{
	char *path;

	(void)state;
	setenv("HOME", "/home/anna", 1);
	setenv("XDG_DATA_HOME", "/data", 1);
	path = store_default_path();
	assert_string_equal(path, "/data/fsbctl/runs.db");
	free(path);
	setenv("XDG_DATA_HOME", "relative", 1); /* to be ignored, says the specification */
	path = store_default_path();
	assert_string_equal(path, "/home/anna/.local/share/fsbctl/runs.db");
	free(path);
	unsetenv("XDG_DATA_HOME");
	unsetenv("HOME");
	path = store_default_path();
	assert_int_equal(path[0], '/');
	free(path);
	setenv("HOME", "/root", 1);
}

static void modes(void **state)
{
	struct stat status;
	char directory[96];

	(void)state;
	store_close(open_run_store(STORE_WRITE));
	assert_int_equal(stat(run_store, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
	snprintf(directory, sizeof(directory), "%s/a", run_directory);
	assert_int_equal(stat(directory, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0700);
}

static void write_bytes(const char *bytes, size_t size)
{
	FILE *file = fopen(run_store, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static int open_fails(enum store_mode mode)
{
	struct store *store = (struct store *)1;
	int err = store_open(&store, run_store, mode, &trouble);

	assert_null(store);
	return err;
}

static void not_there(void **state)
{
	struct store *store;

	(void)state;
	expect_trouble(open_fails(STORE_READ), TROUBLE_MISSING, "no such file");
	store_close(open_run_store(STORE_WRITE));
	store = open_run_store(STORE_READ);
	struct store_result result;

	expect_trouble(store_load(store, NULL, &result, &trouble), TROUBLE_MISSING, "no runs");
	store_close(store);
	/* What a program leaves that was killed right after it made the file. */
	write_bytes("", 0);
	expect_trouble(open_fails(STORE_READ), TROUBLE_MISSING, "no runs");
	store_close(open_run_store(STORE_WRITE));
	store_close(open_run_store(STORE_READ));
}

static void foreign_files(void **state)
{
	char text[4096];

	(void)state;
	store_close(open_run_store(STORE_WRITE));
	memset(text, 'x', sizeof(text));
	write_bytes(text, sizeof(text));
	expect_trouble(open_fails(STORE_READ), TROUBLE_FAILED, "something else");
	expect_trouble(open_fails(STORE_WRITE), TROUBLE_FAILED, "something else");
	write_bytes("short", 5);
	expect_trouble(open_fails(STORE_WRITE), TROUBLE_FAILED, "something else");
	unlink(run_store);
	sql("CREATE TABLE bookmarks(url TEXT)");
	expect_trouble(open_fails(STORE_READ), TROUBLE_FAILED, "another program");
	expect_trouble(open_fails(STORE_WRITE), TROUBLE_FAILED, "another program");
	unlink(run_store);
	assert_int_equal(mkdir(run_store, 0700), 0);
	expect_trouble(open_fails(STORE_WRITE), TROUBLE_USAGE, "no regular file");
	rmdir(run_store);
	assert_int_equal(mkfifo(run_store, 0600), 0);
	expect_trouble(open_fails(STORE_READ), TROUBLE_USAGE, "no regular file");
}

/* One run with a trial, then @change made to the file by somebody else's program. */
static void tampered(const char *change)
{
	struct store *store;
	struct store_cell cell[2];
	struct store_run run;

	unlink(run_store);
	store = open_run_store(STORE_WRITE);
	add_run(store, &run, cell);
	add_trial(store, sample_trial(cell[0].id, 1, 50.8));
	store_close(store);
	free(run.name);
	sql(change);
}

static int load_tampered(void)
{
	struct store *store;
	struct store_result result;
	int err = store_open(&store, run_store, STORE_READ, &trouble);

	if (err)
		return err;
	err = store_load(store, NULL, &result, &trouble);
	store_close(store);
	store_result_free(&result);
	return err;
}

#define ENDLESS                                                                               \
	"ALTER TABLE trial RENAME TO real;"                                                   \
	"CREATE VIEW trial AS WITH RECURSIVE e(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM e)" \
	" SELECT n AS id, 1 AS cell, n AS block, 1 AS place, 'ok' AS state, '' AS reason,"    \
	" 1 AS score, 1 AS seconds, 1 AS sync_seconds, '' AS began, '' AS mount_options,"     \
	" '' AS mkfs_output, '' AS output, '' AS device, '' AS phases FROM e;"

static void code_in_schema(void **state)
{
	(void)state;
	tampered(ENDLESS);
	expect_trouble(load_tampered(), TROUBLE_FAILED, "views, triggers or virtual tables");
	expect_trouble(store_open(&(struct store *){NULL}, run_store, STORE_WRITE, &trouble),
		       TROUBLE_FAILED, "views, triggers or virtual tables");
	/* A view that says it is a table. */
	tampered(ENDLESS "PRAGMA writable_schema = ON; UPDATE sqlite_master SET type = 'table',"
			 " rootpage = 2 WHERE name = 'trial'");
	assert_int_equal(load_tampered(), -1);
	tampered("CREATE TRIGGER t AFTER INSERT ON trial BEGIN DELETE FROM run; END");
	expect_trouble(load_tampered(), TROUBLE_FAILED, "views, triggers or virtual tables");
}

static void too_much(void **state)
{
	(void)state;
	tampered("UPDATE trial SET output = zeroblob(70000000)");
	expect_trouble(load_tampered(), TROUBLE_FAILED, "a text of more than 64 MiB");
}

/* What is of another type than was stored is read as what it can be; nothing falls over. */
static void odd_values(void **state)
{
	static const char *const changes[] = {
		"UPDATE trial SET score = 'fast', seconds = 9e999, block = -1, place = 'x',"
		" state = x'00ff', output = CAST(x'410042ff' AS TEXT), device = '[1', phases = 7",
		"UPDATE trial SET score = 9e999, block = 99999999999999, began = x'c29b'",
		"UPDATE cell SET more_is_better = 'yes', stop = 'never', asked = 'null', title = 1.5",
		"UPDATE run SET name = CAST(x'6100' AS TEXT), seed = -1, target = '\"', state = 3,"
		" tools = '[]', kernel = char(10, 27)",
		"PRAGMA foreign_keys = OFF; UPDATE trial SET cell = 7",
		"PRAGMA foreign_keys = OFF; DELETE FROM cell",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		tampered(changes[i]);
		expect_fine(load_tampered(), &trouble);
	}
}

static void newer_schema(void **state)
{
	(void)state;
	store_close(open_run_store(STORE_WRITE));
	sql("PRAGMA user_version = 3");
	expect_trouble(open_fails(STORE_READ), TROUBLE_FAILED, "schema is version 3");
	expect_trouble(open_fails(STORE_WRITE), TROUBLE_FAILED, "schema is version 3");
}

/* A file of the first schema keeps its runs, which are taken for this machine's own. */
static void older_schema(void **state)
{
	struct store *store = open_run_store(STORE_WRITE);
	struct store_cell cell[2];
	struct store_run run;
	struct store_result result;

	(void)state;
	add_run(store, &run, cell);
	store_close(store);
	sql("ALTER TABLE run DROP COLUMN origin; PRAGMA user_version = 1");
	store = open_run_store(STORE_READ);
	expect_fine(store_load(store, "barrier-1", &result, &trouble), &trouble);
	assert_string_equal(result.run.origin, "");
	assert_string_equal(result.run.baseline, "ext4-barrier");
	store_result_free(&result);
	store_close(store);
	free(run.name);
}

static void truncated(void **state)
{
	struct store *store = open_run_store(STORE_WRITE);
	struct store_cell cell[2];
	struct store_run run;
	struct stat status;

	(void)state;
	add_run(store, &run, cell);
	for (unsigned int block = 1; block < 100; block++)
		add_trial(store, sample_trial(cell[0].id, block, block));
	store_close(store);
	free(run.name);
	assert_int_equal(stat(run_store, &status), 0);
	for (off_t size = status.st_size - 1; size > 0; size -= 4096) {
		assert_int_equal(truncate(run_store, size), 0);
		expect_trouble(open_fails(STORE_READ), TROUBLE_FAILED,
			       size < 512 ? "something else" : "cut short");
	}
}

/* Garbage in the middle: any call may fail, none may fall over. */
static void damaged(void **state)
{
	struct store *store = open_run_store(STORE_WRITE);
	struct store_cell cell[2];
	struct store_run run;
	struct store_result result;
	char page[4096];
	int fd, failed = 0;

	(void)state;
	add_run(store, &run, cell);
	for (unsigned int block = 1; block < 60; block++)
		add_trial(store, sample_trial(cell[0].id, block, block));
	store_close(store);
	free(run.name);
	memset(page, 0xa5, sizeof(page));
	for (off_t at = 4096; at < 10 * 4096; at += 4096) {
		fd = open(run_store, O_RDWR | O_CLOEXEC);
		assert_int_equal(pwrite(fd, page, sizeof(page), at), sizeof(page));
		close(fd);
		if (store_open(&store, run_store, STORE_READ, &trouble)) {
			failed++;
			continue;
		}
		if (store_load(store, NULL, &result, &trouble))
			failed++;
		else
			store_result_free(&result);
		store_close(store);
	}
	assert_true(failed > 0);
}

static void locked(void **state)
{
	sqlite3 *db;

	(void)state;
	store_close(open_run_store(STORE_WRITE));
	assert_int_equal(sqlite3_open(run_store, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
	expect_trouble(open_fails(STORE_READ), TROUBLE_FAILED, "locked");
	sqlite3_close(db);
	store_close(open_run_store(STORE_READ));
}

/* A trial that goes to a file without a name is lost. */
static void removed_meanwhile(void **state)
{
	struct store *store = open_run_store(STORE_WRITE);
	struct store_cell cell[2];
	struct store_trial trial;
	struct store_run run;

	(void)state;
	add_run(store, &run, cell);
	add_trial(store, sample_trial(cell[0].id, 1, 50.8));
	assert_int_equal(unlink(run_store), 0);
	trial = sample_trial(cell[0].id, 2, 50.8);
	expect_trouble(store_trial_add(store, &trial, &trouble), TROUBLE_FAILED, "removed");
	store_close(store);
	free(run.name);
}

/* As a user who may read and nothing else. */
static void read_only(void **state)
{
	struct store *store = open_run_store(STORE_WRITE);
	struct store_cell cell[2];
	struct store_result result;
	struct store_run run;
	char directory[96];
	int status;
	pid_t child;

	(void)state;
	add_run(store, &run, cell);
	store_close(store);
	free(run.name);
	snprintf(directory, sizeof(directory), "%s/a/b", run_directory);
	assert_int_equal(chmod(run_directory, 0755), 0);
	assert_int_equal(chmod(run_store, 0444), 0);
	assert_int_equal(chmod(directory, 0555), 0);
	snprintf(directory, sizeof(directory), "%s/a", run_directory);
	assert_int_equal(chmod(directory, 0555), 0);
	child = fork();
	if (!child) {
		if (!geteuid() && setresuid(65534, 65534, 65534))
			_exit(9);
		if (store_open(&store, run_store, STORE_READ, &trouble) ||
		    store_load(store, NULL, &result, &trouble))
			_exit(1);
		store_result_free(&result);
		store_close(store);
		if (!store_open(&store, run_store, STORE_WRITE, &trouble) || store ||
		    !strstr(trouble.reason, "cannot be written"))
			_exit(2);
		strcat(run_store, "2");
		if (!store_open(&store, run_store, STORE_WRITE, &trouble) ||
		    !strstr(trouble.reason, "cannot be made: Permission denied"))
			_exit(3);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	/* For whoever takes the directory away. */
	assert_int_equal(chmod(directory, 0755), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_directory(add_and_load),  in_directory(names),
		in_directory(refused),	     cmocka_unit_test(default_path),
		in_directory(modes),	     in_directory(not_there),
		in_directory(foreign_files), in_directory(newer_schema),
		in_directory(older_schema),
		in_directory(code_in_schema), in_directory(too_much),
		in_directory(odd_values),
		in_directory(truncated),     in_directory(damaged),
		in_directory(locked),	     in_directory(read_only),
		in_directory(removed_meanwhile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
