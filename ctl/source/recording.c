// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * recording: everything but the counters, as JSON and back; see recording.h.  A further
 * setting is a further line in one of the tables.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fsbstat_version.h"
#include "json_text.h"
#include "message.h"
#include "source/members.h"
#include "source/recording.h"

#define DISKS_MAX 4096U

const char *const recording_phases[] = {
	[PHASE_BEGIN] = "begin", [PHASE_TICK] = "tick", [PHASE_END] = "end",
	[PHASE_NOTICE] = "notice", NULL,
};

static const struct member_row disk_rows[] = {
	MEMBER_CHARS("name", struct disk, name),
	MEMBER("major", MEMBER_U32, struct disk, major),
	MEMBER("minor", MEMBER_U32, struct disk, minor),
};

static const struct member_row host_rows[] = {
	MEMBER_CHARS("kernel", struct host, kernel),
	MEMBER_CHARS("machine", struct host, machine),
	MEMBER_CHARS("cpu", struct host, cpu),
	MEMBER("memory_bytes", MEMBER_U64, struct host, memory_bytes),
};

static const struct member_row head_rows[] = {
	MEMBER_CHARS("module_version", struct recording_head, module_version),
	MEMBER("sees_ata", MEMBER_BOOL, struct recording_head, sees_ata),
	MEMBER_CHARS("start", struct recording_head, start),
	MEMBER_CHARS("via", struct recording_head, disks.via),
	MEMBER("interval_ns", MEMBER_U64, struct recording_head, interval_ns),
	MEMBER("wanted_runs", MEMBER_U32, struct recording_head, wanted_runs),
	MEMBER("sync", MEMBER_BOOL, struct recording_head, sync),
};

#define INFO(key, type) MEMBER(#key, type, struct disk_info, key)
#define INFO_TEXT(key) MEMBER_CHARS(#key, struct disk_info, key)
static const struct member_row info_rows[] = {
	INFO_TEXT(by_id),
	INFO_TEXT(serial),
	INFO_TEXT(wwn),
	INFO_TEXT(model),
	INFO_TEXT(firmware),
	INFO_TEXT(transport),
	INFO(rotational, MEMBER_INT),
	INFO(size_bytes, MEMBER_I64),
	INFO(ncq, MEMBER_INT),
	INFO(queue_depth, MEMBER_INT),
	INFO(nr_requests, MEMBER_I64),
	INFO_TEXT(scheduler),
	INFO(write_cache, MEMBER_INT),
	INFO_TEXT(write_cache_kernel),
	INFO(fua, MEMBER_INT),
	INFO(discard_max_bytes, MEMBER_I64),
	INFO(iostats, MEMBER_INT),
};

#define STATS(key) MEMBER(#key, MEMBER_U64, struct diskstats, key)
static const struct member_row stats_rows[] = {
	STATS(read_ios), STATS(read_merges), STATS(read_sectors), STATS(read_ms),
	STATS(write_ios), STATS(write_merges), STATS(write_sectors), STATS(write_ms),
	STATS(inflight), STATS(busy_ms), STATS(waiting_ms),
	STATS(discard_ios), STATS(discard_merges), STATS(discard_sectors), STATS(discard_ms),
	STATS(flush_ios), STATS(flush_ms),
};

static const struct member_row run_rows[] = {
	MEMBER("number", MEMBER_U32, struct recording_run, number),
	MEMBER("code", MEMBER_INT, struct recording_run, code),
	MEMBER("signal", MEMBER_INT, struct recording_run, signal),
	MEMBER("wall_ns", MEMBER_U64, struct recording_run, wall_ns),
};

static const struct member_row end_rows[] = {
	MEMBER("code", MEMBER_INT, struct recording_end, code),
	MEMBER("signal", MEMBER_INT, struct recording_end, signal),
	MEMBER("cut_short", MEMBER_BOOL, struct recording_end, cut_short),
	MEMBER("sync_ns", MEMBER_U64, struct recording_end, sync_ns),
	MEMBER("have_dirty", MEMBER_BOOL, struct recording_end, have_dirty),
	MEMBER("dirty_bytes", MEMBER_U64, struct recording_end, dirty_bytes),
};

static const struct member_table disk_table = MEMBER_TABLE(disk_rows),
	host_table = MEMBER_TABLE(host_rows), head_table = MEMBER_TABLE(head_rows),
	info_table = MEMBER_TABLE(info_rows), stats_table = MEMBER_TABLE(stats_rows),
	run_table = MEMBER_TABLE(run_rows), end_table = MEMBER_TABLE(end_rows);

/* --- arrays of texts --- */

static json_t *texts_json(char *const *text, size_t nr)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && i < nr; i++)
		if (json_array_append_new(array, json_text(text[i]))) {
			json_decref(array);
			array = NULL;
		}
	return array;
}

