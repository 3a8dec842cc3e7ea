// SPDX-License-Identifier: GPL-2.0-or-later
/* What an experiment is doing, in words and in JSON; and when a cell has had enough trials. */
#include <jansson.h>
#include <math.h>

#include "bench/experiment.h"
#include "scratch_dir.h"

static struct configuration configuration = {.name = "ext4-barrier"};
static struct workload workload = {.name = "dbench", .unit = "MB/s", .more_is_better = true};
static struct workload_use use = {.workload = &workload, .label = "dbench-12", .seconds = 60};
static struct cell cells[2] = {
	{.configuration = &configuration, .use = &use, .name = "ext4-barrier/dbench-12"},
	{.configuration = &configuration, .use = &use, .name = "x", .unsupported = "why"},
};

static double samples[5] = {50.8, 50.1, 49.9, 51.25, 1234.5};
static struct progress_state state_of;

static int set_up(void **state)
{
	(void)state;
	state_of = (struct progress_state){.run = "barrier-1",
					   .disk = "sdb",
					   .block = 2,
					   .blocks = 3,
					   .place = 5,
					   .nr_cells = 8,
					   .elapsed_s = 680,
					   .left_s = 960,
					   .cell = &cells[0],
					   .number = 2,
					   .sample = samples,
					   .nr_samples = 1,
					   .step = STEP_RUN};
	return 0;
}

static void durations(void **state)
{
	static const struct {
		double seconds;
		const char *text;
	} cases[] = {{-1, "0s"},	 {0.4, "0s"},	  {59.4, "59s"},      {59.6, "1m00s"},
		     {3599.4, "59m59s"}, {3600, "1h00m"}, {360000, "100h00m"}};
	char text[32];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		progress_duration(text, sizeof(text), cases[i].seconds);
		assert_string_equal(text, cases[i].text);
	}
}

static void block_of_lines(void **state)
{
	char line[PROGRESS_LINES][PROGRESS_LINE_MAX];
	struct figures figures = {.elapsed_ns = 2000000000, .depth_mean = 9.84};

	(void)state;
	figures.class[FSBSTAT_CLASS_FLUSH].counts.ios = 163;
	figures.fs.calls = true;
	figures.fs.sums.fsyncs = 368;
	state_of.latest = &figures;
	progress_block(line, &state_of);
	assert_string_equal(line[0], "barrier-1 on sdb   block 2 of 3   cell 5 of 8   11m20s, "
				     "about 16m00s left");
	assert_string_equal(line[1], "ext4-barrier / dbench-12   run 2   [mkfs mount settle "
				     "prepare >RUN< sync unmount]");
	assert_string_equal(line[2],
			    "  so far 50.80 MB/s   fsync 184.0/s  flush 81.5/s  depth 9.8");
	state_of.nr_samples = 5;
	state_of.latest = NULL;
	state_of.left_s = -1;
	state_of.block = 4;
	state_of.step = STEP_SET;
	progress_block(line, &state_of);
	assert_string_equal(line[0], "barrier-1 on sdb   block 4   cell 5 of 8   11m20s");
	assert_non_null(strstr(line[1], "[>MKFS< mount"));
	assert_string_equal(line[2], "  so far ... 50.10 49.90 51.25 1235 MB/s   ");
}

/* Names come from a file: what would move the cursor is shown, not done. */
static void hostile_names(void **state)
{
	char line[PROGRESS_LINES][PROGRESS_LINE_MAX], text[PROGRESS_LINE_MAX];
	struct store_trial trial = {
		.score = NAN, .state = TRIAL_FAILED, .reason = "no \033[2Jluck"};
	struct stats stats = {.n = 0};

	(void)state;
	configuration.name = "a\033[31mb";
	progress_block(line, &state_of);
	progress_end_line(text, sizeof(text), &state_of, &trial, &stats);
	configuration.name = "ext4-barrier";
	assert_null(strchr(line[1], '\033'));
	assert_string_equal(text, "  a\\x1b[31mb / dbench-12   run 2   failed: no \\x1b[2Jluck");
}

static void lines_of_a_trial(void **state)
{
	struct store_trial trial = {.score = 50.1, .state = TRIAL_OK, .reason = ""};
	struct stats stats = {.n = 2, .mean = 50.45, .se = 0.35};
	char line[PROGRESS_LINE_MAX];

	(void)state;
	progress_begin_line(line, sizeof(line), &state_of);
	assert_string_equal(line, "barrier-1 on sdb   block 2 of 3   cell 5 of 8   11m20s, about "
				  "16m00s left: ext4-barrier / dbench-12 run 2");
	progress_end_line(line, sizeof(line), &state_of, &trial, &stats);
	assert_string_equal(line, "  ext4-barrier / dbench-12   run 2   50.10 MB/s   mean 50.45 "
				  "+- 0.350");
	trial.state = TRIAL_NOISY;
	trial.reason = "1.2 GB of the disk's I/O were others': cp";
	progress_end_line(line, sizeof(line), &state_of, &trial, &stats);
	assert_string_equal(line, "  ext4-barrier / dbench-12   run 2   50.10 MB/s   noisy: 1.2 GB "
				  "of the disk's I/O were others': cp");
}

static json_t *next_event(FILE *from, const char *name)
{
	char line[4096];
	json_t *event;

	assert_non_null(fgets(line, sizeof(line), from));
	event = json_loads(line, 0, NULL);
	assert_non_null(event);
	assert_string_equal(json_string_value(json_object_get(event, "event")), name);
	assert_int_equal(strlen(json_string_value(json_object_get(event, "time"))), 24);
	return event;
}

