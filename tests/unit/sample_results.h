/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sample_results: a stored run of two workloads with every kind of cell, for tests of results/. */
#ifndef FSB_TESTS_SAMPLE_RESULTS_H
#define FSB_TESTS_SAMPLE_RESULTS_H

#include "sample_run.h"

#include "results/results.h"

/* A device window, as far as results/ looks at it. */
struct window {
	double seconds;
	unsigned long flushes;
	double drain, flush, unflushed; /* seconds twice; bytes, < 0: no flush came */
	unsigned long writes; /* all in the bucket of 4 ms but for 2 % of 8 ms */
	bool ata;
	double idle; /* seconds */
	unsigned long discards; /* of 1 MiB */
};

static inline char *window_json(const struct window *window)
{
	unsigned long slow = window->writes / 50, ns = (unsigned long)(window->seconds * 1e9);
	char *text = NULL, ata[512] = "null", unflushed[128];

	if (window->ata)
		snprintf(ata, sizeof(ata),
			 "{\"elapsed_ns\":%lu,\"ncq\":{\"time_ns\":[%lu,%lu,0,%lu]},"
			 "\"non_ncq\":{\"flush\":{\"busy_ns\":%.0f}},"
			 "\"time\":{\"drain_ns\":%.0f,\"idle_ns\":%.0f}}",
			 ns, ns / 4, ns / 4, ns - ns / 4 * 2, window->flush * 1e9,
			 window->drain * 1e9, window->idle * 1e9);
	if (window->unflushed < 0)
		snprintf(unflushed, sizeof(unflushed), "{\"bytes_max\":null}");
	else
		snprintf(unflushed, sizeof(unflushed), "{\"bytes_max\":%.0f}", window->unflushed);
	assert_true(asprintf(&text,
			     "{\"schema\":\"fsbstat/1\",\"kind\":\"disk\",\"elapsed_ns\":%lu,"
			     "\"device\":{\"fua\":false},"
			     "\"request\":{\"read\":{\"ios\":10,\"bytes\":40960},"
			     "\"write\":{\"ios\":%lu,\"bytes\":%lu,\"device\":{\"min_ns\":4000000,"
			     "\"max_ns\":8100000,\"buckets\":[[3997696,%lu],[7995392,%lu]]}},"
			     "\"fua_write\":{\"ios\":0,\"bytes\":0},"
			     "\"discard\":{\"ios\":%lu,\"bytes\":%lu},"
			     "\"flush\":{\"ios\":%lu,\"device\":{\"sum_ns\":%.0f}}},"
			     "\"depth\":{\"mean\":2.5,\"idle_ns\":%.0f},\"ata\":%s,"
			     "\"unflushed\":%s}",
			     ns, window->writes, window->writes * 4096, window->writes - slow, slow,
			     window->discards, window->discards << 20, window->flushes,
			     window->flush * 1e9, window->ata ? 0 : window->idle * 1e9, ata,
			     unflushed) > 0);
	return text;
}

static inline void add_scores(struct store *store, int64_t cell, const double *score, size_t nr,
			      const struct window *window, const char *options)
{
	for (size_t i = 0; i < nr; i++) {
		struct store_trial trial = sample_trial(cell, (unsigned int)i + 1, score[i]);

		trial.device = window ? window_json(window) : NULL;
		trial.mount_options = (char *)options;
		add_trial(store, trial);
		free(trial.device);
	}
}

enum { BARRIER, NOBARRIER, NOCACHE, JOURNAL, XFS, BTRFS, TMPFS, CONFIGURATIONS };

