// SPDX-License-Identifier: GPL-2.0-or-later
/* settings_apply: sets what is wanted, saving first what is; see settings.h. */
#include "disk/settings_job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk/kfile.h"

#define ATA_WORD_QUEUE_DEPTH 75
#define PG89_IDENTIFY	     60

/* The most a drive may be given at once; -1 when that cannot be told. */
static int64_t most_queued(const struct settings_job *job)
{
	unsigned char page[PG89_IDENTIFY + 512];
	const unsigned char *word = page + PG89_IDENTIFY + 2 * ATA_WORD_QUEUE_DEPTH;
	const char *at = strstr(job->dev.dir, "/host");
	int64_t most = -1, drive;
	unsigned int host;

	for (; at && most < 0; at = strstr(at + 1, "/host"))
		if (sscanf(at, "/host%u/", &host) == 1)
			most = kfile_number("/sys/class/scsi_host/host%u/can_queue", host);
	if (job->info.ncq < 0 ||
	    kfile_bytes(page, sizeof(page), "%s/device/vpd_pg89", job->dev.dir) != sizeof(page))
		return most;
	drive = (word[0] & 0x1f) + 1;
	return most < 0 || drive < most ? drive : most;
}

static int resolve_ncq(const struct settings_job *job, struct settings *wanted,
		       struct settings_error *error)
{
	char *value = wanted->value[SETTING_NCQ];
	int64_t most;

	if (!*value || !kfile_exists("%s/device/queue_depth", job->dev.dir))
		return 0;
	most = most_queued(job);
	if (!strcmp(value, "max")) {
		if (most < 0)
			return job_fail(job, error, "name a number",
					"its greatest depth is unknown");
		snprintf(value, SETTING_VALUE_MAX, "%lld", (long long)most);
	} else if (most >= 0 && strtoll(value, NULL, 10) > most) {
		return job_fail(job, error, "", "ncq=%s: it takes %lld commands at most", value,
				(long long)most);
	}
	return 0;
}

/*
 * Makes wanted complete: a change of the drive's cache changes the kernel's view along
 * with it, unless another one is wanted.
 */
static int resolve(struct settings_job *job, struct settings *wanted, struct settings *is,
		   struct settings_error *error)
{
	char *drive = wanted->value[SETTING_WRITE_CACHE];
	char *view = wanted->value[SETTING_WRITE_CACHE_KERNEL];
	struct settings_error ignored;

	for (int i = SETTING_WRITE_CACHE_KERNEL; i < SETTINGS; i++)
		(void)value_read(&job->dev, settings_name((enum setting)i), is->value[i]);
	if (resolve_ncq(job, wanted, error))
		return -1;
	if (*drive) {
		if (job_ask_drive(job, is->value[SETTING_WRITE_CACHE], error))
			return -1;
		if (!*view)
			strcpy(view, strcmp(drive, "on") ? "write through" : "write back");
	} else if (*view) {
		(void)job_ask_drive(job, is->value[SETTING_WRITE_CACHE], &ignored);
	}
	if (*is->value[SETTING_WRITE_CACHE] &&
	    values_put(&job->start, FILE_WRITE_CACHE, is->value[SETTING_WRITE_CACHE]))
		return job_fail(job, error, "", "%s", strerror(ENOMEM));
	return 0;
}

static int add_change(struct settings_result *result, const char *name, const char *was,
		      const char *is, bool asked)
{
	struct settings_change *more =
		realloc(result->change, (result->nr_changes + 1) * sizeof(*more));

	if (!more)
		return -1;
	result->change = more;
	more += result->nr_changes++;
	memset(more, 0, sizeof(*more));
	snprintf(more->name, sizeof(more->name), "%s", name);
	snprintf(more->was, sizeof(more->was), "%s", was);
	snprintf(more->is, sizeof(more->is), "%s", is);
	more->asked = asked;
	return 0;
}

