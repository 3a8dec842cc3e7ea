// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * settings_restore: puts back what was saved; see settings.h.
 *
 * What is to be put back is decided before anything is written, since one setting
 * moves another: a scheduler brings its own nr_requests. That the decision was taken is
 * saved, so that a restore that is cut off is completed and not decided anew.
 */
#include "disk/settings_job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A side effect stays with what it is an effect of. */
static bool cause_is_kept(const struct settings_result *result, const struct saved *saved)
{
	const char *cause = saved->cause == SETTINGS ? "" : settings_name(saved->cause);

	for (size_t i = 0; i < result->nr_returned && *cause; i++)
		if (!strcmp(result->returned[i].name, cause) && strcmp(saved->name, cause))
			return result->returned[i].fate == SETTINGS_KEPT;
	return false;
}

static enum settings_fate judge(const struct settings_job *job, const struct saved *saved,
				const char *found, bool force)
{
	if (is_mount_name(saved->name) && !*found)
		return SETTINGS_GONE;
	if (!strcmp(found, saved->was))
		return SETTINGS_WAS_BACK;
	if (force)
		return SETTINGS_PUT_BACK;
	if (job->state.restoring)
		return saved->kept ? SETTINGS_KEPT : SETTINGS_PUT_BACK;
	return strcmp(found, saved->now) ? SETTINGS_KEPT : SETTINGS_PUT_BACK;
}

/* What cannot be told now is no change that another program has made: nothing is decided then. */
static int decide(struct settings_job *job, const struct settings_restore_options *options,
		  struct settings_result *result, struct settings_error *error)
{
	struct settings_state *state = &job->state;

	result->returned = calloc(state->nr ? state->nr : 1, sizeof(*result->returned));
	if (!result->returned)
		return job_fail(job, error, "", "%s", strerror(ENOMEM));
	for (size_t i = 0; i < state->nr; i++) {
		struct settings_returned *returned = &result->returned[result->nr_returned++];
		const struct saved *saved = &state->saved[i];

		snprintf(returned->name, sizeof(returned->name), "%s", saved->name);
		snprintf(returned->old, sizeof(returned->old), "%s", saved->was);
		snprintf(returned->set, sizeof(returned->set), "%s", saved->now);
		if (job_value(job, saved->name, returned->found, error))
			return -1;
		returned->fate = judge(job, saved, returned->found, options->force);
	}
	for (size_t i = 0; i < state->nr; i++) {
		if (!options->force && cause_is_kept(result, &state->saved[i]))
			result->returned[i].fate = SETTINGS_KEPT;
		state->saved[i].kept = result->returned[i].fate == SETTINGS_KEPT;
	}
	return 0;
}

/* What has to be written: the saved values, and the kernel's view if the drive is set. */
static int gather(const struct settings_job *job, const struct settings_result *result,
		  struct values *values)
{
	const char *view = settings_name(SETTING_WRITE_CACHE_KERNEL);

	for (size_t i = 0; i < result->nr_returned; i++)
		if (result->returned[i].fate != SETTINGS_KEPT &&
		    result->returned[i].fate != SETTINGS_GONE &&
		    values_put(values, result->returned[i].name, result->returned[i].old))
			return -1;
	if (values_get(values, FILE_WRITE_CACHE) && !values_get(values, view) &&
	    values_get(&job->start, view))
		return values_put(values, view, values_get(&job->start, view));
	return 0;
}

/* Others' values that were moved by putting back ours: where they were. */
static int put_others(const struct settings_job *job, const struct values *ours,
		      struct settings_error *error)
{
	struct values others = {0};
	char is[SETTING_VALUE_MAX];
	int ret = 0;

	for (size_t i = 0; i < job->start.nr && !ret; i++) {
		const struct value *value = &job->start.item[i];

		/* What is gone went with the scheduler that it belonged to. */
		if (values_get(ours, value->name) || value_read(&job->dev, value->name, is) ||
		    !strcmp(is, value->text))
			continue;
		/* A scheduler of its own kind of tunables starts with its own. */
		if (values_get(ours, settings_name(SETTING_SCHEDULER)) &&
		    !strncmp(value->name, "queue/iosched/", 14))
			continue;
		ret = values_put(&others, value->name, value->text);
	}
	if (ret)
		job_fail(job, error, "", "%s", strerror(ENOMEM));
	else
		ret = job_put(job, &others, error);
	values_free(&others);
	return ret;
}

static void keep_the_kept(struct settings_state *state)
{
	size_t kept = 0;

	for (size_t i = 0; i < state->nr; i++)
		if (state->saved[i].kept)
			state->saved[kept++] = state->saved[i];
	state->nr = kept;
	for (size_t i = 0; i < state->nr; i++)
		state->saved[i].kept = false;
	state->restoring = false;
}

static int put_back(struct settings_job *job, const struct settings_result *result,
		    struct settings_error *error)
{
	struct values values = {0};
	int ret = gather(job, result, &values);

	if (ret) {
		job_fail(job, error, "", "%s", strerror(ENOMEM));
	} else if (values.nr) {
		job->state.restoring = true;
		ret = state_store(&job->state, error);
		if (!ret)
			ret = job_put(job, &values, error);
		if (!ret)
			ret = put_others(job, &values, error);
	}
	if (!ret) {
		keep_the_kept(&job->state);
		ret = state_store(&job->state, error);
	}
	if (values_get(&values, FILE_WRITE_CACHE))
		job_tell_cache(job);
	values_free(&values);
	return ret;
}

int settings_restore(const struct disk *disk, const struct settings_restore_options *options,
		     struct settings_result *result, struct settings_error *error)
{
	struct settings_job job;
	int ret;

	memset(result, 0, sizeof(*result));
	ret = job_begin(&job, disk, options->dry_run, options->force, error);
	if (!ret)
		ret = decide(&job, options, result, error);
	if (!ret && result->nr_returned && !options->dry_run)
		ret = put_back(&job, result, error);
	if (job.state.nr)
		snprintf(result->state_file, sizeof(result->state_file), "%.511s", job.state.path);
	job_end(&job);
	return ret;
}