static void events(void **state)
{
	struct store_run run = {.name = "r-1", .target_id = "id", .scale = "", .seed = UINT64_MAX};
	struct plan plan = {.cell = cells, .nr_cells = 2};
	struct store_trial trial = {.score = NAN, .state = TRIAL_FAILED, .reason = "bad\xff"};
	struct progress_events *out;
	struct trouble trouble;
	char path[PATH_MAX];
	struct stats stats;
	json_t *event;
	FILE *file;

	(void)state;
	stats_of(&stats, samples, 1);
	scratch_path(path, "events");
	assert_int_equal(progress_events_open(&out, path, &trouble), 0);
	progress_events_run_begin(out, &plan, &run, false);
	progress_events_trial_begin(out, &state_of);
	progress_events_step(out, &state_of);
	progress_events_trial_end(out, &state_of, &trial, &stats);
	progress_events_cell_stop(out, &cells[0], STOP_MAX, &stats);
	progress_events_run_end(out, "complete");
	assert_int_equal(progress_events_close(out), 0);
	file = fopen(path, "re");
	assert_non_null(file);
	event = next_event(file, "run_begin");
	assert_string_equal(json_string_value(json_object_get(event, "seed")),
			    "18446744073709551615");
	assert_int_equal(json_array_size(json_object_get(event, "cells")), 2);
	json_decref(event);
	json_decref(next_event(file, "trial_begin"));
	event = next_event(file, "phase");
	assert_string_equal(json_string_value(json_object_get(event, "phase")), "run");
	json_decref(event);
	event = next_event(file, "trial_end");
	assert_true(json_is_null(json_object_get(event, "score")));
	assert_string_equal(json_string_value(json_object_get(event, "reason")), "bad\\xff");
	json_decref(event);
	event = next_event(file, "cell_stop");
	assert_string_equal(json_string_value(json_object_get(event, "stop")), "max");
	json_decref(event);
	json_decref(next_event(file, "run_end"));
	assert_null(fgets(path, sizeof(path), file));
	fclose(file);
	assert_int_equal(progress_events_open(&out, "/nonexistent/events", &trouble), -1);
	assert_null(out);
}

/* ---- when a cell has had enough ---- */

static struct plan two = {
	.cell = cells, .nr_cells = 2, .matrix.repeat = {.min = 2, .max = 3, .within = 0.05}};
static struct cell_progress progress[2];
static struct experiment experiment = {.plan = &two, .cell = progress};

static enum stats_stop after(size_t nr, const struct store_trial *trial)
{
	enum stats_stop stop = STOP_NOT;
	size_t i;

	memset(progress, 0, sizeof(progress));
	experiment.nr_trials = 0;
	experiment.spent_s = 0;
	for (i = 0; i < nr; i++) {
		assert_int_equal(experiment_cell_take(&experiment, 0, &trial[i], 10), 0);
		stop = progress[0].stop;
	}
	free(progress[0].sample);
	progress[0].sample = NULL;
	return stop;
}

static void cells_that_fail(void **state)
{
	const struct store_trial failed = {.state = TRIAL_FAILED, .score = NAN};
	const struct store_trial good = {.state = TRIAL_OK, .score = 7};
	const struct store_trial noisy = {.state = TRIAL_NOISY, .score = 900};

	(void)state;
	assert_int_equal(after(1, &failed), STOP_NOT);
	assert_int_equal(after(2, (struct store_trial[]){failed, failed}), STOP_FAILED);
	assert_int_equal(after(2, (struct store_trial[]){good, failed}), STOP_NOT);
	assert_int_equal(after(2, (struct store_trial[]){failed, good}), STOP_NOT);
	assert_int_equal(after(3, (struct store_trial[]){good, failed, failed}), STOP_NOT);
	assert_int_equal(after(2, (struct store_trial[]){good, good}), STOP_PRECISE);
	assert_int_equal(after(2, (struct store_trial[]){good, noisy}), STOP_NOT);
	assert_int_equal(after(3, (struct store_trial[]){good, noisy, good}), STOP_MAX);
}

/* Those that do not count are made up for, but not without end. */
static void trials_that_do_not_count(void **state)
{
	struct store_trial trials[6];
	size_t i;

	(void)state;
	for (i = 0; i < 6; i++)
		trials[i] = (struct store_trial){.state = TRIAL_INVALID, .score = 7};
	assert_int_equal(after(5, trials), STOP_NOT);
	assert_int_equal(after(6, trials), STOP_FAILED);
	trials[0].state = TRIAL_OK;
	assert_int_equal(after(6, trials), STOP_MAX);
}

static void time_left(void **state)
{
	const struct store_trial good = {.state = TRIAL_OK, .score = 7, .block = 1};

	(void)state;
	memset(progress, 0, sizeof(progress));
	experiment.nr_trials = 0;
	/* What cannot be had takes no time. */
	assert_true(experiment_left(&experiment) == 120);
	assert_int_equal(experiment_cell_take(&experiment, 0, &good, 90), 0);
	assert_true(experiment_left(&experiment) == 90);
	assert_int_equal(experiment_failed(&experiment), 0);
	assert_false(experiment_cell_waits(&experiment, 1));
	assert_true(experiment_cell_waits(&experiment, 0));
	free(progress[0].sample);
	memset(progress, 0, sizeof(progress));
	assert_int_equal(experiment_failed(&experiment), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations),
		cmocka_unit_test_setup(block_of_lines, set_up),
		cmocka_unit_test_setup(hostile_names, set_up),
		cmocka_unit_test_setup(lines_of_a_trial, set_up),
		cmocka_unit_test_setup(events, set_up),
		cmocka_unit_test(cells_that_fail),
		cmocka_unit_test(trials_that_do_not_count),
		cmocka_unit_test(time_left),
	};

	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
