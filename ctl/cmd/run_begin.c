// SPDX-License-Identifier: GPL-2.0-or-later
/* run_begin: plan, target, store: all that is needed before anything is written; see run.h. */
#include "cmd/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/trouble_out.h"
#include "disk/disk.h"
#include "trusted.h"

#define IMAGE_SIZE (4ULL << 30)

/* ---- going on with a run ---- */

static bool is_imported(const struct store_run *run)
{
	return !strcmp(run->origin, STORE_IMPORTED);
}

/* The latest one of this machine that is neither complete nor in progress. */
static int latest_unfinished(struct run *run, char **name, struct trouble *trouble)
{
	struct store_run *runs;
	size_t nr, i;

	*name = NULL;
	if (store_list(run->store, &runs, &nr, trouble))
		return -1;
	for (i = nr; i-- > 0 && !*name;)
		if (strcmp(runs[i].state, "complete") && runs[i].activity != STORE_RUNNING &&
		    !is_imported(&runs[i])) {
			*name = strdup(runs[i].name);
			if (!*name) {
				store_runs_free(runs, nr);
				return trouble_memory(trouble, "--resume");
			}
		}
	store_runs_free(runs, nr);
	if (*name)
		return 0;
	return trouble_set(trouble, TROUBLE_USAGE, "--resume", "fsbctl runs lists them",
			   "no run was stopped or interrupted");
}

/* Held from here on, so that only one process goes on with it; a plan only looks. */
static int check_activity(struct run *run, struct trouble *trouble)
{
	const struct store_run *stored = &run->stored.run;

	if (!run->options.plan)
		return store_run_hold(run->store, stored->id, stored->name, trouble);
	if (stored->activity != STORE_RUNNING)
		return 0;
	return store_busy(stored->name, trouble);
}

static int load_run(struct run *run, struct trouble *trouble)
{
	char *name = NULL;
	int ret = 0;

	if (!run->options.run)
		ret = latest_unfinished(run, &name, trouble);
	if (!ret)
		ret = store_load(run->store, run->options.run ? run->options.run : name,
				 &run->stored, trouble);
	free(name);
	if (ret || check_activity(run, trouble))
		return -1;
	if (!strcmp(run->stored.run.state, "complete"))
		return trouble_set(trouble, TROUBLE_REFUSED, run->stored.run.name,
				   "fsbctl report shows its results", "it is complete");
	if (experiment_read_stored(&run->begun, &run->stored.run, trouble))
		return -1;
	/* A disk's data has to be agreed to; a file's path is the document's alone. */
	if (is_imported(&run->stored.run) && *run->begun.image)
		return trouble_set(trouble, TROUBLE_REFUSED, run->stored.run.name,
				   "fsbctl run MATRIX --file IMAGE starts a run of its matrix",
				   "it was imported, and its target is a file that the document "
				   "names");
	return 0;
}

/* A partition is looked for under its old name only, and is another one if its disk is. */
static int load_to_resume(struct run *run, struct trouble *trouble)
{
	if (load_run(run, trouble))
		return -1;
	run->options.disk = run->begun.options.disk;
	if (!run->options.disk || run->begun.partition)
		return 0;
	if (experiment_find_disk(&run->begun.was, run->disk_now, &run->moved, trouble))
		return -1;
	if (*run->disk_now)
		run->options.disk = run->disk_now;
	return 0;
}

/* ---- the plan ---- */

static int make_plan(struct run *run, struct trouble *trouble)
{
	const struct run_options *options = &run->options;
	struct plan_options plan = {.matrix = options->matrix,
				    .scale = options->scale,
				    .only = options->only,
				    .have_seed = options->have_seed,
				    .seed = options->seed,
				    .max_runs = options->max_runs,
				    .max_seconds = options->max_seconds,
				    .look_only = options->plan};

	if (options->resume) {
		const struct experiment_options *begun = &run->begun.options;

		plan.matrix = run->stored.run.matrix_path;
		plan.text = run->stored.run.matrix;
		plan.scale = begun->scale;
		plan.have_seed = true;
		plan.seed = run->stored.run.seed;
		if (!plan.max_runs)
			plan.max_runs = begun->max_runs;
		if (plan.max_seconds <= 0)
			plan.max_seconds = begun->max_seconds;
	}
	return plan_make(&run->plan, &plan, trouble);
}

/* ---- the target ---- */

/* All of an image is the target: its size is the matrix's, unless another one is wanted. */
static void image_options(struct run *run, struct target_options *options)
{
	options->file_size = run->plan.size ? run->plan.size : IMAGE_SIZE;
	if (run->options.resume)
		options->file_size = run->begun.size;
	else if (run->options.size)
		options->file_size = run->options.size;
}

static void target_options_of(struct run *run, struct target_options *options)
{
	const char *image = run->options.file;

	if (run->options.resume && *run->begun.image)
		image = run->begun.image;
	*options = (struct target_options){.disk = image ? NULL : run->options.disk,
					   .file = image,
					   .store = run->db,
					   .settings = run_sets_any(run),
					   .moved = run->moved};
	if (image) {
		image_options(run, options);
		return;
	}
	options->offset = run->plan.matrix.offset;
	options->size = run->plan.size;
	options->at_most = run->plan.sized_by_scale;
	if (run->options.resume || run->options.size) {
		options->size = run->options.resume ? run->begun.size : run->options.size;
		options->at_most = false;
	}
}