static inline void add_first_workload(struct store *store, const struct store_cell *cell)
{
	static const double barrier[] = {50.1, 51.2, 51.1}, nobarrier[] = {77, 78, 76.3};
	static const double nocache[] = {38, 52.3, 38.2, 52},
			    journal[] = {30, 30.1, 40, 30.3, 30.2};
	static const double alone[] = {112.5};
	const struct window flushing = {600, 48720, 43.2, 294.6, 18300000, 200000, true, 120, 0};
	const struct window no_flush = {600, 0, 0, 0, -1, 300000, true, 480, 0};
	const struct window no_cache = {600, 0, 0, 0, 0, 250000, true, 300, 0};
	struct trouble trouble;
	struct store_trial trial;

	add_scores(store, cell[BARRIER].id, barrier, 3, &flushing, "rw,relatime");
	add_scores(store, cell[NOBARRIER].id, nobarrier, 3, &no_flush, "rw,relatime,nobarrier");
	add_scores(store, cell[NOCACHE].id, nocache, 4, &no_cache, "rw,relatime");
	add_scores(store, cell[JOURNAL].id, journal, 5, &flushing,
		   "rw,relatime,nodelalloc,nodioread_nolock,commit=5,data=journal");
	add_scores(store, cell[TMPFS].id, alone, 1, NULL, "rw,relatime,size=1048576k");
	trial = sample_trial(cell[BARRIER].id, 4, NAN);
	trial.state = TRIAL_INVALID;
	trial.reason = (char *)"the cache could not be dropped: Permission denied";
	add_trial(store, trial);
	trial = sample_trial(cell[NOBARRIER].id, 4, 75.9);
	trial.state = TRIAL_NOISY;
	trial.reason = (char *)"1.2 GB of foreign reads on sdb";
	trial.mount_options = (char *)"rw,relatime,nobarrier";
	trial.device = window_json(&no_flush);
	add_trial(store, trial);
	free(trial.device);
	trial = sample_trial(cell[BTRFS].id, 1, NAN);
	trial.state = TRIAL_FAILED;
	trial.reason =
		(char *)"dbench ended with status 1: \033[31mopen ./clients failed\033[0m for "
			"handle 10003 (No space left on device)";
	trial.mount_options = (char *)"";
	add_trial(store, trial);
	expect_fine(store_cell_stop(store, cell[JOURNAL].id, "max", &trouble), &trouble);
	expect_fine(store_cell_stop(store, cell[BTRFS].id, "failed", &trouble), &trouble);
}

/* Seconds, less is better; the disk is not behind libata. */
static inline void add_second_workload(struct store *store, const struct store_cell *cell)
{
	static const double barrier[] = {12.5, 12.25, 12.625}, nobarrier[] = {8, 8.25, 8.125};
	static const double nocache[] = {12.4, 12.6, 12.3, 12.45}, alone[] = {3.5};
	const struct window flushing = {12.5, 250, 0, 2.5, 40960, 400, false, 5, 0};
	const struct window no_flush = {8.125, 0, 0, 0, -1, 400, false, 7.5, 0};

	add_scores(store, cell[BARRIER].id, barrier, 3, &flushing, "rw,relatime");
	add_scores(store, cell[NOBARRIER].id, nobarrier, 3, &no_flush, "rw,relatime,nobarrier");
	add_scores(store, cell[NOCACHE].id, nocache, 4, &flushing, "rw,relatime");
	add_scores(store, cell[TMPFS].id, alone, 1, NULL, "rw,relatime,size=1048576k");
}

/* Into run_store, complete; read back. */
static inline void store_sample_results(struct store_result *result)
{
	static const char *const names[CONFIGURATIONS] = {
		"ext4-barrier-cache",
		"ext4-nobarrier-cache",
		"ext4-barrier-nocache",
		"ext4-data=journal-cache",
		"xfs-nobarrier-cache",
		"btrfs-nocow-nobarrier-nocache",
		"tmpfs",
	};
	struct store_cell cell[2 * CONFIGURATIONS];
	struct store_cell of_dbench[CONFIGURATIONS], of_untar[CONFIGURATIONS];
	struct store *store = open_run_store(STORE_WRITE);
	struct store_run run = sample_run();
	struct trouble trouble;

	run.baseline = (char *)"ext4-barrier-cache";
	for (int i = 0; i < CONFIGURATIONS; i++) {
		cell[2 * i] = sample_cell(names[i], "dbench-12");
		cell[2 * i + 1] = sample_cell(names[i], "untar");
		cell[2 * i + 1].title = (char *)"unpacking a kernel";
		cell[2 * i + 1].unit = (char *)"seconds";
		cell[2 * i + 1].more_is_better = false;
	}
	cell[2 * XFS].unsupported = (char *)"xfs has no nobarrier since 4.19";
	cell[2 * XFS + 1].unsupported = (char *)"xfs has no nobarrier since 4.19";
	expect_fine(store_run_add(store, &run, "barrier", cell, 2 * CONFIGURATIONS, &trouble),
		    &trouble);
	free(run.name);
	for (int i = 0; i < CONFIGURATIONS; i++) {
		of_dbench[i] = cell[2 * i];
		of_untar[i] = cell[2 * i + 1];
	}
	add_first_workload(store, of_dbench);
	add_second_workload(store, of_untar);
	expect_fine(store_run_state(store, run.id, "complete", "2026-11-30T15:00:00Z", &trouble),
		    &trouble);
	expect_fine(store_load(store, NULL, result, &trouble), &trouble);
	store_close(store);
}

#endif /* FSB_TESTS_SAMPLE_RESULTS_H */
