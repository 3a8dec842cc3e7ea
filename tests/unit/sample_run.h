/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sample_run: a store in a temporary directory and runs to put into it, for tests. */
#ifndef FSB_TESTS_SAMPLE_RUN_H
#define FSB_TESTS_SAMPLE_RUN_H

#include "unit.h"

#include <ftw.h>
#include <math.h>
#include <unistd.h>

#include "bench/store.h"

static char run_directory[64];
static char run_store[96]; /* path of the store */

static inline int sample_remove(const char *path, const struct stat *status, int type,
				struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

static inline int make_run_directory(void **state)
{
	(void)state;
	snprintf(run_directory, sizeof(run_directory), "/tmp/fsbctl-run-XXXXXX");
	if (!mkdtemp(run_directory))
		return -1;
	snprintf(run_store, sizeof(run_store), "%s/a/b/runs.db", run_directory);
	return 0;
}

static inline int drop_run_directory(void **state)
{
	(void)state;
	return nftw(run_directory, sample_remove, 8, FTW_DEPTH | FTW_PHYS);
}

static inline void expect_fine(int err, const struct trouble *trouble)
{
	if (err)
		print_error("%s: %s\n", trouble->object, trouble->reason);
	assert_int_equal(err, 0);
}

static inline struct store *open_run_store(enum store_mode mode)
{
	struct trouble trouble;
	struct store *store;

	expect_fine(store_open(&store, run_store, mode, &trouble), &trouble);
	assert_non_null(store);
	return store;
}

static inline size_t nr_runs(struct store *store)
{
	struct trouble trouble;
	struct store_run *runs;
	size_t nr;

	expect_fine(store_list(store, &runs, &nr, &trouble), &trouble);
	store_runs_free(runs, nr);
	return nr;
}

/* Literals throughout: nothing of it is freed. */
static inline struct store_run sample_run(void)
{
	return (struct store_run){
		.matrix = (char *)"schema: fsbstat-matrix/1\nname: barrier\n",
		.matrix_path = (char *)"presets/barrier.yaml",
		.baseline = (char *)"ext4-barrier",
		.seed = 18446744073709551615U,
		.target = (char *)"{\"id\":\"Z3T8QXYZ\",\"node\":\"/dev/sdb\",\"offset\":0,"
				  "\"size\":17179869184}",
		.target_id = (char *)"Z3T8QXYZ",
		.began = (char *)"2026-11-30T14:00:00Z",
		.state = (char *)"running",
		.fsbctl = (char *)"0.1.0",
		.module = (char *)"0.1.0",
		.host.kernel = (char *)"6.1.0-49-amd64 #1 SMP Debian 6.1.192-1",
		.host.machine = (char *)"testbox, 2 x Some CPU, 4 GB",
		.host.tools = (char *)"{\"dbench\":\"4.0\",\"mkfs.ext4\":\"1.47.0\"}",
		.host.disk = (char *)"{\"name\":\"sdb\",\"model\":\"ST500DM002-1BD142\","
				     "\"serial\":\"Z3T8QXYZ\",\"transport\":\"sata\","
				     "\"size_bytes\":500107862016}",
		.host.firmware = (char *)"KC45",
	};
}

static inline struct store_cell sample_cell(const char *configuration, const char *workload)
{
	return (struct store_cell){
		.configuration = (char *)configuration,
		.workload = (char *)workload,
		.title = (char *)"dbench, 12 clients",
		.unit = (char *)"MB/s",
		.more_is_better = true,
		.asked = (char *)"{\"fs\":\"ext4\",\"barrier\":\"on\"}",
	};
}

static inline struct store_trial sample_trial(int64_t cell, unsigned int block, double score)
{
	return (struct store_trial){
		.cell = cell,
		.block = block,
		.place = 1,
		.state = TRIAL_OK,
		.score = score,
		.seconds = 60.25,
		.sync_seconds = 0.125,
		.began = (char *)"2026-11-30T14:01:00Z",
		.mount_options = (char *)"rw,relatime",
		.mkfs_output = (char *)"mke2fs 1.47.0\n",
		.output = (char *)"Throughput 50.80 MB/sec\n",
		.phases = (char *)"{\"mkfs\":1200000000,\"workload\":60250000000}",
	};
}

static inline void add_trial(struct store *store, struct store_trial trial)
{
	struct trouble trouble;

	expect_fine(store_trial_add(store, &trial, &trouble), &trouble);
}

#endif /* FSB_TESTS_SAMPLE_RUN_H */