/* Whether the target is on the disk that the run was begun on. */
static int check_disk(const struct run *run, struct trouble *trouble)
{
	const char *by = experiment_other_disk(&run->begun.was, &run->target.info);

	if (!by && (*run->disk_now || target_is(&run->target, run->stored.run.target_id)))
		return 0;
	return trouble_set(trouble, TROUBLE_REFUSED, run->stored.run.name, "",
			   "%s is not the disk it was begun on: that one is %s%s%s%s",
			   run->options.disk, run->stored.run.target_id, by ? ", and its " : "",
			   by ? by : "", by ? " was another one" : "");
}

static int find_target(struct run *run, struct trouble *trouble)
{
	struct target_options options;

	target_options_of(run, &options);
	if (options.disk && run_take_disk(run, &options, trouble))
		return -1;
	run->have_target = true;
	if (target_find(&run->target, &options, trouble))
		return -1;
	return run->options.resume && options.disk ? check_disk(run, trouble) : 0;
}

/* ---- whether it makes sense ---- */

static int check_missing(const struct run *run, struct trouble *trouble)
{
	char hint[sizeof(trouble->hint)];
	size_t i, used;

	if (!run->plan.nr_packages || run->options.skip_missing || run->options.resume)
		return 0;
	used = (size_t)snprintf(hint, sizeof(hint), "apt-get install");
	for (i = 0; i < run->plan.nr_packages && used < sizeof(hint); i++)
		used += (size_t)snprintf(hint + used, sizeof(hint) - used, " %s",
					 run->plan.package[i]);
	if (used < sizeof(hint))
		snprintf(hint + used, sizeof(hint) - used, "\nor --skip-missing, to do without");
	return trouble_set(trouble, TROUBLE_MISSING, run->plan.matrix.name, hint,
			   "not all that it needs is installed");
}

static int check_any(const struct run *run, struct trouble *trouble)
{
	const struct plan *plan = &run->plan;
	size_t i;

	for (i = 0; i < plan->nr_cells; i++)
		if (!plan->cell[i].unsupported)
			return 0;
	return trouble_set(trouble, TROUBLE_MISSING, plan->matrix.name,
			   "--plan says why for each of them",
			   "none of its %zu cells can be had here; %s: %s", plan->nr_cells,
			   plan->cell[0].name, plan->cell[0].unsupported);
}

/* Who only plans needs to see all of it, whatever is missing. */
static int check_plan(const struct run *run, struct trouble *trouble)
{
	if (run->options.plan)
		return 0;
	if (check_missing(run, trouble) || check_any(run, trouble))
		return -1;
	if (geteuid())
		return trouble_set(trouble, TROUBLE_MISSING, "run", "--plan works without",
				   "making filesystems and changing settings needs root");
	return 0;
}

static int open_store(struct run *run, struct trouble *trouble)
{
	char why[400];

	run->db = run->options.db ? strdup(run->options.db) : store_default_path();
	if (!run->db)
		return trouble_set(trouble, TROUBLE_FAILED, "store", "--db FILE says where",
				   "there is no place for it");
	if (!run->options.resume)
		return 0;
	/* What is stored there is what root will do. */
	if (trusted_path(run->db, TRUSTED_CALLER, why, sizeof(why)) && errno == EPERM)
		return trouble_set(trouble, TROUBLE_REFUSED, run->db,
				   "a run is resumed only from a file that no user but root and the "
				   "one who called\nsudo can change; fsbctl export and import bring it "
				   "into root's own",
				   "not trusted: %s", why);
	return store_open(&run->store, run->db, run->options.plan ? STORE_READ : STORE_WRITE,
			  trouble);
}

/* What a run to go on with has done already; refuses where the machine is another one. */
static int take_up(struct run *run, struct trouble *trouble)
{
	struct experiment *experiment = &run->experiment;

	experiment->plan = &run->plan;
	experiment->target = &run->target;
	if (run->options.resume && run->options.plan)
		return experiment_match(experiment, &run->stored, trouble);
	if (run->options.plan)
		return 0;
	return run->options.resume ? experiment_resume(experiment, &run->stored, trouble)
				   : experiment_new(experiment, trouble);
}

/* For the estimate alone: whatever is wrong with the store is told when it is opened to write. */
static void learn(struct run *run)
{
	struct store *store = NULL;
	struct trouble ignored;

	if (run->store) {
		(void)plan_learn(&run->plan, &run->target, run->store, &ignored);
	} else if (!access(run->db, R_OK) && !store_open(&store, run->db, STORE_READ, &ignored)) {
		(void)plan_learn(&run->plan, &run->target, store, &ignored);
		store_close(store);
	}
}

int run_begin(struct run *run)
{
	struct trouble trouble;

	run->target.fd = -1;
	run->experiment.leftover.lock = -1;
	if (open_store(run, &trouble) || (run->options.resume && load_to_resume(run, &trouble)) ||
	    make_plan(run, &trouble) || find_target(run, &trouble) ||
	    plan_fit(&run->plan, &run->target, &trouble) || check_plan(run, &trouble) ||
	    take_up(run, &trouble))
		return trouble_out(&trouble);
	learn(run);
	if (!run->options.quiet)
		plan_mistakes(&run->plan);
	return 0;
}

void run_end(struct run *run)
{
	progress_close(run->progress);
	experiment_free(&run->experiment);
	if (run->have_target)
		target_release(&run->target);
	leftover_unlock(&run->experiment.leftover);
	plan_free(&run->plan);
	store_result_free(&run->stored);
	store_close(run->store);
	free(run->db);
}