/* All that was asked for, changed or not, and what else differs from the start. */
static int report(const struct settings_job *job, const struct settings_request *request,
		  const struct settings *wanted, struct settings_result *result)
{
	struct settings_error ignored;
	char is[SETTING_VALUE_MAX];
	const char *was;
	int ret = 0;

	for (int i = 0; i < SETTINGS && !ret; i++) {
		const char *name = settings_name((enum setting)i);

		if (!*wanted->value[i])
			continue;
		was = values_get(&job->start, name);
		if (request->dry_run)
			strcpy(is, wanted->value[i]);
		else
			(void)job_value(job, name, is, &ignored);
		ret = add_change(result, name, was ? was : "", is, *request->wanted.value[i]);
	}
	for (size_t i = 0; i < job->start.nr && !ret && !request->dry_run; i++) {
		const struct value *value = &job->start.item[i];
		enum setting setting = settings_by_name(value->name);

		if (setting < SETTINGS && *wanted->value[setting])
			continue;
		if (setting == SETTING_WRITE_CACHE)
			continue;
		(void)job_value(job, value->name, is, &ignored);
		if (strcmp(is, value->text))
			ret = add_change(result, value->name, value->text, is, false);
	}
	return ret;
}

/* The values that one setting's change writes. */
static int values_of_step(const struct settings *wanted, enum setting setting,
			  struct values *values)
{
	memset(values, 0, sizeof(*values));
	if (setting == SETTING_WRITE_CACHE &&
	    values_put(values, settings_name(SETTING_WRITE_CACHE_KERNEL),
		       wanted->value[SETTING_WRITE_CACHE_KERNEL]))
		return -1;
	return values_put(values, settings_name(setting), wanted->value[setting]);
}

/* Everything as it is just before a step; the drive is asked where it will be changed. */
static int look(struct settings_job *job, enum setting setting, struct values *before,
		struct settings_error *error)
{
	char drive[SETTING_VALUE_MAX];

	values_free(before);
	if (values_read(&job->dev, before))
		return job_fail(job, error, "", "%s", strerror(errno));
	if (setting != SETTING_WRITE_CACHE)
		return 0;
	if (job_ask_drive(job, drive, error))
		return -1;
	return values_put(before, FILE_WRITE_CACHE, drive);
}

/* One setting: what is there is saved, then changed, then what came of it is noted. */
static int step(struct settings_job *job, const struct settings *wanted, enum setting setting,
		struct settings_error *error)
{
	struct settings_state *state = &job->state;
	struct settings_error later;
	struct values values;
	int ret;

	if (look(job, setting, &state->before, error))
		return -1;
	if (values_of_step(wanted, setting, &values)) {
		values_free(&values);
		return job_fail(job, error, "", "%s", strerror(ENOMEM));
	}
	state->pending = true;
	state->pending_setting = setting;
	strcpy(state->pending_to, wanted->value[setting]);
	ret = state_store(state, error);
	if (ret) {
		state->pending = false;
	} else {
		ret = job_put(job, &values, error);
		/* On failure the first error is the one to tell; the file still has it all. */
		if (job_note_changes(job, &state->before, setting, wanted->value[setting])) {
			ret = job_fail(job, ret ? &later : error, "", "%s", strerror(ENOMEM));
		} else {
			state->pending = false;
			if (state_store(state, ret ? &later : error))
				ret = -1;
		}
	}
	values_free(&values);
	return ret;
}

/* The saved values as they are now, after a change that is known to have been ours. */
static void refresh(struct settings_job *job)
{
	struct settings_state *state = &job->state;
	char now[SETTING_VALUE_MAX];
	struct settings_error ignored;
	size_t i = 0;

	while (i < state->nr) {
		struct saved *saved = &state->saved[i];

		if (!is_mount_name(saved->name) && !job_value(job, saved->name, now, &ignored))
			strcpy(saved->now, now);
		if (strcmp(saved->was, saved->now))
			i++;
		else
			*saved = state->saved[--state->nr];
	}
}

