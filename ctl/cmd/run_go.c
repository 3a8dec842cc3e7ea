// SPDX-License-Identifier: GPL-2.0-or-later
/* run_go: the experiment, its report and its exit status; see run.h. */
#include "cmd/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/interrupt.h"
#include "cmd/cmd.h"
#include "cmd/trouble_out.h"
#include "results/results.h"

static int prepare(struct run *run, struct trouble *trouble)
{
	const struct run_options *options = &run->options;
	const struct progress_options progress = {.quiet = options->quiet, .jsonl = options->jsonl};
	const struct experiment_options *begun = &run->begun.options;
	struct experiment *experiment = &run->experiment;

	experiment->options = (struct experiment_options){
		.disk = options->disk,
		.scale = options->scale,
		.max_runs = options->max_runs,
		.max_seconds = options->max_seconds,
		.settle_s = options->settle_s,
		.source = options->source,
	};
	if (options->resume && !options->have_settle)
		experiment->options.settle_s = begun->settle_s;
	if (options->resume && !options->have_source)
		experiment->options.source = begun->source;
	if (progress_open(&run->progress, &progress, trouble) ||
	    (!run->store && store_open(&run->store, run->db, STORE_WRITE, trouble)))
		return -1;
	experiment->progress = run->progress;
	experiment->store = run->store;
	return 0;
}

/* All that the run has found out, on standard output. */
static int report(struct run *run, struct trouble *trouble)
{
	const char *baseline = run->plan.matrix.configuration[run->plan.matrix.baseline].name;
	struct store_result stored;
	struct results results;
	int ret = store_load(run->store, run->experiment.run.name, &stored, trouble);

	if (ret)
		return ret;
	ret = results_make(&results, &stored, baseline);
	if (!ret)
		ret = results_text.show(stdout, &results);
	results_free(&results);
	store_result_free(&stored);
	return ret ? trouble_memory(trouble, "report") : 0;
}

static void tell_stopped(const struct run *run)
{
	char hint[300];

	snprintf(hint, sizeof(hint), "fsbctl run --resume %.200s goes on with it",
		 run->experiment.run.name);
	cmd_error(run->experiment.run.name, hint, "stopped; %u trials are stored",
		  run->experiment.nr_trials);
}

static int broken(const struct run *run, const struct trouble *trouble)
{
	int status = trouble_out(trouble);

	/* Not one that was not stored, or whose store is what was lost. */
	if (run->experiment.run.id && access(run->db, F_OK) == 0)
		tell_stopped(run);
	return status;
}

static int no_target(const struct run *run, const struct trouble *trouble)
{
	char hint[300];

	snprintf(hint, sizeof(hint), "when it is there again: fsbctl run --resume %.200s",
		 run->experiment.run.name);
	cmd_error(trouble->object, hint, "%s; %u trials are stored", trouble->reason,
		  run->experiment.nr_trials);
	return EXIT_CELL_FAILED;
}

static int complete(struct run *run, struct trouble *trouble)
{
	size_t failed = experiment_failed(&run->experiment);

	/* With events there, nobody else is to find them mixed with text. */
	if ((!run->options.jsonl || strcmp(run->options.jsonl, "-")) && report(run, trouble))
		return trouble_out(trouble);
	if (!failed)
		return EXIT_OK;
	/* So that one file for both has them in order; whoever closes it tells of failures. */
	(void)fflush(stdout);
	cmd_error(run->experiment.run.name, "fsbctl report shows why", "%zu of %zu cells failed",
		  failed, run->plan.nr_cells);
	return EXIT_CELL_FAILED;
}

int run_go(struct run *run)
{
	enum experiment_end end;
	struct trouble trouble;

	if (prepare(run, &trouble))
		return trouble_out(&trouble);
	interrupt_open();
	end = experiment_run(&run->experiment, &trouble);
	/* While signals are still heard: a report may end in one, of a reader that is gone. */
	target_release(&run->target);
	leftover_unlock(&run->experiment.leftover);
	interrupt_close();
	progress_close(run->progress);
	run->progress = NULL;
	switch (end) {
	case EXPERIMENT_COMPLETE:
		return complete(run, &trouble);
	case EXPERIMENT_INTERRUPTED:
		tell_stopped(run);
		return EXIT_SIGNAL + interrupt_signal();
	case EXPERIMENT_NO_TARGET:
		return no_target(run, &trouble);
	default:
		return broken(run, &trouble);
	}
}