/* NULL-terminated; 0 or an error number.  texts_free() in any case. */
static int texts_get(const json_t *array, char ***text, size_t *nr)
{
	const json_t *item;
	size_t i;

	*nr = 0;
	*text = calloc(json_array_size(array) + 1, sizeof(**text));
	if (!*text)
		return -ENOMEM;
	json_array_foreach(array, i, item) {
		if (!json_is_string(item))
			return -EBADMSG;
		(*text)[i] = strdup(json_string_value(item));
		if (!(*text)[i])
			return -ENOMEM;
		(*nr)++;
	}
	return 0;
}

static void texts_free(char **text)
{
	char **one;

	for (one = text; one && *one; one++)
		free(*one);
	free(text);
}

/* --- the first line --- */

static json_t *disks_json(const struct disk_set *set)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && i < set->nr; i++)
		if (json_array_append_new(array, members_json(&disk_table, &set->disk[i]))) {
			json_decref(array);
			array = NULL;
		}
	return array;
}

static json_t *reasons_json(const struct recording_head *head)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; object && i < LAYERS; i++)
		if (*head->missing[i] && json_object_set_new(object, recording_layers[i],
							     json_text(head->missing[i]))) {
			json_decref(object);
			object = NULL;
		}
	return object;
}

static json_t *command_json(char *const *argv)
{
	size_t nr = 0;

	while (argv && argv[nr])
		nr++;
	return argv ? texts_json(argv, nr) : json_null();
}

static json_t *host_json(const struct host *host)
{
	json_t *object = members_json(&host_table, host);

	if (object && json_object_set_new(object, "cpus", json_integer(host->cpus))) {
		json_decref(object);
		return NULL;
	}
	return object;
}