/* Puts back what this call has changed; *error says why it is needed. */
static void roll_back(struct settings_job *job, struct settings_error *error)
{
	struct settings_state *state = &job->state;
	struct settings_error second;
	struct values back = {0};
	char now[SETTING_VALUE_MAX];
	size_t used = strlen(error->hint);
	int ret = state->nr ? 0 : -1;

	for (size_t i = 0; i < state->nr; i++) {
		const char *start = values_get(&job->start, state->saved[i].name);

		(void)job_value(job, state->saved[i].name, now, &second);
		if (start && strcmp(start, now) && values_put(&back, state->saved[i].name, start))
			ret = -1;
	}
	if (values_get(&back, FILE_WRITE_CACHE) &&
	    values_put(&back, settings_name(SETTING_WRITE_CACHE_KERNEL),
		       values_get(&job->start, settings_name(SETTING_WRITE_CACHE_KERNEL))))
		ret = -1;
	if (!ret && back.nr) {
		state->restoring = true;
		ret = state_store(state, &second) || job_put(job, &back, &second) ? -1 : 0;
		state->restoring = ret != 0;
		if (!ret)
			refresh(job);
		if (state_store(state, &second))
			ret = -1;
	}
	if (ret && state->nr)
		snprintf(error->hint + used, sizeof(error->hint) - used,
			 "%snot all could be put back at once; fsbctl restore tries again",
			 used ? "\n" : "");
	values_free(&back);
}

static bool is_as_wanted(const struct settings *wanted, const struct settings *is,
			 enum setting setting)
{
	bool same = !strcmp(wanted->value[setting], is->value[setting]);

	/* The two views of the cache are one step. */
	if (setting == SETTING_WRITE_CACHE)
		same = same && !strcmp(wanted->value[SETTING_WRITE_CACHE_KERNEL],
				       is->value[SETTING_WRITE_CACHE_KERNEL]);
	return same;
}

static int apply(struct settings_job *job, const struct settings *wanted, const struct settings *is,
		 struct settings_error *error)
{
	bool drive = *wanted->value[SETTING_WRITE_CACHE];
	int ret = 0;

	for (int i = 0; i < SETTINGS && !ret; i++) {
		enum setting setting = (enum setting)i;

		if (!*wanted->value[i] || is_as_wanted(wanted, is, setting) ||
		    (setting == SETTING_WRITE_CACHE_KERNEL && drive))
			continue;
		ret = step(job, wanted, setting, error);
	}
	if (ret)
		roll_back(job, error);
	return ret;
}

int settings_apply(const struct settings_request *request, struct settings_result *result,
		   struct settings_error *error)
{
	struct settings wanted = request->wanted, is = {0};
	struct settings_job job;
	int ret;

	memset(result, 0, sizeof(*result));
	ret = job_begin(&job, &request->target.disk, request->dry_run, false, error);
	if (!ret)
		ret = resolve(&job, &wanted, &is, error);
	if (!ret)
		ret = settings_check(&job, request, &is, error);
	if (!ret && !request->dry_run) {
		ret = apply(&job, &wanted, &is, error);
		if (*wanted.value[SETTING_WRITE_CACHE])
			job_tell_cache(&job);
	}
	if (!ret && report(&job, request, &wanted, result))
		ret = job_fail(&job, error, "", "%s", strerror(ENOMEM));
	if (!ret && job.state.nr)
		snprintf(result->state_file, sizeof(result->state_file), "%.511s", job.state.path);
	job_end(&job);
	return ret;
}

int settings_read(const struct disk *disk, bool ask, struct settings *is,
		  struct settings_error *error)
{
	struct settings_job job = {0};

	memset(is, 0, sizeof(*is));
	if (blockdev_by_number(&job.dev, disk->major, disk->minor) ||
	    disk_describe(disk, &job.info))
		return settings_fail(error, SETTINGS_FAILED, disk->name, "",
				     "the disk is no longer there");
	for (int i = SETTING_WRITE_CACHE_KERNEL; i < SETTINGS; i++)
		(void)value_read(&job.dev, settings_name((enum setting)i), is->value[i]);
	return ask ? job_ask_drive(&job, is->value[SETTING_WRITE_CACHE], error) : 0;
}

void settings_result_free(struct settings_result *result)
{
	free(result->change);
	free(result->returned);
	memset(result, 0, sizeof(*result));
}