json_t *recording_head_json(const struct recording_head *head)
{
	json_t *object;

	object = json_pack("{s:s, s:{s:s}, s:s, s:o, s:o, s:o, s:o}", "schema", RECORDING_SCHEMA,
			   "tool", "version", FSBSTAT_VERSION,
			   "counted_by", source_kind_name(head->counted_by),
			   "missing", reasons_json(head), "host", host_json(&head->host),
			   "command", command_json(head->argv), "disks", disks_json(&head->disks));
	if (object && members_set(object, &head_table, head)) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static int disks_get(const json_t *array, struct disk_set *set)
{
	size_t i, nr = json_array_size(array);

	if (!nr || nr > DISKS_MAX)
		return -EBADMSG;
	set->disk = calloc(nr, sizeof(*set->disk));
	if (!set->disk)
		return -ENOMEM;
	set->nr = nr;
	for (i = 0; i < nr; i++)
		if (members_get(json_array_get(array, i), &disk_table, &set->disk[i]))
			return -EBADMSG;
	return 0;
}

static void reasons_get(const json_t *object, struct recording_head *head)
{
	size_t i;

	for (i = 0; i < LAYERS; i++) {
		const char *text =
			json_string_value(json_object_get(object, recording_layers[i]));

		if (text)
			message_printable(head->missing[i], sizeof(head->missing[i]), text);
	}
}

static int host_get(const json_t *json, struct host *host)
{
	host->cpus = (long)json_integer_value(json_object_get(json, "cpus"));
	return members_get(json, &host_table, host);
}

static int command_get(const json_t *json, struct recording_head *head)
{
	size_t nr;

	if (!json || json_is_null(json))
		return 0;
	if (!json_is_array(json) || !json_array_size(json))
		return -EBADMSG;
	return texts_get(json, &head->argv, &nr);
}

int recording_head_get(const json_t *json, struct recording_head *head, const char **why)
{
	const char *schema = json_string_value(json_object_get(json, "schema"));
	const char *by = json_string_value(json_object_get(json, "counted_by"));
	int err;

	memset(head, 0, sizeof(*head));
	*why = "it is no recording of fsbctl";
	if (!schema || strncmp(schema, "fsbstat-recording/", strlen("fsbstat-recording/")))
		return -EBADMSG;
	*why = "it was made by a later fsbctl";
	if (strcmp(schema, RECORDING_SCHEMA))
		return -EBADMSG;
	*why = "its first line makes no sense";
	if (!by || source_kind_parse(by, &head->counted_by) || head->counted_by == SOURCE_AUTO)
		return -EBADMSG;
	reasons_get(json_object_get(json, "missing"), head);
	err = members_get(json, &head_table, head);
	if (!err)
		err = host_get(json_object_get(json, "host"), &head->host);
	if (!err)
		err = disks_get(json_object_get(json, "disks"), &head->disks);
	if (!err)
		err = command_get(json_object_get(json, "command"), head);
	if (!err && (!head->wanted_runs || head->wanted_runs > 1000))
		err = -EBADMSG;
	return err;
}

void recording_head_free(struct recording_head *head)
{
	texts_free(head->argv);
	head->argv = NULL;
	disk_set_free(&head->disks);
}

/* --- settings and mounts --- */

static json_t *mounts_json(const struct mounts *mounts)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && i < mounts->nr; i++) {
		const struct mount *mount = &mounts->mount[i];
		json_t *object = json_pack("{s:I, s:I, s:o, s:o, s:o, s:o}",
					   "major", (json_int_t)mount->major,
					   "minor", (json_int_t)mount->minor,
					   "source", json_text(mount->source),
					   "target", json_text(mount->target),
					   "fstype", json_text(mount->fstype),
					   "options", json_text(mount->options));

		if (json_array_append_new(array, object)) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

json_t *recording_look_json(const struct source_look *look)
{
	return json_pack("{s:o, s:o}",
			 "info", look->have_info ? members_json(&info_table, &look->info) :
						   json_null(),
			 "mounts", look->have_mounts ? mounts_json(&look->mounts) : json_null());
}

static int mount_text(const json_t *json, const char *key, char **into)
{
	const char *text = json_string_value(json_object_get(json, key));

	if (!text)
		return -EBADMSG;
	*into = strdup(text);
	return *into ? 0 : -ENOMEM;
}

static int mounts_get(const json_t *json, struct mounts *mounts)
{
	const json_t *item;
	size_t i;
	int err = 0;

	mounts->mount = calloc(json_array_size(json) + 1, sizeof(*mounts->mount));
	if (!mounts->mount)
		return -ENOMEM;
	json_array_foreach(json, i, item) {
		struct mount *mount = &mounts->mount[mounts->nr++];

		mount->major = (uint32_t)json_integer_value(json_object_get(item, "major"));
		mount->minor = (uint32_t)json_integer_value(json_object_get(item, "minor"));
		err = mount_text(item, "source", &mount->source);
		if (!err)
			err = mount_text(item, "target", &mount->target);
		if (!err)
			err = mount_text(item, "fstype", &mount->fstype);
		if (!err)
			err = mount_text(item, "options", &mount->options);
		if (err)
			break;
	}
	return err;
}

int recording_look_get(const json_t *json, struct source_look *look, const char **why)
{
	const json_t *info = json_object_get(json, "info");
	const json_t *mounts = json_object_get(json, "mounts");
	int err = 0;

	memset(look, 0, sizeof(*look));
	*why = "info";
	if (json_is_object(info)) {
		int cache = UNKNOWN;

		look->have_info = true;
		err = members_get(info, &info_table, &look->info);
		cache = look->info.write_cache;
		if (!err && cache != UNKNOWN && cache != OFF && cache != ON)
			err = -EBADMSG;
	}
	if (!err && json_is_array(mounts)) {
		*why = "mounts";
		look->have_mounts = true;
		err = mounts_get(mounts, &look->mounts);
	} else if (!err) {
		snprintf(look->mounts.unknown, sizeof(look->mounts.unknown),
			 "not read when it was recorded");
	}
	return err;
}

json_t *recording_stats_json(const struct diskstats *stats)
{
	return members_json(&stats_table, stats);
}

int recording_stats_get(const json_t *json, struct diskstats *stats, const char **why)
{
	*why = "stats";
	memset(stats, 0, sizeof(*stats));
	return members_get(json, &stats_table, stats);
}

/* --- the end of a run, the end of all --- */

json_t *recording_run_json(const struct recording_run *run)
{
	return members_json(&run_table, run);
}

int recording_run_get(const json_t *json, struct recording_run *run, const char **why)
{
	*why = "run";
	memset(run, 0, sizeof(*run));
	return members_get(json, &run_table, run);
}

json_t *recording_end_json(const struct recording_end *end)
{
	json_t *object = members_json(&end_table, end), *said = json_array();
	size_t i;

	for (i = 0; said && i < end->nr; i++) {
		json_t *one = json_pack("{s:b, s:b, s:o}", "lost", end->said[i].lost,
					"incomplete", end->said[i].incomplete, "warnings",
					texts_json(end->said[i].line, end->said[i].nr));

		if (json_array_append_new(said, one)) {
			json_decref(said);
			said = NULL;
		}
	}
	if (!object || json_object_set_new(object, "disks", said)) {
		json_decref(object);
		return NULL;
	}
	return object;
}

int recording_end_get(const json_t *json, struct recording_end *end, const char **why)
{
	const json_t *disks = json_object_get(json, "disks");
	size_t i, nr = json_array_size(disks);
	int err;

	memset(end, 0, sizeof(*end));
	*why = "end";
	err = members_get(json, &end_table, end);
	if (err || nr > DISKS_MAX)
		return -EBADMSG;
	end->said = calloc(nr + 1, sizeof(*end->said));
	if (!end->said)
		return -ENOMEM;
	end->nr = nr;
	for (i = 0; i < nr && !err; i++) {
		const json_t *one = json_array_get(disks, i);

		end->said[i].lost = json_is_true(json_object_get(one, "lost"));
		end->said[i].incomplete = json_is_true(json_object_get(one, "incomplete"));
		err = texts_get(json_object_get(one, "warnings"), &end->said[i].line,
				&end->said[i].nr);
	}
	return err;
}

void recording_end_free(struct recording_end *end)
{
	size_t i;

	for (i = 0; i < end->nr; i++)
		texts_free(end->said[i].line);
	free(end->said);
	end->said = NULL;
	end->nr = 0;
}
